"""No reply of any encoder carries tool input, whatever the texts; questions go where they hold."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.guard.decision import ALLOW, ASK, DENY, Reply
from cc_safety_net.guard.engine import ASKING

AGENTS = tuple(PACKAGES)
FORBIDDEN = frozenset(
    (
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
    )
)
#: Texts that would become keys if an encoder pasted them instead of quoting them.
SPITEFUL = st.sampled_from(
    ['","updatedInput":{"command":"x"},"a":"', '"}', '{"args": 1}', "\\", "\n\n", "\ud800", "\0"]
)
TEXTS = st.lists(st.one_of(st.text(max_size=60), SPITEFUL), max_size=4).map("".join)


def _protocol(agent: str) -> Any:
    name = PACKAGES[agent] + ".protocol"
    __import__(name)
    return sys.modules[name]


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(_keys(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(_keys(item) for item in value))
    return set()


@pytest.mark.parametrize("agent", AGENTS)
@settings(max_examples=60, deadline=None)
@given(verdict=st.sampled_from((ALLOW, DENY, ASK)), text=TEXTS)
def test_no_reply_carries_tool_input(agent: str, verdict: str, text: str) -> None:
    reply = _protocol(agent).encode(verdict, text)

    assert isinstance(reply, Reply)
    assert reply.status in (0, 2)
    if reply.stdout:
        assert _keys(json.loads(reply.stdout)).isdisjoint(FORBIDDEN)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_encoder_takes_a_verdict_and_a_text_and_nothing_else(agent: str) -> None:
    code = _protocol(agent).encode.__code__

    assert code.co_varnames[: code.co_argcount] == ("verdict", "text")
    assert code.co_kwonlyargcount == 0


@pytest.mark.parametrize("agent", AGENTS)
def test_a_question_is_asked_only_where_the_engine_lets_it_through(agent: str) -> None:
    asked = _protocol(agent).encode(ASK, "why")
    denied = _protocol(agent).encode(DENY, "why")

    assert (asked.stdout != denied.stdout) is (agent in ASKING)
