"""Files whose text some program runs later: start-up files, crontabs, systemd units."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.state import ARGUMENTS, CWDS, STACK, State
from cc_safety_net.guard.interpret.values import text_choice, word_of
from cc_safety_net.guard.paths import basename

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices

_SHELL_NAMES = frozenset(
    (
        ".bash_aliases",
        ".bash_login",
        ".bash_logout",
        ".bash_profile",
        ".bashrc",
        ".kshrc",
        ".profile",
        ".xprofile",
        ".xsessionrc",
        ".zlogin",
        ".zlogout",
        ".zprofile",
        ".zshenv",
        ".zshrc",
    )
)
_SHELL_PATHS = frozenset(
    ("/etc/bash.bashrc", "/etc/bashrc", "/etc/profile", "/etc/rc.local", "/etc/zsh/zshrc")
)
_SHELL_FOLDERS = ("/etc/profile.d/", "/etc/cron.daily/", "/etc/cron.hourly/", "/etc/cron.weekly/")
_COMMAND_KEYS = ("ExecStart", "ExecStartPre", "ExecStartPost", "ExecStop", "ExecReload")


def is_run_later(path: str) -> bool:
    return _reader(path) != ""


def run_later(m: Machine, path: str, content: Choices) -> None:
    """Read what was written to `path` as the program that runs it does."""
    from cc_safety_net.guard.interpret.texts import run_text

    kind = _reader(path)
    for choice in content:
        text = literal(choice)
        if not text:
            continue
        if kind != "shell":
            text = _CONVERT[kind](text, path)
        state = State()
        state.put(CWDS, (m.place.home,))
        state.put(STACK, ())
        state.put(ARGUMENTS, ((),))
        saved = (m.input, m.feeds, m.output, m.span)
        m.input, m.feeds, m.output = None, (), None
        m.enter("a start-up file")
        start, end = _span(m)
        m.span = (start, end)
        word = word_of(text_choice(text), start, end)
        run_text(m, state, word, f"write {basename(path)}", how="script", new=True)
        m.depth -= 1
        m.input, m.feeds, m.output, m.span = saved


def _span(m: Machine) -> tuple[int, int]:
    if m.span is not None or not m.reading.executions:
        return m.span or (0, 0)
    last = m.reading.executions[-1]
    return last.start, last.end


def _reader(path: str) -> str:
    name = basename(path)
    if name in _SHELL_NAMES or path in _SHELL_PATHS or path.startswith(_SHELL_FOLDERS):
        return "shell"
    if path.startswith(("/var/spool/cron/", "/etc/cron.d/")) or path == "/etc/crontab":
        return "crontab"
    if "/systemd/" in path and name.endswith((".service", ".timer", ".socket")):
        return "unit"
    return ""


def _crontab(text: str, path: str) -> str:
    """The commands of a crontab's lines."""
    skip = 6 if path.startswith("/etc/") else 5
    out = []
    for line in text.split("\n"):
        line = line.strip()  # noqa: PLW2901 - the same line
        if not line or line.startswith("#"):
            continue
        fields = line.split(None, 1 + (skip - 5) if line.startswith("@") else skip)
        out.append(fields[-1] if len(fields) > 1 else "")
    return "\n".join(out)


def _unit(text: str, path: str) -> str:
    """The commands of a systemd unit."""
    del path
    out = []
    for line in text.replace("\\\n", " ").split("\n"):
        key, equals, value = line.partition("=")
        if equals and key.strip() in _COMMAND_KEYS:
            out.append(value.strip().lstrip("@-:+!"))
    return "\n".join(out)


_CONVERT = {"crontab": _crontab, "unit": _unit}
