"""Damaged code: whatever stands in it, every reader comes to an end and leaves no trace."""

from __future__ import annotations

import json
import random
import shlex
import sys
from pathlib import Path

import pytest
from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.interpret import flow
from cc_safety_net.guard.interpret.codes import run_code
from cc_safety_net.guard.interpret.facts import Execution, Unknown, Word, known
from cc_safety_net.guard.interpret.machine import Machine
from cc_safety_net.guard.interpret.state import ARGUMENTS, CWDS, STACK, State
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.place import Place

_TABLES = Path(__file__).parents[3] / "data" / "verdicts"
LANGUAGES = {
    "python": "python",
    "javascript": "javascript",
    "ruby": "ruby",
    "perl": "perl",
    "php": "others",
    "lua": "others",
    "r": "others",
    "groovy": "others",
    "elixir": "others",
    "julia": "others",
    "go": "others",
    "tcl": "others",
    "applescript": "others",
}
_BITS = (
    *"()[]{}'\"`;,.:$@%&|=<>!?#/\\ \n-+*~^_0aé\0",
    " end ", " do ", "=>", "->", "${", "#{", "def f ", "function f(", "if ", "for ", "lambda: ",
    "class A:", " or ", "import ", "...", "<<E\n", "qw(", "%w[", "=begin\n", "[[", "--[[", "|>",
)  # fmt: skip
RUNS = 300


def damaged(codes: list[str], chance: random.Random) -> str:
    code = chance.choice(codes)
    for _ in range(chance.randint(0, 5)):
        at = chance.randint(0, len(code))
        kind = chance.randrange(3)
        if kind == 0:
            code = code[:at] + chance.choice(_BITS) + code[at:]
        elif kind == 1:
            code = code[:at] + code[at + chance.randint(1, 4) :]
        else:
            other = chance.choice(codes)
            start = chance.randint(0, len(other))
            code = code[:at] + other[start : start + chance.randint(1, 30)] + code[at:]
    return code


@pytest.mark.parametrize(("language", "table"), LANGUAGES.items())
def test_damaged_code_is_read_to_its_end(language, table):
    lines = (_TABLES / f"inline_{table}.jsonl").read_text("utf-8").splitlines()
    codes = [shlex.split(json.loads(line)["command"])[-1] for line in lines]
    chance = random.Random(language)
    world = workspace()
    frames = sys.getrecursionlimit()
    sys.setrecursionlimit(12_000)

    for _ in range(RUNS):
        code = damaged(codes, chance)
        machine = Machine(Place(f"{HOME}/proj", [f"{HOME}/proj"], HOME, ["/tmp"]), world, Effort())
        machine.run_script, machine.capture = flow.run_script, flow.capture
        state = State()
        for key, value in ((CWDS, (f"{HOME}/proj",)), (STACK, ()), (ARGUMENTS, ((),))):
            state.put(key, value)
        words = (known(language), known("-e"), known(code))
        execution = Execution(words, language, state.cwds, 0, 0)
        half = len(code) // 2
        holed = (code[:half], Unknown("variable", "X"), code[half:])
        text = Word((holed if chance.random() < 0.3 else (code,),))
        try:
            run_code(machine, state, execution, language, text)
        except LimitReached:
            continue
        assert (machine.depth, machine.chain) == (0, ()), code

    sys.setrecursionlimit(frames)
