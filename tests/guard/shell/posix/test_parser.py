"""The tree of each construct, printed beside its source."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.limits import LimitReached
from cc_safety_net.guard.shell.posix.dump import dump
from cc_safety_net.guard.shell.posix.parser import parse

TREES = [
    ("git status", "{SimpleCommand(words=[git status])}"),
    (r"\r\m", "{SimpleCommand(words=['r''m'])}"),
    (
        "a | b |& c",
        (
            "{Pipeline(commands=[SimpleCommand(words=[a]) SimpleCommand(words=[b])"
            " SimpleCommand(words=[c])], pipe_stderr=[False True])}"
        ),
    ),
    (
        "if a; then b; fi > f",
        (
            "{If(arms=[[{SimpleCommand(words=[a]);} {SimpleCommand(words=[b]);}]],"
            " redirects=[Redirect(op=>, target=f)])}"
        ),
    ),
]


@pytest.mark.parametrize(("source", "tree"), TREES)
def test_a_source_has_its_tree(source: str, tree: str) -> None:
    result = parse(source)
    assert dump(result.script) == tree
    assert not result.problems
    assert result.rest == len(source)


@pytest.mark.parametrize(
    ("source", "tree", "rest"),
    [
        ("echo a; rm 'x", "{SimpleCommand(words=[echo a]);}", 8),
        ("a ) b", "{SimpleCommand(words=[a])}", 2),
        ("{ a; b", "{Group(body={SimpleCommand(words=[a]); SimpleCommand(words=[b])})}", 6),
    ],
)
def test_what_stands_before_a_problem_is_in_the_tree(source: str, tree: str, rest: int) -> None:
    result = parse(source)
    assert dump(result.script) == tree
    assert result.problems
    assert result.rest == rest


@pytest.mark.parametrize("opener", ["$(", "( ", "{ ", '"$(', "${a:-", "if ", "<(", "! { "])
def test_nesting_beyond_the_limit_is_refused(opener: str) -> None:
    with pytest.raises(LimitReached) as refused:
        parse(opener * 5_000)
    assert refused.value.rule == "guard.input-limit"
