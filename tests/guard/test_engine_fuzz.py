"""Whatever a tool is called and whatever it is given: a decision, and no fault of ours."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.redact import redact
from cc_safety_net.guard.tool_names import kind_of
from cc_safety_net.guard.tools.patches import read_patch

pytestmark = pytest.mark.fuzz

TOOLS = (
    *("Bash", "Read", "Write", "Edit", "MultiEdit", "Delete", "move_file", "copy_file", "Grep"),
    *("Glob", "apply_patch", "execute_code", "NotebookEdit", "process", "write_stdin"),
    *("mcp__x__frob", "use_tool", "send_to_terminal", "remove_things"),
)
KEYS = (
    *("command", "cmd", "commands", "args", "program", "path", "file_path", "paths", "source"),
    *("destination", "from", "to", "pattern", "glob", "include", "cwd", "content", "text"),
    *("input", "language", "code", "patch", "edits", "tool_name", "tool_input", "uri"),
)
TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "~", "/", "..", "a/b", "{a,b}/*", "[", "rm -rf x", "file://", "$HOME", "\0", "'"]
    ),
    st.text(max_size=12),
)
VALUES = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), TEXTS), inner, max_size=3),
    ),
    max_leaves=6,
)
WORLD = workspace()

# The interpreter raises the limit at its first call, which hypothesis must not see happen.
judge(ToolCall("claude-code", "Bash", "shell", {}, command="ls"), WORLD)


@settings(max_examples=150, deadline=None)
@given(
    tool=st.one_of(st.sampled_from(TOOLS), st.text(max_size=8)),
    arguments=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4),
    directory=st.one_of(st.just(""), TEXTS),
)
def test_every_call_gets_a_decision(tool, arguments, directory):
    call = ToolCall(
        "claude-code",
        tool,
        kind_of(tool),
        arguments,
        directory=directory,
        session_directory=f"{HOME}/proj",
    )

    judgement = judge(call, WORLD)

    assert judgement.error == ""
    assert judgement.decision.verdict in ("allow", "deny")
    assert bool(judgement.decision.text) is (judgement.decision.verdict == "deny")
    assert len(judgement.decision.text) <= 2_000


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab=:/@'\"\\ \n-+*&;$KEYtoken", max_size=80))
def test_any_text_can_be_redacted_and_read_as_a_patch(text):
    assert isinstance(redact(text), str)
    assert isinstance(read_patch(text), list)
