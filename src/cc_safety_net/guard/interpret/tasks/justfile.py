"""Justfiles: the recipe that is asked for, with the ones it depends on."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.scripts import nearest, opaque, read, within
from cc_safety_net.guard.interpret.state import State
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.interpret.values import EMPTY, concat, text_choice, unknown_choice
from cc_safety_net.guard.paths import join, normalise, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

_NAMES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
_RECIPES = 64
_DEPTH = 16


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run `inner.target` (the first recipe without one) with its arguments."""
    given = inner.path.texts
    if given is None:
        opaque(m, execution, inner.path, "")
        return
    if given == (".",):
        paths = nearest(m, state.cwds, _NAMES)
    else:
        paths = [normalise(join(cwd, one)) for one in given for cwd in state.cwds if cwd]
    mounted = [path for path in paths if m.world.kind(path) == "directory"]
    for path in [*paths, *nearest(m, mounted, _NAMES)]:
        if path in m.files or m.world.is_file(path):
            within(m, execution, inner.path, path, _run, m, state, execution, inner, path)


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: str) -> None:
    text = read(m, path)
    if text is None or (inner.target is not None and inner.target.text is None):
        opaque(m, execution, inner.path, path)
        return
    file = Justfile(m, state, execution, parent(path))
    file.take(text)
    for given, word in inner.env.items():
        if given in file.values and word.text is not None:
            file.values[given] = f"'{word.text}'"
    name = inner.target.text if inner.target is not None else file.first
    file.run(name or "", [word.choices for word in inner.positionals])


class Recipe:
    """parameters: (name, default, takes the rest). needs: (recipe, arguments as text)."""

    __slots__ = ("lines", "needs", "parameters")

    def __init__(self, parameters: list[tuple[str, str, bool]], needs: list[list[str]]) -> None:
        self.parameters = parameters
        self.needs = needs
        self.lines: list[str] = []


class Justfile:
    """A justfile that is read line by line."""

    def __init__(self, m: Machine, state: State, execution: Execution, directory: str) -> None:
        self.m = m
        self.state = state
        self.execution = execution
        self.directory = directory
        self.recipes: dict[str, Recipe] = {}
        self.aliases: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.first = ""
        self._runs = 0

    def take(self, text: str) -> None:
        """Read lines of a justfile."""
        current: Recipe | None = None
        for line in text.replace("\r\n", "\n").split("\n"):
            self.m.effort.spend(2, "a justfile")
            plain = line.strip()
            if line[:1] in (" ", "\t"):
                if current is not None:
                    current.lines.append(line)
                continue
            if not plain:
                if current is not None and current.lines:
                    current.lines.append("")
                continue
            if plain[0] in "#[":
                continue
            current = self._line(plain)

    def _line(self, line: str) -> Recipe | None:
        words = line.split(None, 1)
        if words[0] == "import" and len(words) > 1:
            self._include(words[1].strip().lstrip("?").strip().strip("'\""))
            return None
        if words[0] == "set":
            return None
        name, operator, value = line.partition(":=")
        if operator and '"' not in name and "'" not in name:
            words = name.split()
            if words[:1] == ["alias"] and len(words) > 1:
                self.aliases[words[1]] = value.strip()
            elif words:
                self.values[words[-1]] = value.strip()
            return None
        return self._recipe(line)

    def _include(self, name: str) -> None:
        path = normalise(join(self.directory, name))
        if path in self.m.files or self.m.world.is_file(path):
            content = read(self.m, path)
            if content is not None:
                self.m.enter("an imported justfile")
                first = self.first
                self.take(content)
                self.first = first
                self.m.depth -= 1

    def _recipe(self, line: str) -> Recipe | None:
        at = _outside_quotes(line, ":")
        if at < 0:
            return None
        head = _words(line[:at].lstrip("@"))
        if not head:
            return None
        parameters = []
        for word in head[1:]:
            name, equals, default = word.partition("=")
            rest = name[:1] in ("*", "+")
            name = name.lstrip("*+$")
            if not equals:
                default = "''" if word[:1] == "*" else ""
            parameters.append((name, default, rest))
        needs = [_words(need) for need in _needs(line[at + 1 :])]
        recipe = Recipe(parameters, [need for need in needs if need])
        self.recipes[head[0]] = recipe
        self.first = self.first or head[0]
        return recipe

    # --- running ---------------------------------------------------------------------------------

    def run(self, name: str, arguments: Sequence[Choices]) -> None:
        """Run a recipe; arguments that it does not take name more recipes."""
        recipe = self._find(name)
        if recipe is None or self._runs >= _RECIPES:
            return
        self._runs += 1
        takes = len(recipe.parameters)
        if recipe.parameters and recipe.parameters[-1][2]:
            takes = len(arguments)
        values = self._bind(recipe, arguments[:takes])
        self.m.enter("a recipe of just")
        for need in recipe.needs:
            self.run(need[0], [self._evaluated(text, values, 0) for text in need[1:]])
        self._run_lines(recipe, values)
        self.m.depth -= 1
        if len(arguments) > takes:
            following = literal(arguments[takes][0]) or ""
            self.run(following, arguments[takes + 1 :])

    def _find(self, name: str) -> Recipe | None:
        return self.recipes.get(self.aliases.get(name, name))

    def _bind(self, recipe: Recipe, arguments: Sequence[Choices]) -> dict[str, Choices]:
        values: dict[str, Choices] = {}
        for number, (name, default, rest) in enumerate(recipe.parameters):
            if number < len(arguments):
                value = arguments[number]
                for more in arguments[number + 1 :] if rest else ():
                    value = concat(concat(value, ((" ",),)), more)
                values[name] = value
            else:
                values[name] = self._evaluated(default, values, 0)
        return values

    def _run_lines(self, recipe: Recipe, values: Mapping[str, Choices]) -> None:
        body = _dedented(recipe.lines)
        if body and body[0].startswith("#!"):
            self._run_script(body, values)
            return
        at = 0
        while at < len(body):
            line = body[at]
            at += 1
            while line.endswith("\\") and at < len(body):
                line += "\n" + body[at]
                at += 1
            line = line.lstrip("@-")
            if line.strip() and not line.startswith("#"):
                self._run_text(self._filled(line, values))

    def _run_script(self, body: Sequence[str], values: Mapping[str, Choices]) -> None:
        """A recipe that begins with `#!` is a file of its own."""
        from cc_safety_net.guard.interpret.facts import Word
        from cc_safety_net.guard.interpret.scripts import run_text_of

        text = self._filled("\n".join(body), values)
        run_text_of(self.m, State(self.state), self.execution, Word(text), self.directory)

    def _run_text(self, text: Choices) -> None:
        for choice in text:
            run_line(self.m, self.state, self.execution, choice, "", directory=self.directory)

    # --- values ----------------------------------------------------------------------------------

    def _filled(self, text: str, values: Mapping[str, Choices]) -> Choices:
        """A text with its `{{expressions}}` replaced."""
        out: Choices = EMPTY
        at = 0
        while at < len(text):
            start = text.find("{{", at)
            if start < 0:
                return concat(out, text_choice(text[at:]))
            out = concat(out, text_choice(text[at:start]))
            if text.startswith("{{{{", start):
                out = concat(out, (("{{",),))
                at = start + 4
                continue
            end = text.find("}}", start)
            end = len(text) if end < 0 else end
            out = concat(out, self._evaluated(text[start + 2 : end].strip(), values, 0))
            at = end + 2
        return out

    def _evaluated(self, text: str, values: Mapping[str, Choices], depth: int) -> Choices:
        """An expression: strings, names, `+` and `/`, commands in backticks."""
        self.m.effort.spend(1 + len(text) // 8, "a justfile")
        if depth > _DEPTH:
            return unknown_choice("limit")
        for operator in "+/":
            at = _outside_quotes(text, operator)
            if at >= 0:
                left = self._evaluated(text[:at].strip(), values, depth + 1)
                right = self._evaluated(text[at + 1 :].strip(), values, depth + 1)
                between: Choices = (("/",),) if operator == "/" else EMPTY
                return concat(concat(left, between), right)
        return self._term(text, values, depth)

    def _term(self, text: str, values: Mapping[str, Choices], depth: int) -> Choices:
        if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
            inner = text.strip(text[0]) if text[:3] in ('"""', "'''") else text[1:-1]
            return text_choice(inner.replace('\\"', '"').replace("\\\\", "\\"))
        if len(text) > 1 and text[0] == text[-1] == "`":
            self._run_text(text_choice(text.strip("`")))
            return unknown_choice("command", text.strip("`").split(" ")[0])
        if text in values:
            return values[text]
        if text in self.values:
            return self._evaluated(self.values[text], values, depth + 1)
        if text in ("justfile_directory()", "invocation_directory()"):
            return text_choice(self.directory)
        if text == "home_directory()":
            return text_choice(self.m.place.home)
        if not text:
            return EMPTY
        return unknown_choice("variable", text)


def _outside_quotes(text: str, sign: str) -> int:
    """The first `sign` outside strings and brackets, -1 if there is none."""
    quote = ""
    depth = 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
        elif char == sign and not depth:
            return at
    return -1


def _words(text: str) -> list[str]:
    """The blank-separated parts outside strings and brackets."""
    out: list[str] = []
    rest = text.strip()
    while rest:
        at = _outside_quotes(rest, " ")
        if at < 0:
            out.append(rest)
            break
        out.append(rest[:at])
        rest = rest[at:].strip()
    return out


def _needs(text: str) -> list[str]:
    """What a recipe depends on: names, and `(name arguments)`."""
    text = text.partition("#")[0].replace("&&", " ")
    return [word[1:-1] if word.startswith("(") else word for word in _words(text)]


def _dedented(lines: Sequence[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        return []
    width = len(lines[0]) - len(lines[0].lstrip())
    return [line[width:] if not line[:width].strip() else line.strip() for line in lines]
