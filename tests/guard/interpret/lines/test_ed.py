"""Scripts of ed."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("!rm -rf /etc", "rm.system-path"),
        ("1p\nr !rm -rf /etc\nq", "rm.system-path"),
        ("w !rm -rf /etc", "rm.system-path"),
        ("g/x/s//y/\nw /etc/passwd\nq", "file.system-overwrite"),
        ("w .git/config", "git.metadata-write"),
        ("a\n!rm -rf /etc\n.\nw\nq", ""),
        ("/foo/s/a/b/\nwq", ""),
        (",s/!rm -rf/x/g\nw\nq", ""),
    ],
)
def test_a_script_is_judged_by_what_it_runs(script, expected):
    assert rule(f"ed -s l <<'EOF'\n{script}\nEOF", {}) == expected
