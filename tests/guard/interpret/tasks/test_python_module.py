"""`python -m`: modules of the project are read, those of the installation are not."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

_WIPE = "import shutil\nshutil.rmtree('/etc')\n"


@pytest.mark.parametrize(
    ("command", "files", "expected"),
    [
        ("python -m pytest -q", {}, ""),
        ("python -m http.server", {}, ""),
        ("python -m tool", {"tool.py": "print(1)\n"}, ""),
        ("python -m tool", {"tool.py": _WIPE}, "rm.system-path"),
        ("python3 -m tool run", {"tool/__main__.py": _WIPE}, "rm.system-path"),
        ("python -m tool.sub", {"src/tool/sub.py": _WIPE}, "rm.system-path"),
    ],
)
def test_a_module_of_the_project_is_read(command, files, expected):
    assert rule(command, files) == expected
