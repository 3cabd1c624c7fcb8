"""Random shell text for the oracle: every construct of the grammar, only harmless programs.

`Grammar` asks one object for its choices, so that hypothesis can steer it and a plain
`random.Random` can drive the long mode.
"""

# ruff: noqa: E501 - the pieces of shell text read best on one line

from __future__ import annotations

import shlex
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS = (
    "a",
    "b1",
    "x.tar.gz",
    "two words",
    "src",
    "docs",
    "-f",
    "--opt=v",
    "",
    "a*b",
    "Q",
    "/p/q",
)
_NAMES = ("X", "Y", "Z")
_FUNCTIONS = ("f", "g", "h")
_STUBS = ("alpha", "beta", "gamma", "delta", "fails")
_DIRECTORIES = ("src", "docs", "src/deep", "..", ".", "missing", '"a b"', "~", "-", "$HOME", "/tmp")
_PATTERNS = ("a*", "*", "?", "[a-b]*", "*.gz", "x", "two*", "a|b", "@(a|src)")


#: What a generated command begins with.
PREAMBLE = "X=a Y='b c' A=(p 'q r') R=Y N=2; set -- one 'two three'\n"


class Grammar:
    """One text per `program` call; `used` counts the constructs."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.used: Counter[str] = Counter()
        self._depth = 0
        self._inside = -1
        self._loops = 0
        self._counter = 0

    @classmethod
    def seeded(cls, seed: int) -> Grammar:
        return cls(Random(seed))

    def _pick(self, items: tuple[str, ...]) -> str:
        return items[self._random.randrange(len(items))]

    def _chance(self, of: int) -> bool:
        return self._random.randrange(of) == 0

    def _one(self, kinds: tuple[str, ...]) -> str:
        kind = self._pick(kinds)
        self.used[kind] += 1
        made: Callable[[], str] = getattr(self, "_" + kind)
        return made()

    # --- words ---

    def word(self) -> str:
        if self._depth > 4:
            return self._literal()
        self._depth += 1
        made = self._one(WORDS)
        if self._chance(6):
            self.used["joined"] += 1
            made += self._one(WORDS)
        self._depth -= 1
        return made

    def words(self, most: int = 3) -> str:
        return " ".join(self.word() for _ in range(self._random.randrange(most + 1)))

    def _literal(self) -> str:
        return self._pick(("a", "bc", "x.y", "d-e", "%s", "1", "src"))

    def _single(self) -> str:
        return shlex.quote(self._pick(_WORDS) or " ")

    def _empty(self) -> str:
        return self._pick(("''", '""'))

    def _escaped(self) -> str:
        return self._pick(("a\\ b", "\\$X", "\\*", "\\'", "l\\\ni"))

    def _ansi(self) -> str:
        return self._pick(("$'a\\tb'", "$'\\x41'", "$'it\\'s'", "$'\\101'"))

    def _double(self) -> str:
        inside = "".join(
            self._pick(("t ", "$X", "${Y}", "\\$", "$(echo s)", "$((1+1))", "~", "*"))
            for _ in range(2)
        )
        return f'"{inside}"'

    def _variable(self) -> str:
        name = self._pick(_NAMES)
        return self._pick((f"${name}", f"${{{name}}}", f'"${name}"'))

    def _default(self) -> str:
        name, word = self._pick(_NAMES), self._pick(("d", "'e f'", "$X", "$(echo g)"))
        op = self._pick((":-", "-", ":+", "+", ":="))
        text = f"${{{name}{op}{word}}}"
        return text if self._chance(2) else f'"{text}"'

    def _cut(self) -> str:
        name, op = self._pick(_NAMES), self._pick(("%", "%%", "#", "##"))
        return f'"${{{name}{op}{self._pick(("*.", ".*", "*", "?", "a*", "*/"))}}}"'

    def _replaced(self) -> str:
        name, op = self._pick(_NAMES), self._pick(("/", "//", "/#", "/%"))
        return f'"${{{name}{op}{self._pick(("a", "?", "[a-c]", "o w"))}/{self._pick(("", "_", "b"))}}}"'

    def _substring(self) -> str:
        offset = self._pick(("1", "0:2", " -1", "1:1", "0:-1"))
        return f'"${{X:{offset}}}"'

    def _cased(self) -> str:
        return f'"${{X{self._pick(("^", "^^", ",", ",,"))}}}"'

    def _length(self) -> str:
        return self._pick(("${#X}", "$#", "${#A[@]}"))

    def _indirect(self) -> str:
        return '"${!R}"'

    def _positional(self) -> str:
        return self._pick(("$1", '"$2"', '"$@"', "$@", '"$*"', '"${@:2}"'))

    def _element(self) -> str:
        return self._pick(("${A[0]}", '"${A[1]}"', '"${A[@]}"', "${A[*]}", '"${A[-1]}"'))

    def _substitution(self) -> str:
        inner = self._pick(("echo", "printf '%s\\n'", "printf '%s.'"))
        text = f"$({inner} {self.words(2)})"
        return text if self._chance(2) else f'"{text}"'

    def _backticks(self) -> str:
        return "`echo " + self._literal() + "`"

    def _arithmetic(self) -> str:
        return (
            "$((" + self._pick(("1+2", "N*2", "N>0?5:6", "7%4", "(1+1)**3", "N++", "N+=2")) + "))"
        )

    def _brace(self) -> str:
        return self._pick(("{a,b}", "x{1..3}", "{b,}c", "{a,{c,d}}", "{3..1}", "{a}"))

    def _tilde(self) -> str:
        return self._pick(("~", "~/x", "~+"))

    def _glob(self) -> str:
        return self._pick(("*.txt", "src/*", "?ne.txt", "*.none", "[ot]*.txt"))

    def _filtered(self) -> str:
        filters = ("rev", "tr a-c A-C", "cut -c1-2", "sort", "head -n 1", "tail -n 1", "cat")
        return f'"$(echo {self._literal()}bc | {self._pick(filters)})"'

    def _printed(self) -> str:
        return self._pick(
            (
                "$(pwd)",
                "$(basename /a/b.c .c)",
                "$(dirname /a/b)",
                "$(seq 2)",
                "$(cd src && pwd)",
                "$(cat one.txt)",
                "$(< two.txt)",
                "$(f_none)",
                "$(true)",
            )
        )

    # --- commands ---

    def program(self) -> str:
        self._depth += 1
        commands = [self.command() for _ in range(1 + self._random.randrange(3))]
        self._depth -= 1
        text = commands[0]
        for command in commands[1:]:
            joint = self._pick(("; ", "\n", " && ", " || ", "; ", "\n"))
            self.used["joint" + joint.strip()] += 1
            plain = "\n" not in text and "\n" not in command
            text += (joint if plain else "\n") + command
        return text

    def command(self) -> str:
        if self._depth > 3:
            return self._simple()
        self._depth += 1
        made = self._one(COMMANDS)
        self._depth -= 1
        return made

    def body(self) -> str:
        return "\n" + self.program() + "\n"

    def _simple(self) -> str:
        return f"{self._pick(_STUBS)} {self.words()}"

    def _assignment(self) -> str:
        name = self._pick(_NAMES)
        return f"{name}{self._pick(('=', '=', '+='))}{self.word()}"

    def _prefixed(self) -> str:
        return f"{self._pick(_NAMES)}={self._literal()} {self._simple()}"

    def _named(self) -> str:
        return (
            f"C={self._pick(_STUBS)}; "
            + self._pick(("$C", '"$C"', "${C}", "${C:-x}"))
            + f" {self.words()}"
        )

    def _split_name(self) -> str:
        return "C='alpha -x y'; $C " + self.words(1)

    def _test(self) -> str:
        return self._pick(
            (
                "true",
                "false",
                "fails",
                "alpha",
                f"[ {self._literal()} = a ]",
                '[ "$X" = a ]',
                "[[ $X == a* ]]",
                "[[ -n $Y ]]",
                "((N))",
                "[ -f one.txt ]",
                "! true",
                "[ 1 -lt 2 ]",
                "[[ -z $X || $Y == b* ]]",
                "test -d src",
            )
        )

    def _if(self) -> str:
        text = f"if {self._test()}; then{self.body()}"
        if self._chance(3):
            text += f"elif {self._test()}; then{self.body()}"
        if self._chance(2):
            text += f"else{self.body()}"
        return text + "fi"

    def _while(self) -> str:
        self._counter += 1
        name = f"i{self._counter}"
        self._loops += 1
        form = self._pick(
            (f"while [ ${name} -lt 2 ]", f"until (({name}>=2))", f"while (({name}<3))")
        )
        text = f"{name}=0; {form}; do {name}=$(({name}+1)){self.body()}done"
        self._loops -= 1
        return text

    def _for(self) -> str:
        self._loops += 1
        text = f"for {self._pick(_NAMES)} in {self.words()}; do{self.body()}done"
        self._loops -= 1
        return text

    def _for_arguments(self) -> str:
        return (
            f"for X; do{self.body()}done"
            if self._chance(2)
            else f'for X in "$@"; do{self.body()}done'
        )

    def _for_arithmetic(self) -> str:
        self._counter += 1
        name = f"j{self._counter}"
        self._loops += 1
        text = f"for (({name}=0;{name}<2;{name}++)); do{self.body()}done"
        self._loops -= 1
        return text

    def _read_loop(self) -> str:
        source = f"echo {self.words()} | " if self._chance(2) else ""
        here = "" if source else f" <<< {self.word()}"
        return f"{source}while read {self._pick(_NAMES)}; do{self.body()}done{here}"

    def _case(self) -> str:
        arms = "".join(
            f"{self._pick(_PATTERNS)}) {self._simple()} {self._pick((';;', ';;', ';&', ';;&'))}\n"
            for _ in range(2)
        )
        return f"case {self.word()} in\n{arms}*) {self._simple()};; esac".replace("@(", "(")

    def _subshell(self) -> str:
        return f"({self.body()})"

    def _group(self) -> str:
        return f"{{{self.body()}}}"

    def _function(self) -> str:
        if self._inside >= len(_FUNCTIONS) - 1:
            return self._simple()
        self._inside += 1
        name = _FUNCTIONS[self._inside]
        loops, self._loops = self._loops, 0
        local = f"local {self._pick(_NAMES)}={self.word()}\n" if self._chance(2) else ""
        text = f"{name}() {{\n{local}{self.program()}\n}}\n{name} {self.words()}"
        self._loops = loops
        self._inside -= 1
        return text

    def _function_scope(self) -> str:
        return "k() { X=in; Y=$1; }; k " + self._literal() + '; alpha "$X" "$Y"'

    def _return(self) -> str:
        if self._inside < 0:
            return self._simple()
        return self._pick(("return", "return 1", '[ "$X" = a ] && return'))

    def _jump(self) -> str:
        if not self._loops:
            return self._simple()
        return self._pick(
            ("break", "continue", '[ "$X" = a ] && continue', '[ "$X" = b1 ] && break')
        )

    def _exit(self) -> str:
        return self._pick(("(exit; alpha)", "(alpha; exit 1) || beta", '[ "$X" = Q ] && exit'))

    def _cd(self) -> str:
        return f"cd {self._pick(_DIRECTORIES)}" + self._pick(
            ("", "", " && alpha", " || beta", "; gamma")
        )

    def _pushd(self) -> str:
        return "pushd src; alpha; popd; beta"

    def _eval(self) -> str:
        return f"eval {shlex.quote(self.program())}" if self._chance(2) else 'eval "alpha $X"'

    def _shell(self) -> str:
        return f"bash -c {shlex.quote(self.program())} zero {self.words(2)}"

    def _shell_input(self) -> str:
        form = self._random.randrange(3)
        if form == 0:
            return f"echo {shlex.quote(self._simple())} | bash"
        if form == 1:
            return f"bash <<< {shlex.quote(self._simple())}"
        return f"bash <<'EOF'\n{self._simple()}\nEOF"

    def _heredoc(self) -> str:
        mark = self._pick(("EOF", "'EOF'", "-EOF"))
        return f"sink <<{mark}\ntext $X\n$(echo s) \\$Y\nEOF"

    def _herestring(self) -> str:
        return f"sink <<< {self.word()}"

    def _pipe(self) -> str:
        return f"echo {self.words()} | {self._pick(('sink', 'cat | sink', 'sink | alpha'))}"

    def _pipe_commands(self) -> str:
        return f"{self._simple()} | {self._simple()}"

    def _set(self) -> str:
        return f"set -- {self.words()}; " + self._pick(
            ("alpha $1", 'beta "$@"', "shift; gamma $#", "delta $*")
        )

    def _export(self) -> str:
        return f"export X={self.word()}; bash -c 'alpha \"$X\"'"

    def _declare(self) -> str:
        return self._pick(
            (
                "declare -i N=2+3; alpha $N",
                "declare -u U=abc; alpha $U",
                'declare -n R=X; alpha "$R"; unset -n R',
                "readonly K=v; alpha $K",
                "typeset V=w; alpha $V",
                'unset X; alpha "$X"',
            )
        )

    def _array(self) -> str:
        return f"A=({self.words()}); alpha " + self._pick(
            ('"${A[@]}"', "${#A[@]}", '"${A[*]}"', "${A[1]}")
        )

    def _array_more(self) -> str:
        return self._pick(
            (
                'A+=(z); alpha "${A[@]}"',
                'A[2]=w; alpha "${A[@]}"',
                'declare -A M=([k]=v); alpha "${M[k]}"',
            )
        )

    def _read(self) -> str:
        return f'read X Y <<< {self.word()}; alpha "$X" "$Y"'

    def _mapfile(self) -> str:
        return "mapfile -t A <<< $'p q\\nr'; alpha \"${A[@]}\""

    def _printf_v(self) -> str:
        return f"printf -v X '%s-%s' {self.word()} b; alpha \"$X\""

    def _ifs(self) -> str:
        return f'(IFS={self._pick((",", ":", chr(39) * 2, "x"))}; X=a,b:cxd; alpha $X "$X")'

    def _alias(self) -> str:
        if self._depth > 2:  # an alias holds for the lines that bash reads after it
            return self._simple()
        return f"alias al='alpha {self._literal()}'\nal {self.words(1)}"

    def _redirected(self) -> str:
        return self._simple() + self._pick((" > o", " 2>&1", " < one.txt", " >> o", " &> o"))

    def _written(self) -> str:
        return f"echo {shlex.quote(self._simple())} > out/s{self._depth}; " + self._pick(
            (f"bash out/s{self._depth} x", f". out/s{self._depth}")
        ).replace(". out", ". ./out")

    def _written_in_place(self) -> str:
        return "(cd $HOME/../proj; " + self._written() + ")"

    def _script(self) -> str:
        return "(cd ~/../proj; bash run.sh " + self.words(2) + ")"

    def _trap(self) -> str:
        return "(trap 'alpha trap \"$X\"' EXIT; " + self._simple() + ")"

    def _process(self) -> str:
        return self._pick(
            ("sink < <(echo p)", "cat <(echo p) | sink", "alpha > >(cat > /dev/null)")
        )

    def _background(self) -> str:
        return self._simple() + " & wait"

    def _wrapped(self) -> str:
        wrapper = self._pick(
            (
                "command",
                "env",
                "env E=1",
                "nice",
                "nohup",
                "timeout 5",
                "exec",
                "time",
                "!",
                "builtin eval",
            )
        )
        stub = self._pick(_STUBS[:4])
        text = f"{wrapper} {stub} a b" if wrapper != "builtin eval" else f"builtin eval {stub} x"
        return f"({text})"

    def _xargs(self) -> str:
        return f"echo {self._literal()} {self._literal()} | " + self._pick(
            ("xargs alpha", "xargs -n1 beta", "xargs -I{} gamma {} z")
        )

    def _coproc(self) -> str:
        return "(coproc alpha c; wait)"

    def _arith_command(self) -> str:
        return self._pick(("((N=5))", "((N++))", "let N=3")) + "; alpha $N"

    def _expanded_program(self) -> str:
        return self._pick(
            ("{alpha,x,y}", "$(echo beta z)", "`echo gamma` w", "a\\lpha q", "al'ph'a", '"beta" t')
        )

    def _errexit(self) -> str:
        return (
            "(set -e; " + self._simple() + "; " + self._pick(("false", "true", "alpha")) + "; beta)"
        )


WORDS = (
    "literal", "literal", "single", "empty", "escaped", "ansi", "double", "variable", "variable",
    "default", "cut", "replaced", "substring", "cased", "length", "indirect", "positional",
    "element", "substitution", "backticks", "arithmetic", "brace", "tilde", "glob", "filtered",
    "printed",
)  # fmt: skip
COMMANDS = (
    "simple", "simple", "simple", "assignment", "assignment", "prefixed", "named", "split_name",
    "if", "while", "for", "for_arguments", "for_arithmetic", "read_loop", "case", "subshell",
    "group", "function", "function_scope", "return", "jump", "exit", "cd", "cd", "pushd", "eval",
    "shell", "shell_input", "heredoc", "herestring", "pipe", "pipe_commands", "set", "export",
    "declare", "array", "array_more", "read", "mapfile", "printf_v", "ifs", "alias", "redirected",
    "written_in_place", "script", "trap", "process", "background", "wrapped", "xargs", "coproc",
    "arith_command", "expanded_program", "errexit",
)  # fmt: skip
