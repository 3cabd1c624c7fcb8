"""The examples that stand beside each rule, as parameters of tests."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.rules.rule import Rule


def rules(families: Iterable[str]) -> list[Rule]:
    """The rules of the families whose texts stand in `<family>_rules`."""
    return [
        rule
        for family in families
        for rule in import_module(f"cc_safety_net.guard.rules.{family}_rules").RULES
    ]


def denied(families: Iterable[str]) -> list[Any]:
    """(rule, command) of each denied example that is a command."""
    return [
        pytest.param(rule, command, id=f"{rule.id}: {command}")
        for rule in rules(families)
        for command in rule.denied
        if isinstance(command, str)
    ]


def allowed(families: Iterable[str]) -> list[Any]:
    """(rule, command) of each allowed example that is a command."""
    return [
        pytest.param(rule, command, id=f"{rule.id}: {command}")
        for rule in rules(families)
        for command in rule.allowed
        if isinstance(command, str)
    ]
