"""The judge takes as an answer only what the agent itself would take."""

from __future__ import annotations

import json

import pytest

from cc_safety_net.agents.encoding import filled
from cc_safety_net.install import verify
from cc_safety_net.install.launcher import specs
from cc_safety_net.install.setup import installable, load_setup
from cc_safety_net.install.system import Ended

SPECS = [spec for spec in specs() if spec.name in installable()]
BY_NAME = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)


def ended(document: object, status: int | None = 0, before: str = "", after: str = "") -> Ended:
    text = "" if document is None else json.dumps(document)
    return Ended(status, f"{before}{text}{after}\n".encode(), b"")


@BY_NAME
def test_the_agents_own_forms_are_understood(spec: object) -> None:
    deny, allow = filled(spec.deny, "why"), spec.allow

    assert verify.judge(spec, ended(deny, spec.deny_status)) == (verify.DENY, "")
    assert verify.judge(spec, ended(allow)) == (verify.ALLOW, "")


@BY_NAME
def test_a_spoiled_denial_is_none(spec: object) -> None:
    deny = filled(spec.deny, "why")
    spoiled = [
        ended(deny, 1),
        ended(deny, 127),
        ended(deny, -9),
        ended(deny, None),
        ended(deny, before="hello\n"),
        ended(deny, after="\nhello"),
        ended([deny]),
        ended({**deny, "updatedInput": {}}),
        ended({}),
        ended(filled(spec.deny, "")),
        ended(None, 2),
        Ended(0, b"\xff", b""),
        Ended(0, b"<html>", b""),
    ]

    verdicts = [verify.judge(spec, one)[0] for one in spoiled]

    assert verify.DENY not in verdicts
    assert verify.ALLOW not in verdicts


@BY_NAME
def test_each_complaint_has_words(spec: object) -> None:
    for one in (ended({"x": 1}), ended(None, 1), ended(None, None), Ended(0, b"x", b"")):
        verdict, wrong = verify.judge(spec, one)
        assert (verdict, bool(wrong)) == ("", True)


@pytest.mark.parametrize("name", installable())
def test_the_probes_payload_is_read_by_the_agents_own_decoder(name: str) -> None:
    from importlib import import_module

    from cc_safety_net.agents.catalogue import PACKAGES

    setup = load_setup(name)
    payload = setup.payload("echo ok", "/somewhere")
    protocol = import_module(f"{PACKAGES[name]}.protocol")

    call = protocol.decode(dict(payload), {}, "/somewhere")

    assert call is not None
    assert call.command == "echo ok"
