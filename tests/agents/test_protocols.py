"""Every agent's decoder and encoder against captured payloads, golden replies and the contract."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.agents import golden
from tests.agents.judge import BLOCKED, CONTRACTS, RUN, judge

from cc_safety_net.agents.catalogue import FLAGS, LEGACY_FLAGS, PACKAGES
from cc_safety_net.install.launcher import specs

AGENTS = tuple(PACKAGES)
SPECS = {spec.name: spec for spec in specs()}
PAYLOADS = [(agent, name) for agent in AGENTS for name in golden.payloads(agent)]
REFUSALS = ("guard.malformed-input", "guard.truncated-input")
FORBIDDEN_KEYS = {
    "updatedInput",
    "modifiedInput",
    "updated_input",
    "modifiedArgs",
    "toolInput",
    "tool_input",
    "toolArgs",
    "args",
    "params",
    "input",
    "overwrite",
}


def load(agent: str, name: str) -> Any:
    return json.loads((golden.folder(agent) / "golden" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(("agent", "name"), PAYLOADS, ids=lambda value: value)
def test_a_captured_payload_decodes_to_its_golden_call(agent: str, name: str) -> None:
    actual = golden.decoded(agent, golden.payloads(agent)[name])

    assert json.loads(json.dumps(actual)) == load(agent, "calls")[name]


@pytest.mark.parametrize("agent", AGENTS)
def test_the_replies_are_the_golden_bytes(agent: str) -> None:
    assert golden.replies(agent) == load(agent, "replies")


@pytest.mark.parametrize("agent", AGENTS)
def test_the_agent_runs_what_is_allowed_and_blocks_what_is_not_with_the_whole_text(
    agent: str,
) -> None:
    replies = golden.replies(agent)

    allowed = judge(agent, **replies["allow"])
    denied = judge(agent, **replies["deny"])

    assert (allowed.verdict, denied.verdict, denied.told) == (RUN, BLOCKED, golden.TEXT)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_question_that_the_agent_does_not_hold_is_a_denial(agent: str) -> None:
    replies = golden.replies(agent)

    if SPECS[agent].ask is None:
        assert replies["ask"] == replies["deny"]
    else:
        assert replies["ask"] != replies["deny"]


@pytest.mark.parametrize("agent", AGENTS)
def test_an_empty_reason_never_leaves_the_guard(agent: str) -> None:
    reply = golden.protocol(agent).encode("deny", "  ")

    assert judge(agent, reply.stdout, reply.stderr, reply.status).told.strip()


def spoiled(document: str) -> dict[str, str]:
    """A denial in ten states that no agent takes for one (or that Cursor blocks untold)."""
    value = json.loads(document)
    capitals = document
    for word in ('"deny"', '"block"'):
        capitals = capitals.replace(word, word.upper())
    return {
        "text in front": "note\n" + document,
        "text behind": document + "note\n",
        "twice": document + document,
        "cut": document[: len(document) // 2],
        "an array": json.dumps([value]),
        "in a string": json.dumps("note: " + document),
        "wrapped": json.dumps({"reply": value}),
        "capitals": capitals,
        "quotes": document.replace('"', "'"),
        "empty": "",
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_the_judge_reads_a_spoiled_denial_as_none(agent: str) -> None:
    """A judge that would call anything blocked proves nothing."""
    denial = golden.replies(agent)["deny"]
    contract = CONTRACTS[agent]

    for name, stdout in spoiled(denial["stdout"]).items():
        found = judge(agent, stdout, "", 0)
        kinds = {"empty": contract.empty, "wrapped": contract.missing, "capitals": RUN}
        untold = kinds.get(name, contract.garbage)
        assert (found.verdict, found.told) == (untold, ""), name


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("verdict", ["allow", "ask", "deny"])
def test_no_reply_carries_tool_input_or_an_approval(agent: str, verdict: str) -> None:
    stdout = golden.replies(agent)[verdict]["stdout"]
    document = json.loads(stdout) if stdout else {}

    keys: set[str] = set()
    todo = [document]
    while todo:
        value = todo.pop()
        keys |= set(value)
        todo.extend(v for v in value.values() if isinstance(v, dict))

    assert keys & FORBIDDEN_KEYS == set()
    assert "hookSpecificOutput" not in document or verdict != "allow"


def mutations(
    payload: dict[str, Any], paths: list[tuple[str, ...]]
) -> list[tuple[tuple[str, ...], Any, Any]]:
    """The payload without each field, and with values of wrong types in it."""
    found = []
    for path in paths:
        for value in (..., None, 7, True, [], ["x", 1], {}, {"a": 1}, "", 1.5):
            changed = json.loads(json.dumps(payload))
            parent = changed
            for key in path[:-1]:
                parent = parent[key]
            if value is ...:
                parent.pop(path[-1], None)
            else:
                parent[path[-1]] = value
            found.append((path, value, changed))
    return found


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_that_is_short_of_a_field_or_has_a_wrong_type_is_refused_or_still_that_call(
    agent: str,
) -> None:
    keys = SPECS[agent].payload
    payload = next(
        payload
        for payload in golden.payloads(agent).values()
        if (golden.decoded(agent, payload) or {}).get("kind") == "shell"
        and any(path[0] in payload for path in keys.input)
    )
    # Two spellings of a field: the second goes, for it would stand in for the first.
    for paths in (keys.event, keys.tool, keys.input):
        for path in paths[1:]:
            if paths[0][0] in payload:
                payload = {key: value for key, value in payload.items() if key != path[0]}
    paths = [tuple(path) for path in (*keys.event, *keys.tool, *keys.input)]
    essential = [path for path in paths if path[0] in payload]
    command = next(key for key in ("command", "CommandLine") if key in _input(payload, keys))
    essential.append((*next(p for p in keys.input if p[0] in payload), command))

    for path, value, changed in mutations(payload, essential):
        found = golden.decoded(agent, changed)
        harmless = path[-1] == command and value == ""
        harmless = harmless or (path in keys.event and keys.event_optional and value in (..., None))
        if not harmless:
            assert found is not None, (path, value)
            assert found.get("refused") in REFUSALS, (path, value)


def _input(payload: dict[str, Any], keys: Any) -> dict[str, Any]:
    found = next(path for path in keys.input if path[0] in payload)
    value: Any = payload
    for key in found:
        value = value[key]
    assert isinstance(value, dict)
    return value


ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        7,
        1e308,
        10**40,
        "",
        " ",
        "7",
        "null",
        "\0",
        "\ud800",
        "x" * 70_000,
    ),
    *([], [[]], ["ls"], {}, {"": ""}, {"command": "ls"}, [None], "\ufeff", "../..", "~", "C:\\x"),
)


def everywhere(value: Any, put: Any) -> list[Any]:
    """The value with `put` in the place of each of its parts, one at a time."""
    if isinstance(value, dict):
        pairs = value.items()
        return [{**value, key: new} for key, part in pairs for new in [put, *everywhere(part, put)]]
    if isinstance(value, list):
        return [
            [*value[:at], new, *value[at + 1 :]]
            for at, part in enumerate(value)
            for new in [put, *everywhere(part, put)]
        ]
    return []


@pytest.mark.parametrize(("agent", "name"), PAYLOADS, ids=lambda value: value)
def test_an_odd_value_anywhere_gives_a_call_or_a_refusal_and_no_other_end(
    agent: str, name: str
) -> None:
    payload = golden.payloads(agent)[name]
    ours = golden.decoded(agent, payload) is not None
    event = {path[0] for path in SPECS[agent].payload.event}

    for odd in ODD:
        for changed in everywhere(payload, odd):
            found = golden.decoded(agent, changed)
            same_event = all(changed.get(key) == payload.get(key) for key in event)
            assert found is not None or not ours or not same_event, changed


@pytest.mark.parametrize(("agent", "name"), PAYLOADS, ids=lambda value: value)
def test_fields_of_newer_versions_change_nothing(agent: str, name: str) -> None:
    payload = golden.payloads(agent)[name]
    more = {"future": {"deep": [1, None]}, "_meta": None, "permission": "allow", "version": 9}

    assert golden.decoded(agent, {**more, **payload, "zz": "y"}) == golden.decoded(agent, payload)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("payload", [None, [], "x", 3, True, {}])
def test_what_is_no_payload_is_refused(agent: str, payload: Any) -> None:
    assert golden.decoded(agent, payload) == {"refused": "guard.malformed-input"}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_flags_of_the_description_and_of_the_catalogue_are_the_same(agent: str) -> None:
    flags = {flag for flag, name in FLAGS.items() if name == agent}

    assert set(SPECS[agent].flags) == flags
    assert SPECS[agent].name == agent


def test_every_agent_has_captured_payloads_a_contract_and_goldens() -> None:
    missing = [
        agent
        for agent in AGENTS
        if agent not in CONTRACTS
        or not golden.payloads(agent)
        or set(load(agent, "calls")) != set(golden.payloads(agent))
    ]

    assert missing == []


def test_coding_cli_is_no_flag_without_the_word_hook() -> None:
    assert "--coding-cli" not in LEGACY_FLAGS
