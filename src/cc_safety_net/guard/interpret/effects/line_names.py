"""Scripts of sed and awk that leave only the names of `name=value` lines."""

from __future__ import annotations

#: Expressions for a value, or for a whole line whose first group is the name.
_VALUES = frozenset(("=.*", "=.*$", "=.+", "=.+$", " *=.*", "[=].*", "[ ]*=.*", "=..*"))
_LINES = frozenset(("([^=]*)=.*", "([^=]+)=.*", "([^=]*)=.*$", "([^=]+)=.*$"))
#: The same where only lines that fit are printed.
_CLASSES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-[]+*^")
_PRINTS = frozenset(("print$1", "print($1)", 'printf"%s\\n",$1', 'print$1"="', 'print$1"=***"'))
_SEPARATES = frozenset(('FS="="', 'FS="=";', 'FS="[=]"'))


def awk_prints_names(script: str, separator: str | None) -> bool:
    """Every action prints the first field, and fields end at `=`."""
    rest = script.strip()
    separated = separator in ("=", "[=]")
    printed = False
    while rest:
        end = _pattern_end(rest)
        if end < 0:
            return False
        pattern = rest[:end].strip()
        close = rest.find("}", end)
        if close < 0 or any(sign in _outside(pattern) for sign in "=(`;"):
            return False
        action = "".join(rest[end + 1 : close].split()).rstrip(";")
        if pattern == "BEGIN" and action in _SEPARATES:
            separated = True
        elif action in _PRINTS:
            printed = True
        else:
            return False
        rest = rest[close + 1 :].lstrip(" ;\n\t")
    return separated and printed


def _outside(pattern: str) -> str:
    """A pattern without its expressions and comparisons."""
    return "".join(pattern.replace("\\/", "").split("/")[::2]).replace("==", "")


def _pattern_end(text: str) -> int:
    """Where the action of a rule begins; -1 if it has none."""
    inside = False
    for at, sign in enumerate(text):
        if sign == "/" and text[at - 1 : at] != "\\":
            inside = not inside
        elif sign == "{" and not inside:
            return at
    return -1


def sed_leaves_names(scripts: list[str], *, quiet: bool) -> bool:
    """One command cuts the values off; the others only leave lines out."""
    cut = False
    for script in scripts:
        for command in _commands(script):
            if command.startswith("s"):
                if not _cuts(command, quiet=quiet):
                    return False
                cut = True
            elif not _drops(command):
                return False
    return cut


def _commands(script: str) -> list[str]:
    """The commands of a script that has none with blocks or labels."""
    return [
        part.strip() for line in script.splitlines() for part in line.split(";") if part.strip()
    ]


def _drops(command: str) -> bool:
    """`/^#/d`, `/^$/d`, `1d`: lines that are not printed."""
    if not command.endswith("d"):
        return False
    address = command[:-1].rstrip()
    if address.startswith("/"):
        return address.endswith("/") and len(address) > 1
    return address.replace(",", "").replace("$", "").isdigit()


def _cuts(command: str, *, quiet: bool) -> bool:
    """`s/=.*//`, `s|=.*|=***|`, `s/^\\([^=]*\\)=.*/\\1/`."""
    sign = command[1:2]
    parts = command[2:].split(sign) if sign and not sign.isalnum() else []
    if len(parts) != 3 or not set(parts[2]) <= set("gpI"):
        return False
    pattern = parts[0].replace("\\", "")
    replacement = parts[1]
    if "&" in replacement:
        return False
    if pattern in _VALUES:
        return "\\" not in replacement
    named = replacement.removeprefix("\\1")
    if "\\" in named:
        return False
    pattern = pattern.removeprefix("^")
    if pattern in _LINES:
        return True
    # With other names, lines that do not fit would be printed as they are.
    group, bracket, tail = pattern.partition(")=.*")
    return (
        quiet
        and bool(bracket)
        and tail in ("", "$")
        and group.startswith("([")
        and _CLASSES.issuperset(group[1:])
    )
