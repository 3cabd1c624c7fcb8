"""Does what an execution prints reach the agent? A capture, or a consuming pipe, is a use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution

#: Programs that take what a pipe brings without showing it.
_SINKS = frozenset(
    (
        "docker", "gh", "helm", "ksops", "kubectl", "nerdctl", "pass", "podman", "secret-tool",
        "ssh-add", "vault", "pbcopy", "xclip", "wl-copy", "clip.exe", "systemd-creds",
    )
)  # fmt: skip
#: Options by which a program takes a secret from its standard input.
_INTAKES = frozenset(("--password-stdin", "--with-token", "--import", "--token-stdin"))
#: Not in the table of effects, and they print what they are fed, or may.
_SHOWING = frozenset(
    (
        "awk", "bash", "bun", "curl", "dash", "deno", "echo", "fish", "ksh", "lua", "mapfile", "nc",
        "node", "perl", "php", "printf", "python", "python3", "read", "readarray", "ruby", "sh",
        "tee", "wget", "xargs", "zsh", "openssl", "gpg", "age", "ssh", "pastebinit", "ts", "pv",
        "sponge", "parallel", "while", "findstr", "select-string", "out-string", "format-table",
        "format-list", "sort-object", "where-object", "select-object", "foreach-object", "out-host",
        "convertto-json", "convertto-csv", "convertto-xml", "convertto-html", "group-object",
    )
)  # fmt: skip
_LONGEST_PIPE = 64

SHOWN, NAMES, USED = "shown", "names", "used"


def fate(execution: Execution) -> str:
    """What becomes of standard output: SHOWN to the agent, only NAMES of it, or USED."""
    reader: Execution | None = execution
    for _ in range(_LONGEST_PIPE):
        assert reader is not None
        following = reader.fed
        if following is None:
            return USED if reader.captured else SHOWN
        reader = following
        if names_only(reader):
            return NAMES
        if takes_input(reader) or not _shows(reader):
            return USED
    return SHOWN


def takes_input(execution: Execution) -> bool:
    """A program that takes what it is fed for its own use."""
    if any(word.text in _INTAKES for word in execution.argv[1:]):
        return True
    return execution.program in _SINKS


def names_only(execution: Execution) -> bool:
    """Only names, counts or checksums of what it is fed come out."""
    from cc_safety_net.guard.interpret.effects.viewers import names_only as by_table

    return by_table(execution)


def _shows(execution: Execution) -> bool:
    from cc_safety_net.guard.interpret.effects.engine import PROGRAMS

    program = execution.program
    if not program or program in _SHOWING:
        return True
    return PROGRAMS.get(program) in ("viewers", "archives") or program[:6] == "python"
