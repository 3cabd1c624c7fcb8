"""Makefiles: the recipes of the targets that are asked for and of what they need."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, known, literal
from cc_safety_net.guard.interpret.scripts import opaque, read, within
from cc_safety_net.guard.interpret.state import CWDS, EXPORTED, State, Variable
from cc_safety_net.guard.interpret.tasks.make_values import Variables, closing, stem_of
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.interpret.values import concat, text_choice
from cc_safety_net.guard.paths import join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

_NAMES = ("GNUmakefile", "makefile", "Makefile")
_DIRECTIVES = ("ifeq", "ifneq", "ifdef", "ifndef", "else", "endif")
_INCLUDES = ("include", "-include", "sinclude")
#: Targets of one call.
_TARGETS = 256


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run `inner.target` (the first target without one) of the makefile at `inner.path`."""
    for cwd in state.cwds:
        if cwd is None:
            opaque(m, execution, inner.path, "")
            continue
        if _evaluated(m, execution) and not _find(m, cwd, default=True):
            run_text(m, state, execution, ((),), (inner.target,) if inner.target else ())
        for given in inner.path.texts or ():
            place = normalise(join(cwd, given))
            # A directory: the mounted one of a box.
            default = given == "." or m.world.kind(place) == "directory"
            path = _find(m, place, default=default)
            if path:
                within(
                    m, execution, inner.path, path,
                    _run_file, m, state, execution, inner, path, cwd,
                )  # fmt: skip
        if inner.path.texts is None and not _from_process(m, state, execution, inner):
            opaque(m, execution, inner.path, "")


def _from_process(m: Machine, state: State, execution: Execution, inner: InnerFile) -> bool:
    """`make -f <(command)`: the makefile is what the command prints."""
    for choice in inner.path.choices:
        if len(choice) == 1 and isinstance(choice[0], Unknown) and choice[0] in m.substituted:
            text = m.substituted[choice[0]]
            run_text(m, state, execution, text, (inner.target,) if inner.target else ())
            return True
    return False


def run_text(
    m: Machine, state: State, execution: Execution, text: Choices, targets: Sequence[Word]
) -> None:
    """Run targets of a makefile that comes on standard input."""
    for choice in text:
        code = literal(choice)
        for cwd in state.cwds:
            if code is None or cwd is None:
                opaque(m, execution, known(""), "")
                continue
            makefile = Makefile(m, state, execution, cwd)
            makefile.take("\n".join([*_evaluated(m, execution), code]))
            makefile.run([word.text or "" for word in targets])


def _find(m: Machine, path: str, *, default: bool) -> str:
    names = [join(path, name) for name in _NAMES] if default else [path]
    for name in names:
        if name in m.files or m.world.is_file(name):
            return name
    return ""


def _run_file(
    m: Machine, state: State, execution: Execution, inner: InnerFile, path: str, cwd: str
) -> None:
    text = read(m, path)
    if text is None or (inner.target is not None and inner.target.texts is None):
        opaque(m, execution, inner.path, path)
        return
    makefile = Makefile(m, state, execution, cwd)
    makefile.variables.own["MAKEFILE_LIST"] = [text_choice(path)]
    makefile.take("\n".join([*_evaluated(m, execution), text]))
    makefile.run(inner.target.texts or () if inner.target is not None else ())


def _evaluated(m: Machine, execution: Execution) -> list[str]:
    """The lines of `--eval`, which come before those of the file."""
    # A command of many targets asks for each of them.
    if m.evaluated is None or m.evaluated[0] is not execution:
        from cc_safety_net.guard.interpret.options import parse

        options = parse(execution.argv, "E,eval: f: C: I: W: o:", permute=True).options
        lines = [
            option.value.text
            for option in options
            if option.name == "E" and option.value is not None and option.value.text
        ]
        m.evaluated = (execution, lines)
    return m.evaluated[1]


class Rule:
    """One rule: its prerequisites, its recipe's lines, the variables of its target."""

    __slots__ = ("double", "needs", "pattern", "recipe", "stem")

    def __init__(
        self, pattern: str, needs: list[str], stem: str = "", *, double: bool = False
    ) -> None:
        self.pattern = pattern
        self.double = double
        self.needs = needs
        self.stem = stem
        self.recipe: list[str] = []


class Makefile:
    """A makefile that is read line by line, as make does."""

    def __init__(self, m: Machine, state: State, execution: Execution, directory: str) -> None:
        self.m = m
        self.state = State(state)
        self.state.put(CWDS, (directory,))
        self.execution = execution
        self.directory = directory
        given = {name: word.choices for name, word in execution.env.items()}
        operands = _operands(execution)
        self.variables = Variables(m, self.state, directory, given=operands, environment=given)
        self.variables.evaluate = self.take
        self.rules: dict[str, list[Rule]] = {}
        self.patterns: list[Rule] = []
        self.own_values: dict[str, list[tuple[str, str, str]]] = {}
        self.default = ""
        #: Variables that the recipes see; `*`: all.
        self.exported: set[str] = set()
        self.one_shell = False
        self._current: list[Rule] = []
        self._branches: list[bool | None] = []
        self._prefix = "\t"

    # --- reading ---------------------------------------------------------------------------------

    def take(self, text: str) -> None:
        """Read lines of a makefile."""
        lines = iter(text.replace("\r\n", "\n").split("\n"))
        for first in lines:
            self.m.effort.spend(2 + len(self._branches), "a makefile")
            line = first
            if line.startswith(self._prefix) and self._current:
                parts = [line[1:]]
                while parts[-1].endswith("\\") and not parts[-1].endswith("\\\\"):
                    parts.append(next(lines, "").removeprefix(self._prefix))
                if self._active is not False:
                    recipe = "\n".join(parts)
                    for rule in self._current:
                        rule.recipe.append(recipe)
                continue
            parts = [line]
            while parts[-1].endswith("\\") and not parts[-1].endswith("\\\\"):
                parts[-1] = parts[-1][:-1].rstrip()
                parts.append(next(lines, "").strip())
            line = _without_comment(" ".join(parts)).strip()
            if line:
                self._line(line, lines)

    @property
    def _active(self) -> bool | None:
        """The line is read: True, False, or None if that can't be decided."""
        if False in self._branches:
            return False
        return None if None in self._branches else True

    def _line(self, line: str, lines: Iterable[str]) -> None:
        word = line.split(None, 1)[0].partition("(")[0]
        if word in _DIRECTIVES:
            self._conditional(word, line[len(word) :].strip())
            return
        if self._active is False:
            if word == "define":
                _definition(lines)
            return
        while word in ("export", "override", "private", "unexport"):
            line = line[len(word) :].strip()
            self._export(word, line)
            if not line:
                return
            word = line.split(None, 1)[0]
        if word == "define":
            name = line[6:].strip()
            operator = "="
            for end in (":::=", "::=", ":=", "+=", "?=", "!=", "="):
                if name.endswith(end):
                    name, operator = name[: -len(end)].strip(), end
                    break
            self._assign(name, operator, _definition(lines))
        elif word in _INCLUDES:
            self._include(line[len(word) :])
        elif word in ("undefine", "vpath", "load", "-load"):
            return
        else:
            self._statement(line)

    def _export(self, word: str, line: str) -> None:
        """`export`, `export NAME NAME`, `export NAME = value`, `unexport NAME`."""
        at, operator = _operator(line)
        names = (self.variables.text(line[:at] if operator else line) or "").split()
        if word == "export":
            self.exported.update(names or ("*",))
        elif word == "unexport":
            self.exported.difference_update(names or ("*",))

    def _conditional(self, word: str, rest: str) -> None:
        if word == "endif":
            if self._branches:
                self._branches.pop()
        elif word == "else":
            if not self._branches:
                return
            taken = self._branches.pop()
            self._branches.append(None if taken is None else not taken)
            inner = rest.split(None, 1)
            if inner and inner[0].partition("(")[0] in _DIRECTIVES and taken is False:
                # `else ifeq …`: the same `endif` closes both.
                self._branches.pop()
                name = inner[0].partition("(")[0]
                self._conditional(name, rest[len(name) :].strip())
            elif inner and taken is None:
                self._branches[-1] = None
        else:
            self._branches.append(self._decided(word, rest))

    def _decided(self, word: str, rest: str) -> bool | None:
        if self._active is False:
            return False
        if word in ("ifdef", "ifndef"):
            name = self.variables.text(rest) or ""
            if not self.variables.is_set(name):
                # The environment may set it.
                return None
            return (self.variables.value(name) != ((),)) == (word == "ifdef")
        sides = _sides(rest)
        if sides is None:
            return None
        first, second = (self.variables.text(side) for side in sides)
        if first is None or second is None:
            return None
        return (first == second) == (word == "ifeq")

    def _include(self, names: str) -> None:
        text = self.variables.text(names)
        for name in (text or "").split():
            path = normalise(join(self.directory, name))
            if path in self.m.files or self.m.world.is_file(path):
                content = read(self.m, path)
                if content is None:
                    opaque(self.m, self.execution, known(name), path)
                    continue
                self.m.enter("an included makefile")
                self.take(content)
                self.m.depth -= 1

    def _statement(self, line: str) -> None:
        """An assignment, a rule, or a reference that stands alone."""
        at, operator = _operator(line)
        if operator and operator != ":":
            self._assign(line[:at].strip(), operator, line[at + len(operator) :].strip())
            return
        if operator != ":":
            self._current = []
            self.variables.expand(line)
            return
        head = line[:at].rstrip("&")
        tail = line[at + 1 :]
        self._rule(head, tail.removeprefix(":"), double=tail.startswith(":"))

    def _assign(self, name: str, operator: str, text: str) -> None:
        self._current = []
        found = self.variables.text(name)
        if not found:
            return
        if found == ".RECIPEPREFIX":
            self._prefix = text[:1] or "\t"
        elif found == ".DEFAULT_GOAL":
            self.default = self.variables.text(text) or self.default
        self.variables.assign(found, operator, text, certain=self._active is True)

    def _rule(self, head: str, tail: str, *, double: bool) -> None:
        targets = (self.variables.text(head) or "").split()
        at, operator = _operator(tail)
        self._current = []
        if operator and operator != ":":
            for target in targets:
                values = self.own_values.setdefault(target, [])
                name = tail[:at].strip()
                if name.startswith("export "):
                    self.exported.add(name[7:].strip())
                name = name.removeprefix("export ").removeprefix("override ").strip()
                values.append((name, operator, tail[at + len(operator) :].strip()))
            return
        recipe = ""
        semicolon = _outside(tail, ";")
        if semicolon >= 0:
            tail, recipe = tail[:semicolon], tail[semicolon + 1 :].strip()
        pattern = ""
        if operator == ":":
            pattern, tail = tail[:at].strip(), tail[at + 1 :]
        needs = (self.variables.text(tail) or "").replace("|", " ").split()
        for target in targets:
            if target == ".ONESHELL":
                self.one_shell = True
            elif target == ".EXPORT_ALL_VARIABLES":
                self.exported.add("*")
            if target.startswith(".") and "/" not in target and target[1:].isupper():
                continue
            stem = (stem_of(pattern, target) or "") if pattern else ""
            own = [need.replace("%", stem, 1) for need in needs] if pattern else needs
            self._add(Rule(target, own, stem, double=double), recipe)

    def _add(self, rule: Rule, recipe: str) -> None:
        if recipe:
            rule.recipe.append(recipe)
        self._current.append(rule)
        if "%" in rule.pattern:
            self.patterns.append(rule)
            return
        self.rules.setdefault(rule.pattern, []).append(rule)
        if not self.default and not (rule.pattern.startswith(".") and "/" not in rule.pattern):
            self.default = rule.pattern

    # --- running ---------------------------------------------------------------------------------

    def run(self, targets: Sequence[str]) -> None:
        """Run the recipes for these targets, what they need first."""
        goals = list(targets) or ([self.default] if self.default else [])
        self.variables.own["MAKECMDGOALS"] = [text_choice(" ".join(targets))]
        seen: set[str] = set()
        for goal in goals:
            self._make(goal, seen)

    def _make(self, target: str, seen: set[str]) -> None:
        if target in seen or len(seen) >= _TARGETS:
            return
        seen.add(target)
        self.m.enter("a target of make")
        rules = self.rules.get(target, [])
        needs = [need for rule in rules for need in rule.needs]
        chosen = [(rule, rule.stem) for rule in rules if rule.recipe]
        if chosen and not chosen[-1][0].double:
            # A later recipe takes the place of an earlier one.
            del chosen[:-1]
        if not chosen:
            found = self._by_pattern(target)
            if found is not None:
                rule, stem = found
                chosen = [found]
                needs += [need.replace("%", stem, 1) for need in rule.needs]
        for need in needs:
            self._make(need, seen)
        for rule, stem in chosen:
            self._run_recipe(target, rule, stem, needs)
        self.m.depth -= 1

    def _by_pattern(self, target: str) -> tuple[Rule, str] | None:
        self.m.effort.spend(1 + len(self.patterns), "patterns of a makefile")
        for rule in self.patterns:
            stem = stem_of(rule.pattern, target)
            if stem and rule.recipe:
                return rule, stem
        return None

    def _run_recipe(self, target: str, rule: Rule, stem: str, needs: Sequence[str]) -> None:
        own = self.variables
        self.m.effort.spend(8 * len(needs), "a target of make")
        unique = list(dict.fromkeys(needs))
        values = {"@": target, "<": needs[0] if needs else "", "^": " ".join(unique), "*": stem}
        values["+"] = " ".join(needs)
        values["?"] = values["^"]
        values["|"] = ""
        for name in list(values):
            values[name + "D"] = " ".join(w.rpartition("/")[0] or "." for w in values[name].split())
            values[name + "F"] = " ".join(w.rpartition("/")[2] for w in values[name].split())
        own.automatic = {name: text_choice(text) for name, text in values.items()}
        saved = dict(own.own)
        self.m.effort.spend(1 + len(self.own_values), "a makefile")
        for pattern, settings in self.own_values.items():
            if stem_of(pattern, target) is not None:
                for name, operator, text in settings:
                    own.assign(name, operator, text, certain=True)
        lines = [own.expand(line) for line in rule.recipe]
        if self.one_shell and lines:
            whole = lines[0]
            for line in lines[1:]:
                whole = concat(concat(whole, (("\n",),)), line)
            lines = [whole]
        outer, self.state = self.state, self._surroundings()
        for line in lines:
            for choice in line:
                self._run_line(choice, target)
        self.state = outer
        own.own = saved
        own.automatic = {}

    def _surroundings(self) -> State:
        """The state of a recipe: variables that are exported, and those of make's environment."""
        own = self.variables
        names = [
            name
            for name in own.own
            if "*" in self.exported or name in self.exported or name in own.environment
        ]
        if not names:
            return self.state
        layer = State(self.state)
        for name in names:
            layer.put(name, Variable(own.value(name), flags="x"))
        layer.put(EXPORTED, (*(self.state.look(EXPORTED) or ()), *names))
        return layer

    def _run_line(self, choice: tuple[object, ...], target: str) -> None:
        pieces = list(choice)
        if pieces and isinstance(pieces[0], str):
            pieces[0] = pieces[0].lstrip("@-+ \t")
        if any(isinstance(piece, (str, Unknown)) and piece for piece in pieces):
            label = "" if target in " ".join(self.m.chain) else f"target {target}"
            line = tuple(piece for piece in pieces if piece != "")
            run_line(self.m, self.state, self.execution, line, label)  # type: ignore[arg-type]  # pieces


# --- lines ---------------------------------------------------------------------------------------


def _operands(execution: Execution) -> dict[str, Choices]:
    """`NAME=value` operands of the call."""
    from cc_safety_net.guard.interpret.options import cut, lead

    out: dict[str, Choices] = {}
    for word in execution.argv[1:]:
        name, equals, _ = lead(word).partition("=")
        if equals and not name.startswith("-"):
            out[name.rstrip(":?+!")] = cut(word, len(name) + 1).choices
    return out


def _definition(lines: Iterable[str]) -> str:
    out: list[str] = []
    depth = 1
    for line in lines:
        word = line.strip().split(None, 1)[:1]
        depth += (word == ["define"]) - (word == ["endef"])
        if not depth:
            break
        out.append(line)
    return "\n".join(out)


def _outside(text: str, signs: str) -> int:
    """The first of `signs` outside references, -1 if there is none."""
    at = 0
    while at < len(text):
        if text[at] == "$" and text[at + 1 : at + 2] in ("(", "{"):
            at = closing(text, at + 1)
        elif text[at] in signs:
            return at
        at += 1
    return -1


def _operator(line: str) -> tuple[int, str]:
    """Where the first operator stands, and which: of an assignment, or `:` of a rule."""
    at = _outside(line, "=:;")
    if at < 0 or line[at] == ";":
        return -1, ""
    if line[at] == "=":
        if at and line[at - 1] in "?+!":
            return at - 1, line[at - 1] + "="
        return at, "="
    for operator in (":::=", "::=", ":="):
        if line.startswith(operator, at):
            return at, operator
    return at, ":"


def _without_comment(line: str) -> str:
    at = line.find("#")
    while at > 0 and line[at - 1] == "\\":
        at = line.find("#", at + 1)
    return line if at < 0 else line[:at]


def _sides(rest: str) -> tuple[str, str] | None:
    """`(a,b)`, `"a" "b"` or `'a' 'b'`."""
    if rest.startswith("("):
        body = rest[1 : closing(rest, 0)]
        comma = _outside(body, ",")
        return (body[:comma].strip(), body[comma + 1 :].strip()) if comma >= 0 else None
    sides = []
    for _ in range(2):
        rest = rest.strip()
        end = rest.find(rest[:1], 1) if rest[:1] in ("'", '"') else -1
        if end < 0:
            return None
        sides.append(rest[1:end])
        rest = rest[end + 1 :]
    return sides[0], sides[1]
