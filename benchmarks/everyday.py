"""Which definitions everyday calls use: writes `src/cc_safety_net/install/everyday.py`.

    python -m benchmarks.everyday            print how far the list and the calls differ
    python -m benchmarks.everyday --write    renew the list

A runtime whose core holds no definition at all answers the calls below; what it fetched for them
is what the core should hold. A list that is not up to date costs time, never a verdict.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import hook

from cc_safety_net.install import everyday, packing, runtime

#: What agents run all day. Each line more makes every call a little slower, and these faster.
CALLS = (
    "git status",
    "ls -la",
    "cd . && git log --oneline",
    "pytest -q 2>&1 | tail -5",
)
AGENTS = ("claude-code",)
_REPORT = """
    import json, types
    found = {}
    for name, module in list(sys.modules.items()):
        if not name.startswith("cc_safety_net") or "_late" not in vars(module):
            continue
        found[name] = names = []
        for own, value in vars(module).items():
            if getattr(value, "__module__", "") != name or own.startswith("_late"):
                continue
            names.append(own)
            if isinstance(value, type):
                names += [own + "." + each for each, method in vars(value).items()
                          if isinstance(method, types.FunctionType) and each[:2] != "__"]
    print(json.dumps(found), file=sys.stderr)
"""


def used(scene: hook.Scene, agent: str, command: str) -> dict[str, list[str]]:
    """Module of the core -> definitions that are there when the call is answered."""
    spec = next(spec for spec in hook.specs() if spec.name == agent)
    folder = Path(scene.data) / "current"
    text = (folder / "launch.py").read_text()
    probe = scene.home / "probe.py"
    probe.write_text(text.replace("except BaseException:", f"{_REPORT}except BaseException:"))
    done = subprocess.run(
        [runtime.this_interpreter().path, "-I", "-S", "-B", str(probe), "hook", spec.flags[0]],
        input=hook.payload(spec, scene, command),
        capture_output=True,
        cwd=scene.project,
        env={"HOME": str(scene.home)},
        check=False,
    )
    if done.returncode != 64:
        raise SystemExit(f"{agent}: {command}: status {done.returncode}: {done.stderr.decode()}")
    found: dict[str, list[str]] = json.loads(done.stderr.splitlines()[-1])
    return found


def measured() -> dict[str, tuple[str, ...]]:
    modules = runtime.read_sources(Path(runtime.__file__).parents[1])
    core, rest = packing.pack_modules(modules, None)
    packed = runtime.Packed(core, rest, runtime.pack_sources(modules))
    found: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        scene = hook.set_up(Path(scratch), packed)
        for agent in AGENTS:
            # The first call of a day looks after old log files.
            used(scene, agent, CALLS[0])
            for command in CALLS:
                for module, names in used(scene, agent, command).items():
                    found.setdefault(module, set()).update(names)
    return {name: tuple(sorted(names)) for name, names in sorted(found.items()) if names}


def written(found: dict[str, tuple[str, ...]]) -> str:
    lines = [
        '"""Definitions that everyday calls use, made by `python -m benchmarks.everyday --write`.',
        "",
        "The others are loaded when they are first used. A list that lags behind costs time only.",
        '"""',
        "",
        "EVERYDAY: dict[str, tuple[str, ...]] = {",
    ]
    for name, names in found.items():
        if len(names) == 1:
            lines.append(f'    "{name}": ("{names[0]}",),')
        else:
            lines += [f'    "{name}": (', *(f'        "{own}",' for own in names), "    ),"]
    return "\n".join([*lines, "}", ""])


def main() -> int:
    found = measured()
    if "--write" in sys.argv[1:]:
        Path(everyday.__file__).write_text(written(found))
        return 0
    for name in sorted(found.keys() | everyday.EVERYDAY.keys()):
        new, old = set(found.get(name, ())), set(everyday.EVERYDAY.get(name, ()))
        for own in sorted(new ^ old):
            print("missing" if own in new else "unused", f"{name}.{own}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
