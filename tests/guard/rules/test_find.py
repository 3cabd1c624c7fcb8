"""What searches delete."""

from __future__ import annotations

import pytest
from tests.guard.rules.facts_of import context, execution, word

from cc_safety_net.guard.interpret.facts import FileAccess, Reading
from cc_safety_net.guard.rules import find


def rules(text: str) -> list[str]:
    """`find … -delete` as one execution; `… -exec rm …` with the access of the inner one."""
    run = execution(text)
    reading = Reading()
    reading.executions.append(run)
    asked = context(reading)
    found = [f.rule for f in find.check_execution(run, asked)]
    if "-exec" in text or "-x rm" in text:
        inner = execution("rm x", chain=("find -exec",))
        access = FileAccess(
            word("$FOUND", (run,)),
            "delete",
            "rm",
            run.cwds,
            recursive="rm -r" in text,
            execution=inner,
            chain=("find -exec",),
        )
        found += [f.rule for f in find.check_access(access, asked)]
    return [rule for rule in found if rule != "rm.recursive-force-paranoid"]


DENIED = [
    ("find / -delete", "rm.recursive-force-root-or-home"),
    ("find / -name *.log -delete", "find.delete"),
    ("find ~ -type f -mtime +30 -delete", "find.delete"),
    ("find .. -name *.bak -type f -delete", "find.delete"),
    ("find .. -delete", "rm.recursive-force-root-or-home"),
    ("find ../other -name *.txt -delete", "find.delete"),
    ("find . -type f -delete", "find.delete-git-metadata"),
    ("find . -delete", "find.delete-git-metadata"),
    ("find -delete", "find.delete-git-metadata"),
    ("find . -mtime +3 -delete", "find.delete-git-metadata"),
    ("find . -name config -delete", "find.delete-git-metadata"),
    ("find . -name *.sample -delete", "find.delete-git-metadata"),
    ("find . -name [0-9a-f]* -type d -delete", "find.delete-git-metadata"),
    ("find . ! -name *.ts -type f -delete", "find.delete-git-metadata"),
    ("find . -type f ! -path ./.git/* -delete", "find.delete"),
    ("find . -maxdepth 1 -type f -delete", "find.delete"),
    ("find .git/objects -type f -delete", "find.delete-git-metadata"),
    ("find . -name x -o -type f -delete", "find.delete-git-metadata"),
    ("find / -name x -exec rm -rf {} +", "find.exec-rm-recursive-force"),
    ("find ~ -name node_modules -type d -prune -exec rm -rf {} +", "find.exec-rm-recursive-force"),
    ("find . -name .git -exec rm -rf {} +", "find.delete-git-metadata"),
    ("find . -type d -exec rm -rf {} +", "find.delete-git-metadata"),
    ("find . -maxdepth 0 -exec rm -rf {} +", "find.exec-rm-recursive-force"),
    ("find packages -name .git -exec rm -rf {} +", "find.delete-git-metadata"),
    ("find . -regex '.*' -delete", "find.delete-git-metadata"),
    ("find /tmp -delete", "find.delete"),
]


@pytest.mark.parametrize(("text", "rule"), DENIED, ids=[t for t, _ in DENIED])
def test_search_is_denied(text: str, rule: str) -> None:
    assert rules(text)[:1] == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "find . -name '*.pyc' -delete",
        "find . -name .DS_Store -delete",
        "find . -type d -empty -delete",
        "find . -maxdepth 1 -name '*.log' -delete",
        "find build -type f -delete",
        "find /home/dev/proj/build -delete",
        "find build -type f -exec rm {} +",
        "find . -path ./build -delete",
        "find . -type f -name '*.o' -exec rm {} ;",
        "find . -name node_modules -type d -prune -exec rm -rf {} +",
        "find . -name __pycache__ -exec rm -rf {} +",
        "find . -path ./node_modules -prune -o -name '*.orig' -exec rm {} +",
        "find . ( -name '*.o' -o -name '*.a' ) -delete",
        "find . -regex '.*\\.\\(o\\|pyc\\)' -delete",
        "find . -name *.orig -newer x -delete",
        "find . -xtype l -delete",
        "find /tmp -type f -mtime +3 -delete",
        "find /tmp/scratch -delete",
        "find ../other/node_modules -delete",
        "find . -name .git -prune -o -name '*.tmp' -exec rm {} +",
        "find . -name $X -delete",
        "find .git -name '*.lock' -delete",
        "fd -e pyc -x rm",
        "find . -name '*.ts'",
    ],
)
def test_search_is_allowed(text: str) -> None:
    assert rules(text) == []
