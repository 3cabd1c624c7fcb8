"""The command line: names, options, help; each command's work is in a module of its own.

`main` turns every outcome into the exit codes of docs/reference/cli.md: 0, 1 and 2.
"""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from cc_safety_net import __version__
from cc_safety_net.cli import output
from cc_safety_net.cli.framework import Command, Context, NoSuchOption, UsageError
from cc_safety_net.cli.targets import TargetCommand, given, marked
from cc_safety_net.errors import Interrupted, SafetyNetError, Usage
from cc_safety_net.install import interruption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.cli.result import Result

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Commands(TyperGroup):
    """Command names without regard to case; a mistyped one gets the nearest name."""

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        return super().get_command(ctx, cmd_name.lower())

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            near = get_close_matches(name.lower(), self.list_commands(ctx), 1)
            hint = f"did you mean `cc-safety-net {near[0]}`?" if near else "cc-safety-net --help"
            raise Usage(f"unknown command: {name}", hint)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
    help="A guard that AI coding agents call before every tool call, and its manager.",
)

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


def _print_version(value: bool) -> None:
    if value:
        output.line(f"cc-safety-net {__version__}", sys.stdout)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Version."),
    ] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colour.")] = False,
) -> None:
    """A guard that AI coding agents call before every tool call, and its manager."""
    del version
    if no_color:
        os.environ["NO_COLOR"] = "1"
    if context.invoked_subcommand is None:
        output.line(context.get_help(), sys.stdout)


@app.command("help")
def show_help(
    context: typer.Context,
    command: Annotated[str, typer.Argument(help="A command or a topic.")] = "",
) -> None:
    """Help on a command, or on agents, environment, exit-codes, json."""
    parent = context.parent
    assert parent is not None, "help is a command of the group"
    if not command:
        output.line(parent.get_help(), sys.stdout)
        return
    from cc_safety_net.cli import topics

    text = topics.find(command.lower())
    if text is not None:
        output.line(text, sys.stdout)
        return
    found = typer.main.get_group(app).get_command(parent, command)
    if found is None:
        raise Usage(f"unknown command: {command}", "cc-safety-net --help")
    with Context(found, info_name=command.lower(), parent=parent) as inner:
        output.line(found.get_help(inner), sys.stdout)


@app.command("explain")
def explain_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="One quoted string, or words after `--`."),
    ] = None,
    cwd: Annotated[str, typer.Option(help="Execution directory.  [default: this one]")] = "",
    root: Annotated[str, typer.Option(help="Workspace root.  [default: looked up]")] = "",
    dialect: Annotated[str, typer.Option(help="posix, powershell, cmd or auto.")] = "auto",
    tool: Annotated[str, typer.Option(help="A tool by its name, with --path or --args.")] = "",
    path: Annotated[str, typer.Option(help="The path that the tool is given.")] = "",
    args: Annotated[str, typer.Option(metavar="JSON", help="The tool's arguments.")] = "",
    payload: Annotated[
        str, typer.Option(metavar="FILE", help="An agent's payload; - is stdin.")
    ] = "",
    agent: Annotated[str, typer.Option(help="Whose payload it is.")] = "",
    audit_id: Annotated[
        str, typer.Option("--id", metavar="AUDIT-ID", help="A call of the log, judged again.")
    ] = "",
    level: Annotated[str, typer.Option(help="standard, strict or paranoid.")] = "",
    no_policy: Annotated[bool, typer.Option("--no-policy", help="Defaults only.")] = False,
    as_json: Json = False,
) -> None:
    """What would be decided about a call, and why. Nothing is run.

    cc-safety-net explain 'git reset --hard'

    cc-safety-net explain --tool Read --path .env

    cc-safety-net explain --agent cursor --payload call.json --json

    cc-safety-net explain --id 3f9c21ab
    """
    from cc_safety_net.cli import explain

    request = explain.Request(
        words=tuple(words or ()),
        directory=cwd,
        root=root,
        dialect=dialect,
        tool=tool,
        path=path,
        arguments=args,
        payload=payload,
        agent=agent,
        audit_id=audit_id,
        level=level,
        use_policy=not no_policy,
    )
    _finish(explain.run(request), as_json)


Scope = Annotated[str, typer.Option(help="user or project.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only the plan; nothing is written.")]
Diff = Annotated[bool, typer.Option("--diff", help="Show the diff of every file.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


_ALL = {
    "install": "Every agent that is found on this machine.",
    "uninstall": "Every agent that has the guard.",
    "update": "Every agent that has the guard; so it is without a target.",
}


def _changes(name: str, text: str) -> None:
    """Make the command `name`, one of three that differ in their word only."""

    def command(
        context: typer.Context,
        every: bool = typer.Option(False, "--all", help=_ALL[name]),
        scope: Scope = "user",
        dry_run: DryRun = False,
        diff: Diff = False,
        yes: Yes = False,
        as_json: Json = False,
    ) -> None:
        from cc_safety_net.cli import change

        request = change.Request(name, marked(context), every, scope, dry_run, diff, yes, as_json)
        if given(context, "--check"):
            from cc_safety_net.cli import check

            _finish(check.check(request), as_json)
        if given(context, "--purge"):
            from cc_safety_net.cli import purge

            _finish(purge.purge(request), as_json)
        result = change.change(request)
        error = result.data.get("error")
        code = output.write(result, as_json=as_json)
        if error and not as_json:
            output.line(f"error: {output.tilde(error['message'])}", sys.stderr)
            if error["hint"]:
                output.line(f"hint: {output.tilde(error['hint'])}", sys.stderr)
        raise typer.Exit(code)

    app.command(name, cls=TargetCommand, help=text)(command)


_changes(
    "install",
    "Put the guard into agents: plan, apply, prove; a failure takes everything back.\n\n"
    "Agents are named by their options, or by --all; without either a terminal shows a list to "
    "mark them in.\n\n"
    "cc-safety-net install --cursor --dry-run --diff\n\n"
    "cc-safety-net install --all --yes",
)
_changes(
    "uninstall",
    "Take the guard out of agents; the files get their bytes back. Policy and log stay.\n\n"
    "cc-safety-net uninstall --cursor\n\n"
    "cc-safety-net uninstall --all --yes",
)
_changes(
    "update",
    "Bring the runtime and the entries of installed agents to this version.\n\n"
    "cc-safety-net update --check\n\n"
    "cc-safety-net update",
)


@app.command("doctor")
def doctor_command(
    agent: Annotated[list[str] | None, typer.Option(help="Only this agent.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="With the evidence.")] = False,
    as_json: Json = False,
) -> None:
    """Run what is installed, as each agent would, and report what came back.

    Exit code 1 if an agent that is here is not protected. Nothing is changed.
    """
    from cc_safety_net.cli import doctor

    _finish(doctor.doctor(agent or (), verbose=verbose), as_json)


@app.command("allow")
def allow_command(
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="The audit id of a refusal, 8 digits or more.")
    ] = "",
    minutes: Annotated[int, typer.Option(help="For how long, 1 to 60.")] = 15,
    show_list: Annotated[bool, typer.Option("--list", help="What is permitted.")] = False,
    revoke: Annotated[str, typer.Option(metavar="ID", help="Take a permission back.")] = "",
    as_json: Json = False,
) -> None:
    """Permit one refused call, once. Only a person at a terminal of their own can do it."""
    from cc_safety_net.cli import allow

    if [bool(identifier), show_list, bool(revoke)].count(True) != 1:
        raise Usage("allow needs one of: an audit id, --list, --revoke", "cc-safety-net allow -h")
    if show_list:
        _finish(allow.listed(), as_json)
    if revoke:
        _finish(allow.revoke(revoke), as_json)
    _finish(allow.permit(identifier, minutes), as_json)


def _finish(result: Result, as_json: bool) -> None:
    raise typer.Exit(output.write(result, as_json=as_json))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code and never raises."""
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except OSError as error:
        # An error could not be given as a document either.
        output.abandon(sys.stdout)
        output.line(f"error: {_reason(error)}", sys.stderr)
        return 1


def _run(words: list[str]) -> int:
    if words[:1] == ["--doctor"]:
        words[0] = "doctor"
    as_json = "--json" in words[: words.index("--") if "--" in words else None]
    command = next((word.lower() for word in words if not word.startswith("-")), "")
    try:
        with interruption.heeded():
            code = app(words, prog_name="cc-safety-net", standalone_mode=False)
    except SafetyNetError as error:
        return output.failure(error, command=command, as_json=as_json)
    except UsageError as error:
        usage = Usage(error.format_message(), _usage_hint(error, command))
        return output.failure(usage, command=command, as_json=as_json)
    except (typer.Abort, KeyboardInterrupt, Interrupted):
        stopped = SafetyNetError("interrupted", code="interrupted")
        return output.failure(stopped, command=command, as_json=as_json)
    except BrokenPipeError:
        # Who reads our output has seen enough.
        output.abandon(sys.stdout)
        return 1
    except OSError as error:
        return _io_failure(error, command, as_json=as_json)
    except Exception as error:
        if os.environ.get("CC_SAFETY_NET_DEBUG") == "1":
            raise
        bug = SafetyNetError(
            f"internal error: {type(error).__name__}: {error}",
            "run it again with CC_SAFETY_NET_DEBUG=1 and report the traceback",
            code="internal_error",
        )
        return output.failure(bug, command=command, as_json=as_json)
    return code if isinstance(code, int) else 0


def _io_failure(error: OSError, command: str, *, as_json: bool) -> int:
    """A file that can't be used; without a name it is our own output."""
    if error.filename is None:
        output.abandon(sys.stdout)
        as_json = False
    failed = SafetyNetError(_reason(error), code="io_error")
    return output.failure(failed, command=command, as_json=as_json)


def _reason(error: OSError) -> str:
    what = (error.strerror or str(error)).lower()
    return f"{error.filename}: {what}" if error.filename else f"the output can't be written: {what}"


def _usage_hint(error: UsageError, command: str) -> str:
    if command == "explain" and isinstance(error, NoSuchOption):
        return "quote the command, or put `--` before it"
    name = f" {command}" if error.ctx is not None and error.ctx.parent is not None else ""
    return f"cc-safety-net{name} --help"
