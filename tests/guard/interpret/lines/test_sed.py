"""sed scripts: commands that run a shell, files that are written."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"
DYNAMIC = "shell.dynamic-code"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("1e rm -rf /etc", SYSTEM),
        ("$ e rm -rf /etc", SYSTEM),
        ("/x/,/y/{p;e rm -rf /etc\n}", SYSTEM),
        ("s/a/b/;1e rm -rf /etc", SYSTEM),
        ("s,.*,rm -rf /etc,e", SYSTEM),
        ("s/.*/rm -rf \\/etc/ge", SYSTEM),
        ("s/[/]/;/\n1e rm -rf /etc", SYSTEM),
        ("\\,a,e rm -rf /etc", SYSTEM),
        ("p;w /etc/passwd", "file.system-overwrite"),
        ("s/a/b/w .git/config", "git.metadata-write"),
        ("e", DYNAMIC),
        ("s/a/b/e", DYNAMIC),
        ("s/^/echo /e", DYNAMIC),
        ("s/a/1e rm -rf \\/etc/", ""),
        ("s|1e|e rm -rf /etc|g", ""),
        ("y/e/f/", ""),
        ("/e/d", ""),
        ("a e rm -rf /etc", ""),
        ("i\\\n1e rm -rf /etc\\\nmore", ""),
        ("# 1e rm -rf /etc", ""),
        (":e;s/a//;te", ""),
        ("s/x/y/w out.txt", ""),
        ("p;w /dev/stdout", ""),
        ("$!N;P;D", ""),
        ("0,/re/I s//x/", ""),
        ("s/\\(a\\)/\\1;e/2p", ""),
    ],
)
def test_a_script_is_judged_by_what_it_runs(script, expected):
    assert rule(f"sed -n '{script}' l", {}) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sed -n -e p -e '1e rm -rf /etc' l", SYSTEM),
        ("sed --expression='1e rm -rf /etc' l", SYSTEM),
        ("gsed -f x.sed l", SYSTEM),
        ("echo 'rm -rf /etc' | sed e", SYSTEM),
        ('sed "s/a/$B/" l', ""),
        ('sed -i "s|@DIR@|$PWD|g" l', ""),
        ("sed -i.bak 's/foo/bar/' src/app.ts", ""),
        ("sed -i '' 's/foo/bar/' src/app.ts", ""),
    ],
)
def test_where_the_script_comes_from_does_not_matter(command, expected):
    assert rule(command, {"x.sed": "#n\n1e rm -rf /etc\n"}) == expected
