"""A generator of shell text that knows each construct of the grammar, and counts its use.

It draws from an object with the interface of `random.Random`, so that hypothesis and plain seeds
can both drive it. Nothing that it makes is meant to run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import collections
    from collections.abc import Callable
    from random import Random

NAMES = ("a", "b", "x1", "_v", "foo", "PATH", "IFS")
PLAIN = (
    "a",
    "b.c",
    "-x",
    "--long=v",
    "/bin/ls",
    "~",
    "~/d",
    "*.py",
    "[ab]?",
    "x=y",
    "a#b",
    "%",
    "@",
    "é",
    "1",
    "12",
    "=",
    ":",
    ",",
    "a,b",
    "]",
    "!",
    "+",
)


class ShellText:
    """Makes text; `counts` says how often each construct was used."""

    def __init__(self, random: Random, counts: collections.Counter[str]) -> None:
        self.random = random
        self.counts = counts
        self.depth = 0
        self.bodies: list[str] = []

    def text(self) -> str:
        """A script of a few commands."""
        self.depth = 0
        self.bodies = []
        return self.script(self.random.randint(1, 3), last="\n" if self.chance(3) else "")

    # --- drawing -------------------------------------------------------------------------------

    def chance(self, of: int) -> bool:
        return self.random.randrange(of) == 0

    def pick(self, table: dict[str, Callable[[], str]], shallow: tuple[str, ...]) -> str:
        """One construct of a table; below some depth only the shallow ones."""
        names = list(shallow) if self.depth > 3 else list(table)
        name = names[self.random.randrange(len(names))]
        self.counts[name] += 1
        self.depth += 1
        made = table[name]()
        self.depth -= 1
        return made

    def several(self, make: Callable[[], str], low: int, high: int, joint: str = " ") -> str:
        return joint.join([make() for _ in range(self.random.randint(low, high))])

    def space(self) -> str:
        return self.random.choice((" ", " ", " ", "  ", "\t", " \\\n"))

    def line_end(self) -> str:
        """A new line, with the bodies of the here-documents that are pending."""
        bodies = "".join(self.bodies)
        self.bodies = []
        return "\n" + bodies

    # --- lists ---------------------------------------------------------------------------------

    def script(self, size: int, last: str) -> str:
        made = ""
        for index in range(size):
            made += self.and_or()
            final = index == size - 1
            end = last if final else self.random.choice((";", "&", "\n", "; ", " # c'(\"`\n"))
            if end == last == "" and self.bodies:
                end = "\n"
            if end.endswith("\n"):
                made += end[:-1] + self.line_end()
                self.counts["comment" if "#" in end else "new line"] += 1
            else:
                made += end
        return made

    def inner(self) -> str:
        """A list inside a compound command, with its last terminator."""
        made = self.script(self.random.randint(1, 2), last="")
        if made.endswith("\n"):
            return made
        if self.bodies:
            return made + self.line_end()
        return made + self.random.choice((";", " ;", "&", "\n"))

    def and_or(self) -> str:
        made = self.pipeline()
        while self.chance(6):
            self.counts["&& ||"] += 1
            made += self.random.choice((" && ", "||", " &&" + self.line_end())) + self.pipeline()
        return made

    def pipeline(self) -> str:
        made = ""
        if self.chance(12):
            self.counts["!"] += 1
            made = "! "
        if self.chance(20):
            self.counts["time"] += 1
            made = self.random.choice(("time ", "time -p ", "! time "))
        made += self.command()
        while self.chance(7):
            self.counts["pipe"] += 1
            made += (
                self.random.choice((" | ", "|", " |& ", " |" + self.line_end())) + self.command()
            )
        return made

    # --- commands ------------------------------------------------------------------------------

    def command(self) -> str:
        return self.pick(
            {
                "simple command": self.simple,
                "assignments": self.assignments,
                "declaration": self.declaration,
                "group": lambda: "{ " + self.inner() + "}",
                "subshell": lambda: "(" + self.script(1, "") + ")",
                "if": self.if_command,
                "while": self.while_command,
                "for": self.for_command,
                "arithmetic for": self.arithmetic_for,
                "select": lambda: "select x in a; do " + self.inner() + "done",
                "case": self.case_command,
                "function": self.function,
                "arithmetic command": lambda: "((" + self.arithmetic() + "))",
                "condition": lambda: "[[ " + self.condition() + " ]]",
                "coproc": self.coproc,
                "nested subshell": lambda: (
                    "((" + self.plain_command() + "); " + self.simple() + ")"
                ),
                "redirection only": self.redirection,
            },
            ("simple command", "assignments"),
        )

    def simple(self) -> str:
        words = self.several(self.word, 0, 3)
        made = self.random.choice(("cmd", "git", "rm", "$x", '"a"', r"\ls", "l\\\ns", "c'm'd"))
        made += " " + words if words else ""
        if self.chance(3):
            made += " " + self.redirection()
        return made

    def plain_command(self) -> str:
        return "cmd " + self.several(lambda: self.random.choice(PLAIN), 0, 3)

    def assignments(self) -> str:
        made = self.several(self.assignment, 1, 2)
        return made + " " + self.simple() if self.chance(2) else made

    def assignment(self) -> str:
        name = self.random.choice(NAMES)
        return self.pick(
            {
                "name=value": lambda: name + "=" + self.value(),
                "name+=value": lambda: name + "+=" + self.value(),
                "name=(…)": lambda: name + "=(" + self.several(self.element, 0, 3, "\n ") + ")",
                "name[i]=value": lambda: f"{name}[{self.arithmetic()}]=" + self.value(),
                "name[$i]+=value": lambda: f"{name}[$x]+=" + self.value(),
            },
            ("name=value",),
        )

    def value(self) -> str:
        return "" if self.chance(6) else self.word()

    def element(self) -> str:
        return self.random.choice(("", "", "[k]=", "[$x]=", "[1 + 2]=")) + self.word()

    def declaration(self) -> str:
        keyword = self.random.choice(("declare", "local", "export", "readonly", "typeset"))
        return keyword + self.random.choice((" ", " -a ", " -x ")) + self.operand()

    def operand(self) -> str:
        """An assignment as operand of a builtin, where a subscript holds no blanks together."""
        return self.random.choice(("a=", "b+=", "c[1]=", "d[$x]=", "e[x+1]+=")) + self.value()

    def if_command(self) -> str:
        made = "if " + self.inner() + "then " + self.inner()
        if self.chance(3):
            self.counts["elif"] += 1
            made += "elif " + self.inner() + "then" + self.space() + self.inner()
        if self.chance(2):
            self.counts["else"] += 1
            made += "else " + self.inner()
        return made + "fi" + self.after_compound()

    def while_command(self) -> str:
        keyword = self.random.choice(("while ", "until ", "while\n"))
        return keyword + self.inner() + "do " + self.inner() + "done" + self.after_compound()

    def for_command(self) -> str:
        words = self.several(self.word, 0, 3)
        return self.pick(
            {
                "for in": lambda: f"for x in {words}; do " + self.inner() + "done",
                "for in, new line": lambda: f"for x in {words}\ndo\n" + self.inner() + "done",
                "for without in": lambda: "for x; do " + self.inner() + "done",
                "for do": lambda: "for x do " + self.inner() + "done",
                "for braces": lambda: f"for x in {words}; {{ " + self.inner() + "}",
            },
            ("for in",),
        )

    def arithmetic_for(self) -> str:
        head = self.random.choice(("((;;))", "((i=0; i<3; i++))", "(( i = (1+2) ; i < $x;))"))
        if self.chance(3):
            return f"for {head} {{ " + self.inner() + "}"
        return f"for {head}" + self.random.choice((";", " ", "\n")) + "do " + self.inner() + "done"

    def case_command(self) -> str:
        made = "case " + self.word() + self.random.choice((" in ", "\nin\n"))
        for _ in range(self.random.randint(0, 3)):
            made += self.random.choice(("", "(")) + self.several(self.pattern, 1, 2, " | ") + ")"
            made += " " + self.script(1, "") if self.chance(2) else ""
            made += self.line_end() if self.bodies else ""
            made += self.random.choice((";;", " ;;\n", ";&", ";;&")) + " "
            self.counts["case arm"] += 1
        return made + "esac" + self.after_compound()

    def pattern(self) -> str:
        return self.random.choice(
            ("a", "*", "[a-z]*", '"x y"', "-?|--h", "$x", "@(a|b)", r"\(", "''")
        )

    def function(self) -> str:
        body = self.random.choice(
            (lambda: "{ " + self.inner() + "}", lambda: "(" + self.script(1, "") + ")")
        )()
        if self.chance(6):
            body = self.if_command()
        if self.chance(6):
            body += " >f"
        return self.pick(
            {
                "f()": lambda: "f() " + body,
                "f ( )": lambda: "f-g.h ( )\n" + body,
                "function f": lambda: "function f " + body,
                "function f()": lambda: "function f() " + body,
            },
            ("f()", "function f()"),
        )

    def coproc(self) -> str:
        return "coproc " + self.random.choice(("", "NAME ")) + "{ " + self.inner() + "}"

    def after_compound(self) -> str:
        return " " + self.redirection() if self.chance(5) else ""

    def condition(self) -> str:
        return self.pick(
            {
                "[[ word": self.word_of_condition,
                "[[ unary": lambda: (
                    self.random.choice(("-f ", "-z ", "-v ")) + self.word_of_condition()
                ),
                "[[ binary": lambda: (
                    self.word_of_condition()
                    + self.random.choice((" == ", " != ", " -nt ", " < ", " > ", " -eq ", " = "))
                    + self.word_of_condition()
                ),
                "[[ =~": lambda: (
                    "$x =~ "
                    + self.random.choice(
                        ("^a.*$", "^(a|b c)+$", '"x y"', r"\.txt", "[[:space:]]", "$re", "(a)(b)")
                    )
                ),
                "[[ and or": lambda: (
                    self.condition()
                    + self.random.choice((" && ", " || ", " &&\n"))
                    + self.condition()
                ),
                "[[ not": lambda: "! " + self.condition(),
                "[[ (": lambda: "( " + self.condition() + " )",
                "[[ extglob": lambda: "$x == @(a|b*)?([c])",
            },
            ("[[ word", "[[ unary"),
        )

    def word_of_condition(self) -> str:
        return self.random.choice(("$x", '"$x"', "abc", "'q r'", "*.py", '"a b"'))

    # --- redirections --------------------------------------------------------------------------

    def redirection(self) -> str:
        target = self.random.choice(("f", '"f g"', "$x", "/dev/null", "/tmp/a"))
        return self.pick(
            {
                "<": lambda: "< " + target,
                ">": lambda: ">" + target,
                ">>": lambda: ">> " + target,
                ">|": lambda: ">|" + target,
                "<>": lambda: "3<> " + target,
                "2>": lambda: "2>" + target,
                ">&": lambda: "2>&1",
                "<&": lambda: "<&3-",
                ">&-": lambda: ">&-",
                "&>": lambda: "&>" + target,
                "&>>": lambda: "&>> " + target,
                "{fd}>": lambda: "{fd}>" + target,
                "<<<": lambda: "<<< " + self.word(),
                "<<": self.here_document,
            },
            (">", "2>", "<"),
        )

    def here_document(self) -> str:
        kind = self.random.choice(("plain", "quoted", "dashed", "odd"))
        self.counts["here-document " + kind] += 1
        lines = ("text $x\n", "it's \"a\n", "", "$(cmd) `b`\n", "\\$x \\\n y\n", "${x:-'a}\n")
        body = "".join([self.random.choice(lines) for _ in range(self.random.randint(0, 2))])
        if kind == "quoted":
            self.bodies.append("$( ` ${ ' \n" + body + "E F\n")
            return "<<'E F'"
        if kind == "dashed":
            self.bodies.append("\t" + body + "\tEOF\n")
            return "<<-EOF"
        if kind == "odd":
            self.bodies.append(body + "a.b-c\n")
            return r"<<a.b\-c"
        self.bodies.append(body + "EOF\n")
        return "<< EOF"

    # --- words ---------------------------------------------------------------------------------

    def word(self) -> str:
        return self.several(self.part, 1, 2, self.random.choice(("", "", "", "\\\n")))

    def part(self) -> str:
        return self.pick(
            {
                "plain": lambda: self.random.choice(PLAIN),
                "single quotes": lambda: self.random.choice(("'a b'", "''", "'$x \"`\\'", "'\n#'")),
                "double quotes": lambda: '"' + self.several(self.quoted, 0, 3, "") + '"',
                "ansi c": lambda: "$'" + self.random.choice(ANSI_C) + "'",
                "locale": lambda: '$"' + self.quoted() + '"',
                "backslash": lambda: self.random.choice(
                    (r"\ ", r"\$", r"\"", r"\'", r"\\", r"\a", r"\(", r"\;")
                ),
                "$name": lambda: "$" + self.random.choice(NAMES),
                "$special": lambda: "$" + self.random.choice("@*#?-$!0123456789"),
                "${…}": lambda: self.parameter("'"),
                "$(…)": lambda: "$(" + self.random.choice(("", " ", "\n")) + self.nested() + ")",
                "backticks": lambda: "`" + self.random.choice(BACKTICKS) + "`",
                "$((…))": lambda: "$((" + self.arithmetic() + "))",
                "$[…]": lambda: "$[" + self.random.choice(("1+2", "$x", "a[1]")) + "]",
                "<(…)": lambda: self.random.choice("<>") + "(" + self.nested() + ")",
                "extglob": lambda: self.random.choice(
                    ("@(a|b)", "*(x)", "?(a b)", "a+(b|@(c))", "x!(a)")
                ),
                "brace list": lambda: "{" + self.several(self.item, 2, 3, ",") + "}",
                "brace range": lambda: self.random.choice(
                    ("{1..3}", "{a..e..2}", "{-3..3}", "{01..10}")
                ),
                "no brace": lambda: self.random.choice(
                    ("{}", "{a}", "a{", "}b", "{a,b", "{1..b}", "a{b}c")
                ),
                "$ alone": lambda: self.random.choice(("$/", "a$:", "$%", "$.")),
            },
            ("plain", "single quotes", "$name", "backslash"),
        )

    def item(self) -> str:
        return "" if self.chance(4) else self.part_of_brace()

    def part_of_brace(self) -> str:
        return self.random.choice(
            ("a", "b c".replace(" ", r"\ "), "'q'", "$x", "{d,e}", "1..2", "{", '"x y"')
        )

    def nested(self) -> str:
        saved, self.bodies = self.bodies, []
        made = self.script(1, "\n" if self.chance(4) else "")
        if self.bodies:
            made += self.line_end()
        self.bodies = saved
        if made.startswith(("(", "time", "! time")):
            made = " true;" + made
        return made

    def quoted(self) -> str:
        return self.pick(
            {
                "text in quotes": lambda: self.random.choice(
                    ("a b", "'", "#", "(", "{a,b}", "\n", ";", "$", "é")
                ),
                "escape in quotes": lambda: self.random.choice(
                    (r"\$", r"\"", r"\\", "\\`", r"\a", "\\\n")
                ),
                "$name in quotes": lambda: self.random.choice(("$x", "$@", "$1", "$$")),
                "${…} in quotes": lambda: self.parameter(""),
                "$(…) in quotes": lambda: "$(" + self.nested() + ")",
                "backticks in quotes": lambda: "`echo a`",
                "$((…)) in quotes": lambda: "$((" + self.arithmetic() + "))",
            },
            ("text in quotes", "escape in quotes", "$name in quotes"),
        )

    def parameter(self, quote: str) -> str:
        name = self.random.choice((*NAMES, "1", "12", "@", "*", "#", "?", "a[1]", "a[@]", "a[$x]"))
        quoted = self.random.choice(
            (name, f"{quote}a b{quote}", "$x", '"y z"', "$(cmd)", r"\}", "*", "")
        )
        return self.pick(
            {
                "${x}": lambda: "${" + name + "}",
                "${x:-y}": lambda: (
                    "${"
                    + name
                    + self.random.choice((":-", ":=", ":?", ":+", "-", "=", "?", "+"))
                    + quoted
                    + "}"
                ),
                "${x#y}": lambda: (
                    "${" + name + self.random.choice(("#", "##", "%", "%%")) + quoted + "}"
                ),
                "${x/y/z}": lambda: (
                    "${foo"
                    + self.random.choice(("/", "//", "/#", "/%"))
                    + quoted
                    + "/"
                    + quoted
                    + "}"
                ),
                "${x^}": lambda: "${foo" + self.random.choice(("^", "^^", ",", ",,", "^[a]")) + "}",
                "${x:1:2}": lambda: (
                    "${foo:" + self.random.choice(("1", "1:2", " -1", "x+1:$x", "(1):2")) + "}"
                ),
                "${#x}": lambda: (
                    "${#" + self.random.choice(("foo", "a[@]", "1", "@", "#", "?")) + "}"
                ),
                "${!x}": lambda: (
                    "${!" + self.random.choice(("foo", "foo*", "foo@", "a[@]", "1", "foo:-y")) + "}"
                ),
                "${x@Q}": lambda: "${foo@" + self.random.choice("QEPAaUuLKk") + "}",
                "${special}": lambda: "${" + self.random.choice("@*#?-$!0") + "}",
            },
            ("${x}", "${#x}"),
        )

    def arithmetic(self) -> str:
        return self.random.choice(
            (
                "1",
                "1+2",
                "x++",
                "(1 + 2) * 3",
                "a[1]",
                "$x << 2",
                "x > 1 && y < 2",
                "x ? y : z",
                "x = 1, y |= 2",
                "$((3))",
                "${x:-1}",
                "1 # 2",
                "$(cmd)",
                "16#ff",
                "",
            )
        )


ANSI_C = (
    "a",
    r"\n\t",
    r"\x41\x4",
    r"\u00e9\U1F600",
    r"\101\7",
    r"\cA",
    r"\'",
    r"\\",
    r"\"",
    r"\e[0m",
    "a\nb",
    r"\xzz",
    r"\q",
)
BACKTICKS = ("cmd", "cmd 'a b'", r"cmd \`in\`", r"cmd \\ \$x", "", "a | b", 'cmd "x y"')
MUTANTS = (
    " ",
    ";",
    "&",
    "|",
    "(",
    ")",
    "<",
    ">",
    "'",
    '"',
    "`",
    "$",
    "{",
    "}",
    "\\",
    "\n",
    "#",
    "if",
    "fi",
    " do ",
    " done ",
    "then",
    "esac",
    ";;",
    "in",
    "[[",
    "]]",
    "!",
    "=",
    "((",
    "))",
    "$(",
    "${",
    "a",
    "<<E",
    "case",
    "function ",
    "&>",
)


def mutated(random: Random, text: str) -> str:
    """The text with a few small changes."""
    for _ in range(random.randint(1, 2)):
        at = random.randint(0, len(text))
        kind = random.randrange(3)
        if kind == 0:
            text = text[:at] + text[at + random.randint(1, 3) :]
        elif kind == 1:
            text = text[:at] + random.choice(MUTANTS) + text[at:]
        else:
            other = random.randint(0, len(text))
            text = text[:at] + text[min(at, other) : max(at, other)][:6] + text[at:]
    return text
