"""The two renderers: text for people, one JSON document for programs; errors in both forms."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cc_safety_net.cli.result import Result
    from cc_safety_net.errors import SafetyNetError

#: Version of every JSON document; keys are only added within a version.
DOCUMENT_VERSION = 1


def write(result: Result, *, as_json: bool) -> int:
    """Print a result; returns its exit code."""
    for message in result.messages:
        line(message, sys.stderr)
    if as_json:
        document(result.command, result.data)
    else:
        for text in result.render(result.data):
            line(text, sys.stdout)
    return result.exit_code


def document(command: str, data: Mapping[str, Any]) -> None:
    """The one JSON document of a call."""
    body = {"v": DOCUMENT_VERSION, "command": command, **data}
    line(json.dumps(body, indent=2, ensure_ascii=True, default=str), sys.stdout)


def failure(error: SafetyNetError, *, command: str, as_json: bool) -> int:
    """Print an error; returns its exit code."""
    if as_json:
        facts = {"code": error.code, "message": error.message, "hint": error.hint}
        document(command, {"error": facts})
    else:
        line(f"error: {error.message}", sys.stderr)
        if error.hint:
            line(f"hint: {error.hint}", sys.stderr)
    return error.exit_code


def line(text: str, stream: TextIO | None) -> None:
    """One line, with what the stream's encoding can't carry escaped.

    A message that can't be shown stops no work; a result that can't be given is an OSError.
    """
    if stream is None:  # closed by who started us
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()
    except OSError:
        if stream is not sys.stderr:
            raise
        abandon(stream)


def abandon(stream: TextIO | None) -> None:
    """Nothing more reaches this stream, what still waits in it included."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr] # None: suppressed


def tilde(text: str) -> str:
    """`text` with the home shown as `~`: output gets pasted in public."""
    home = os.environ.get("HOME", "").rstrip("/")
    if not home:
        return text
    return text.replace(home + "/", "~/") if text != home else "~"
