"""The runtime's main as a real process: flags, failures, and payloads of other agents."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.agents import golden
from tests.agents.artifact import SPECS, Answer, Artifact
from tests.agents.judge import BLOCKED, RUN, judge

from cc_safety_net.agents.catalogue import FLAGS, LEGACY_FLAGS, PACKAGES
from cc_safety_net.guard import hook as guard_hook
from cc_safety_net.install.launcher import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

AGENTS = tuple(PACKAGES)
SOURCE = str(Path(guard_hook.__file__).parents[2])

BROKEN: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n",
    "half": b'{"hook_event_name":"PreToolUse","tool_name":"Ba',
    "no JSON": b"not JSON",
    "an array": b"[]",
    "null": b"null",
    "a text": b'"x"',
    "two documents": b"{}{}",
    "not UTF-8": b'{"a":"\xff\xfe"}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "NUL behind": b"{}\0",
    "NaN": b'{"tool_name":"Bash","tool_input":{"command":"ls","timeout":NaN}}',
    "infinity": b'{"a":-Infinity}',
    "a key twice": b'{"tool_input":{"command":"ls","command":"ls -a"}}',
    "half a surrogate pair": b'{"a":"\\ud83d"}',
    "half a pair as key": b'{"\\uDE00":1}',
    "a raw control character": b'{"a":"\x01"}',
    "deep": b"[" * 100_000,
    "deep and closed": b'{"a":' + b"[" * 70 + b"]" * 70 + b"}",
    "many values": b"[" + b"1," * 30_000 + b"1]",
    "a long number": b'{"a":' + b"9" * 6_000 + b"}",
    "over 8 MiB": b'{"a":"' + b"x" * (8 * 1024 * 1024) + b'"}',
}


def one_document(answer: Answer) -> dict[str, Any]:
    value = json.loads(answer.stdout)
    assert isinstance(value, dict)
    return value


def verdict(agent: str, answer: Answer) -> str:
    assert answer.status in (0, 2), answer
    return judge(agent, answer.stdout, answer.stderr, answer.status).verdict


def redirected(artifact: Artifact, agent: str, redirection: str) -> str:
    """The entry, with a redirection of the launcher in it."""
    call, separator, rest = artifact.entry(agent).partition(" || ")
    return f"{call} {redirection}{separator}{rest}"


def hook(artifact: Artifact, words: str, stdin: bytes = b"{}") -> Answer:
    return artifact.call(f"{quote(artifact.launcher)} {words}", stdin)


# Reading is the same for all agents: every input with two of them, three inputs with every one.
@pytest.mark.parametrize(
    ("agent", "name"),
    [
        *((agent, name) for agent in ("cursor", "devin") for name in BROKEN),
        *((agent, name) for agent in AGENTS for name in ("empty", "half", "an array")),
    ],
)
def test_input_that_can_not_be_read_is_denied_in_the_agents_form_with_a_rule(
    artifact: Artifact, agent: str, name: str
) -> None:
    answer = artifact.ask(agent, BROKEN[name])

    told = judge(agent, answer.stdout, answer.stderr, answer.status)
    assert told.verdict == BLOCKED
    assert "Rule: guard." in told.told
    assert answer.status == SPECS[agent].deny_status
    assert one_document(answer)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (agent, name)
        for agent in AGENTS
        for name, payload in golden.payloads(agent).items()
        if golden.decoded(agent, payload) is None
    ],
)
def test_another_event_is_let_through_as_an_allowed_call_is(
    artifact: Artifact, agent: str, name: str
) -> None:
    answer = artifact.ask(agent, golden.payloads(agent)[name])

    expected = golden.replies(agent)["allow"]
    assert (answer.stdout, answer.stderr, answer.status) == (expected["stdout"], "", 0)


@pytest.mark.parametrize("stdin", ["<&-", "< /"], ids=["closed", "a directory"])
@pytest.mark.parametrize("agent", AGENTS)
def test_a_standard_input_that_can_not_be_read_is_a_denial(
    artifact: Artifact, agent: str, stdin: str
) -> None:
    assert verdict(agent, artifact.call(redirected(artifact, agent, stdin), b"")) == BLOCKED


@pytest.mark.parametrize("agent", AGENTS)
def test_an_answer_that_can_not_be_written_blocks_by_its_exit_status(
    artifact: Artifact, agent: str
) -> None:
    answer = artifact.call(redirected(artifact, agent, ">&-"), b"{")

    assert verdict(agent, answer) == BLOCKED
    assert answer.status == 2 or answer.stdout


def test_a_closed_standard_error_changes_no_verdict(artifact: Artifact) -> None:
    answer = artifact.call(redirected(artifact, "devin", "2>&-"), b"{")

    assert (answer.status, one_document(answer)["decision"]) == (2, "block")


@pytest.mark.parametrize("flag", sorted(FLAGS))
def test_each_spelling_of_a_flag_answers_in_its_agents_form(artifact: Artifact, flag: str) -> None:
    agent = FLAGS[flag]

    answer = hook(artifact, f"hook {flag}", b"{")

    assert set(one_document(answer)) == set(SPECS[agent].deny)


@pytest.mark.parametrize("flag", sorted(LEGACY_FLAGS & set(FLAGS)))
def test_the_old_flags_work_without_the_word_hook(artifact: Artifact, flag: str) -> None:
    with_word = one_document(hook(artifact, f"hook {flag}", b"{"))
    without = one_document(hook(artifact, flag, b"{"))

    assert set(without) == set(with_word)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "hook",
        "hook --unknown",
        "hook -x",
        "hook cursor",
        "hook ''",
        "hook --cursor --kimi-code",
        "hook --cursor --cursor",
        "hook --cursor extra",
        "hook --cursor=1",
        "hook --CURSOR",
        "--coding-cli",
        "--cursor",
        "-cu",
        "-cc -cc",
        "--claude-code --cursor",
    ],
)
def test_a_missing_unknown_or_second_flag_is_blocked_in_the_form_of_every_agent(
    artifact: Artifact, words: str
) -> None:
    answer = hook(artifact, words)

    assert answer.status == 2
    assert answer.stderr.startswith("error: ")
    assert "\nhint: " in answer.stderr
    document = one_document(answer)
    for agent in AGENTS:
        assert set(SPECS[agent].deny) <= set(document)
        assert judge(agent, answer.stdout, answer.stderr, 2).verdict == BLOCKED


def test_coding_cli_without_the_word_hook_is_named_as_unknown(artifact: Artifact) -> None:
    assert "Unknown option: --coding-cli" in hook(artifact, "--coding-cli").stderr


def test_the_help_names_the_canonical_flags_and_not_the_alias(artifact: Artifact) -> None:
    answer = hook(artifact, "hook --help")

    assert answer.status == 0
    assert "--coding-cli" in answer.stdout
    assert "--claude-code" not in answer.stdout


def test_the_word_hook_is_read_without_regard_to_case(artifact: Artifact) -> None:
    assert set(one_document(hook(artifact, "HOOK --cursor", b"{"))) == set(SPECS["cursor"].deny)


def other_event(agent: str) -> dict[str, Any]:
    """A payload of the agent that is no call, so that it is let through in the agent's form."""
    return {
        "grok-build": {"hookEventName": "stop", "toolName": "x", "toolInput": {}},
        "cursor": {"hook_event_name": "stop", "cursor_version": "3.1", "workspace_roots": ["/"]},
        "devin": {"hook_event_name": "Stop", "session_id": "a-b", "tool_name": "exec"},
        "claude-code": {"hook_event_name": "Stop", "cwd": "/", "transcript_path": "/x"},
    }[agent]


@pytest.mark.parametrize(
    ("agent", "environment"),
    [
        ("claude-code", {}),
        ("claude-code", {"DEVIN_PROJECT_DIR": "/proj"}),
        ("grok-build", {}),
        ("cursor", {}),
        ("devin", {"DEVIN_PROJECT_DIR": "/proj"}),
    ],
)
def test_claudes_entry_answers_another_agent_in_that_agents_form(
    artifact: Artifact, agent: str, environment: Mapping[str, str]
) -> None:
    allowed = artifact.ask("claude-code", other_event(agent), environment)
    wrong = {**other_event(agent), "hook_event_name": 7, "hookEventName": 7}
    if agent != "grok-build":
        del wrong["hookEventName"]
    denied = artifact.ask("claude-code", wrong, environment)

    assert allowed.stdout == golden.replies(agent)["allow"]["stdout"]
    assert set(one_document(denied)) == set(SPECS[agent].deny)
    assert denied.status == SPECS[agent].deny_status


@pytest.mark.parametrize(
    ("variable", "agent"),
    [
        ("GROK_HOOK_EVENT", "grok-build"),
        ("DEVIN_PROJECT_DIR", "devin"),
        ("CURSOR_VERSION", "cursor"),
    ],
)
def test_claudes_entry_knows_the_host_of_an_unreadable_payload_by_its_variable(
    artifact: Artifact, variable: str, agent: str
) -> None:
    answer = artifact.ask("claude-code", b"{", {variable: "x"})

    assert verdict(agent, answer) == BLOCKED
    assert set(one_document(answer)) == set(SPECS[agent].deny)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dangerous_command_is_blocked_and_a_harmless_one_runs(
    artifact: Artifact, agent: str
) -> None:
    denied = artifact.ask(agent, artifact.shell_call(agent, "git reset --hard"))
    allowed = artifact.ask(agent, artifact.shell_call(agent, "echo ok"))

    assert (verdict(agent, denied), verdict(agent, allowed)) == (BLOCKED, RUN)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_byte_order_mark_in_front_changes_nothing(artifact: Artifact, agent: str) -> None:
    for command in ("git reset --hard", "echo ok"):
        payload = artifact.shell_call(agent, command)

        plain = artifact.ask(agent, payload)
        marked = artifact.ask(agent, b"\xef\xbb\xbf" + json.dumps(payload).encode())

        assert verdict(agent, plain) == verdict(agent, marked)


def test_a_payload_that_never_ends_is_denied_before_the_agent_gives_up() -> None:
    program = """
import sys
from cc_safety_net.agents.entry import main
from cc_safety_net.guard import hook
hook.INPUT_SECONDS = 1
sys.exit(main(["hook", "--cursor"]))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"hook_event_name":')
        process.stdin.flush()
        document = json.loads(process.stdout.read())

    assert (document["permission"], guard_hook.INPUT_SECONDS < 30) == ("deny", True)


def test_a_payload_cut_behind_a_brace_is_malformed_and_no_fault_of_ours(
    artifact: Artifact,
) -> None:
    assert "Rule: guard.malformed-input" in one_document(artifact.ask("grok-build", b"{"))["reason"]
