"""What an agent's program would have to read and can't: refused by name and line, untouched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.install import in_process
from tests.install.stand_in import Machine, everything, ok

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = {
    "claude-code": ("claude", ".claude/settings.json"),
    "codex": ("codex", ".codex/config.toml"),
    "copilot-cli": ("copilot", ".copilot/settings.json"),
    "hermes-agent": ("hermes", ".hermes/config.yaml"),
}
#: By the end of the name: what is no such document, and what the message says.
BROKEN = {
    ".json": (
        (b'{"a": 1', "line 1"),
        (b'{\n"a": 1\n"b": 2}', "line 3"),
        (b"\n\nnonsense", "line 3"),
        (b'{"a": \xff}', "not UTF-8"),
        (b'{"a": 1}\n{"b": 2}', "line 2"),
        (b'{"a": "\n"}', "line 1"),
    ),
    ".toml": (
        (b"a = \n", "line 1"),
        (b"a = 1\nb\n", "line 2"),
        (b"a = 1\na = 2\n", "line 2"),
        (b"[t\n", "line 1"),
        (b'a = "\xff"', "not UTF-8"),
        (b'a = """\n', "end of document"),
    ),
    ".yaml": (
        (b"a: b: c\n", "line 1"),
        (b"a: 1\n\tb: 2\n", "line 2"),
        (b"a: [1\nb: 2\n", "line 2"),
        (b"a: 1\na: 2\n", "line 2"),
        (b"a: *nobody\n", "line 1"),
        (b"a: \xff\n", "not UTF-8"),
        (b"a: 1\n---\nb: 2\n", "line 2"),
        (b"a: 1\t# c\n", "line 1"),
    ),
}
ROWS = [
    pytest.param(agent, content, says, id=f"{agent}: {content!r}")
    for agent, (_, path) in PROGRAMS.items()
    for content, says in BROKEN["." + path.rpartition(".")[2]]
]


@pytest.fixture
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    in_process.put(home.parent / "bin", [name for name, _ in PROGRAMS.values()], monkeypatch)
    return Machine(home, f"{home.parent}/bin:/usr/bin:/bin")


@pytest.mark.parametrize(("agent", "content", "says"), ROWS)
def test_install_with_the_program_is_refused(
    machine: Machine, agent: str, content: bytes, says: str
) -> None:
    path = PROGRAMS[agent][1]
    file = machine.home / path
    file.parent.mkdir()
    file.write_bytes(content)
    before = everything(machine.home)

    result = machine.install("cursor", agent)

    assert result.error is not None
    assert result.exit_code == 1
    assert path in result.error.message
    assert says in result.error.message
    assert result.error.hint
    assert everything(machine.home) == before


@pytest.mark.parametrize(("agent", "content", "says"), ROWS)
def test_uninstall_with_the_program_is_refused(
    machine: Machine, agent: str, content: bytes, says: str
) -> None:
    path = PROGRAMS[agent][1]
    ok(machine.install(agent))
    (machine.home / path).write_bytes(content)
    before = everything(machine.home)

    result = machine.uninstall("cursor", agent)

    if result.error is None:
        # Nothing in it tells any more that the plugin is there.
        assert (machine.home / path).read_bytes() == content
        return
    assert path in result.error.message
    assert says in result.error.message
    assert everything(machine.home) == before


@pytest.mark.parametrize("agent", ["claude-code", "codex", "copilot-cli"])
def test_a_read_only_file_is_not_written_anew_by_the_program(machine: Machine, agent: str) -> None:
    path = PROGRAMS[agent][1]
    file = machine.home / path
    file.parent.mkdir()
    file.write_bytes(b"")
    file.chmod(0o444)
    before = everything(machine.home)

    result = machine.install(agent)

    assert result.error is not None
    assert result.error.code == "not_writable"
    assert path in result.error.message
    assert everything(machine.home) == before
