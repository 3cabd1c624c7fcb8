"""Crontabs are read line by line, however they get there."""

from __future__ import annotations

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.lines.crontab import command_of
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("0 3 * * * rm -rf /etc", "rm -rf /etc"),
        ("*/5 1-3 1,2 jan mon-fri  make  x", "make  x"),
        ("@daily rm x", "rm x"),
        ("@reboot", ""),
        ("# 0 3 * * * rm", ""),
        ("MAILTO=me", ""),
        ("rm -rf /etc", "rm -rf /etc"),
        ("0 0 * * * date +\\%F", "date +%F"),
        ("0 0 * * * cat%a%b", "cat <<'CRONTAB_INPUT'\na\nb\nCRONTAB_INPUT\n"),
    ],
)
def test_a_line_has_one_command(line: str, command: str) -> None:
    assert command_of(line) == command


@pytest.mark.parametrize(
    "command",
    [
        "echo '0 3 * * * rm -rf /etc' | crontab -",
        "crontab - <<< '@daily rm -rf /etc'",
        "printf '0 3 * * * rm -rf /etc\\n' > t; crontab t",
        "printf 'run-shell \"rm -rf /etc\"\\n' > t; tmux source-file t",
        "printf 'bind x run-shell y\\nneww \"rm -rf /etc\"\\n' > t; tmux -f t new",
    ],
)
def test_what_is_scheduled_is_read(command: str) -> None:
    reading = read_shell(command, "posix", place(), workspace(), Effort())
    assert any(a.mode == "delete" and a.path.text == "/etc" for a in reading.accesses)
