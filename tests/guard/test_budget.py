"""Long inputs: steps grow no faster than the text, and the fence names what was too much."""

from __future__ import annotations

import pytest
from tests.guard.constructs import REPEATED, text_of
from tests.guard.verdicts import verdict

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import Effort


@pytest.fixture
def efforts(monkeypatch: pytest.MonkeyPatch) -> list[Effort]:
    """The counters of the decisions that are made, without the clock and its fence."""
    made: list[Effort] = []
    before = Effort.__init__

    def init(self: Effort, steps: int = limits.STEPS, _: int = 0) -> None:
        before(self, steps, 10**12)
        made.append(self)

    monkeypatch.setattr(Effort, "__init__", init)
    return made


def _steps(text: str, efforts: list[Effort]) -> int:
    efforts.clear()
    verdict(text)
    return sum(effort.total - effort.left for effort in efforts)


@pytest.mark.parametrize("construct", REPEATED)
def test_twice_the_text_takes_about_twice_the_steps(construct: str, efforts: list[Effort]) -> None:
    small = _steps(text_of(construct, 3_000), efforts)
    large = _steps(text_of(construct, 6_000), efforts)

    # The end of the budget may come first: that is bounded anyhow.
    assert large <= max(small * 2.3 + 200, 200) or large > limits.STEPS


@pytest.mark.parametrize("construct", REPEATED)
def test_no_input_takes_more_than_the_budget(construct: str, efforts: list[Effort]) -> None:
    assert _steps(text_of(construct, 30_000), efforts) < limits.STEPS * 1.2


@pytest.mark.parametrize(
    ("construct", "what"),
    [
        ("directory changes", "a change of directory"),
        ("deletions", "the paths of a command"),
    ],
)
def test_too_much_is_refused_and_named(construct: str, what: str, efforts: list[Effort]) -> None:
    decision = verdict(text_of(construct, 40_000))

    assert efforts
    assert decision.finding is not None
    assert decision.finding.rule == "guard.time-budget"
    assert decision.finding.values["what"] == what


SCRIPT = """\
build_one() {
  local name="$1"
  if [ -f "src/$name.c" ]; then
    gcc -O2 -c "src/$name.c" -o "out/$name.o" || return 1
  else
    echo "no $name" >&2
  fi
}
for name in alpha beta gamma; do build_one "$name"; done
grep -rn "TODO" src | sort | uniq -c > out/todo.txt
test -d dist || mkdir -p dist
cp -r out/*.o dist/
python3 -m pytest -q tests 2>&1 | tail -n 5
git add -A && git commit -q -m "step" || true
"""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("set -e\nmkdir -p out\n" + SCRIPT * 22, id="a script of 300 lines"),
        pytest.param("cat > notes.md <<'E'\n" + "Some text, $x and `y`.\n" * 4_000 + "E\n",
                     id="a here-document of 90 KB"),
        pytest.param('git commit -m "' + "A line of a message.\n" * 4_000 + '"',
                     id="a commit message of 80 KB"),
        pytest.param("git add " + "src/module/file.py " * 1_500, id="1,500 operands of git add"),
        pytest.param("echo " + "build/a.o " * 800 + "| xargs rm -f", id="800 names for xargs rm"),
        pytest.param("npm test && " * 300 + "true", id="300 commands in a list"),
    ],
)  # fmt: skip
def test_long_inputs_of_every_day_pass(command: str) -> None:
    decision = verdict(command)

    assert decision.verdict == "allow", decision.finding and decision.finding.values
