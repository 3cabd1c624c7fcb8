"""Long inputs: steps grow no faster than the text, and the fence names what was too much."""

from __future__ import annotations

import cProfile
import time

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


#: Lines of which each names something else, so that nothing that is remembered helps.
NUMBERED = {
    "redirections": "printf '%s\\n' {0} >> out/{0}.txt\n",
    "outputs": "run --name a{0} --out build/{0}.o src/{0}.c\n",
    "substitutions": "sed -i 's/a{0}/b{0}/' src/{0}.py\n",
    "made files": "mkdir -p out/{0}; touch out/{0}/a\n",
    "links": "ln -s a{0} b{0}; rm b{0}\n",
    "exports": "export V{0}=a; test -f a{0} || ls\n",
    "variables": 'v{0}=${{v:-a{0}}}; [ -n "$v{0}" ] && echo $(( {0} + 1 ))\n',
    "functions": 'f{0}() {{ local a="$1"; echo "$a"; }}; f{0} x\n',
    "targets of make": "make a{0} b{0}; git -C r{0} status\n",
    "copies": "cp -r src/{0} out/{0} && tar -czf out/{0}.tgz out/{0}\n",
}


def _calls(text: str) -> int:
    """Calls of functions: what loops over earlier facts cost, even where no steps are counted."""
    profile = cProfile.Profile(builtins=False)
    profile.runcall(verdict, text)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("kind", NUMBERED)
def test_twice_the_lines_take_about_twice_the_work(kind: str, efforts: list[Effort]) -> None:
    lines = [NUMBERED[kind].format(number) for number in range(240)]
    _calls(lines[0])  # what is loaded once
    small, large = _calls("".join(lines[:120])), _calls("".join(lines))

    assert efforts
    assert large < small * 2.2 + 1_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("p='" + "@(" * 40 + "'; case a in $p) ls;; esac", id="open groups"),
        pytest.param("p='" + "+(a|" * 40 + "'; echo ${b//$p/x}", id="open groups in a replacement"),
        pytest.param("echo " + "[" * 20_000, id="open brackets"),
        pytest.param("echo " + "[" * 20_000 + "]", id="open brackets, one closed"),
        pytest.param("echo " + "[[:a" * 5_000 + "/]", id="open classes"),
        pytest.param("make " * 2_000, id="targets of make"),
    ],
)
def test_a_pattern_is_not_read_again_and_again(text: str, efforts: list[Effort]) -> None:
    started = time.process_time()
    verdict(text)

    assert efforts
    assert time.process_time() - started < 2


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
        pytest.param("psql app <<'E'\n" + "INSERT INTO t VALUES (1, 'a b');\n" * 1_800 + "E\n",
                     id="60 KB of SQL"),
        pytest.param("".join(NUMBERED["redirections"].format(n) for n in range(1_000)),
                     id="1,000 appended files"),
        pytest.param("for i in $(seq 100); do for j in $(seq 100); do echo $i $j; done; done",
                     id="100 turns of 100 turns"),
        pytest.param("npm test && " * 300 + "true", id="300 commands in a list"),
    ],
)  # fmt: skip
def test_long_inputs_of_every_day_pass(command: str) -> None:
    decision = verdict(command)

    assert decision.verdict == "allow", decision.finding and decision.finding.values
