"""The bundle decides as the sources do, and an everyday call loads little of it."""

from __future__ import annotations

import builtins
import dis
import importlib
import json
import marshal
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from tests.agents import artifact as artifacts
from tests.guard.worlds import workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import examine
from cc_safety_net.install import packing, runtime

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


_TESTS = Path(__file__).parents[1]
#: Names that the loader, or the interpreter, puts into a module.
_GIVEN = {"_late", "_stub", "_method", "__name__", "__file__", "__spec__", "__doc__"}

#: Bytes of code that are loaded before the first line of the guard runs. Beyond it look whether
#: `python -m benchmarks.everyday` names what is not used, before the number is raised.
CORE_BYTES = 280_000


@cache
def _packed() -> tuple[dict[str, bytes], list[Any], tuple[str, ...], bytes]:
    packed = artifacts.packed()
    index, _, core, promised = marshal.loads(packed.core)
    return index, core, promised, packed.rest


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _names(code: CodeType, operation: str) -> set[str]:
    return {
        i.argval
        for each in _codes(code)
        for i in dis.get_instructions(each)
        if i.opname == operation
    }


def _pieces(name: str) -> tuple[list[CodeType], set[str]]:
    """Code of a module with its late parts, and the names that are there before it runs."""
    index, core, _, rest = _packed()
    entry = index[name]
    start, length, late = (int.from_bytes(entry[i : i + 4], "little") for i in (0, 4, 8))
    codes = []
    given: set[str] = set(_GIVEN)
    for own, links, code in core:
        if own == name:
            given.update(links[2::3])
            codes += [code] if code else []
    if length:
        codes.append(marshal.loads(rest[start : start + length]))
    if late:
        parts = marshal.loads(rest[start + length : start + length + late])
        codes += [part for part in parts.values() if isinstance(part, CodeType)]
    return codes, given


def test_every_name_that_a_module_uses_is_there() -> None:
    """A name that was moved and is still used by itself would be a denial on some rare path."""
    missing = []
    for name in _packed()[0]:
        codes, given = _pieces(name)
        stored = set().union(
            *(
                {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"}
                for code in codes[:1]
            )
        )
        known = stored | given | set(dir(builtins))
        for code in codes:
            missing += [f"{name}.{used}" for used in _names(code, "LOAD_GLOBAL") - known]

    assert missing == []


def test_every_key_leads_to_something() -> None:
    index = _packed()[0]
    modules = runtime.read_sources(Path(runtime.__file__).parents[1])
    names = tuple(index)
    wrong = []
    for name in names:
        for code in _pieces(name)[0]:
            for each in _codes(code):
                for key in each.co_names:
                    number, sign, attribute = key.partition(":")
                    if sign and attribute and not _has(modules, names[int(number)], attribute):
                        wrong.append(f"{name}: {key}")

    assert wrong == []


def _has(modules: dict[str, tuple[str, str]], name: str, attribute: str) -> bool:
    code = compile(modules[name][1], name, "exec")
    return any(
        i.opname == "STORE_NAME" and i.argval == attribute for i in dis.get_instructions(code)
    )


_PROBE = """
    sys.path[:0] = [{tests!r}, *{paths!r}]
    import json
    from cc_safety_net.guard.engine import examine
    from cc_safety_net.guard.call import ToolCall
    from tests.guard.worlds import workspace
    for line in sys.stdin:
        command = json.loads(line)
        call = ToolCall("claude-code", "Bash", "shell", {{"command": command}}, command=command,
                        dialect="posix", directory="/home/dev/project",
                        session_directory="/home/dev/project", workspaces=("/home/dev/project",))
        decision = examine(call, workspace("/home/dev/project", "/home/dev"))[0]
        print(json.dumps([decision.verdict, decision.finding.rule if decision.finding else "",
                          len(decision.findings)]))
    sys.stdout.flush()
    status = 0
"""


def test_the_bundle_decides_as_the_sources_do(tmp_path: Path) -> None:
    """Over all shared commands: a wrongly moved name shows as another verdict."""
    lines = (_TESTS / "data" / "cases" / "commands.jsonl").read_text("utf-8").splitlines()
    commands = list(dict.fromkeys(json.loads(line)["command"] for line in lines))
    artifact = artifacts.make(tmp_path)
    launch = (artifact.folder / "launch.py").read_text()
    probe = tmp_path / "probe.py"
    body = _PROBE.format(tests=str(_TESTS.parent), paths=[p for p in sys.path if p])
    head, _, tail = launch.partition("    from cc_safety_net.agents.entry")
    probe.write_text(head + body + tail.partition("\n")[2].partition("\n")[2])

    done = subprocess.run(
        [runtime.this_interpreter().path, "-I", "-S", "-B", str(probe)],
        input="".join(json.dumps(command) + "\n" for command in commands),
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    found = dict(zip(commands, map(json.loads, done.stdout.splitlines()), strict=True))
    assert found == {command: _judged(command) for command in commands}


def _judged(command: str) -> list[object]:
    call = ToolCall(
        "claude-code", "Bash", "shell", {"command": command}, command=command, dialect="posix",
        directory="/home/dev/project", session_directory="/home/dev/project",
        workspaces=("/home/dev/project",),
    )  # fmt: skip
    decision = examine(call, workspace("/home/dev/project", "/home/dev"))[0]
    rule = decision.finding.rule if decision.finding else ""
    return [decision.verdict, rule, len(decision.findings)]


def test_the_core_stays_small() -> None:
    core = artifacts.packed().core

    assert len(core) < CORE_BYTES


def test_what_is_listed_as_everyday_exists() -> None:
    """Many names that have gone say that the list was not renewed for long."""
    gone = []
    for name, listed in packing.EVERYDAY.items():
        module = importlib.import_module(name) if name in _packed()[0] else None
        for own in listed:
            owner, _, method = own.rpartition(".")
            found = getattr(module, owner, None) if owner else module
            gone += [] if hasattr(found, method) else [f"{name}.{own}"]

    assert len(gone) < 30, gone
