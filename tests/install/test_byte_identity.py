"""Install keeps every byte outside our entry; uninstall gives the same bytes back."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest
from tests.install import odd_files
from tests.install.stand_in import everything, ok

from cc_safety_net.install.edit.editor import splice_between

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.stand_in import Machine

#: Agent -> where its file is, and the odd files.
TABLES = {
    "cursor": (".cursor/hooks.json", odd_files.CURSOR),
    "kimi-code": (".kimi-code/config.toml", odd_files.KIMI),
    "claude-code": (".claude/settings.json", odd_files.CLAUDE),
}
ROWS = [
    pytest.param(agent, path, content, id=f"{agent}: {name}")
    for agent, (path, table) in TABLES.items()
    for name, content in table.items()
]


def put(home: Path, path: str, content: bytes, mode: int = 0o640) -> Path:
    file = home / path
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    file.chmod(mode)
    return file


@pytest.mark.parametrize(("agent", "path", "content"), ROWS)
def test_install_inserts_and_uninstall_takes_out_nothing_else(
    machine: Machine, agent: str, path: str, content: bytes
) -> None:
    file = put(machine.home, path, content)
    before = everything(machine.home)

    ok(machine.install(agent))
    installed = file.read_bytes()
    splice = splice_between(content.decode(), installed.decode())
    ok(machine.uninstall(agent))

    assert "cc-safety-net" in splice.inserted
    assert splice.removed in splice.inserted
    assert everything(machine.home) == before


@pytest.mark.parametrize(("agent", "path", "content"), ROWS)
def test_a_second_install_writes_nothing(
    machine: Machine, agent: str, path: str, content: bytes
) -> None:
    file = put(machine.home, path, content)
    ok(machine.install(agent))
    before = file.stat()

    result = ok(machine.install(agent))

    assert result.result == "unchanged"
    assert file.stat() == before


@pytest.mark.parametrize(("agent", "path", "content"), ROWS)
def test_without_our_record_uninstall_still_takes_out_our_entry_only(
    machine: Machine, agent: str, path: str, content: bytes
) -> None:
    file = put(machine.home, path, content)
    ok(machine.install(agent))
    (machine.state / "installed.json").unlink()

    ok(machine.uninstall(agent))

    left = file.read_bytes()
    assert b"current/cc-safety-net" not in left
    assert meaning(path, left) == meaning(path, content)


def meaning(path: str, content: bytes) -> object:
    """What the file says, without keys that say nothing."""
    text = content.decode().removeprefix("\ufeff")
    if path.endswith(".toml"):
        model = tomllib.loads(text)
    else:
        model = json.loads(text, parse_int=str, parse_float=str) if text.strip() else {}
    hooks = model.get("hooks")
    if isinstance(hooks, dict):
        model["hooks"] = {key: value for key, value in hooks.items() if value}
    return {
        key: value for key, value in model.items() if value not in ({}, []) and key != "version"
    }


def test_files_and_folders_that_we_made_go_again(machine: Machine) -> None:
    ok(machine.install())
    assert (machine.home / ".cursor/hooks.json").is_file()

    ok(machine.uninstall())

    assert everything(machine.home) == {}


def test_folders_that_somebody_uses_stay(machine: Machine) -> None:
    ok(machine.install())
    (machine.home / ".cursor/mine.txt").write_text("x")

    ok(machine.uninstall())

    assert set(everything(machine.home)) == {".cursor", ".cursor/mine.txt"}
