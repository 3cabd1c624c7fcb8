"""The tree of each construct, problems as values, limits, spans, linear effort."""

from __future__ import annotations

from random import Random

import pytest
from tests.guard.shell.posix import trees

from cc_safety_net.guard import limits
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.shell.posix.dump import dump
from cc_safety_net.guard.shell.posix.nodes import Node, ParseResult, SimpleCommand
from cc_safety_net.guard.shell.posix.parser import parse

UNITS = [
    *("a", ";", "abcdefgh;", "$(", '"$(', "{", "{a,", "{a,b}", "{{a,b},c}", "\\", "\\x", "'", '"'),
    *('"a"', "cat <<E\nx\nE\n", "a <<E\n", "<<E ", "`", "\\`", "`a` ", "`\\`a\\`` ", "(", "(("),
    *("((1))\n", "$((", "$((1)) ", "$x", "${x", "${x}", "${x:1:2}", "${x//a/b}", "${x/", "${a["),
    *(
        "@(",
        "@(a)",
        "# a\n",
        "\n",
        "\\\n",
        "case x in a) b;; esac;",
        "if ",
        "for x in a; do b; done;",
    ),
    *(
        "[[ a && b ]];",
        "[[ ( ",
        "a=(b c);",
        "a[",
        "a[b] ",
        "<(",
        ">a ",
        "2>&1 ",
        "a|",
        "a&&",
        "f()",
    ),
    *("f() { a; };", "! ", "time ", "coproc ", "abc ", "'a b' \"c\" ", "\0", "a\r\n", "$[", "$'a'"),
    *("}", "do ", "<<<a ", "select x ", "$'\\x", "for x (", "=(", "<<A\n<<B\n", "{1..2}", "é "),
    *("cat <<E\nfoo $(\n", "function f ", "a=([b]", "[[ a =~ (", "${x:-", "$'", "&", ")", "((a) "),
]


def _steps(text: str) -> tuple[int, str]:
    effort = Effort(1 << 40, 1 << 60)
    try:
        parse(text, effort)
    except LimitReached as limit:
        return effort.total - effort.left, limit.what
    return effort.total - effort.left, ""


def _nodes(root: object) -> list[Node]:
    found: list[Node] = []
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Node):
            found.append(item)
            for kind in type(item).__mro__:
                waiting += [getattr(item, slot) for slot in getattr(kind, "__slots__", ())]
        elif isinstance(item, (list, tuple)):
            waiting += item
    return found


def check(text: str) -> ParseResult:
    """What holds for any text: spans in order, inside the text, and a place where reading ended."""
    result = parse(text)
    assert 0 <= result.rest <= len(text)
    assert bool(result.problems) or result.rest == len(text)
    for problem in result.problems:
        assert 0 <= problem.start <= problem.end <= len(text)
    for node in _nodes(result.script):
        assert 0 <= node.start <= node.end <= len(text), (dump(node), node.start, node.end)
    return result


@pytest.mark.parametrize(("source", "tree"), trees.cases())
def test_a_source_has_its_tree(source: str, tree: str) -> None:
    assert trees.tree(source) == tree
    check(source.replace("⏎", "\n"))


@pytest.mark.parametrize(
    ("source", "tree", "rest"),
    [
        ("echo a; rm 'x", "{SimpleCommand(words=[echo a]);}", 8),
        ("a ) b", "{SimpleCommand(words=[a])}", 2),
        ("{ a; b", "{Group(body={SimpleCommand(words=[a]); SimpleCommand(words=[b])})}", 6),
        ("a; b | | c", "{SimpleCommand(words=[a]); SimpleCommand(words=[b])}", 7),
        ("a\nb\nif c; then d; done", None, 18),
        ("a; echo ${x", "{SimpleCommand(words=[a]);}", 3),
        ("a; b $(c", "{SimpleCommand(words=[a]);}", 3),
        ("a;;", "{SimpleCommand(words=[a])}", 1),
        ("esac", "{}", 0),
    ],
)
def test_what_stands_before_a_problem_is_in_the_tree(
    source: str, tree: str | None, rest: int
) -> None:
    result = check(source)
    assert result.problems
    assert result.rest == rest
    if tree is not None:
        assert dump(result.script) == tree


@pytest.mark.parametrize("source", ["a 'b", 'a "b', "a `b", "$(a", "if a", "{ a", "a &&", "a |"])
def test_an_unfinished_text_is_called_incomplete(source: str) -> None:
    assert parse(source).problems[0].incomplete


@pytest.mark.parametrize("source", ["a )", "a;;", "done", "a | | b", "( )"])
def test_a_wrong_text_is_not_called_incomplete(source: str) -> None:
    assert not parse(source).problems[0].incomplete


@pytest.mark.parametrize("source", ["echo `if`; b", "cat <<E\n$(if\nE\nb", "echo $((${x)); b"])
def test_a_problem_in_text_that_is_read_later_does_not_stop_the_rest(source: str) -> None:
    result = check(source)
    assert result.problems
    commands = [node for node in _nodes(result.script) if isinstance(node, SimpleCommand)]
    assert "SimpleCommand(words=[b])" in [dump(command) for command in commands]


def test_spans_inside_escaped_backticks_are_offsets_of_the_whole_text() -> None:
    text = "a `b \\`c \\\\\\`dd\\\\\\`\\`` e"
    commands = [node for node in _nodes(check(text).script) if isinstance(node, SimpleCommand)]
    inner = [command for command in commands if dump(command) == "SimpleCommand(words=[dd])"]
    assert text[inner[0].start : inner[0].end] == "dd"


@pytest.mark.parametrize(
    "opener", ["$(", "( ", "{ ", '"$(', "${a:-", "if ", "<(", "! { ", "@(", "((", "f() ", "a=($("]
)
def test_nesting_beyond_the_limit_is_refused(opener: str) -> None:
    with pytest.raises(LimitReached) as refused:
        parse(opener * 5_000)
    assert refused.value.rule == "guard.input-limit"


@pytest.mark.parametrize("text", ["a " * (limits.WORDS + 1), "a" * (limits.COMMAND_CHARACTERS + 1)])
def test_too_many_words_or_characters_are_refused(text: str) -> None:
    with pytest.raises(LimitReached) as refused:
        parse(text)
    assert refused.value.rule == "guard.input-limit"


def test_the_deepest_permitted_nesting_needs_no_deep_stack() -> None:
    depth = limits.SYNTAX_DEPTH - 1
    for opener, closer in (('"$(', ')"'), ("{ ", ";}"), ("(", ")"), ("if ", ";then b;fi")):
        result = check(opener * depth + "a" + closer * depth)
        assert not result.problems


@pytest.mark.parametrize("unit", UNITS)
def test_effort_grows_no_faster_than_the_text(unit: str) -> None:
    short, stopped = _steps(unit * (4_000 // len(unit)))
    long, stopped_long = _steps(unit * (8_000 // len(unit)))
    assert long <= 2.3 * short + 70 or stopped or stopped_long
    assert long <= 200_000


@pytest.mark.fuzz
def test_random_shell_characters_never_raise() -> None:
    alphabet = [*" \t\n;&|()<>'\"`$\\{}[]#!=*?@+-~/:,.%^0a", "if ", "then ", "fi ", "do ", "done "]
    alphabet += ["case ", " in ", "esac ", "[[ ", " ]]", "<<E\n", "E\n", "$((", "))", "for ", "${"]
    random = Random(20)
    for _ in range(3_000):
        text = "".join(random.choices(alphabet, k=random.randint(1, 40)))
        try:
            check(text)
        except LimitReached:
            assert len(text) > limits.SYNTAX_DEPTH
