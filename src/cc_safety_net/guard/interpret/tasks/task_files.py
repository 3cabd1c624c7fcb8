"""Tasks that a project's files name for a runner: which file, which tasks, what they run."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, Word, known
from cc_safety_net.guard.interpret.scripts import nearest, opaque, read, within
from cc_safety_net.guard.interpret.state import ARGUMENTS, State
from cc_safety_net.guard.interpret.tasks import task_lists
from cc_safety_net.guard.interpret.tasks.shell_lines import run_line
from cc_safety_net.guard.interpret.values import merge
from cc_safety_net.guard.paths import join, normalise, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution, Pieces
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.tasks.task_lists import Task, Tasks
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile

_PYPROJECT = ("pyproject.toml",)
_TASKFILES = tuple(
    f"{name}{ending}"
    for name in ("Taskfile", "taskfile", "Taskfile.dist", "taskfile.dist")
    for ending in (".yml", ".yaml")
)
#: Runner -> the files that it reads, each the nearest of its group.
_FILES: dict[str, tuple[tuple[str, ...], ...]] = {
    "hatch": (_PYPROJECT, ("hatch.toml",)),
    "invoke": (("tasks.py", "fabfile.py"),),
    "mise": (("mise.toml", ".mise.toml", "mise.local.toml", ".config/mise.toml"),),
    "nox": (("noxfile.py",),),
    "pdm": (_PYPROJECT,),
    "pixi": (("pixi.toml",), _PYPROJECT),
    "poe": (("poe_tasks.toml",), _PYPROJECT),
    "rake": (("rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"),),
    "rye": (_PYPROJECT,),
    "task": (_TASKFILES, _PYPROJECT),
    "tox": (("tox.ini", "setup.cfg"), _PYPROJECT),
}
#: Runners whose tasks are code.
_CODE = {"invoke": "python", "nox": "python", "rake": "ruby"}
_SCRIPTS = ("mise-tasks", ".mise-tasks", ".mise/tasks", ".config/mise/tasks")
_RUNS = 64


def run(m: Machine, state: State, execution: Execution, inner: InnerFile) -> None:
    """Run the task `inner.target` (the usual ones without) of the runner `inner.path`."""
    runner = inner.path.text or ""
    given = inner.file
    for names in _FILES.get(runner, ()):
        paths = nearest(m, state.cwds, names)
        if given is not None:
            paths = [
                normalise(join(cwd or "/", text))
                for cwd in state.cwds
                for text in given.texts or ()
            ]
        for path in paths:
            if path in m.files or m.world.is_file(path):
                within(m, execution, inner.path, path, _run, m, state, execution, inner, path)
    if runner == "mise" and inner.target is not None and inner.target.text:
        _run_file(m, state, execution, inner, inner.target.text)


def _run(m: Machine, state: State, execution: Execution, inner: InnerFile, path: str) -> None:
    text = read(m, path)
    runner = inner.path.text or ""
    if text is None or (inner.target is not None and inner.target.text is None):
        opaque(m, execution, inner.path, path)
        return
    name = inner.target.text if inner.target is not None else ""
    if runner in _CODE:
        code = text + task_lists.calls(runner, text, (name or "").partition("[")[0])
        from cc_safety_net.guard.interpret.codes import run_code

        run_code(m, State(state), execution, _CODE[runner], Word(((code,),)), script=path)
        return
    m.effort.spend(1 + len(text) // 8, "a file of tasks")
    tasks = task_lists.tasks_of(runner, path, text)
    if tasks is None:
        opaque(m, execution, inner.path, path)
        return
    _Runner(m, state, execution, inner, path, tasks).run(name or "")


class _Runner:
    """One use of a file of tasks."""

    def __init__(
        self,
        m: Machine,
        state: State,
        execution: Execution,
        inner: InnerFile,
        path: str,
        tasks: Tasks,
    ) -> None:
        self.m = m
        self.state = state
        self.execution = execution
        self.inner = inner
        self.directory = parent(path)
        self.tasks = tasks
        self.seen: set[str] = set()

    def run(self, name: str) -> None:
        names = [name] if name else list(self.tasks.usual)
        for each in names:
            for found in self.tasks.named(each):
                self._task(found, self.tasks.tasks[found])

    def _task(self, name: str, task: Task) -> None:
        if name in self.seen or len(self.seen) >= _RUNS:
            return
        self.seen.add(name)
        self.m.effort.spend(8, "a task")
        self.m.enter("a task")
        for need in task.needs:
            self.run(need)
        from cc_safety_net.guard.interpret.calls import positionals

        layer = State(self.state)
        layer.put(ARGUMENTS, positionals(self.inner.positionals))
        directory = normalise(join(self.directory, task.directory)) if task.directory else ""
        for line in task.lines:
            first = line.split(None, 1)[0] if line.split() else ""
            if task.names and first in self.tasks.tasks and first not in self.seen:
                self.run(first)
                continue
            pieces = self._filled(line)
            run_line(
                self.m, layer, self.execution, pieces, "", directory=directory or self.directory
            )
        self.m.depth -= 1

    def _filled(self, line: str) -> Pieces:
        """The line with its variables: `{{.NAME}}`, `{posargs}`."""
        opening, closing = self.tasks.holes
        if not opening or opening not in line:
            return (line,)
        out: list[str | Unknown] = []
        rest = line
        while opening in rest:
            head, _, rest = rest.partition(opening)
            inside, _, rest = rest.partition(closing)
            out.append(head)
            name = inside.strip().lstrip(".")
            value = self.tasks.values.get(name)
            if name.startswith(("posargs", "args")):
                value = name.partition(":")[2]
            elif name in ("toxinidir", "TASKFILE_DIR", "ROOT_DIR", "config_root"):
                value = self.directory
            out.append(value if value is not None else Unknown("variable", name))
        out.append(rest)
        return merge(out)


def _run_file(m: Machine, state: State, execution: Execution, inner: InnerFile, name: str) -> None:
    """mise runs scripts in some folders by their name."""
    from cc_safety_net.guard.interpret.scripts import run_file
    from cc_safety_net.guard.interpret.wrappers.inner import InnerFile as File

    for cwd in state.cwds:
        for folder in _SCRIPTS if cwd else ():
            path = normalise(join(cwd or "/", f"{folder}/{name.replace(':', '/')}"))
            if path in m.files or m.world.is_file(path):
                file = File(inner.label, "executable", known(path), positionals=inner.positionals)
                run_file(m, State(state), execution, file)
