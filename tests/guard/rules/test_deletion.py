"""Deletions by class of their target."""

from __future__ import annotations

import pytest
from tests.guard.rules.facts_of import context, removal
from tests.guard.verdicts import verdict
from tests.guard.worlds import HOME, place

from cc_safety_net.guard.rules import deletion, git_metadata

STRICT = {
    "rm.recursive-force-dynamic-target",
    "rm.file-outside-workspace",
}
PARANOID = {"rm.recursive-force-paranoid"}


def rules(text: str, cwd: str | None = f"{HOME}/proj", root: str = f"{HOME}/proj") -> list[str]:
    reading, accesses = removal(text, cwd=cwd)
    asked = context(reading, where=place(root))
    found = []
    for access in accesses:
        found += [f.rule for f in git_metadata.check_access(access, asked)]
    for access in accesses:
        found += [f.rule for f in deletion.check_access(access, asked)]
    return found


DENIED = [
    ("rm -rf /", "rm.recursive-force-root-or-home"),
    ("rm -rf ~", "rm.recursive-force-root-or-home"),
    ("rm -rf /*", "rm.recursive-force-root-or-home"),
    ("rm -rf ~/*", "rm.recursive-force-root-or-home"),
    ("rm -rf ~/.*", "rm.recursive-force-root-or-home"),
    ("rm -rf /???", "rm.recursive-force-root-or-home"),
    ("rm -rf /*/*", "rm.recursive-force-root-or-home"),
    ("rm -rf /home", "rm.recursive-force-root-or-home"),
    ("rm -rf /home/bob", "rm.recursive-force-root-or-home"),
    ("rm -rf /h*", "rm.recursive-force-root-or-home"),
    ("rm -rf ..", "rm.recursive-force-root-or-home"),
    ("rm -rf ../*", "rm.recursive-force-root-or-home"),
    ("rm -rf .", "rm.git-metadata"),
    ("rm -rf ./.", "rm.git-metadata"),
    ("rm -rf build/..", "rm.git-metadata"),
    ("rm -rf .*", "rm.git-metadata"),
    ("rm -rf .g*", "rm.git-metadata"),
    ("rm -rf ../pro*", "rm.git-metadata"),
    ("rm -rf .git", "rm.git-metadata"),
    ("rm -rf .git/objects", "rm.git-metadata"),
    ("rm -rf .git/*", "rm.git-metadata"),
    ("rm .git/*", "rm.git-metadata"),
    ("rm -rf sub/.git", "rm.nested-repository"),
    ("rm ~/.zshrc", "rm.home-config"),
    ("rm .git/index", "git.metadata-write"),
    ("rm .git/hooks/pre-commit", "git.hooks-write"),
    ("rm -rf *", "rm.recursive-force-cwd-self"),
    ("rm -rf ./*", "rm.recursive-force-cwd-self"),
    ("rm -f *", "rm.recursive-force-cwd-self"),
    ("rm -rf */", "rm.recursive-force-cwd-self"),
    ("rm -rf ../other", "rm.recursive-force-outside-cwd"),
    ("rm -rf ../project-backup", "rm.recursive-force-outside-cwd"),
    ("rm -rf build/../../other", "rm.recursive-force-outside-cwd"),
    ('rm -rf "$X"/*', "rm.possibly-empty-prefix"),
    ("rm -rf /$X", "rm.possibly-empty-prefix"),
    ("rm -rf ~/$X", "rm.possibly-empty-prefix"),
    ("rm -rf ${X}/", "rm.possibly-empty-prefix"),
    ("rm -rf ./$X", "rm.possibly-empty-prefix"),
    ("rm -rf /e*", "rm.system-path"),
    ("rm -rf /etc/$X", "rm.system-path"),
    ("rm -rf $X/etc", "rm.system-path"),
    ("rm -rf /tmp/../etc", "rm.system-path"),
    ("rm -rf /tmp", "rm.system-path"),
    ("rm -r /etc", "rm.system-path"),
    ("rm /etc/passwd", "rm.system-path"),
    ("rm -f /*/passwd", "rm.system-path"),
    ("rm ~/docs/*", "rm.glob-outside-workspace"),
    ("rm -f ../other/*.txt", "rm.glob-outside-workspace"),
    ("rm -rf /home/dev/other/n*", "rm.recursive-force-outside-cwd"),
]


@pytest.mark.parametrize(("text", "rule"), DENIED, ids=[t for t, _ in DENIED])
def test_is_denied_by_its_class(text: str, rule: str) -> None:
    found = rules(text)

    assert rule == (found or [""])[0], found


ALLOWED = [
    "rm -rf ../other/node_modules",
    "rm -rf ../proj/build",
    "rm -rf ~/proj/build",
    "rm -rf build dist",
    "rm -rf /tmp/x",
    "rm -rf /tmp/*",
    "rm -rf /tmp/job-*",
    "rm -rf $X",
    "rm -rf ${DIR:?}/x",
    'rm -rf "${X:?}"/*',
    "rm -rf build/$X",
    "rm -rf $X/name",
    'rm -f "$X"/*.log',
    "rm -rf ~/.cache/pip",
    "rm .git/index.lock",
    "rm -f .git/*.lock",
    "rm -rf packages/*/dist",
    "rm -rf dist/*",
    "rm -f *.log",
    "rm -rf .next*",
    "rm -rf '~'",
    "rm -rf .github",
    "rm -rf node_modules/.cache",
    "rm notes.txt",
    "rm ~/notes.txt",
    "rm -rf /var/cache/x",
    "rm -rf /var/lib/apt/lists/*",
    "rm -rf build/*/x",
    "rm -rf /tmp/$X",
    "rm -f $X*.tmp",
]


@pytest.mark.parametrize("text", ALLOWED)
def test_is_allowed_at_standard(text: str) -> None:
    found = set(rules(text)) - STRICT - PARANOID

    assert found == set()


def test_strict_rules_see_unknown_and_outside() -> None:
    assert rules("rm -rf $X") == ["rm.recursive-force-dynamic-target"]
    assert rules("rm ~/notes.txt") == ["rm.file-outside-workspace"]
    assert rules("rm -rf build", cwd=None) == ["rm.recursive-force-dynamic-target"]


@pytest.mark.parametrize("text", ["rm -rf *", "rm -rf .", "rm -rf ..", "rm -rf ../x"])
def test_everything_in_an_unknown_directory_is_outside(text: str) -> None:
    assert rules(text, cwd=None) == ["rm.recursive-force-outside-cwd"]


def test_relative_targets_in_the_home_have_a_rule_of_their_own() -> None:
    assert rules("rm -r build", cwd=HOME) == ["rm.recursive-force-home-cwd"]


def test_the_reason_of_a_start_up_file_is_what_it_is_and_not_where_it_lies():
    text = verdict("rm ~/.zshrc").text

    assert "Why: /home/dev/.zshrc configures the person's programs." in text
