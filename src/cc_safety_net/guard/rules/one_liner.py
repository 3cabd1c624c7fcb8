"""Inline code that is not provably free of effects (level paranoid)."""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.rules.context import Context

#: Program -> letters and names of options whose value is code.
_CODE = {
    "python": ("c",),
    "python2": ("c",),
    "python3": ("c",),
    "node": ("e", "p", "--eval", "--print"),
    "bun": ("e", "--eval", "--print"),
    "deno": (),
    "ruby": ("e",),
    "perl": ("e", "E"),
    "php": ("r",),
    "lua": ("e",),
    "Rscript": ("e",),
}
_PURE = frozenset(
    (
        "base64",
        "binascii",
        "bisect",
        "calendar",
        "cmath",
        "collections",
        "colorsys",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "heapq",
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "statistics",
        "string",
        "sys",
        "textwrap",
        "time",
        "typing",
        "unicodedata",
        "uuid",
        "zlib",
    )
)
_BUILTINS = frozenset(
    (
        "abs",
        "all",
        "any",
        "ascii",
        "bin",
        "bool",
        "bytes",
        "chr",
        "complex",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "frozenset",
        "hash",
        "hex",
        "id",
        "int",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "oct",
        "ord",
        "pow",
        "print",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "slice",
        "sorted",
        "str",
        "sum",
        "tuple",
        "type",
        "zip",
    )
)
#: Attributes by which pure code could reach other modules or the machine.
_REACHING = frozenset(
    (
        "builtins",
        "codecs",
        "exit",
        "importlib",
        "io",
        "linecache",
        "meta_path",
        "modules",
        "open",
        "os",
        "path_hooks",
        "platform",
        "setprofile",
        "settrace",
        "subprocess",
        "sys",
        "system",
        "warnings",
    )
)
#: Names that may not even be mentioned: they could be called by another.
_NEVER = frozenset(
    (
        "breakpoint",
        "compile",
        "delattr",
        "eval",
        "exec",
        "exit",
        "getattr",
        "globals",
        "input",
        "locals",
        "open",
        "quit",
        "setattr",
        "vars",
    )
)
#: Words that may stand in code of other languages, besides literals.
_HARMLESS = frozenset(
    (
        "puts",
        "p",
        "print",
        "say",
        "echo",
        "console",
        "log",
        "printf",
        "if",
        "unless",
        "and",
        "or",
        "not",
        "true",
        "false",
        "null",
        "nil",
        "undefined",
        "s",
        "tr",
        "y",
        "m",
        "qr",
        "g",
        "i",
        "x",
        "gi",
        "gm",
        "chomp",
        "lc",
        "uc",
        "length",
        "split",
        "join",
        "map",
        "for",
        "each",
        "do",
        "end",
        "Math",
        "PI",
        "abs",
        "floor",
        "ceil",
        "round",
        "JSON",
        "stringify",
    )
)


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    for word in _codes(execution):
        context.effort.spend(sum(len(c) for c in word.choices), "inline code")
        if not all(_is_free(execution, word, text) for text in word.texts or (None,)):
            return [
                Finding(
                    "interpreter.one-liner-paranoid",
                    " ".join(shown(each.choices[0]) for each in execution.argv),
                    execution.start,
                    execution.end,
                    chain=execution.chain,
                    values={"look": _look(execution, word)},
                )
            ]
    return ()


def _look(execution: Execution, code: Word) -> str:
    """Without `-i` a filter prints what it would write; other code is shown to a person."""
    from cc_safety_net.guard.rules.quoting import quote
    from cc_safety_net.guard.rules.unseen import shown_code

    words = [word.text for word in execution.argv]
    if execution.program in ("perl", "ruby") and None not in words:
        kept = [word for word in words if word is not None and not word.startswith("-i")]
        if len(kept) < len(words):
            return " ".join(quote(word) for word in kept)
    return shown_code(code.text or "") or "python3 -c 'print(1)'"


def _codes(execution: Execution) -> Iterator[Word]:
    """The words that hold code; standard input of `python -` and the like too."""
    options = _CODE.get(execution.program, ())
    words = execution.argv[1:]
    script = False
    for at, word in enumerate(words):
        text = word.text or ""
        if execution.program == "deno" and text == "eval" and at + 1 < len(words):
            yield words[at + 1]
            return
        cluster = text.startswith("-") and not text.startswith("--")
        if text in options or (cluster and text[-1:] in options):
            if at + 1 < len(words):
                yield words[at + 1]
            return
        script = script or not text.startswith("-") or text == "-m"
    if execution.stdin is not None and not script:
        yield execution.stdin


def _is_free(execution: Execution, word: Word, text: str | None) -> bool:
    if text is None or len(text) > limits.INLINE_CODE_CHARACTERS:
        return False
    if execution.program.startswith("python"):
        return _is_pure_python(text)
    flags = [w.text or "" for w in execution.argv[1:] if w is not word]
    if any(flag.startswith("-") and "i" in flag.partition("=")[0][1:4] for flag in flags):
        # `-i` edits files in place.
        return False
    return _only_harmless_words(text)


def _only_harmless_words(text: str) -> bool:
    if "`" in text or "<" in text or "|" in text.replace("||", ""):
        return False
    name: list[str] = []
    at = 0
    while at <= len(text):
        sign = text[at] if at < len(text) else " "
        at += 1
        if sign.isalnum() or sign == "_":
            name.append(sign)
            continue
        found = "".join(name)
        name = []
        if found and not found[0].isdigit() and found not in _HARMLESS:
            return False
        if sign in "'\"/":
            at = _behind_literal(text, at, sign, twice=found in ("s", "tr", "y"))
    return True


def _behind_literal(text: str, at: int, sign: str, *, twice: bool) -> int:
    for _ in range(2 if twice and sign == "/" else 1):
        while at < len(text) and text[at] != sign:
            at += 2 if text[at] == "\\" else 1
        at += 1
    return at


def _is_pure_python(text: str) -> bool:
    import ast  # only at paranoid, for inline code

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(_is_pure(node) for node in ast.walk(tree))


def _is_pure(node: ast.AST) -> bool:
    kind = type(node).__name__
    if kind == "Import":
        return all(alias.name.partition(".")[0] in _PURE for alias in node.names)  # type: ignore[attr-defined] # told by its name
    if kind == "ImportFrom":
        return (node.module or "").partition(".")[0] in _PURE  # type: ignore[attr-defined] # as above
    if kind == "Attribute":
        name = node.attr  # type: ignore[attr-defined] # as above
        return not name.startswith("_") and name not in _REACHING
    if kind == "Name":
        return not node.id.startswith("__") and node.id not in _NEVER  # type: ignore[attr-defined] # as above
    if kind == "Call":
        function = node.func  # type: ignore[attr-defined] # as above
        if type(function).__name__ == "Name":
            return function.id in _BUILTINS
        return type(function).__name__ == "Attribute"
    return kind not in ("Global", "Nonlocal", "AsyncFunctionDef", "ClassDef", "FunctionDef", "With")
