"""Variables of PowerShell: those that the text sets, automatic ones, the environment."""

from __future__ import annotations

from cc_safety_net.guard.interpret.powershell import values
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.state import EXPORTED, Variable
from cc_safety_net.guard.interpret.values import choices_of, text_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

#: Environment names below the home, and those with a fixed place.
_BELOW_HOME = {
    "USERPROFILE": "", "HOME": "", "HOMEPATH": "", "LOCALAPPDATA": "\\AppData\\Local",
    "APPDATA": "\\AppData\\Roaming", "ONEDRIVE": "\\OneDrive",
}  # fmt: skip
_FIXED = {
    "SYSTEMROOT": "C:\\Windows", "WINDIR": "C:\\Windows", "SYSTEMDRIVE": "C:",
    "PROGRAMFILES": "C:\\Program Files", "PROGRAMFILES(X86)": "C:\\Program Files (x86)",
    "PROGRAMW6432": "C:\\Program Files", "PROGRAMDATA": "C:\\ProgramData",
    "ALLUSERSPROFILE": "C:\\ProgramData", "PUBLIC": "C:\\Users\\Public",
    "COMMONPROGRAMFILES": "C:\\Program Files\\Common Files", "HOMEDRIVE": "",
    "COMSPEC": "C:\\Windows\\System32\\cmd.exe",
}  # fmt: skip
_TEMPS = frozenset(("TEMP", "TMP", "TMPDIR"))
#: Names that hold the same place whichever system it is.
_INHERITED = "\x00inherited"


def well_known(m: Machine, name: str) -> str | None:
    """The value of a variable that every Windows session has."""
    upper = name.upper()
    if upper in _BELOW_HOME:
        return m.place.home + _BELOW_HOME[upper]
    if upper in _TEMPS:
        return m.place.temps[0] if m.place.temps else "/tmp"  # noqa: S108 - a name
    if upper in ("USERNAME", "USER"):
        return m.world.environment.get("USER") or m.place.home.rpartition("/")[2]
    return _FIXED.get(upper)


def environment_value(m: Machine, state: State, name: str) -> Value:
    """`$env:NAME`, `%NAME%`: as the text sets it, else as every session has it."""
    for spelling in (name, name.upper()):
        found = state.look(spelling)
        if isinstance(found, Variable):
            choices = tuple(c for c in choices_of(found.settings) if _INHERITED not in c)
            if len(choices) == len(found.settings):
                return Value((choices,))
            return Value(((*choices, *environment_value_of(m, name).joined()),))
    return environment_value_of(m, name)


def environment_value_of(m: Machine, name: str) -> Value:
    text = well_known(m, name)
    if text is None:
        return values.unknown("environment", name)
    return values.known(text)


def set_environment(m: Machine, state: State, name: str, value: Value) -> None:
    """`$env:NAME = …`, `set NAME=…`: programs that are started see it."""
    upper = name.upper()
    state.put(upper, Variable(value.joined(), flags="x"))
    exported = state.look(EXPORTED) or ()
    if upper not in exported:
        state.put(EXPORTED, (*exported, upper))
    if upper in ("HOME", "USERPROFILE"):
        m.reading.reassigned.add("HOME")
    elif upper in _TEMPS:
        m.reading.reassigned.add("TMPDIR")


def read_variable(m: Machine, state: State, name: str) -> Value:
    """`$name`; one that the text does not set may be anything."""
    found = state.look("($" + name)
    if found is not None:
        return values.either([NOTHING if value is None else value for value in found])
    if name in ("true", "false"):
        return values.known(name.capitalize())
    if name == "null":
        return NOTHING
    if name == "home":
        return values.known(m.place.home)
    if name == "pwd":
        return Value((current_directory(state),))
    if name == "pshome":
        return values.known("C:\\Windows\\System32\\WindowsPowerShell\\v1.0")
    if name == "psscriptroot" and m.script:
        return values.known(m.script.rpartition("/")[0])
    if name == "profile":
        return values.known(m.place.home + "\\Documents\\PowerShell\\profile.ps1")
    if name in ("?", "pid", "host", "lastexitcode", "psversiontable"):
        return values.unknown("variable", name, may_be_empty=False)
    if name in ("iswindows", "islinux", "ismacos", "iscoreclr"):
        return values.unknown("variable", name, may_be_empty=False)
    return values.unknown("variable", name)


def current_directory(state: State) -> Choices:
    """The possible directories as the texts of a value."""
    from cc_safety_net.guard.interpret.facts import Unknown

    out: list[Pieces] = []
    for cwd in state.cwds:
        if cwd is None:
            out.append((Unknown("variable", "pwd", may_be_empty=False),))
        else:
            out.extend(text_choice(cwd))
    return tuple(out)


def set_variable(state: State, name: str, value: Value) -> None:
    state.put("($" + name.lower(), (value,))
