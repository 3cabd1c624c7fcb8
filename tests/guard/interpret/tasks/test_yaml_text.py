"""The part of YAML that files of tasks are written in."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.interpret.tasks.yaml_text import decode_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: b\n", {"a": "b"}),
        ("a:\n  b: c\n  d: e # note\n", {"a": {"b": "c", "d": "e"}}),
        ("a:\n  - b\n  - c\n", {"a": ["b", "c"]}),
        ("a:\n- b\n- c\nd: e\n", {"a": ["b", "c"], "d": "e"}),
        ("a: [b, 'c, d']\n", {"a": ["b", "c, d"]}),
        ("a: {b: c, d: e}\n", {"a": {"b": "c", "d": "e"}}),
        ("a: |\n  one\n  two\nb: c\n", {"a": "one\ntwo", "b": "c"}),
        ("a: >\n  one\n  two\n", {"a": "one two"}),
        ("a:\n  - cmd: b\n    silent: true\n  - c\n", {"a": [{"cmd": "b", "silent": "true"}, "c"]}),
        ("'a:b': \"c d\"\n", {"a:b": "c d"}),
        ("a: echo x:y\n", {"a": "echo x:y"}),
        ("# nothing\n\n", None),
        ("just a text\n", "just a text"),
    ],
)
def test_a_document_is_decoded(text, value):
    assert decode_yaml(text) == value


@pytest.mark.parametrize("text", ["a:\n  - b\n c: d\n", "- - - a\n", "a: [b\n", ": x\n", "a\n b\n"])
def test_what_is_not_understood_ends(text):
    decode_yaml(text)


def test_deep_documents_end():
    text = "".join(" " * depth + "a:\n" for depth in range(2_000))

    assert decode_yaml(text) is not None
