"""Programs that apply patches change the files that the patch names."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, place, workspace

from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort

ENVELOPE = "*** Begin Patch\n*** Delete File: a\n*** Add File: b\n+x\n*** End Patch"
DIFF = "--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1 +1 @@\n-a\n+b\n"


def _changes(command):
    world = workspace()
    world.add(f"{HOME}/proj/x.diff", DIFF)
    reading = read_shell(command, "posix", place(), world, Effort())
    return [
        (access.mode, shown(access.path.choices[0]))
        for access in reading.accesses
        if access.mode in ("write", "delete", "move")
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (f"apply_patch <<'EOF'\n{ENVELOPE}\nEOF", [("delete", "a"), ("write", "b")]),
        (f"apply_patch '{ENVELOPE}'", [("delete", "a"), ("write", "b")]),
        ("patch -p1 < x.diff", [("write", "src/app.ts")]),
        ("patch -p1 -i x.diff", [("write", "src/app.ts")]),
        ("patch -d sub -p1 < x.diff", [("write", "sub/src/app.ts")]),
        ("patch f x.diff", [("write", "f")]),
        ("patch --dry-run -p1 < x.diff", []),
        ("git apply x.diff", [("write", "src/app.ts")]),
        ("git apply --check x.diff", []),
        ("cat x.diff | git apply", [("write", "src/app.ts")]),
        ("patch < absent.diff", []),
    ],
)
def test_the_files_of_a_patch_are_changed(command, expected):
    assert _changes(command) == expected
