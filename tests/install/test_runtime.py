"""The runtime: the same bytes each time, whole or not at all, and a denial when it is broken."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.agents import artifact as artifacts
from tests.agents.artifact import SPECS, Answer, Artifact
from tests.agents.judge import BLOCKED, judge

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.install import placement, runtime
from cc_safety_net.install.launcher import entry_command, quote

AGENTS = tuple(PACKAGES)
SOURCE = str(Path(runtime.__file__).parents[2])


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    return artifacts.make(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def broken(tmp_path: Path) -> Artifact:
    """A runtime that a test may break."""
    home = tmp_path / """own "home's" $x"""
    home.mkdir(mode=0o700)
    return artifacts.make(home)


def blocked_with_hint(agent: str, answer: Answer) -> bool:
    """Blocked by one document (or by the status alone), and told how to mend it."""
    document = json.loads(answer.stdout)
    return (
        judge(agent, answer.stdout, answer.stderr, answer.status).verdict == BLOCKED
        and answer.status in (0, 2)
        and set(document) == set(SPECS[agent].deny)
        and "run: cc-safety-net" in answer.stderr
        and "guard.runtime-unavailable" in answer.stdout
    )


def test_two_builds_have_the_same_bytes(tmp_path: Path) -> None:
    directories = Artifact(tmp_path, tmp_path, tmp_path, "/c", "/s", "/d")

    first, second = runtime.build(directories), runtime.build(directories)

    assert (first.folder, first.files) == (second.folder, second.files)


def test_builds_of_other_processes_have_the_same_bytes(tmp_path: Path) -> None:
    program = """
import hashlib, pathlib, sys
from cc_safety_net.install import packing, runtime
modules = runtime.read_sources(pathlib.Path(runtime.__file__).parents[1])
packed = b"".join((*packing.pack_modules(modules), runtime.pack_sources(modules)))
print(hashlib.sha256(packed).hexdigest())
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }

    assert len(found) == 1


def test_the_runtime_holds_the_guards_side_and_no_installation_code() -> None:
    names = set(runtime.read_sources(Path(SOURCE) / "cc_safety_net"))

    assert {"cc_safety_net.guard.hook", "cc_safety_net.agents.cursor.protocol"} <= names
    assert not {n for n in names if n.endswith(".setup") or ".install" in n or ".cli" in n}


def test_the_recorded_interpreter_is_no_virtual_environment_and_no_link() -> None:
    interpreter = runtime.this_interpreter()

    assert os.path.realpath(interpreter.path) == interpreter.path
    assert not (Path(interpreter.path).parent.parent / "pyvenv.cfg").exists()


def test_placing_again_changes_nothing(broken: Artifact) -> None:
    before = os.stat(broken.folder / "launch.py")

    placement.place(runtime.build(broken, packed=artifacts.packed()), broken.data)

    after = os.stat(broken.folder / "launch.py")
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert sorted(os.listdir(broken.data)) == sorted([broken.folder.name, "current"])


def test_a_damaged_runtime_is_named_and_replaced(broken: Artifact) -> None:
    bundle = next(broken.folder.glob("*.bundle"))
    bundle.write_bytes(bundle.read_bytes()[:-1])

    assert [str(bundle) in line for line in placement.problems(str(broken.folder))] == [True]

    placement.place(runtime.build(broken, packed=artifacts.packed()), broken.data)

    assert placement.problems(str(broken.folder)) == []
    assert sorted(os.listdir(broken.data)) == sorted([broken.folder.name, "current"])


def test_files_and_folders_are_the_persons_alone(broken: Artifact) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in broken.folder.iterdir()}

    assert modes.pop("cc-safety-net") == 0o700
    assert set(modes.values()) == {0o600}
    assert broken.folder.stat().st_mode & 0o777 == 0o700
    assert Path(broken.data).stat().st_mode & 0o777 == 0o700


def test_the_manifest_tells_the_hash_of_every_file(broken: Artifact) -> None:
    manifest = json.loads((broken.folder / "manifest.json").read_text())

    assert manifest["files"] == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in broken.folder.iterdir()
        if path.name != "manifest.json"
    }
    assert broken.folder.name.endswith(manifest["hash"][:8])


def test_a_switch_is_one_link_and_tells_what_was_current(broken: Artifact) -> None:
    other = Path(broken.data) / "0.0.9-00000000"
    shutil.copytree(broken.folder, other)

    before = placement.activate(str(other), broken.data)

    assert before == broken.folder.name
    assert os.readlink(Path(broken.data) / "current") == other.name
    assert placement.remove_others(broken.data, str(other)) == [broken.folder.name]
    assert not broken.folder.exists()


def test_removing_all_leaves_no_directory(broken: Artifact) -> None:
    placement.remove_all(broken.data)

    assert not os.path.lexists(broken.data)


def test_removing_all_leaves_what_is_not_ours(broken: Artifact) -> None:
    other = Path(broken.data) / "plugins"
    other.mkdir()

    placement.remove_all(broken.data)

    assert os.listdir(broken.data) == ["plugins"]


DAMAGES = {
    "no bundle": lambda folder: next(folder.glob("*.bundle")).unlink(),
    "an empty bundle": lambda folder: next(folder.glob("*.bundle")).write_bytes(b""),
    "a shorter bundle": lambda folder: _cut(next(folder.glob("*.bundle"))),
    "no launch.py": lambda folder: (folder / "launch.py").unlink(),
    "an empty launch.py": lambda folder: (folder / "launch.py").write_bytes(b""),
    "a broken launch.py": lambda folder: (folder / "launch.py").write_bytes(b"import ("),
    "no folder": shutil.rmtree,
    "launcher not executable": lambda folder: (folder / "cc-safety-net").chmod(0o600),
    "launcher empty": lambda folder: (folder / "cc-safety-net").write_text("#!/bin/sh\nexit 3\n"),
}


LAUNCHER_DAMAGES = ("no folder", "launcher not executable", "launcher empty")
#: Agents that block at exit status 2 only if there is a text; a launcher that says nothing is
#: one that somebody replaced.
NEEDS_TEXT = ("codex", "gemini-cli")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100_000])


# A shell that obeys exit status 2, one that needs a text for it, one that only reads documents.
@pytest.mark.parametrize("agent", ["cursor", "codex", "hermes-agent"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_runtime_blocks(broken: Artifact, agent: str, damage: str) -> None:
    DAMAGES[damage](broken.folder)

    answer = broken.ask(agent, broken.shell_call(agent, "echo ok"))

    found = judge(agent, answer.stdout, answer.stderr, answer.status).verdict
    if damage not in LAUNCHER_DAMAGES:
        assert blocked_with_hint(agent, answer), answer
    elif SPECS[agent].name in NEEDS_TEXT and damage == "launcher empty":
        assert answer.status == 2
    else:
        assert found == BLOCKED, answer


def test_a_flipped_byte_behind_the_core_is_named(broken: Artifact) -> None:
    bundle = next(broken.folder.glob("*.bundle"))
    data = bytearray(bundle.read_bytes())
    data[-1] ^= 1
    bundle.write_bytes(bytes(data))

    assert len(placement.problems(str(broken.folder))) == 1


@pytest.mark.parametrize("position", [0, 1, 17, 30, 4_000, 100_000])
def test_a_flipped_byte_of_the_bundle_blocks(broken: Artifact, position: int) -> None:
    bundle = next(broken.folder.glob("*.bundle"))
    data = bytearray(bundle.read_bytes())
    data[position] ^= 1
    bundle.write_bytes(bytes(data))

    answer = broken.ask("cursor", broken.shell_call("cursor", "echo ok"))

    assert blocked_with_hint("cursor", answer)


def with_interpreters(artifact: Artifact, *paths: str) -> None:
    """Make the launcher know these interpreters only."""
    launcher = artifact.folder / "cc-safety-net"
    lines = launcher.read_text().split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("for python in "))
    lines[row] = f"for python in {' '.join(quote(path) for path in paths)}; do"
    launcher.write_text("\n".join(lines))


@pytest.mark.parametrize("agent", AGENTS)
def test_no_interpreter_blocks_in_the_form_of_the_flag(broken: Artifact, agent: str) -> None:
    with_interpreters(broken, "/nowhere/python3", "/nowhere/python4")

    answer = broken.ask(agent, broken.shell_call(agent, "echo ok"))

    assert blocked_with_hint(agent, answer)
    assert "no Python" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_an_interpreter_that_is_gone_or_too_old_is_followed_by_the_next(broken: Artifact) -> None:
    old = broken.home / "old"
    old.write_text("#!/bin/sh\nexit 97\n")
    old.chmod(0o700)
    with_interpreters(broken, "/nowhere/python3", str(old), runtime.this_interpreter().path)

    answer = broken.ask("cursor", {"hook_event_name": "stop"})

    assert answer.stdout == '{"permission":"allow"}\n'


@pytest.mark.parametrize(
    "script", ["exit 0", "exit 1", "kill -9 $$", "echo '{}'", "exit 2", "echo x; exit 65"]
)
def test_an_interpreter_that_does_not_run_the_guard_never_lets_a_call_pass(
    broken: Artifact, script: str
) -> None:
    stub = broken.home / "stub"
    stub.write_text(f"#!/bin/sh\n{script}\n")
    stub.chmod(0o700)
    with_interpreters(broken, str(stub))

    answer = broken.ask("kimi-code", broken.shell_call("kimi-code", "echo ok"))

    assert blocked_with_hint("kimi-code", answer)


def test_an_interpreter_of_another_version_runs_the_sources(broken: Artifact) -> None:
    launch = broken.folder / "launch.py"
    text = launch.read_text()
    launch.write_text(text.replace("MAGIC_NUMBER == b'", "MAGIC_NUMBER == b'x", 1))

    answer = broken.ask("cursor", {"hook_event_name": "stop"})

    assert answer.stdout == '{"permission":"allow"}\n'


@pytest.mark.parametrize("agent", AGENTS)
def test_an_entry_whose_launcher_is_gone_blocks_once_in_its_agents_form(
    broken: Artifact, agent: str
) -> None:
    shutil.rmtree(broken.data)

    answer = broken.ask(agent, broken.shell_call(agent, "echo ok"))

    entry = SPECS[agent].entry
    if entry is None or entry.shell:
        assert blocked_with_hint(agent, answer), answer
    else:
        found = judge(agent, answer.stdout, answer.stderr, answer.status)
        assert (found.verdict, answer.status) == (BLOCKED, 127)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_entry_in_a_project_names_no_path_of_this_machine(broken: Artifact, agent: str) -> None:
    command = entry_command(broken.launcher, SPECS[agent], home=str(broken.home))

    answer = broken.call(command, b"{")

    assert str(broken.home) not in command
    assert "Rule: guard.malformed-input" in answer.stdout.replace("\\n", "\n")


@pytest.mark.parametrize("agent", AGENTS)
def test_an_entry_has_no_variable_but_home(broken: Artifact, agent: str) -> None:
    """Grok Build refuses a command with a variable that it does not know, and runs the tool."""
    plain = entry_command("/data/current/cc-safety-net", SPECS[agent])
    project = entry_command("/h/data/current/cc-safety-net", SPECS[agent], home="/h")

    assert "$" not in plain
    assert project.replace("$HOME", "").count("$") == 0


@pytest.mark.parametrize(
    ("command", "blocked"),
    [
        ("X=rm; for d in /etc; do $X -rf $d; done", True),
        ("cd / && rm -rf etc", True),
        ("bash -c 'rm -rf ~'", True),
        ("echo 'git reset --hard' | sh", True),
        ("rm -rf ${NOTHING:-/etc}", True),
        ("rm -rf /{etc,usr}", True),
        ("cat <<E > notes\nrm -rf /\nE", False),
        ("if [ -f a ]; then echo $((1 + 2)); fi; case x in y) ls ;; esac", False),
        ("for i in 1 2; do echo ${i%x}; done | sort > out.txt", False),
        ("function f { local a=$1; echo $a; }; f b && cd src || true", False),
    ],
)
def test_a_call_that_needs_more_than_the_core_gets_it(
    artifact: Artifact, command: str, *, blocked: bool
) -> None:
    """Every promised module is fetched by one of these; a fault in that would be a denial."""
    answer = artifact.ask("kimi-code", artifact.shell_call("kimi-code", command))

    assert ("deny" in answer.stdout) == blocked, answer
    assert "internal-error" not in answer.stdout


def test_a_guard_that_hangs_is_ended_and_blocks(broken: Artifact) -> None:
    launch = broken.folder / "launch.py"
    text = launch.read_text().replace(f"alarm({runtime.SECONDS})", "alarm(1)")
    launch.write_text(
        text.replace("    status = 64 + main(", "    import time; time.sleep(50)\n    main(")
    )

    answer = broken.ask("cursor", broken.shell_call("cursor", "echo ok"))

    assert blocked_with_hint("cursor", answer), answer
