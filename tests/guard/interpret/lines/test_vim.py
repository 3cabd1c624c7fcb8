"""Ex commands: of vim, nvim and ex."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("!rm -rf /etc", SYSTEM),
        (":!rm -rf /etc", SYSTEM),
        ("silent! !rm -rf /etc", SYSTEM),
        ("%!rm -rf /etc", SYSTEM),
        ("1,$!rm -rf /etc", SYSTEM),
        ("set nu | !rm -rf /etc", SYSTEM),
        ("!echo a | rm -rf /etc", SYSTEM),
        ("r !rm -rf /etc", SYSTEM),
        ("0read !rm -rf /etc", SYSTEM),
        ("w !rm -rf /etc", SYSTEM),
        ("g/x/!rm -rf /etc", SYSTEM),
        ("argdo !rm -rf /etc", SYSTEM),
        ("au BufRead * !rm -rf /etc", SYSTEM),
        ('exe "!rm -rf /etc"', SYSTEM),
        ('execute "!rm -rf" "/etc"', SYSTEM),
        ('call system("rm -rf /etc")', SYSTEM),
        ('let x = systemlist("rm -rf /etc")', SYSTEM),
        ('echo system("rm -rf " . "/etc")', SYSTEM),
        ('call delete("/etc", "rf")', SYSTEM),
        ("terminal rm -rf /etc", SYSTEM),
        ('call jobstart(["rm", "-rf", "/etc"])', SYSTEM),
        ("source bad.vim", SYSTEM),
        ("w! /etc/passwd", "file.system-overwrite"),
        ("w .git/config", "git.metadata-write"),
        ('call writefile([], ".git/config")', "git.metadata-write"),
        ('echo "!rm -rf /etc"', ""),
        ("s/a/!rm -rf/", ""),
        ("%s/foo/bar/ge | update", ""),
        ("set nocompatible", ""),
        ("wq", ""),
        ("qa!", ""),
        ('call append(0, "system(1)")', ""),
        ('" !rm -rf /etc', ""),
        ("normal ggdG", ""),
        ("PlugInstall | qa", ""),
    ],
)
def test_a_command_is_judged_by_what_it_runs(code, expected):
    files = {"bad.vim": "set nu\n!rm -rf /etc\n"}

    assert rule(f"vim -es -c '{code}' l", files) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("nvim --headless +'!rm -rf /etc' +qa", SYSTEM),
        ("vim -S bad.vim", SYSTEM),
        ("vim --cmd '!rm -rf /etc'", SYSTEM),
        ("ex -s l <<'EOF'\n1d\n!rm -rf /etc\nx\nEOF", SYSTEM),
        ("ex -s l <<'EOF'\na\n!rm -rf /etc\n.\nx\nEOF", ""),
        ("vim -es -c 'wq' .git/config", "git.metadata-write"),
        ("vim l", ""),
        ("nvim +10 src/app.ts", ""),
        ("nvim --headless '+Lazy! sync' +qa", ""),
    ],
)
def test_where_the_commands_come_from_does_not_matter(command, expected):
    assert rule(command, {"bad.vim": "!rm -rf /etc\n"}) == expected
