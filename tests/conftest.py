"""No test sees the real home: every test gets one of its own, and agents' variables are gone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cc_safety_net.guard import limits

if TYPE_CHECKING:
    from pathlib import Path

#: Variables that move a home or a directory of ours or of an agent, or mark a running agent.
_CLEARED_PREFIXES = (
    "AMP_",
    "ANTHROPIC_",
    "CC_SAFETY_NET_",
    "CLAUDE",
    "CODEX_",
    "COPILOT_",
    "CURSOR_",
    "DEVIN_",
    "GEMINI_",
    "GROK_",
    "HERMES_",
    "KIMI_",
    "OPENCLAW_",
    "OPENCODE_",
    "PI_",
    "XDG_",
    "GIT_",
)


@pytest.fixture(autouse=True)
def patient_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only steps end a decision: a machine that does much else at once decides the same."""
    monkeypatch.setattr(limits.Effort, "time_ns", 10**12)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh, empty home in which HOME and nothing else points."""
    own = tmp_path / "home"
    own.mkdir(mode=0o700)
    for name in list(os.environ):
        if name.startswith(_CLEARED_PREFIXES):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(own))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    return own
