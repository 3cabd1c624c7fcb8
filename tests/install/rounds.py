"""Rounds of installers, uninstallers and updaters at once: `python -m tests.install.rounds 100`.

16 processes a round, on all ten agents, all with the same home. In a quarter of the rounds, without
the agents' programs, somebody who knows no lock writes the same files meanwhile. After each round
every file is valid and says what others have put there, nothing of ours is there twice, and no
lock, journal or temporary file is left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
import tomllib
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.crash.scene import ALL, CASES
from tests.install import in_process
from tests.install.stand_in import Machine, Newer, everything, ok

from cc_safety_net.install import installed
from cc_safety_net.install.directories import find_directories
from cc_safety_net.install.edit import yaml
from cc_safety_net.install.edit.jsonc import EDITOR
from cc_safety_net.install.setup import installable, load_setup
from cc_safety_net.install.site import USER, Site
from cc_safety_net.install.system import ReadOnly

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROCESSES = 16
#: How often an agent writes each of its files in a round.
PASSES = 50
COMMANDS = ("install", "uninstall", "update")
#: Longer than a round takes on a busy machine.
_WAIT = 900.0
PROGRAMS = replace(ALL, programs=())
#: An agent that drops what it does not know in its file gets nothing noted there.
ENTRIES = replace(PROGRAMS, files={**ALL.files, **CASES["codex, entry"].files})
#: What the scripted programs keep for themselves.
_THEIRS = (".claude/plugins", ".codex/plugins", ".gemini/extensions", ".copilot/config")
#: The file of each agent that others write too.
SHARED = (
    ".cursor/hooks.json",
    "dotfiles/kimi.toml",
    ".gemini/config/hooks.json",
    ".config/devin/config.json",
    ".claude/settings.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".copilot/settings.json",
    ".hermes/config.yaml",
)


class Rounds:
    """A home that many use at once."""

    def __init__(self, home: Path, seed: int, *, writes: bool) -> None:
        self.home = home
        self.random = random.Random(seed)
        self.writes = writes
        (ENTRIES if writes else PROGRAMS).fill(home)
        self.before = everything(home)
        self.shared = [path for path in SHARED if path in self.before]
        programs = "" if writes else f"{home.parent}/bin:"
        self.machine = Machine(home, f"{programs}/usr/bin:/bin")
        self.counts: dict[str, int] = dict.fromkeys((*COMMANDS, "conflicts", "foreign writes"), 0)
        self.written = 0

    def run(self, number: int) -> None:
        words = [self._words() for _ in range(PROCESSES)]
        pids = {_forked(self._work, *word): word for word in words}
        if self.writes:
            self.written += PASSES
            pids[_forked(self._write)] = ("write",)
        ends = [
            (word, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])) for pid, word in pids.items()
        ]
        for word, status in ends:
            self.counts[word[0] if word[0] in COMMANDS else "foreign writes"] += 1
            # 3: something was changed under us, and said so.
            assert status == 0 or (self.writes and status == 3), (number, word, status)
            self.counts["conflicts"] += status == 3
        self.check()

    def _words(self) -> tuple[str, ...]:
        command = self.random.choice(COMMANDS)
        return (command, *self.random.sample(installable(), self.random.choice((1, 1, 1, 2, 4))))

    def _work(self, command: str, *agents: str) -> int:
        if command == "update":
            self.machine.artifact = Newer(self.machine.data, self.home)
        result = self.machine.run(command, *agents, lock_wait=_WAIT)
        if result.error is None:
            return 0
        sys.stderr.write(f"{command} {agents}: {result.error.code}: {result.error.message}\n")
        return 3 if result.error.code in {"conflict", "verify_failed"} else 1

    def _write(self) -> int:
        """An agent that writes its settings anew, without knowing of any lock."""
        for number in range(self.written - PASSES, self.written):
            for path in self.shared:
                file = self.home / path
                text = file.read_bytes().decode()
                other = file.with_suffix(".other")
                other.write_bytes(noted(path, text, number + 1).encode())
                other.chmod(0o640)
                other.rename(file)
        return 0

    def check(self) -> None:
        names = [name for name in everything(self.home) if not name.startswith(_THEIRS)]
        wrong = [
            name
            for name in names
            if "/.cc-safety-net-" in name
            or name.endswith(("install.lock", ".tmp", "-undo"))
            or "/.new-" in name
            or "cc-safety-net/journal" in name
        ]
        assert not wrong, wrong
        for path in self.shared:
            model = parsed(path, (self.home / path).read_bytes())
            original = self.before[path]
            assert isinstance(original, tuple), path
            assert without(model) >= without(parsed(path, original[3])), (path, model)
            if self.written:
                assert number_in(model) == self.written, (path, model)
        self._check_entries()

    def _check_entries(self) -> None:
        environment = self.machine.environment
        directories = find_directories(environment)
        record = installed.load(ReadOnly(), directories.state)
        command = self.machine.artifact.command
        site = Site(ReadOnly(), directories, environment, str(self.home), record, command)
        for name in installable():
            setup = load_setup(name)
            commands = setup.commands(site, USER)
            assert len(commands) <= 1, (name, commands)
            if not self.written:
                assert bool(commands) == (f"{name}/user" in record.agents), (name, commands)

    def end(self) -> None:
        """All out: the home is as it was, but for what the agents have noted."""
        ok(self.machine.uninstall(*installable()))
        found = {
            name: value
            for name, value in everything(self.home).items()
            if not name.startswith((*_THEIRS, ".local"))
        }
        if not self.written:
            assert found == self.before
        for path, value in self.before.items():
            if path not in self.shared:
                assert found[path] == value, path
        assert b"cc-safety-net" not in b"".join(
            (self.home / path).read_bytes().replace(b'"cc-safety-net@cc-marketplace": false', b"")
            for path in self.shared
        )


def _forked(work: Callable[..., int], *words: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        status = work(*words)
    except BaseException:  # noqa: BLE001 - the parent must never go on in the child
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def parsed(path: str, content: bytes) -> dict[str, object]:
    text = content.decode()
    if path.endswith(".toml"):
        return tomllib.loads(text)
    model = yaml.model(text, path) if path.endswith(".yaml") else EDITOR.model(text, path)
    assert isinstance(model, dict), path
    return model


def without(model: Mapping[str, object]) -> set[str]:
    """Each leaf of the file, with the way to it."""
    found: set[str] = set()

    def walk(value: object, way: str) -> None:
        inner = value.items() if isinstance(value, dict) else ()
        inner = enumerate(value) if isinstance(value, list) else inner
        for key, below in inner:
            # Places in lists move when we come and go.
            walk(below, f"{way}/{key if isinstance(key, str) else '*'}")
        if not isinstance(value, dict | list):
            found.add(f"{way}={value}")

    walk(model, "")
    return found


def noted(path: str, text: str, number: int) -> str:
    """The text with a key of the agent's own, which is new or has another value."""
    text, found = re.subn(r"noted\d+x", f"noted{number}x", text)
    if found:
        return text
    if path.endswith(".toml"):
        return f'n = "noted{number}x"\n' + text
    if path.endswith(".yaml"):
        return f"n: noted{number}x\n" + text
    start = text.index("{") + 1
    key = _KEYS.get(path, '"n": {"m": "TEXT"}').replace("TEXT", f"noted{number}x")
    return text[:start] + key + ("," if text[start:].strip("} \n\r\t") else "") + text[start:]


#: Where an agent drops a file with a key that it does not know.
_KEYS = {
    ".codex/hooks.json": '"description": "TEXT"',
    "project/.devin/hooks.v1.json": (
        '"SessionEnd": [{"hooks": [{"type": "command", "command": "TEXT"}]}]'
    ),
}


def number_in(model: Mapping[str, object]) -> int:
    (number,) = re.findall(r"noted(\d+)x", json.dumps(model, default=str))
    return int(number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    with_writer = max(1, options.rounds // 4)
    for writes, count in ((True, with_writer), (False, options.rounds - with_writer)):
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            home = Path(folder, "home")
            home.mkdir(mode=0o700)
            in_process.put(home.parent / "bin", list(in_process.PROGRAMS), patch)
            for name in [n for n in os.environ if n.startswith(("XDG_", "CC_SAFETY_NET_"))]:
                patch.delenv(name)
            rounds = Rounds(home, options.seed, writes=writes)
            for number in range(count):
                rounds.run(number)
            rounds.end()
        figures = ", ".join(f"{count} {name}" for name, count in rounds.counts.items())
        print(f"{count} rounds of {PROCESSES} processes in {time.monotonic() - start:.0f} s:")
        print(f"{figures}; no foreign entry lost, no invalid file, nothing left over", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
