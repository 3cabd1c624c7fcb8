"""File tools that delete, move, empty or overwrite are judged as the commands are."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import decide

W = f"{HOME}/proj"


@pytest.mark.parametrize(
    ("rule", "tool", "kind", "arguments"),
    [
        ("rm.home-config", "DeleteFile", "delete", {"path": f"{HOME}/.zshrc"}),
        ("", "DeleteFile", "delete", {"path": "src/app.ts"}),
        ("git.metadata-write", "DeleteFile", "delete", {"path": ".git/index"}),
        ("rm.system-path", "DeleteFile", "delete", {"path": "/etc/passwd"}),
        ("rm.git-metadata", "delete_directory", "delete", {"path": "."}),
        ("", "delete_directory", "delete", {"path": "build"}),
        ("rm.recursive-force-outside-cwd", "delete_directory", "delete", {"path": "../other"}),
        ("rm.recursive-force-root-or-home", "delete_directory", "delete", {"path": HOME}),
        ("", "move_file", "move", {"source": "src/app.ts", "destination": "src/b.ts"}),
        ("", "move_file", "move", {"source": f"{HOME}/docs", "destination": "docs2"}),
        (
            "rm.recursive-force-outside-cwd",
            "move_file",
            "move",
            {"source": f"{HOME}/docs", "destination": "/tmp/docs"},
        ),
        ("file.move-to-null", "move_file", "move", {"source": "src", "destination": "/dev/null"}),
        (
            "git.hooks-write",
            "move_file",
            "move",
            {"source": "x", "destination": ".git/hooks/pre-commit"},
        ),
        ("git.hooks-write", "Write", "write", {"file_path": ".git/hooks/x", "content": "x"}),
        ("", "Write", "write", {"file_path": ".git/COMMIT_EDITMSG", "content": "x"}),
        ("file.system-overwrite", "Write", "write", {"file_path": "/etc/passwd", "content": "x"}),
        ("file.truncate", "Write", "write", {"file_path": "src/app.ts", "content": ""}),
        ("", "Write", "write", {"file_path": "src/app.ts", "content": "new"}),
        ("device.write", "Write", "write", {"file_path": "/dev/sda", "content": "x"}),
    ],
)
def test_a_file_tool_is_judged_by_what_it_changes(rule, tool, kind, arguments):
    call = ToolCall(
        "claude-code",
        tool,
        kind,
        arguments,
        directory=W,
        session_directory=W,
        workspaces=(W,),
    )

    finding = decide(call, workspace()).finding

    assert (finding.rule if finding is not None else "") == rule
