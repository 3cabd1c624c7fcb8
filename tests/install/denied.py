"""Takes the permission of every path of a home away, one after the other, and runs a command.

`python -m tests.install.denied HOME CASE COMMAND`, as somebody for whom modes count.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from tests.crash.scene import CASES
from tests.install import in_process
from tests.install.stand_in import Machine, everything, ok

#: Nothing; no writing; no looking in.
MODES = (0o000, 0o555, 0o600)


def main() -> int:
    home, name, command = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    home.chmod(0)
    assert not os.access(home, os.R_OK), "modes do not count for this user"
    home.chmod(0o700)
    case = CASES[name]
    scope = "project" if case.words else "user"
    refused = done = 0
    with pytest.MonkeyPatch.context() as patch:
        in_process.put(home.parent / "bin", case.programs, patch)
        case.without_programs().fill(home)
        for folder in (".local/state", ".local/share", ".config"):
            (home / folder).mkdir(parents=True, exist_ok=True)
        machine = Machine(home, f"{home.parent}/bin:/usr/bin:/bin")
        if command == "uninstall":
            ok(machine.install(*case.agents, scope=scope))
        before = everything(home)
        for path in ["", *before]:
            file = home / path
            mode = file.lstat().st_mode
            if stat.S_ISLNK(mode) or path.startswith(OURS):
                continue
            for other in MODES:
                file.chmod(other)
                result = machine.run(command, *case.agents, scope=scope)
                file.chmod(stat.S_IMODE(mode))
                if result.error is not None:
                    refused += 1
                    assert result.exit_code == 1, (path, oct(other))
                    assert str(home) in result.error.message, (path, result.error.message)
                    assert result.error.hint, (path, result.error.message)
                else:
                    done += 1
                    back = "uninstall" if command == "install" else "install"
                    ok(machine.run(back, *case.agents, scope=scope))
                ok(machine.uninstall("cursor", scope="project"))
                found = everything(home)
                changed = {
                    key: (before.get(key), found.get(key))
                    for key in {*before, *found}
                    if before.get(key) != found.get(key) and not key.startswith(THEIRS)
                }
                if command == "install":
                    assert not changed, (path, oct(other), result.error, changed)
                else:
                    assert set(changed) <= {".local/state/cc-safety-net/installed.json"}, (
                        path,
                        oct(other),
                        changed,
                    )
    assert refused
    print(f"{name}: {command}: {refused} refused, {done} done")
    return 0


#: Comes and goes with an installation.
OURS = (
    *(".local/share/", ".local/state/", ".hermes/plugins", ".hermes/profiles/work/plugins"),
    *(".claude/plugins", ".codex/plugins", ".gemini/extensions", ".grok/", ".copilot/hooks"),
)

#: What the scripted programs keep for themselves.
THEIRS = (".claude/plugins", ".codex/plugins", ".gemini/extensions", ".copilot/config")

if __name__ == "__main__":
    sys.exit(main())
