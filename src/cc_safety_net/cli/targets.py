"""The agents as options of a command: `--cursor`, `--claude-code`, …, and `--all`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperOption

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.errors import Usage

if TYPE_CHECKING:
    from cc_safety_net.agents.spec import AgentSpec
    from cc_safety_net.cli.framework import Context, Parameter

#: Agents that a later version will know: name -> title.
LATER = {"openclaw": "OpenClaw", "opencode": "OpenCode", "pi": "Pi", "amp": "Amp"}

#: Options that one of the commands has and the others have not.
_OWN = {
    "uninstall": ("--purge", "Everywhere, and policy, rules and log too; asks a person."),
    "update": ("--check", "Only say what is old; exit 1 if something is."),
}
_ALIASES = {"antigravity-cli": ("--agy-cli",)}
_MARKED = "cc_safety_net.targets"


def spec_of(name: str) -> AgentSpec:
    """The description of an agent, by its canonical name."""
    module = f"{PACKAGES[name]}.spec"
    __import__(module)
    spec: AgentSpec = sys.modules[module].SPEC
    return spec


class TargetCommand(TyperCommand):
    """A command with one option an agent, and its own one; `marked` says which were given."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self.name in _OWN:
            option, text = _OWN[self.name]
            self.params.append(_flag([option], option, text))
        for name in PACKAGES:
            spec = spec_of(name)
            names = [spec.install_flag, *_ALIASES.get(name, ())]
            self.params.append(_flag(names, name, f"{spec.title}."))

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        for word in args[: args.index("--") if "--" in args else None]:
            name = word.removeprefix("--").lower()
            if name in LATER:
                raise Usage(
                    f"{LATER[name]} is not supported by this version", "cc-safety-net help agents"
                )
            if not word.startswith("-") and name in PACKAGES:
                option = spec_of(name).install_flag
                raise Usage(
                    f"agents are named by options: {option}", f"cc-safety-net {self.name} {option}"
                )
        return super().parse_args(ctx, args)


def _flag(names: list[str], meaning: str, text: str) -> TyperOption:
    return TyperOption(
        param_decls=names,
        default=False,
        is_flag=True,
        expose_value=False,
        callback=_marks(meaning),
        help=text,
    )


def _marks(meaning: str) -> Any:
    def callback(context: Context, parameter: Parameter, value: bool) -> bool:
        del parameter
        if value:
            context.meta.setdefault(_MARKED, []).append(meaning)
        return value

    return callback


def given(context: Context, option: str) -> bool:
    """The command's own option was given."""
    return option in context.meta.get(_MARKED, [])


def marked(context: Context) -> list[str]:
    """Canonical names of the agents whose option was given, in the order of the catalogue."""
    found = context.meta.get(_MARKED, [])
    return [name for name in PACKAGES if name in found]
