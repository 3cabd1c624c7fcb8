"""Emacs Lisp on the command line and in files."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('(shell-command "rm -rf /etc")', SYSTEM),
        ('(progn (message "x") (shell-command-to-string (concat "rm -rf " "/etc")))', SYSTEM),
        ('(delete-directory "/etc" t)', SYSTEM),
        ('(delete-file "/etc/passwd")', SYSTEM),
        ('(call-process "rm" nil t nil "-rf" "/etc")', SYSTEM),
        ('(start-process "x" nil "rm" "-rf" "/etc")', SYSTEM),
        ('(make-process :name "x" :command (list "rm" "-rf" "/etc"))', SYSTEM),
        ('(write-region "x" nil ".git/config")', "git.metadata-write"),
        ('(load-file "bad.el")', SYSTEM),
        ('(message "(shell-command \\"rm -rf /etc\\")")', ""),
        ('; (shell-command "rm -rf /etc")', ""),
        ("(princ (emacs-version))", ""),
        ('(org-babel-tangle-file "x.org")', ""),
        ("(", ""),
    ],
)
def test_a_form_is_judged_by_what_it_does(code, expected):
    files = {"bad.el": '(shell-command "rm -rf /etc")'}

    assert rule(f"emacs -Q --batch --eval '{code}'", files) == expected


def test_a_file_is_read():
    files = {"bad.el": '(shell-command "rm -rf /etc")'}

    assert rule("emacs --batch -l bad.el", files) == SYSTEM
    assert rule("emacs --script bad.el", files) == SYSTEM
