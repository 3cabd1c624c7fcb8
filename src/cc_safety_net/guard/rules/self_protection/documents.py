"""What a config file says of us: our entries, what enables them, what switches hooks off.

Two texts that say the same of us are equal here, whatever else they differ in. A text that can't
be read says nothing that could be relied on.
"""

from __future__ import annotations

from cc_safety_net.guard.rules.self_protection.agent_files import JSON, TOML, WHOLE, YAML

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    #: What a document says of us: places with values, in order.
    Said = list[tuple[str, str]]

_OURS = ("cc-safety-net", "cc_safety_net", "cc-marketplace", "gemini-safety-net")
#: Keys whose whole value counts, wherever they stand; compared without case, `-` and `_`.
_SWITCHES = frozenset(
    (
        "allowmanagedhooksonly",
        "codexhooks",
        "compat",
        "disableallhooks",
        "disabledhooks",
        "enablehooks",
        "failclosed",
        "hooksconfig",
        "hooksenabled",
        "hooksstate",
        "readconfigfrom",
        "safemode",
        "strictknownmarketplaces",
        "trustlevel",
        "trustedfolders",
    )
)
#: The version of a hook file: another one makes the agent skip it.
_AT_ROOT = frozenset(("version",))
#: Maps and lists of plugins: their own values count, of their members only ours.
_PLUGINS = frozenset(
    (
        "blockedmarketplaces",
        "enabledplugins",
        "extensions",
        "extraknownmarketplaces",
        "installedplugins",
        "marketplaces",
        "packages",
        "plugin",
        "plugins",
    )
)
#: Values of such a map that concern all plugins.
_CONTROLS = frozenset(("enabled", "disabled", "allow", "deny"))
#: Parts of a file that only mention names: permissions, and what is shown to people.
_MENTIONS = frozenset(
    ("permissions", "permission", "statusline", "description", "history", "tips", "pastedcontents")
)
#: Kinds of handlers; another one takes all hooks of a strict agent down.
_HANDLERS = frozenset(("command", "prompt", "http", "agent", "mcp_tool"))


class Unreadable(Exception):
    """The text is no document of its form."""


def said(form: str, text: str) -> Said:
    """What a file says of us; Unreadable if it can't be told."""
    if form == WHOLE:
        return [("", text.strip())] if text.strip() else []
    if form == YAML:
        return _yaml(text)
    document = _read(form, text)
    if document is None:
        return []
    if not isinstance(document, dict):
        raise Unreadable
    out: Said = []
    _walk(document, "", out, ())
    out.sort()
    return out


def sound(form: str, text: str) -> bool:
    """No neighbour of our entry has a form for which the agent would drop them all."""
    if form not in (JSON, TOML):
        return True
    document = _read(form, text)
    if not isinstance(document, dict):
        return document is None
    return all(_sound(handler) for handler in _handlers(document.get("hooks")))


def _sound(handler: Mapping[str, Any]) -> bool:
    kind = handler.get("type", "command")
    if not isinstance(kind, str) or kind not in _HANDLERS:
        return False
    for key in ("timeout", "timeoutSec"):
        value = handler.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            return False
    return True


def _handlers(hooks: Any) -> Iterator[Mapping[str, Any]]:
    stack = [hooks]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            if "command" in value:
                yield value
            else:
                stack.extend(v for v in value.values() if isinstance(v, (dict, list)))


def _read(form: str, text: str) -> Any:
    if not text.strip():
        return None
    if form == TOML:
        # Only for a change of a TOML file of an agent.
        import tomllib

        try:
            return tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError):
            raise Unreadable from None
    from cc_safety_net.guard.json_text import JsonError, decode_json

    try:
        return decode_json(text.removeprefix("\ufeff"))
    except JsonError:
        pass
    try:
        return decode_json(plain_json(text.removeprefix("\ufeff")))
    except JsonError:
        raise Unreadable from None


def _walk(value: Any, place: str, out: Said, above: tuple[str, ...]) -> None:
    """Collect what counts. above: scalars of the objects around, which qualify our entries."""
    stack: list[tuple[Any, str, tuple[str, ...], bool]] = [(value, place, above, False)]
    while stack:
        value, place, above, plugins = stack.pop()
        if isinstance(value, dict):
            if place and not plugins:
                above = (*above, _scalars(value))
            for key, item in value.items():
                name = _plain(str(key))
                where = f"{place}/{key}"
                if name in _MENTIONS:
                    continue
                if name == "features":
                    out.extend(_features(item, where))
                elif (
                    name in _SWITCHES
                    or (not place and name in _AT_ROOT)
                    or (name == "state" and place == "/hooks")
                ):
                    out.append((where, _text(item)))
                elif _is_ours(str(key)):
                    out.append((where, _text(item) + _text(above)))
                elif isinstance(item, (dict, list)):
                    if name == "env":
                        out.extend(_environment(item, where))
                        continue
                    if name in _PLUGINS:
                        out.extend(_lists(item, where))
                    stack.append((item, where, above, name in _PLUGINS))
                elif plugins and name in _CONTROLS:
                    out.append((where, _text(item)))
                elif isinstance(item, str) and _is_ours(item):
                    # An object that names us counts as a whole: a filter beside it may mask us.
                    out.append((where, _text(value if place else item) + _text(above)))
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, (dict, list)):
                    stack.append((item, place + "[]", above, False))
                elif isinstance(item, str) and _is_ours(item):
                    out.append((place + "[]", item + _text(above)))


def _lists(value: Any, where: str) -> Said:
    """Lists of plugins that must or must not hold us: there at all, with us, without us."""
    members = value.items() if isinstance(value, dict) else [("", value)]
    found = []
    for key, item in members:
        if isinstance(item, list):
            ours = any(isinstance(one, str) and _is_ours(one) for one in item)
            if key:
                found.append((f"{where}/{key}#", "ours" if ours else "others"))
    return found


def _features(value: Any, where: str) -> Said:
    """Codex' flags that hooks and plugins depend on."""
    if not isinstance(value, dict):
        return [(where, _text(value))]
    return [
        (f"{where}/{key}", _text(item))
        for key, item in value.items()
        if "hook" in str(key) or "plugin" in str(key)
    ]


def _environment(value: Any, where: str) -> Said:
    """Variables by which an agent finds its files or leaves plugins out."""
    from cc_safety_net.guard.rules.self_protection.switches import VARIABLES

    if not isinstance(value, dict):
        return []
    return [(f"{where}/{key}", _text(item)) for key, item in value.items() if key in VARIABLES]


def _scalars(value: Mapping[str, Any]) -> str:
    return _text({k: v for k, v in value.items() if not isinstance(v, (dict, list))})


def _is_ours(text: str) -> bool:
    lowered = text.lower()
    return any(name in lowered for name in _OURS) or "ccsn" in lowered.replace("/", " ").split()


def _plain(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "")


def _text(value: Any) -> str:
    """A value as text that is equal for equal values, whatever the order of keys."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{_text(value[k])}" for k in sorted(value, key=str)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_text, value)) + "]"
    return repr(value)


def plain_json(text: str) -> str:
    """JSON with comments and trailing commas as plain JSON."""
    out: list[str] = []
    at = 0
    size = len(text)
    while at < size:
        character = text[at]
        if character == '"':
            end = _string_end(text, at)
            out.append(text[at:end])
            at = end
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = size if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            at = size if end < 0 else end + 2
        else:
            if character in "]}":
                _drop_comma(out)
            out.append(character)
            at += 1
    return "".join(out)


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == '"':
            return at + 1
        else:
            at += 1
    return at


def _drop_comma(out: list[str]) -> None:
    at = len(out) - 1
    while at >= 0 and out[at].isspace():
        at -= 1
    if at >= 0 and out[at] == ",":
        del out[at]


def _yaml(text: str) -> Said:
    """The block of `plugins` line by line; no reader of YAML, so every change of it counts."""
    out: Said = []
    inside = False
    for number, line in enumerate(text.splitlines()):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith(("---", "...", "<<", "%", "{", "[")) and number:
            out.append(("yaml", stripped))
        top = not line[0].isspace() and not stripped.startswith("- ")
        if top and ":" not in stripped and not stripped.startswith(("---", "...")):
            raise Unreadable
        if top:
            key = stripped.partition(":")[0].strip("\"' ")
            inside = key in ("plugins", "hooks")
        if inside:
            out.append((f"{len(out):05}", line.rstrip()))
        elif "cc-safety-net" in line:
            out.append((f"{len(out):05}", stripped))
    return out
