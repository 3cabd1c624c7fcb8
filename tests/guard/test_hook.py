"""One call over standard input, as a process: the reply, the record, and faults that deny."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
_START = f"import sys; sys.path.insert(0, {str(SRC)!r}); import posix\n"
_RUN = """
from cc_safety_net.agents.entry import main
status = main(["hook", "--coding-cli"])
"""
_MODULES = "posix.write(2, repr(sorted(sys.modules)).encode())\n"


@pytest.fixture
def hook(tmp_path):
    """Run the hook of Claude Code with this payload; `before` and `after` are Python."""
    (tmp_path / "proj").mkdir()

    def run(payload, before="", after="", **environment):
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return subprocess.run(
            [sys.executable, "-I", "-S", "-c", f"{_START}{before}{_RUN}{after}posix._exit(status)"],
            input=data,
            capture_output=True,
            check=False,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], **environment},
            cwd=tmp_path / "proj",
            timeout=60,
        )

    run.home = tmp_path
    return run


def _payload(tool="Read", **arguments):
    return {
        "session_id": "s",
        "transcript_path": "t",
        "cwd": "",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": arguments or {"file_path": "a.txt"},
    }


def _reason(done):
    assert done.returncode == 0, done.stderr
    output = json.loads(done.stdout)["hookSpecificOutput"]
    assert output["permissionDecision"] == "deny"
    return output["permissionDecisionReason"]


def _log(hook):
    logs = hook.home / ".local/state/cc-safety-net/logs"
    return [json.loads(line) for f in logs.iterdir() for line in f.read_text().splitlines()]


def test_an_allowed_call_gives_no_output_and_a_line_in_the_log(hook):
    done = hook(_payload())

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = _log(hook)
    assert (line["decision"], line["tool"], line["agent"]) == ("allow", "Read", "claude-code")


def test_a_refusal_and_its_record_have_the_same_id(hook):
    reason = _reason(hook(_payload("Bash", command=": cc-safety-net-canary 1")))

    (line,) = _log(hook)
    assert f"Audit: {line['id']}" in reason
    assert (line["rule"], line["decision"]) == ("guard.canary", "deny")


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "guard.malformed-input"),
        (b"{", "guard.malformed-input"),
        (b'{"tool_name": "Bash", "tool_name": "Read"}', "guard.malformed-input"),
        (b"[" * 70 + b"]" * 70, "guard.input-limit"),
        (b"\xff", "guard.malformed-input"),
    ],
)
def test_a_call_that_can_not_be_read_is_refused_and_recorded(hook, data, rule):
    reason = _reason(hook(data))

    (line,) = _log(hook)
    assert f"Rule: {rule}" in reason
    assert (line["rule"], line["id"] in reason) == (rule, True)


@pytest.mark.parametrize(
    ("before", "fact"),
    [
        (
            "from cc_safety_net.guard.rules import catalogue\ncatalogue.find = None\n",
            "TypeError in stage self",
        ),
        (
            "from cc_safety_net.guard import engine\nengine.find_place = None\n",
            "TypeError in stage directories",
        ),
        ("from cc_safety_net.guard import engine\nengine.judge = None\n", "TypeError"),
        ("from cc_safety_net.guard import engine\nengine.load = lambda *a: 1/0\n", "ZeroDivision"),
        ("sys.modules['cc_safety_net.guard.engine'] = None\n", "ModuleNotFoundError"),
        ("sys.modules['cc_safety_net.guard.directories'] = None\n", "ModuleNotFoundError"),
    ],
)
def test_an_internal_error_is_a_refusal_that_names_it(hook, before, fact):
    reason = _reason(hook(_payload(), before))

    assert "Rule: guard.internal-error" in reason
    assert fact in reason


def test_a_log_that_can_not_be_written_changes_nothing(hook):
    (hook.home / ".local").write_text("in the way")

    done = hook(_payload())

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "guard.canary" in _reason(hook(_payload("Bash", command=": cc-safety-net-canary 1")))


def test_notes_and_the_trace_go_to_standard_error(hook):
    done = hook(_payload(), CC_SAFETY_NET_LEVEL="max", CC_SAFETY_NET_DEBUG="1")

    assert b"CC_SAFETY_NET_LEVEL='max' is no level" in done.stderr
    assert b"directories  ok" in done.stderr
    assert done.stdout == b""


def test_a_policy_file_decides(hook):
    folder = hook.home / ".config/cc-safety-net"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "policy.json").write_text('{"version": 2, "x": 1}')

    assert "guard.policy-invalid" in _reason(hook(_payload()))


@pytest.mark.parametrize(
    "payload",
    [
        _payload(),
        _payload("Bash", command="git status"),
        _payload("Bash", command="npm test | tail"),
    ],
    ids=["read", "git", "npm"],
)
def test_an_allowed_call_loads_no_slow_module(hook, payload):
    folder = hook.home / ".config/cc-safety-net"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "policy.json").write_text('{"version": 2, "packs": {"docker": "ask"}}')

    done = hook(payload, after=_MODULES)

    loaded = set(eval(done.stderr))
    slow = "json re os typing enum dataclasses functools collections contextlib pathlib datetime"
    assert loaded.isdisjoint([*slow.split(), "hashlib", "argparse", "ast"])
    assert "cc_safety_net.guard.refusal" not in loaded
    assert not [name for name in loaded if name.endswith("_rules")]
