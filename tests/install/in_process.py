"""The scripted programs of the agents, run inside the test's own process: many times, quickly."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from tests.install import claude_program, hermes_program, plugin_programs

from cc_safety_net.install.system import Ended, System

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pytest


def _plugin(kind: type[plugin_programs.Program]) -> Callable[[list[str]], int]:
    return lambda argv: kind(argv).run()


PROGRAMS: Mapping[str, Callable[[list[str]], int]] = {
    "claude": lambda argv: claude_program.Program(argv).run(),
    "codex": _plugin(plugin_programs.Codex),
    "copilot": _plugin(plugin_programs.Copilot),
    "gemini": _plugin(plugin_programs.Gemini),
    "hermes": hermes_program.main,
}


def put(folder: Path, names: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make these programs be found in `folder`; a run of one never leaves this process."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        program = folder / name
        program.write_text("#!/bin/sh\nexit 70\n")
        program.chmod(0o755)
    real = System.run

    def run(self: System, argv: Sequence[str], **options: object) -> Ended:
        program = Path(argv[0])
        if program.parent != folder:
            return real(self, argv, **options)
        return _run(program, argv, options["environment"])

    monkeypatch.setattr(System, "run", run)


def _run(program: Path, argv: Sequence[str], environment: Mapping[str, str]) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(sys, "argv", list(argv)),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            status = PROGRAMS[program.name](list(argv[1:]))
        except OSError as error:
            status = 1
            print(error, file=sys.stderr)
    return Ended(status, out.getvalue().encode(), err.getvalue().encode())
