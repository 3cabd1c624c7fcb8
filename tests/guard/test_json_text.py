"""JSON without the json package: the same values, and refusals that name the fact."""

from __future__ import annotations

import json

import pytest

from cc_safety_net.guard.json_text import JsonError, decode_json, encode_json, line_of

VALUES = [
    {},
    [],
    [[]],
    {"a": [1, -2.5, 1e300, True, False, None], "b": {"c": 'ü\u2028\n\t"\\/'}},
    "\ud800 lone",
    "",
    0,
    {"": {"": [{}]}},
    ["a,b{[", '\\"[', "\x00\x1f\x7f"],
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_survive_both_ways(value):
    assert decode_json(json.dumps(value)) == value
    assert json.loads(encode_json(value)) == value
    assert decode_json(encode_json(value)) == value
    encode_json(value).encode("utf-8")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "there is no text"),
        (" \n", "there is no text"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        ("[1", "delimiter"),
        ('{"a"', "delimiter"),
        ("[1] 2", "after the end"),
        ("nul", "missing"),
        ('["\x01"]', "control character"),
        ("{'a': 1}", "property name"),
        ("[" * 15_000, "nested deeper"),
        ("[" * 100_000, "more than 20,000 values"),
    ],
)
def test_what_is_wrong_is_named(text, what):
    with pytest.raises(JsonError) as caught:
        decode_json(text)

    assert what in caught.value.what


def test_depth_is_limited_at_64():
    assert decode_json("[" * 64 + "]" * 64)
    with pytest.raises(JsonError) as caught:
        decode_json("[" * 65 + "]" * 65)
    assert caught.value.limit


def test_values_are_limited_at_20000():
    assert len(decode_json(json.dumps([0] * 19_999))) == 19_999
    assert len(decode_json(json.dumps([{}] * 19_999))) == 19_999
    for value in ([0] * 20_000, [{}] * 20_000, [[]] * 100_000, {str(n): n for n in range(20_000)}):
        with pytest.raises(JsonError) as caught:
            decode_json(json.dumps(value))
        assert caught.value.limit


def test_text_in_strings_counts_for_no_values():
    content = 'a,"b",[{\\' * 200_000
    assert decode_json(json.dumps({"content": content})) == {"content": content}


def test_a_byte_order_mark_is_skipped():
    assert decode_json("\ufeff {} \r\n") == {}


def test_infinity_is_written_as_null():
    assert encode_json([float("inf"), float("nan"), 1.5]) == "[null,null,1.5]"


def test_a_position_has_a_line():
    assert (line_of("a\nb", 2), line_of("a", 0), line_of("a", -1)) == (2, 1, 0)
