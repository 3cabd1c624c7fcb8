"""Templates are filled with what a search or a list is known to yield."""

from __future__ import annotations

import pytest
from tests.guard.interpret.words import execution
from tests.guard.interpret.wrappers.shapes import shapes


@pytest.mark.parametrize(
    ("command", "stdin", "expected"),
    [
        ("xargs rm -rf", "/etc b\n", ["xargs: argv rm -rf /etc b"]),
        ("xargs rm", "'a b' c\\ d\n", ["xargs: argv rm a b c d"]),
        ("xargs -n1 rm", "a b", ["xargs: argv rm a", "xargs: argv rm b"]),
        (
            "xargs -I% git checkout %",
            "a b\nc\n",
            ["xargs: argv git checkout a b", "xargs: argv git checkout c"],
        ),
        ("xargs -i sh -c 'rm {}'", "a\n", ["xargs: argv sh -c rm a"]),
        ("xargs -0 rm", "a b\0c\0", ["xargs: argv rm a b c"]),
        ("xargs -d , rm", "a,b", ["xargs: argv rm a b"]),
        ("xargs", "a\n", ["xargs: argv echo a"]),
        ("xargs -r rm", "", []),
        ("parallel rm", "a\nb c\n", ["parallel: text rm a", "parallel: text rm 'b c'"]),
        ("parallel", "rm -rf /etc\n", ["parallel: text rm -rf /etc"]),
        (
            "parallel -j2 echo {1} {2} ::: a ::: b c",
            None,
            ["parallel: text echo a b", "parallel: text echo a c"],
        ),
        ("parallel --dry-run rm ::: a", None, []),
        ("xargs -a list rm", "x", ["xargs: argv rm $xargs …"]),
    ],
)
def test_a_known_list_gives_concrete_words(
    command: str, stdin: str | None, expected: list[str]
) -> None:
    assert shapes(execution(command, stdin=stdin)) == expected


@pytest.mark.parametrize(
    ("producer", "item"),
    [
        ("find build -type f -name '*.o'", "build/$find/*.o"),
        ("find /etc", "/etc/$find"),
        ("find a b -type d", "a/$find|b/$find"),
        ("find . -name a -o -name 'b*'", "./$find/a|./$find/b*"),
        ("find . -name a -o -type f", "./$find"),
        ("find . ! -name a -name b", "./$find/b"),
        ("find . ! ( -name a -o -name b )", "./$find"),
        ("git ls-files -z", "./$git"),
        ("ls", "./$ls"),
        ("ls /etc", "/etc/$ls"),
        ("cat list", "$cat"),
    ],
)
def test_an_unknown_list_keeps_what_its_producer_fixes(producer: str, item: str) -> None:
    feeds = (execution(producer),)
    expected = [f"xargs: argv rm {item} …"]
    through = execution("grep x", feeds=feeds)
    found = [shapes(execution("xargs rm", feeds=feeds)) for feeds in (feeds, (through,))]
    assert found == [expected, expected]


def test_no_item_of_a_long_list_is_lost() -> None:
    names = "\n".join(f"f{number}" for number in range(70)) + "\n/etc\n"
    hidden = []
    for command in ("xargs -n1 rm", "xargs -I% rm %", "parallel rm"):
        found = shapes(execution(command, stdin=names))
        hidden.append((len(found), "/etc" in found[-1]))
    assert hidden == [(65, True), (65, True), (1, True)]
