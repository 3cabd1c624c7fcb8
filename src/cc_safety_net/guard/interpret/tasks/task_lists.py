"""What the files of task runners say: TOML tables, Taskfiles, tox.ini, and functions of code."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

#: Where the tables of tasks stand in a TOML file; `*` for each entry.
_TABLES: dict[str, tuple[str, ...]] = {
    "hatch": ("tool.hatch.envs.*.scripts", "envs.*.scripts"),
    "mise": ("tasks",),
    "pdm": ("tool.pdm.scripts",),
    "pixi": ("tasks", "feature.*.tasks", "tool.pixi.tasks", "tool.pixi.feature.*.tasks"),
    "poe": ("tasks", "tool.poe.tasks"),
    "rye": ("tool.rye.scripts",),
    "task": ("tool.taskipy.tasks",),
}
#: Keys of a task that hold what it runs, and what it needs.
_COMMANDS = ("cmd", "shell", "run", "command", "commands", "cmds", "composite", "chain", "sequence")
_NEEDS = ("deps", "depends", "depends-on", "depends_on", "ref", "task")
#: How variables stand in a text of a runner.
_HOLES = {"mise": ("{{", "}}"), "task": ("{{", "}}"), "tox": ("{", "}"), "pixi": ("{{", "}}")}
#: Code behind which a function is a task.
_MARKS = {"invoke": ("@task", "@invoke.task"), "nox": ("@nox.session", "@session")}
_DEEP = 8


class Task:
    """lines: texts for a shell. needs: other tasks. names: a line may begin with a task's name.

    directory: where it runs, from the file's own.
    """

    __slots__ = ("directory", "lines", "names", "needs")

    def __init__(self, *, names: bool = False) -> None:
        self.lines: list[str] = []
        self.needs: list[str] = []
        self.names = names
        self.directory = ""


class Tasks:
    """The tasks of a file; usual: those that run if none is named. values: of variables."""

    __slots__ = ("holes", "tasks", "usual", "values")

    def __init__(self, runner: str) -> None:
        self.tasks: dict[str, Task] = {}
        self.usual: tuple[str, ...] = ("default",) if runner == "task" else ()
        self.values: dict[str, str] = {}
        self.holes = _HOLES.get(runner, ("", ""))

    def named(self, name: str) -> list[str]:
        """The task of a name, with what belongs to it; of an environment's, the last part."""
        if name not in self.tasks and ":" in name:
            name = name.rpartition(":")[2]
        around = (f"pre_{name}", name, f"post_{name}")
        return [each for each in around if each in self.tasks]


def tasks_of(runner: str, path: str, text: str) -> Tasks | None:
    """The tasks of a file; None if it can't be read."""
    if path.endswith(".toml"):
        return _from_toml(runner, text)
    if path.endswith((".yml", ".yaml")):
        return _from_taskfile(runner, text)
    return _from_ini(runner, text)


def calls(runner: str, text: str, name: str) -> str:
    """Code that calls the task that is asked for, to stand behind the file's own."""
    if runner == "rake":
        return f'\n__rake_run__("{name or "default"}")\n' if '"' not in name else ""
    wanted = name.replace("-", "_")
    given = "__nox_session__" if runner == "nox" else "__invoke_context__"
    found: list[str] = []
    marked = False
    for line in text.split("\n"):
        plain = line.strip()
        if plain.startswith(_MARKS[runner]):
            marked = True
        elif marked and plain.startswith(("def ", "async def ")):
            found.append(plain.partition("def ")[2].partition("(")[0].strip())
            marked = False
    chosen = [each for each in found if each == wanted]
    if not name and runner == "nox":
        chosen = found
    return "".join(f"\n{each}({given})" for each in chosen) + "\n"


# --- TOML ----------------------------------------------------------------------------------------


def _from_toml(runner: str, text: str) -> Tasks | None:
    import tomllib

    try:
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    if runner == "tox":
        legacy = content.get("tool", {}).get("tox", {}).get("legacy_tox_ini")
        return _from_ini(runner, legacy) if isinstance(legacy, str) else Tasks(runner)
    found = Tasks(runner)
    for place in _TABLES.get(runner, ()):
        for table in _tables(content, place.split(".")):
            for name, value in table.items():
                found.tasks[name] = _task(value, Task(names=runner == "hatch"), 0)
    return found


def _tables(content: object, parts: list[str]) -> Iterator[Mapping[str, Any]]:
    if not isinstance(content, dict):
        return
    if not parts:
        yield content
        return
    inner = list(content.values()) if parts[0] == "*" else [content.get(parts[0])]
    for each in inner:
        yield from _tables(each, parts[1:])


def _task(value: object, task: Task, depth: int) -> Task:
    """A task as a text, a list or a table."""
    if isinstance(value, str):
        task.lines.append(value)
    elif isinstance(value, list) and depth < _DEEP:
        task.names = True
        for each in value:
            _task(each, task, depth + 1)
    elif isinstance(value, dict) and depth < _DEEP:
        for key in _NEEDS:
            needs = value.get(key)
            for need in needs if isinstance(needs, list) else [needs]:
                name = need.get("task") if isinstance(need, dict) else need
                if isinstance(name, str):
                    task.needs.append(name.partition(" ")[0])
        directory = value.get("dir", value.get("cwd"))
        if isinstance(directory, str):
            task.directory = directory
        for key in _COMMANDS:
            given = value.get(key)
            if key == "cmd" and isinstance(given, list):
                # The words of one command.
                given = " ".join(f"'{word}'" for word in given if isinstance(word, str))
            if given is not None:
                _task(given, task, depth + 1)
    return task


# --- tox.ini -------------------------------------------------------------------------------------


def _from_ini(runner: str, text: str) -> Tasks:
    """Each `testenv` section as a task of its environment."""
    sections = _sections(text)
    found = Tasks(runner)
    common = sections.get("testenv", {})
    listed = sections.get("tox", {})
    names = (listed.get("env_list") or listed.get("envlist") or "").replace(",", "\n").split()
    found.usual = tuple(names) or ("py",)
    own = [name.partition(":")[2] for name in sections if name.startswith("testenv:")]
    for name in dict.fromkeys([*names, *own, "py", *_PYTHONS]):
        section = {**common, **sections.get(f"testenv:{name}", {})}
        task = Task()
        for key in ("commands_pre", "commands", "commands_post"):
            for line in section.get(key, "").replace("\\\n", " ").split("\n"):
                plain = line.strip().lstrip("-!@ ")
                if plain:
                    task.lines.append(plain)
        directory = section.get("change_dir") or section.get("changedir") or ""
        task.directory = directory if "{" not in directory else ""
        found.tasks[name] = task
    return found


_PYTHONS = tuple(f"py3{minor}" for minor in range(6, 20))


def _sections(text: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    key = ""
    for line in text.split("\n"):
        if not line.strip() or line.lstrip()[:1] in "#;":
            continue
        if line[0] == "[" and "]" in line:
            section = found.setdefault(line[1 : line.index("]")].strip(), {})
            key = ""
        elif line[0] in " \t":
            if key:
                section[key] += "\n" + line.strip()
        elif "=" in line:
            key, _, value = line.partition("=")
            key = key.strip()
            section[key] = value.strip()
    return found


# --- Taskfiles -----------------------------------------------------------------------------------


def _from_taskfile(runner: str, text: str) -> Tasks:
    from cc_safety_net.guard.interpret.tasks.yaml_text import decode_yaml

    content = decode_yaml(text)
    found = Tasks(runner)
    if not isinstance(content, dict):
        return found
    values = content.get("vars")
    if isinstance(values, dict):
        found.values.update((k, v) for k, v in values.items() if isinstance(v, str))
    tasks = content.get("tasks")
    for name, value in tasks.items() if isinstance(tasks, dict) else ():
        found.tasks[name] = _task(value, Task(), 0)
        found.tasks[name].names = False
    return found
