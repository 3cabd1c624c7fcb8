"""Paths and commands in a tool's arguments, by their keys, in lists and nested objects too."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Word
from cc_safety_net.guard.limits import (
    COMMAND_CHARACTERS,
    SYNTAX_DEPTH,
    WORD_VALUES,
    LimitReached,
)
from cc_safety_net.guard.tool_names import normalise_name, typed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

#: What a path key says about its path: the thing itself, where it goes, or what is written.
PATH_KEYS: dict[str, str] = {
    "absolutepath": "path",
    "path": "path",
    "paths": "path",
    "file": "path",
    "files": "path",
    "filepath": "path",
    "filepaths": "path",
    "filename": "path",
    "filenames": "path",
    "targetfile": "path",
    "target": "path",
    "targets": "path",
    "source": "source",
    "sources": "source",
    "src": "source",
    "dst": "destination",
    "dest": "destination",
    "destination": "destination",
    "from": "source",
    "to": "destination",
    "oldpath": "source",
    "newpath": "destination",
    "directory": "path",
    "directorypath": "path",
    "dir": "path",
    "dirpath": "path",
    "targetdirectory": "path",
    "folder": "path",
    "root": "path",
    "searchpath": "path",
    "searchdirectory": "path",
    "notebookpath": "path",
    "include": "glob",
    "includes": "glob",
    "uri": "path",
    "output": "output",
    "outputfile": "output",
    "savepath": "output",
    "downloadpath": "output",
}
COMMAND_KEYS = frozenset(
    ("command", "commands", "cmd", "cmdline", "commandline", "shellcommand", "script", "argv")
)
#: `bash_command`, `pre_cmd`: other names that say what they hold.
_COMMAND_ENDS = ("command", "commands", "cmd", "cmdline", "commandline")
_PROGRAM_KEYS = ("program", "executable", "binary")
#: Filters of a content search beside `glob`.
FILTER_KEYS = frozenset(("glob", "globs", "includepattern", "fileglob", "globpattern"))
#: Texts of queries to a database.
QUERY_KEYS = frozenset(("sql", "query", "queries", "statement", "statements", "sqlquery"))
TYPED_KEYS = frozenset(("input", "text", "data", "chars", "keys"))
DIRECTORY_KEYS = frozenset(
    ("cwd", "workdir", "workingdirectory", "workingdir", "dir", "directory", "dirpath")
)
CONTENT_KEYS = frozenset(
    (
        "content",
        "contents",
        "text",
        "body",
        "data",
        "newstring",
        "newtext",
        "newcontent",
        "filecontent",
        "filetext",
        "codecontent",
        "newstr",
        "replacement",
        "newsource",
    )
)
PATCH_KEYS = frozenset(("patch", "patchtext", "diff", "input", "command", "content"))
_PATH_LENGTH = 4_096
_PATH_ENDS = ("path", "paths", "file", "files", "filename", "dir", "directory", "folder")
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=@%+,")


class Named:
    """A path under a key: role is `path`, `source`, `destination`, `glob` or `output`."""

    __slots__ = ("key", "role", "text")

    def __init__(self, key: str, role: str, text: str) -> None:
        self.key = key
        self.role = role
        self.text = text


def items(arguments: Any) -> Iterator[tuple[str, Any]]:
    """Every (normalised key, value) at any depth; decoding has limited depth and number."""
    stack = [arguments]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            for key, item in value.items():
                yield normalise_name(str(key)), item
            stack.extend(reversed([v for v in value.values() if isinstance(v, (dict, list))]))
        elif isinstance(value, list):
            stack.extend(reversed([v for v in value if isinstance(v, (dict, list))]))


def paths(arguments: Mapping[str, Any]) -> list[Named]:
    """All paths in the arguments, in order."""
    found = []
    for key, value in items(arguments):
        role = PATH_KEYS.get(key)
        if role is None:
            continue
        for text in texts(value):
            if key == "uri" and not text.startswith("file:"):
                continue
            found.append(Named(key, role, text))
    return found


def likely_paths(arguments: Mapping[str, Any]) -> list[Named]:
    """Paths under keys that no table knows: by the end of the key, or by their own form."""
    found = []
    for key, value in items(arguments):
        if key in PATH_KEYS or key in CONTENT_KEYS or key in COMMAND_KEYS:
            continue
        named = key.endswith(_PATH_ENDS)
        for text in texts(value):
            if "\n" in text or "://" in text or len(text) > _PATH_LENGTH:
                continue
            if named or _has_form_of_path(text):
                role = "output" if key.startswith(("output", "dest", "save")) else "path"
                found.append(Named(key, role if named else "form", text))
    return found


def _has_form_of_path(text: str) -> bool:
    """`/a/b`, `~/a`, `./a`, `.git/config`; a bare word, a route or a sentence is none."""
    if any(character.isspace() for character in text) or "/" not in text:
        return False
    if text.startswith(("~/", "./", "../", "$HOME/", "${HOME}/", ".")):
        return True
    return text.startswith("/") and text.count("/") > 1 and not text.startswith("//")


def texts(value: Any) -> list[str]:
    """A string, or the strings of a list; empty ones are no paths."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str) and item.strip()]
    return []


def first_text(arguments: Mapping[str, Any], keys: frozenset[str]) -> str | None:
    """The first string under one of the keys, at any depth; None if there is none."""
    for key, value in items(arguments):
        if key in keys and isinstance(value, str):
            return value
    return None


def commands(arguments: Mapping[str, Any], *, typed: bool = False) -> list[str]:
    """Every text that would be run by a shell, as shell text.

    typed: the tool types into a console, so that `input`, `text` and the like count as well.
    """
    found: list[str] = []
    stack: list[Any] = [arguments]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed([v for v in value if isinstance(v, (dict, list))]))
            continue
        found.extend(_of_object(value, typed=typed))
        stack.extend(reversed([v for v in value.values() if isinstance(v, (dict, list))]))
    return found


def _of_object(value: Mapping[str, Any], *, typed: bool) -> list[str]:
    """The commands among the members of one object."""
    members = {normalise_name(str(key)): item for key, item in value.items()}
    rest = members.get("args", members.get("arguments"))
    words = rest if isinstance(rest, list) else []
    tail = [str(word) for word in words if isinstance(word, (str, int, float))]
    behind = join(tail)
    many = 0
    found = []
    program = next((members[key] for key in _PROGRAM_KEYS if key in members), None)
    if isinstance(program, str) and program.strip():
        found.append(join([program, *tail]))
    for key, item in members.items():
        if key in COMMAND_KEYS or key.endswith(_COMMAND_ENDS) or (typed and key in TYPED_KEYS):
            if isinstance(item, str) and item.strip():
                # `{"command": "rm", "args": ["-rf", "/etc"]}`
                found.append(f"{item} {behind}" if tail else item)
                many += len(behind)
                if many > COMMAND_CHARACTERS:
                    raise LimitReached(
                        "guard.input-limit", f"more than {COMMAND_CHARACTERS:,} characters"
                    )
            elif _is_list(item) and key in TYPED_KEYS and typed:
                found.append(typed_text([text for text in item if isinstance(text, str)]))
            elif _is_list(item):
                found.extend(_of_list(item, several=key in ("commands", "script")))
    return found


def _of_list(value: list[Any], *, several: bool) -> list[str]:
    """`command: ["rm", "-rf", "x"]` is one command, `commands: ["ls", "rm -rf x"]` are several."""
    strings = [item for item in value if isinstance(item, str) and item.strip()]
    lists = [join([str(word) for word in item]) for item in value if _is_list(item)]
    if len(strings) <= 1 or several:
        return strings + lists
    return [join(strings), *lists]


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def join(words: list[str]) -> str:
    """Words as shell text."""
    return " ".join(map(quote, words))


def quote(word: str) -> str:
    """A word as shell text that reads as this very word."""
    if word and _SAFE.issuperset(word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def path_word(text: str, home: str, *, globs: bool = False) -> Word:
    """A path in an argument as a word: `~`, `file:`, and braces and wildcards if it has them."""
    text = plain_path(text, home)
    if not globs:
        return Word(((text,) if text else (),))
    return Word([_pieces(choice) for choice in braces(text)])


def plain_path(text: str, home: str) -> str:
    text = text.strip() if text != text.strip() and "\n" in text else text
    if text.startswith("@") and text[1:2] in ("/", ".", "~"):
        # Agents mark mentioned files with an @.
        text = text[1:]
    if text[:5].lower() == "file:":
        text = _from_uri(text[5:])
    if text == "~" or text.startswith("~/"):
        return home + text[1:]
    for variable in ("$HOME", "${HOME}"):
        if text == variable or text.startswith(variable + "/"):
            return home + text[len(variable) :]
    return text


def _from_uri(rest: str) -> str:
    """The path of `file:///a%20b` and `file:/a`; a host is dropped."""
    if rest.startswith("//"):
        rest = rest[2:]
        if not rest.startswith("/"):
            rest = "/" + rest.partition("/")[2]
    rest = rest.partition("?")[0].partition("#")[0]
    if "%" not in rest:
        return rest
    out = bytearray()
    raw = rest.encode("utf-8", "surrogatepass")
    index = 0
    while index < len(raw):
        code = raw[index + 1 : index + 3]
        if raw[index] == 0x25 and len(code) == 2 and code.isalnum() and _is_hex(code):
            out.append(int(code, 16))
            index += 3
        else:
            out.append(raw[index])
            index += 1
    return out.decode("utf-8", "surrogateescape")


def _is_hex(code: bytes) -> bool:
    return all(digit in b"0123456789abcdefABCDEF" for digit in code)


def _pieces(text: str) -> tuple[str | Glob, ...]:
    """Text with active `*`, `?` and `[…]` as Glob pieces."""
    out: list[str | Glob] = []
    plain = ""
    index = 0
    # Where the component ends, and where no class ends any more.
    slash = -1
    unclosed = -1
    while index < len(text):
        character = text[index]
        end = index + 1
        if character == "[":
            if slash < index:
                slash = text.find("/", index) % (len(text) + 1)
            close = text.find("]", index + 2, slash) if index >= unclosed else -1
            if close > 0:
                end = close + 1
            else:
                unclosed = slash
        if character in "*?" or (character == "[" and end > index + 1):
            if plain:
                out.append(plain)
                plain = ""
            out.append(Glob(text[index:end]))
        else:
            plain += character
        index = end
    if plain:
        out.append(plain)
    return tuple(out)


def braces(text: str) -> list[str]:
    """`{a,b}` expanded, nested too. Too many results or levels become one pattern that takes them
    all."""
    if "{" not in text or "," not in text:
        return [text]
    tree = _tree(text)
    if tree is None or _results(tree) > WORD_VALUES:
        head, _, rest = text.partition("{")
        middle, _, tail = rest.rpartition("}")
        return [head + ("**" if "/" in (middle or rest) else "*") + tail]
    return _expanded(tree)


def _tree(text: str) -> list[Any] | None:
    """Texts and, as lists of such lists, groups of choices; None beyond the depth limit."""
    open_groups: list[tuple[list[Any], list[Any]]] = []
    done: list[Any] = []
    choices: list[Any] = []
    start = 0
    for index, character in enumerate(text):
        if character not in "{,}" or (character != "{" and not open_groups):
            continue
        if start < index:
            done.append(text[start:index])
        start = index + 1
        if character == "{":
            if len(open_groups) >= SYNTAX_DEPTH:
                return None
            open_groups.append((done, choices))
            done, choices = [], []
            continue
        choices.append(done)
        done = []
        if character == "}":
            inner = choices
            done, choices = open_groups.pop()
            # A group of one is text.
            done.extend(("{", *inner[0], "}") if len(inner) == 1 else (inner,))
    choices.append([*done, text[start:]])
    for before, outer in reversed(open_groups):
        # What is not closed is text.
        flat = [*before, "{"]
        for number, choice in enumerate(choices):
            flat.extend((",", *choice) if number else choice)
        choices = [*outer, flat]
    return [part for choice in choices for part in choice]


def _results(tree: list[Any]) -> int:
    total = 1
    for part in tree:
        if not isinstance(part, str):
            total *= sum(map(_results, part))
    return total


def _expanded(tree: list[Any]) -> list[str]:
    found = [""]
    for part in tree:
        ends = [part] if isinstance(part, str) else [e for c in part for e in _expanded(c)]
        found = [one + end for one in found for end in ends]
    return found
