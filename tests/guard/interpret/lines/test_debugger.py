"""Commands of gdb and lldb."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("gdb -ex 'shell rm -rf /etc' ./a", SYSTEM),
        ("gdb -batch -ex '!rm -rf /etc'", SYSTEM),
        ("gdb -ex 'pipe info locals | rm -rf /etc'", SYSTEM),
        ("gdb -x x.gdb", SYSTEM),
        ("gdb -ex 'source x.gdb'", SYSTEM),
        ("gdb -ex 'python import os; os.system(\"rm -rf /etc\")'", SYSTEM),
        ("lldb -o 'platform shell rm -rf /etc'", SYSTEM),
        ("lldb -b -o 'script import os; os.system(\"rm -rf /etc\")'", SYSTEM),
        ("lldb -s y.lldb", SYSTEM),
        ("gdb -batch -ex run -ex bt --args ./a 'shell rm -rf /etc'", ""),
        ("gdb -ex 'print \"shell rm -rf /etc\"'", ""),
        ("lldb -o 'breakpoint set -n main' -o run", ""),
    ],
)
def test_a_command_is_judged_by_what_it_runs(command, expected):
    files = {
        "x.gdb": "set pagination off\nshell rm -rf /etc\n",
        "y.lldb": "script\nimport shutil\nshutil.rmtree('/etc')\nend\n",
    }

    assert rule(command, files) == expected
