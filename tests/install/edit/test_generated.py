"""For any file: add changes nothing else, taking back and removing by structure undo it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.install.edit.strategies import json_texts, toml_texts, yaml_texts

from cc_safety_net.install.edit import yaml
from cc_safety_net.install.edit.editor import (
    at_path,
    find_entries,
    splice_between,
    take_back,
)
from cc_safety_net.install.entries import EDITORS, Host, Place
from cc_safety_net.install.setup import accept_all

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = 5000 if os.environ.get("CC_SAFETY_NET_FUZZ") == "full" else 300
MANY = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))

JSON_PLACE = Place(("hooks", "preToolUse"), nested=False, top={"version": 1})
JSON_ENTRY = {"command": "'/x y/cc-safety-net' hook --cursor", "timeout": 30}
TOML_PLACE = Place(("hooks",))
TOML_ENTRY = {"event": "PreToolUse", "command": "'/x \"y/ccsn' hook --kimi-code", "timeout": 30}


def host(form: str) -> Host:
    place, entry = (TOML_PLACE, TOML_ENTRY) if form == "toml" else (JSON_PLACE, JSON_ENTRY)
    return Host("f", EDITORS[form], place, entry, accept_all)


def check(form: str, text: str) -> None:
    here = host(form)
    content = text.encode("utf-8", "surrogatepass")

    installed = here.install(content, {})

    assert installed.content is not None
    model = here.editor.model(installed.content.decode(), "f")
    assert [value for _, value in here.find(model)] == [here.entry]
    assert subsequence(text, installed.content.decode())
    assert here.install(installed.content, dict(installed.record)).content == installed.content
    assert here.uninstall(installed.content, dict(installed.record)).content == content
    left = here.uninstall(installed.content, {}).content
    assert left is not None
    assert here.find(here.editor.model(left.decode(), "f")) == []
    assert without_empty(here.editor.model(left.decode(), "f")) == without_empty(
        here.editor.model(text, "f")
    )


def subsequence(old: str, new: str) -> bool:
    """All of the old text is in the new one, in order."""
    rest = iter(new)
    return all(character in rest for character in old)


def without_empty(model: object) -> Mapping[str, object]:
    assert isinstance(model, dict)
    found = {key: value for key, value in model.items() if key != "version"}
    hooks = found.get("hooks")
    if isinstance(hooks, dict):
        found["hooks"] = {key: value for key, value in hooks.items() if value}
    return {key: value for key, value in found.items() if key != "hooks" or value}


@MANY
@given(json_texts(comments=False))
def test_any_json_file(text: str) -> None:
    check("json", text)


@MANY
@given(json_texts(comments=True))
def test_any_jsonc_file(text: str) -> None:
    check("jsonc", text)


@MANY
@given(toml_texts())
def test_any_toml_file(text: str) -> None:
    check("toml", text)


@MANY
@given(yaml_texts())
def test_any_yaml_file(text: str) -> None:
    path, name = ("plugins", "enabled"), "cc-safety-net"

    new = yaml.with_name(text, path, name, "f")

    assert new is not None
    # A null that is written gives way to the list.
    assert "~" in text or subsequence(text, new)
    names = at_path(yaml.model(new, "f"), path)
    assert isinstance(names, list)
    assert names[0] == name
    left = yaml.without_name(new, path, name, "f")
    assert left is not None
    assert at_path(yaml.model(left, "f"), path) == names[1:]
    assert take_back(new, splice_between(text, new)) == text


@pytest.mark.parametrize("form", ["json", "jsonc"])
@MANY
@given(data=st.data())
def test_another_entry_and_key_added_by_somebody_survive(form: str, data: st.DataObject) -> None:
    text = data.draw(json_texts(comments=form == "jsonc"))
    here = host(form)
    installed = here.install(text.encode("utf-8", "surrogatepass"), {})
    assert installed.content is not None
    theirs = here.editor.add(installed.content.decode(), JSON_PLACE, {"command": "theirs"}, "f")
    theirs = here.editor.add(theirs, Place(("new", "list")), {"x": 1}, "f")

    left = here.uninstall(theirs.encode(), dict(installed.record)).content

    assert left is not None
    model = here.editor.model(left.decode(), "f")
    assert here.find(model) == []
    assert find_entries(model, Place(("new", "list")), bool) == [(("new", "list", 0), {"x": 1})]
    expected = here.editor.model(text, "f")
    assert isinstance(expected, dict)
    before = expected.get("hooks", {}).get("preToolUse", [])
    assert model["hooks"]["preToolUse"] == [*before, {"command": "theirs"}]


@MANY
@given(st.text(), st.sampled_from(["json", "jsonc", "toml"]))
def test_any_text_is_edited_or_refused(text: str, form: str) -> None:
    from cc_safety_net.errors import SafetyNetError

    try:
        host(form).install(text.encode("utf-8", "surrogatepass"), {})
    except SafetyNetError:
        return
