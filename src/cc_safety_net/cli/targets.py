"""The agents as options of a command: `--cursor`, `--claude-code`, …, and `--all`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperOption

from cc_safety_net.agents.catalogue import PACKAGES

if TYPE_CHECKING:
    from cc_safety_net.agents.spec import AgentSpec
    from cc_safety_net.cli.framework import Context, Parameter

_MARKED = "cc_safety_net.targets"


def spec_of(name: str) -> AgentSpec:
    """The description of an agent, by its canonical name."""
    module = f"{PACKAGES[name]}.spec"
    __import__(module)
    spec: AgentSpec = sys.modules[module].SPEC
    return spec


class TargetCommand(TyperCommand):
    """A command with one option an agent; `marked` says which were given."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for name in PACKAGES:
            spec = spec_of(name)
            self.params.append(
                TyperOption(
                    param_decls=[spec.install_flag],
                    default=False,
                    is_flag=True,
                    expose_value=False,
                    callback=_marks(name),
                    help=f"{spec.title}.",
                )
            )


def _marks(name: str) -> Any:
    def callback(context: Context, parameter: Parameter, value: bool) -> bool:
        del parameter
        if value:
            context.meta.setdefault(_MARKED, []).append(name)
        return value

    return callback


def marked(context: Context) -> list[str]:
    """Canonical names of the agents whose option was given, in the order of the catalogue."""
    given = context.meta.get(_MARKED, [])
    return [name for name in PACKAGES if name in given]
