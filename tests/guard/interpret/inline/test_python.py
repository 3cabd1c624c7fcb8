"""Python code: what it would do, judged by the whole engine, and what it costs to read."""

from __future__ import annotations

import pytest
from tests.guard.verdicts import cases, check, verdict
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort

DEEP = {
    "a sum": "+".join(["1"] * 30_000),
    "brackets": "(" * 30_000,
    "lists": "[" * 20_000 + "]" * 20_000,
    "attributes": "a" + ".b" * 30_000,
    "signs": "-" * 60_000 + "1",
    "calls": "f(" * 20_000 + ")" * 20_000,
    "nots": "not " * 15_000 + "x",
    "lambdas": "lambda:" * 9_000 + "0",
    "subscripts": "a" + "[0]" * 20_000,
    "else-ifs": "if a: pass\n" + "elif b: pass\n" * 4_000,
    "blocks": "\n".join(" " * n + "if x:" for n in range(300)),
    "braces": "{" * 30_000,
    "powers": "2" + "**2" * 20_000,
    "awaits": "async def f():\n " + "await " * 9_000 + "x",
}


@pytest.mark.parametrize("case", [*cases("inline_python"), *cases("inline_python_more")])
def test_python_is_decided_by_what_it_does(case):
    check(case)


@pytest.mark.parametrize("code", DEEP.values(), ids=DEEP)
def test_deep_code_ends_in_a_decision(code):
    decision = verdict(f"python3 - <<'EOF'\n{code}\nEOF")

    rule = decision.finding.rule if decision.finding is not None else "guard.input-limit"
    assert rule in ("guard.input-limit", "guard.time-budget")


def test_functions_that_call_one_another_many_times_end_in_a_decision():
    code = "\n".join(f"def f{n}(): f{n + 1}(); f{n + 1}(); f{n + 1}()" for n in range(14))

    decision = verdict(f"python3 - <<'EOF'\n{code}\nf0()\nEOF")

    assert decision.finding is not None
    assert decision.finding.rule == "guard.time-budget"


@pytest.mark.parametrize(
    "line",
    [
        "x = os.path.join('a', 'b')",
        "d['k'] = [1, 2, 3]",
        "if a: b = 'x'",
        "for i in range(3): s += 'x'",
        "os.remove('build/x')",
    ],
)
def test_the_effort_for_code_grows_with_its_length_only(line):
    def steps(lines: int) -> int:
        code = "import os\ns = ''\n" + (line + "\n") * lines
        effort = Effort(1 << 40, 1 << 60)
        read_shell(f"python3 - <<'EOF'\n{code}EOF", "posix", place(), workspace(), effort)
        return effort.total - effort.left

    few = 65_000 // (len(line) + 1) // 8

    assert 1.5 * steps(few) < steps(few * 2) < 2.3 * steps(few)
