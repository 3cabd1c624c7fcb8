"""What every command returns: data for the JSON document, from which the text is rendered too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a command.

    data: the JSON document without `v` and `command`. render: data -> lines for stdout.
    messages: lines for stderr. exit_code: 0 done or yes, 1 failed or no.
    """

    command: str
    data: Mapping[str, Any]
    render: Callable[[Mapping[str, Any]], Iterable[str]]
    messages: tuple[str, ...] = field(default=())
    exit_code: int = 0
