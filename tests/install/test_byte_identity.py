"""Install keeps every byte outside our entry; uninstall gives the same bytes back."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from tests.install import odd_files
from tests.install.stand_in import everything, ok

from cc_safety_net.install.edit.editor import splice_between
from cc_safety_net.install.edit.jsonc import EDITOR

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet
    from tests.install.stand_in import Machine

#: Agent -> where its file is, and the odd files.
TABLES = {  # installed once more, and removed without our record, too
    "cursor": (".cursor/hooks.json", odd_files.CURSOR),
    "kimi-code": (".kimi-code/config.toml", odd_files.KIMI),
    "claude-code": (".claude/settings.json", odd_files.CLAUDE),
}
#: The same formats and the same code again: the short proof is enough.
MORE_TABLES = {
    "codex": (".codex/hooks.json", odd_files.CODEX),
    "gemini-cli": (".gemini/settings.json", odd_files.GEMINI),
    "antigravity-cli": (".gemini/config/hooks.json", odd_files.ANTIGRAVITY),
    "devin": (".config/devin/config.json", odd_files.DEVIN),
}


def rows(tables: Mapping[str, tuple[str, dict[str, bytes]]]) -> list[ParameterSet]:
    return [
        pytest.param(agent, path, content, id=f"{agent}: {name}")
        for agent, (path, table) in tables.items()
        for name, content in table.items()
    ]


ROWS = rows(TABLES)


def put(home: Path, path: str, content: bytes, mode: int = 0o640) -> Path:
    file = home / path
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    file.chmod(mode)
    return file


def test_there_are_forty_odd_files_an_agent() -> None:
    assert all(len(table) >= 40 for _, table in (TABLES | MORE_TABLES).values())


@pytest.mark.parametrize(("agent", "path", "content"), ROWS + rows(MORE_TABLES))
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
        model = EDITOR.model(text, path) or {}
        assert isinstance(model, dict)
    for name in ("hooks", "cc-safety-net"):
        hooks = model.get(name)
        if isinstance(hooks, dict):
            model[name] = {key: value for key, value in hooks.items() if value}
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
