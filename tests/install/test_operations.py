"""Several agents at once: all or nothing, proved by running, foreign changes kept."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
from tests.install.stand_in import FILES, Machine, everything, ok, seen

from cc_safety_net.errors import Busy
from cc_safety_net.install import lock
from cc_safety_net.install.system import ReadOnly, System

CURSOR = ".cursor/hooks.json"
KIMI = ".kimi-code/config.toml"
GROK = ".grok/hooks/cc-safety-net.json"


def put(home: Path, path: str, content: str, mode: int = 0o644) -> Path:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    file.chmod(mode)
    return file


def hooks(machine: Machine) -> list[dict[str, object]]:
    return json.loads((machine.home / CURSOR).read_text())["hooks"]["preToolUse"]


def test_install_writes_the_documented_entries(machine: Machine) -> None:
    result = ok(machine.install())

    (cursor,) = hooks(machine)
    (kimi,) = tomllib.loads((machine.home / KIMI).read_text())["hooks"]
    grok = json.loads((machine.home / GROK).read_text())["hooks"]["PreToolUse"]
    launcher = str(machine.data / "current/cc-safety-net")
    assert cursor["command"].startswith(f"'{launcher}' hook --cursor")
    assert (cursor["timeout"], cursor["failClosed"]) == (30, True)
    assert json.loads((machine.home / CURSOR).read_text())["version"] == 1
    assert set(kimi) == {"event", "command", "timeout"}
    assert kimi["event"] == "PreToolUse"
    assert [set(group) for group in grok] == [{"hooks"}]
    assert grok[0]["hooks"][0]["timeout"] == 30
    assert [agent.verify is not None and agent.verify.deny for agent in result.agents] == [True] * 3


def test_agents_homes_move_with_their_variables(machine: Machine, tmp_path: Path) -> None:
    for variable, name in (("GROK_HOME", "grok"), ("KIMI_CODE_HOME", "kimi")):
        (tmp_path / name).mkdir()
        machine.environment[variable] = str(tmp_path / name)
    machine.environment["CLAUDE_CONFIG_DIR"] = str(machine.home / "claude")

    ok(machine.install("grok-build", "kimi-code", "claude-code"))

    assert (tmp_path / "grok/hooks/cc-safety-net.json").is_file()
    assert (tmp_path / "kimi/config.toml").is_file()
    assert (machine.home / "claude/settings.json").is_file()
    assert not (machine.home / ".grok").exists()
    ok(machine.uninstall("grok-build", "kimi-code", "claude-code"))
    assert everything(machine.home) == {}
    assert list((tmp_path / "grok").iterdir()) == []


@pytest.mark.parametrize(
    "name", ["with space", "it's", 'quo"te', "dollar$HOME", "back\\slash", "é"]
)
def test_a_home_with_a_strange_name_works(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    home.mkdir(mode=0o700)
    machine = Machine(home)

    ok(machine.install(*FILES, "claude-code"))
    ok(machine.uninstall(*FILES, "claude-code"))

    assert everything(home) == {}


def test_a_dry_run_shows_all_changes_and_writes_nothing(machine: Machine) -> None:
    put(machine.home, CURSOR, '{"version": 1}\n')
    before = everything(machine.home)

    result = ok(machine.install(dry_run=True))

    document = result.to_json(diff=True)
    assert result.result == "planned"
    assert everything(machine.home) == before
    kinds = [change["kind"] for agent in document["agents"] for change in agent["changes"]]
    assert kinds == ["edit", "edit", "write"]
    assert "+" in document["agents"][0]["changes"][0]["diff"]
    assert document["runtime"]["kind"] == "write"


def test_a_plan_never_writes_even_by_mistake(machine: Machine) -> None:
    ok(machine.install(system=ReadOnly(), dry_run=True))

    assert everything(machine.home) == {}


def test_a_declined_plan_changes_nothing(machine: Machine) -> None:
    result = machine.install(confirm=lambda result: False)

    assert result.result == "planned"
    assert everything(machine.home) == {}


def test_the_phases_are_told_in_order(machine: Machine) -> None:
    phases: list[str] = []

    ok(machine.install("cursor", report=lambda phase, agent, detail: phases.append(phase)))

    assert list(dict.fromkeys(phases)) == ["plan", "preview", "apply", "verify"]


ALLOWS = '#!/bin/sh\necho \'{"permission":"allow"}\'\n'
DENIES = '#!/bin/sh\necho \'{"permission":"deny","user_message":"no","agent_message":"no"}\'\n'
WRONG = {
    "allows everything": ALLOWS,
    "denies everything": DENIES,
    "exits with 1": "#!/bin/sh\nexit 1\n",
    "prints a line before": "#!/bin/sh\necho hello\n" + DENIES.partition("\n")[2],
    "prints nothing": "#!/bin/sh\ncat >/dev/null\n",
    "answers in another form": '#!/bin/sh\necho \'{"decision":"deny"}\'\n',
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wrong_launcher_between_apply_and_verify_rolls_back(machine: Machine, text: str) -> None:
    put(machine.home, CURSOR, '{ "version": 1 }', 0o600)
    before = everything(machine.home)

    def swap(phase: str, agent: str, detail: str) -> None:
        launcher = machine.data / "current/cc-safety-net"
        if phase == "verify":
            launcher.write_text(text)

    result = machine.install("kimi-code", "cursor", report=swap)

    assert result.result == "rolled-back"
    assert result.exit_code == 1
    assert result.error is not None
    assert result.error.code == "verify_failed"
    assert {agent.name: agent.state for agent in result.agents} == {
        "kimi-code": "failed" if text != ALLOWS else result.agents[0].state,
        "cursor": result.agents[1].state,
    }
    assert everything(machine.home) == before


def test_a_foreign_key_and_a_foreign_entry_survive_uninstall(machine: Machine) -> None:
    put(machine.home, CURSOR, '{\n  "version": 1,\n  "hooks": {}\n}\n')
    put(machine.home, KIMI, "a = 1\n")
    ok(machine.install("cursor", "kimi-code"))
    file = machine.home / CURSOR
    model = json.loads(file.read_text())
    model["other"] = {"key": [1, 2]}
    model["hooks"]["preToolUse"].append({"command": "./mine.sh"})
    model["hooks"]["stop"] = [{"command": "./stop.sh"}]
    file.write_text(json.dumps(model, indent=4))
    kimi = machine.home / KIMI
    kimi.write_text("b = 2\n" + kimi.read_text() + '\n[[hooks]]\nevent = "Stop"\ncommand = "x"\n')

    ok(machine.uninstall("cursor", "kimi-code"))

    assert json.loads(file.read_text()) == {
        "version": 1,
        "hooks": {"preToolUse": [{"command": "./mine.sh"}], "stop": [{"command": "./stop.sh"}]},
        "other": {"key": [1, 2]},
    }
    assert tomllib.loads(kimi.read_text()) == {
        "b": 2,
        "a": 1,
        "hooks": [{"event": "Stop", "command": "x"}],
    }


def test_a_file_that_we_made_stays_if_somebody_uses_it(machine: Machine) -> None:
    ok(machine.install("cursor"))
    file = machine.home / CURSOR
    model = json.loads(file.read_text())
    model["hooks"]["stop"] = [{"command": "./stop.sh"}]
    file.write_text(json.dumps(model))

    ok(machine.uninstall("cursor"))

    assert json.loads(file.read_text()) == {
        "version": 1,
        "hooks": {"stop": [{"command": "./stop.sh"}]},
    }


NPM = "npx -y cc-safety-net hook --cursor"


def test_an_entry_of_the_npm_edition_is_replaced_and_named(machine: Machine) -> None:
    put(
        machine.home,
        CURSOR,
        json.dumps(
            {
                "version": 1,
                "hooks": {
                    "beforeShellExecution": [{"command": NPM}, {"command": "./keep.sh"}],
                    "preToolUse": [{"command": NPM}],
                },
            },
            indent=2,
        ),
    )

    result = ok(machine.install("cursor"))

    assert any(NPM in note and "npm" in note for note in result.agents[0].notes)
    model = json.loads((machine.home / CURSOR).read_text())
    assert model["hooks"]["beforeShellExecution"] == [{"command": "./keep.sh"}]
    assert [entry["failClosed"] for entry in model["hooks"]["preToolUse"]] == [True]


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "cc-safety-net hook --cursor"},
        {"command": "/old/place/cc-safety-net hook -cu", "timeout": 5},
        {"command": "ccsn hook --cursor", "matcher": "Shell", "failClosed": False},
    ],
)
def test_an_old_or_half_broken_entry_of_ours_is_repaired_in_its_place(
    machine: Machine, entry: dict[str, object]
) -> None:
    model = {"version": 1, "hooks": {"preToolUse": [{"command": "a"}, entry, {"command": "b"}]}}
    put(machine.home, CURSOR, json.dumps(model))

    ok(machine.install("cursor"))

    commands = [str(entry["command"]) for entry in hooks(machine)]
    assert commands[0] == "a"
    assert commands[2] == "b"
    assert str(machine.data) in commands[1]
    ok(machine.uninstall("cursor"))
    assert [entry["command"] for entry in hooks(machine)] == ["a", "b"]


def test_two_entries_of_ours_become_one(machine: Machine) -> None:
    ok(machine.install("cursor"))
    file = machine.home / CURSOR
    model = json.loads(file.read_text())
    model["hooks"]["preToolUse"] *= 2
    file.write_text(json.dumps(model))

    ok(machine.install("cursor"))

    assert len(hooks(machine)) == 1


def test_what_only_looks_like_ours_stays(machine: Machine) -> None:
    foreign = [
        {"command": "echo cc-safety-net hook --cursor"},
        {"command": "my-cc-safety-net hook --cursor"},
        {"command": "cc-safety-net hook --cursor | tee log"},
        {"command": "true # cc-safety-net hook --cursor"},
        {"command": "cc-safety-net doctor"},
    ]
    put(machine.home, CURSOR, json.dumps({"version": 1, "hooks": {"preToolUse": foreign}}))

    ok(machine.install("cursor"))
    ok(machine.uninstall("cursor"))

    assert hooks(machine) == foreign


def test_an_update_of_the_entrys_form_leaves_one_entry_and_the_old_bytes(machine: Machine) -> None:
    put(machine.home, CURSOR, '{\n\t"version": 1\n}')
    before = everything(machine.home)
    ok(machine.install("cursor"))
    old = machine.artifact.command
    machine.artifact.command = lambda spec, scope: old(spec, scope) + " "

    ok(machine.run("update", "cursor", "kimi-code"))

    assert [entry["command"][-1] for entry in hooks(machine)] == [" "]
    assert not (machine.home / KIMI).exists()
    ok(machine.uninstall("cursor"))
    assert everything(machine.home) == before


def test_uninstalling_one_agent_keeps_the_runtime_for_the_others(machine: Machine) -> None:
    ok(machine.install("cursor", "kimi-code"))
    (machine.state / "installed.json").unlink()

    ok(machine.uninstall("cursor"))

    assert (machine.data / "current/cc-safety-net").exists()
    ok(machine.uninstall("kimi-code"))
    assert not (machine.data / "current").exists()


def test_a_project_entry_holds_no_path_of_this_machine(machine: Machine) -> None:
    machine.project.mkdir()
    before = everything(machine.project)

    ok(machine.install("cursor", "grok-build", "claude-code", scope="project"))

    for name in (CURSOR, GROK, ".claude/settings.json"):
        text = (machine.project / name).read_text()
        assert str(machine.home) not in text
        assert "$HOME/.local/share" in text
    ok(machine.uninstall("cursor", "grok-build", "claude-code", scope="project"))
    assert everything(machine.project) == before


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_the_mode_of_a_file_stays(machine: Machine, mode: int) -> None:
    file = put(machine.home, CURSOR, "{}\n", mode)

    ok(machine.install("cursor"))

    assert file.stat().st_mode & 0o777 == mode


class FailsAt(System):
    """Raises at the call with that number among those that change something."""

    def __init__(self, number: int, error: BaseException) -> None:
        self.number = number
        self.error = error
        self.calls = 0

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.number:
            raise self.error

    def mkdir(self, path: str, mode: int) -> None:
        self._count()
        super().mkdir(path, mode)

    def unlink(self, path: str) -> None:
        self._count()
        super().unlink(path)

    def rename(self, source: str, target: str) -> None:
        self._count()
        super().rename(source, target)

    def create(self, path: str, content: bytes, mode: int, owner: tuple[int, int] | None) -> None:
        self._count()
        super().create(path, content, mode, owner)

    def sync_directory(self, path: str) -> None:
        self._count()
        super().sync_directory(path)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_failure_at_any_step_takes_everything_back(
    machine: Machine, command: str, error: BaseException
) -> None:
    put(machine.home, CURSOR, '{"version": 1}\r\n', 0o600)
    counting = FailsAt(0, error)
    if command == "uninstall":
        ok(machine.install())
    before = everything(machine.home)
    ok(machine.run(command, system=counting))
    after = everything(machine.home)
    steps = counting.calls
    assert steps >= 40

    for number in range(1, steps + 1, 3):
        if seen(machine.home) != before:
            ok(machine.run("install" if command == "uninstall" else "uninstall"))
        assert seen(machine.home) == before, number
        with contextlib.suppress(KeyboardInterrupt):
            machine.run(command, system=FailsAt(number, error))
        ok(machine.uninstall("claude-code"))

        assert seen(machine.home) in (before, after), number


def test_a_foreign_writer_in_between_loses_nothing(machine: Machine) -> None:
    file = put(machine.home, CURSOR, '{"version": 1, "n": 0}\n')

    class Interferes(System):
        """Somebody changes the file between our reading and our writing, twice."""

        left = 2

        def create(
            self, path: str, content: bytes, mode: int, owner: tuple[int, int] | None
        ) -> None:
            super().create(path, content, mode, owner)
            if path.startswith(str(file.parent)) and self.left:
                self.left -= 1
                model = json.loads(file.read_text())
                model["n"] += 1
                file.write_text(json.dumps(model))

    ok(machine.install("cursor", system=Interferes()))

    model = json.loads(file.read_text())
    assert model["n"] == 2
    assert len(model["hooks"]["preToolUse"]) == 1


def test_a_foreign_writer_without_end_is_a_named_conflict(machine: Machine) -> None:
    file = put(machine.home, CURSOR, '{"version": 1, "n": 0}\n')

    class Interferes(System):
        def create(
            self, path: str, content: bytes, mode: int, owner: tuple[int, int] | None
        ) -> None:
            super().create(path, content, mode, owner)
            if path.startswith(str(file.parent)):
                model = json.loads(file.read_text())
                model["n"] += 1
                file.write_text(json.dumps(model))

    result = machine.install("cursor", system=Interferes())

    assert result.error is not None
    assert result.error.code == "conflict"
    assert str(file) in result.error.message
    assert "hooks" not in json.loads(file.read_text())
    assert sorted(os.listdir(file.parent)) == ["hooks.json"]


def test_a_second_installer_waits_and_then_names_the_holder(machine: Machine) -> None:
    with lock.held(str(machine.state)):
        result = machine.install("cursor", lock_wait=0.0)

    assert isinstance(result.error, Busy)
    assert str(os.getpid()) in result.error.message
    assert everything(machine.home / ".local") == {} or not (machine.home / CURSOR).exists()


def test_many_installers_at_once_lose_nothing(machine: Machine) -> None:
    put(machine.home, CURSOR, '{"version": 1, "mine": true}\n')
    put(machine.home, KIMI, "mine = true\n")
    before = everything(machine.home)
    driver = Path(__file__).parents[1] / "crash/driver.py"
    words = [["install", "cursor"], ["install", "kimi-code"], ["uninstall", "cursor"]]
    words += [["install", "grok-build"], ["uninstall", "kimi-code"], ["uninstall", "grok-build"]]

    running = [
        subprocess.Popen(
            [sys.executable, str(driver), str(machine.home), *words[number % len(words)]],
            stderr=subprocess.PIPE,
        )
        for number in range(16)
    ]
    ends = [(process.communicate()[1], process.returncode) for process in running]
    failures = [said for said, code in ends if code != 0]

    assert failures == []
    json.loads((machine.home / CURSOR).read_text())
    ok(machine.uninstall())
    assert everything(machine.home) == before


def test_the_lock_excludes_threads_and_is_gone_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(20):
            with lock.held(str(folder)):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(most), max(most)) == (160, 1)
    assert not folder.exists()


def test_another_way_in_is_named(machine: Machine) -> None:
    put(machine.project, CURSOR, json.dumps({"hooks": {"preToolUse": [{"command": NPM}]}}))
    mixed = "cc-safety-net hook --cursor | tee log"
    put(machine.home, CURSOR, json.dumps({"hooks": {"stop": [{"command": mixed}]}}))

    result = ok(machine.install("cursor"))

    assert any(str(machine.project) in note and NPM in note for note in result.agents[0].notes)
    assert any(mixed in note and "stays" in note for note in result.agents[0].notes)


@pytest.mark.parametrize(("mask", "mode"), [(0o000, 0o644), (0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_mode_that_the_umask_leaves(
    machine: Machine, mask: int, mode: int
) -> None:
    old = os.umask(mask)
    try:
        ok(machine.install("cursor"))
    finally:
        os.umask(old)

    assert (machine.home / CURSOR).stat().st_mode & 0o777 == mode
    assert (machine.state / "installed.json").stat().st_mode & 0o777 == 0o600
    assert machine.state.stat().st_mode & 0o777 == 0o700


def test_a_foreign_write_after_our_last_look_is_not_lost(machine: Machine) -> None:
    file = put(machine.home, CURSOR, '{"version": 1, "n": 0}\n')

    class Interferes(System):
        """Somebody replaces the file between the last comparison and the exchange, once."""

        left = 1

        def exchange(self, left: str, right: str) -> bool:
            if right == str(file) and self.left:
                self.left -= 1
                other = file.with_suffix(".other")
                other.write_text('{"version": 1, "n": 1}\n')
                other.rename(file)
            return super().exchange(left, right)

    ok(machine.install("cursor", system=Interferes()))

    model = json.loads(file.read_text())
    assert model["n"] == 1
    assert len(model["hooks"]["preToolUse"]) == 1
    assert sorted(os.listdir(file.parent)) == ["hooks.json"]
