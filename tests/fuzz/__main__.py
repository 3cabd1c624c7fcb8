"""The long fuzzing run: `python -m tests.fuzz 1000000 [first seed]`, from the project's folder.

Each input is shell text put together from pieces that mean something to the parser, to the
interpreter or to the rules, in any order and often broken; one in a hundred repeats its pieces
up to 4,096 characters. Each must get a decision without a fault of ours and within the budget.
Prints every input that does not, and the figures.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random

from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.limits import STEPS, Effort, LimitReached
from cc_safety_net.guard.shell.posix.parser import parse

_LONG = 4_096
#: Grammar, whole and broken.
GRAMMAR = (
    *(" ", " ", " ", "\n", ";", "&&", "||", "|", "|&", "&", "(", ")", "{ ", "; }", "((", "))"),
    *("[[ ", " ]]", "if ", "; then ", "; elif ", "; else ", "; fi", "while ", "; do ", "; done"),
    *(
        "for x in ",
        "for ((i=0;i<3;i++))",
        "case $x in ",
        "a) ",
        ";; ",
        ";& ",
        "; esac",
        "select y in ",
    ),
    *(
        "f() { ",
        "function g ",
        "coproc ",
        "time ",
        "! ",
        "repeat 3 { ",
        "foreach x (",
        "end",
        "always { ",
    ),
    *(
        "<<E\n",
        "\nE\n",
        "<<-'E'\n",
        "<<<",
        "<(",
        ">(",
        "> f",
        ">> f",
        "< f",
        "2>&1",
        "&> f",
        "3<<<",
    ),
    *(
        "<&3",
        "$(",
        "`",
        "$((",
        "${",
        "}",
        "${x:-",
        "${x//",
        "${!x",
        "${x[@]}",
        "${(z)x}",
        "$'",
        '$"',
    ),
    *(
        "'",
        '"',
        "\\",
        "\\\n",
        "#",
        "*",
        "?",
        "[a-z]",
        "@(",
        "{a,b}",
        "{1..9}",
        "~",
        "=(",
        "+=",
        "a[1]=",
    ),
)
#: Words that lead somewhere in the interpreter and the rules.
WORDS = (
    *(
        "rm",
        "-rf",
        "/etc",
        "build",
        "$HOME",
        "git",
        "reset",
        "--hard",
        "push",
        "-f",
        "checkout",
        "--",
    ),
    *(
        "sudo",
        "env",
        "-S",
        "xargs",
        "-I{}",
        "{}",
        "parallel",
        ":::",
        "find",
        ".",
        "-exec",
        "-delete",
    ),
    *(
        "\\;",
        "sh",
        "bash",
        "-c",
        "eval",
        "source",
        "exec",
        "trap",
        "EXIT",
        "cd",
        "pushd",
        "popd",
        "-",
    ),
    *(
        "set",
        "shift",
        "$@",
        '"$@"',
        "$1",
        "local",
        "declare",
        "-n",
        "-A",
        "export",
        "unset",
        "alias",
    ),
    *(
        "read",
        "-u",
        "mapfile",
        "printf",
        "-v",
        "%s",
        "echo",
        "cat",
        "tee",
        "base64",
        "-d",
        "rev",
        "tr",
    ),
    *(
        "x=rm",
        "x=(rm -rf)",
        "IFS=,",
        "$x",
        "python3",
        "node",
        "perl",
        "-e",
        "awk",
        "sed",
        "ssh",
        "h",
    ),
    *("docker", "tmux", "send-keys", "make", "npm", "run", "test", "psql", "crontab", "dd", "of=f"),
    *(
        "'import os; os.system(\"ls\")'",
        "'BEGIN{system(\"ls\")}'",
        "s/a/b/e",
        "pwsh",
        "cmd",
        "/c",
        "é",
        "\0",
    ),
)


def text_of(seed: int) -> str:
    random = Random(seed)
    out: list[str] = []
    for _ in range(random.randint(1, 24)):
        if random.random() < 0.5:
            out.append(random.choice(GRAMMAR))
        else:
            out.append(random.choice(WORDS))
            out.append(" " if random.random() < 0.8 else "")
    text = "".join(out)
    # One in a hundred is long: the same pieces many times over.
    return (text * random.randint(2, 100))[:_LONG] if random.random() < 0.01 else text


def main(count: int, first: int) -> int:
    world = workspace()
    root = f"{HOME}/proj"
    seen: Counter[str] = Counter()
    wrong = 0
    most = 0
    start = time.monotonic()
    for seed in range(first, first + count):
        text = text_of(seed)
        effort = Effort()
        try:
            parse(text, effort)
        except LimitReached as limit:
            seen[f"parser: {limit.what}"] += 1
        most = max(most, effort.total - effort.left)
        call = ToolCall(
            "claude-code",
            "Bash",
            "shell",
            {"command": text},
            command=text,
            dialect="posix",
            directory=root,
            session_directory=root,
            workspaces=(root,),
        )
        judgement = judge(call, world)
        finding = judgement.decision.finding
        seen[judgement.decision.verdict] += 1
        rule = finding.rule if finding is not None else ""
        if judgement.error or rule in ("guard.internal-error", "guard.time-budget"):
            wrong += 1
            print(f"seed {seed}: {rule}: {judgement.error}: {text[:400]!r}", flush=True)
    print(f"{count:,} inputs from seed {first:,} in {time.monotonic() - start:,.0f} s")
    print(
        f"faults and inputs over budget: {wrong}; most steps of the parser: {most:,} of {STEPS:,}"
    )
    print(", ".join(f"{name} {number:,}" for name, number in seen.most_common()))
    return 1 if wrong else 0


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(given[0] if given else 1_000_000, given[1] if given[1:] else 1))
