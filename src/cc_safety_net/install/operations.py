"""`install`, `uninstall` and `update`: plan, preview, apply, verify, over several agents.

One refusal stops all agents before anything is changed; one failure takes everything back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cc_safety_net.errors import Interrupted, Refused, SafetyNetError, VerifyFailed
from cc_safety_net.install import (
    atomic,
    installed,
    interruption,
    leftovers,
    lock,
    placement,
    recovery,
    release,
    verify,
)
from cc_safety_net.install.artifact import Artifact, Runtime, require_private
from cc_safety_net.install.detection import site_of
from cc_safety_net.install.directories import Directories, find_directories
from cc_safety_net.install.plan import (
    WRITE,
    AgentPlan,
    Edited,
    FileChange,
    RemoveTree,
    RunChange,
    TreeChange,
)
from cc_safety_net.install.result import (
    APPLIED,
    FAILED,
    PLANNED,
    ROLLED_BACK,
    UNCHANGED,
    AgentResult,
    Result,
    Verified,
)
from cc_safety_net.install.setup import REMOVED, Setup, installable, load_setup
from cc_safety_net.install.site import USER, Site
from cc_safety_net.install.system import ReadOnly, System
from cc_safety_net.install.transaction import Transaction

INSTALL = "install"
UNINSTALL = "uninstall"
UPDATE = "update"

#: Told of each step: the phase, the agent ("" for all), a word for people.
Report = Callable[[str, str, str], None]
#: Told of each program that is started, with the agent and the time limit; of none at its end.
Watch = Callable[[str, Sequence[str], float], None]
#: Asked with the plan before anything is changed; False ends it.
Confirm = Callable[[Result], bool]


_DENIED = "make it, and the folders above it, accessible for you, then run the command again"
_FULL = "make room there, then run the command again"
_HINTS = {
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: "it is mounted read-only: mount it for writing, then run the command again",
}


def _silent(phase: str, agent: str, detail: str) -> None:
    del phase, agent, detail


def _unseen(agent: str, argv: Sequence[str], limit: float) -> None:
    del agent, argv, limit


def _agreed(result: Result) -> bool:
    del result
    return True


@dataclass
class Operation:
    """One command. targets: canonical names of agents, in the order of the plan."""

    command: str
    targets: Sequence[str]
    environment: Mapping[str, str]
    scope: str = USER
    project: str = ""
    dry_run: bool = False
    #: A newer runtime may be replaced by this older one.
    older: bool = False
    report: Report = _silent
    watch: Watch = _unseen
    confirm: Confirm = _agreed
    system: System = field(default_factory=System)
    lock_wait: float = lock.WAIT_SECONDS
    artifact: Artifact | None = None

    def run(self) -> Result:
        """The result; expected failures are in it, never raised."""
        try:
            directories = find_directories(self.environment)
        except SafetyNetError as error:
            return Result(self.command, UNCHANGED, error=error)
        artifact = self.artifact or Runtime(directories)
        return _Run(self, directories, artifact).run()


@dataclass
class _Planned:
    """What is going to happen. record: the installed state as it will be written."""

    site: Site
    agents: list[AgentPlan]
    results: list[AgentResult]
    runtime: TreeChange | None
    error: SafetyNetError | None = None

    @property
    def changes(self) -> bool:
        return self.runtime is not None or any(plan.changes for plan in self.agents)


class _Run:
    """One operation on its way through the phases."""

    def __init__(self, operation: Operation, directories: Directories, artifact: Artifact) -> None:
        self.operation = operation
        self.directories = directories
        self.artifact = artifact
        self.system = self._watched(operation.system)
        self.notes: list[str] = []
        self._phase = self._agent = ""

    def _report(self, phase: str, agent: str = "", detail: str = "") -> None:
        self._phase, self._agent = phase, agent
        self.operation.report(phase, agent, detail)

    def _watched(self, system: System) -> System:
        """With each program that is started told as a part of the step that is on."""

        def started(argv: Sequence[str], limit: float) -> None:
            self.operation.watch(self._agent, argv, limit)

        system.started = started
        system.ended = lambda: self.operation.watch(self._agent, (), 0)
        return system

    def run(self) -> Result:
        operation = self.operation
        self._report("plan")
        try:
            # An interrupted installation first: the plan must see the files as they will be.
            if not operation.dry_run and self._left_behind():
                with self._lock() as made:
                    self.notes += recovery.recover(self.system, self.directories.state, made)
                    self.notes += leftovers.remove(self.system, self._leftovers())
            planned = self._plan(self._watched(ReadOnly()))
        except (SafetyNetError, OSError) as error:
            return self._result(UNCHANGED, None, _expected(error))
        if planned.error is not None:
            return self._result(UNCHANGED, planned, planned.error)
        if not planned.changes:
            return self._result(UNCHANGED, planned)
        preview = self._result(PLANNED, planned)
        self._report("preview")
        if operation.dry_run or not operation.confirm(preview):
            return preview
        try:
            return self._locked()
        except (SafetyNetError, OSError) as error:
            return self._result(UNCHANGED, planned, _expected(error))

    @contextlib.contextmanager
    def _lock(self) -> Iterator[list[str]]:
        """Gives the folders that go at the end if they are empty."""
        state, wait = self.directories.state, self.operation.lock_wait

        def waiting(holder: str) -> None:
            self._report("wait", "", f"another installation is running: {holder}")

        with lock.held(state, wait=wait, waiting=waiting) as held:
            self.system.kept_open = (held.descriptor,)
            try:
                yield held.made
            finally:
                self.system.kept_open = ()

    def _left_behind(self) -> bool:
        """A process that was killed has left its journal, or only its lock, or what has neither."""
        state = self.directories.state
        lock_file = self.system.lstat(os.path.join(state, lock.NAME))
        if lock_file is not None or recovery.pending(self.system, state):
            return True
        return bool(self._leftovers())

    def _leftovers(self) -> list[str]:
        """Temporary names of ended processes; none while a journal may still name them."""
        directories, operation = self.directories, self.operation
        if recovery.pending(self.system, directories.state):
            return []
        record = installed.load(self.system, directories.state)
        site = site_of(
            self.system,
            directories,
            operation.environment,
            operation.project,
            record,
            self.artifact,
        )
        folders = []
        for name in installable():
            for scope in {USER, operation.scope}:
                # What can't be reached is the plan's business, for the agents that are meant.
                with contextlib.suppress(SafetyNetError, OSError):
                    folders += load_setup(name).folders(site, scope)
        return leftovers.find(self.system, folders, (directories.state, directories.data))

    def _locked(self) -> Result:
        state = self.directories.state
        with self._lock() as made:
            self.notes += recovery.recover(self.system, state, made)
            if recovery.pending(self.system, state):
                raise Refused(
                    f"an interrupted installation can't be rolled back: {'; '.join(self.notes)}",
                    "put what it names in order, then run the command again",
                    code="recovery_failed",
                )
            # Under the lock, again: somebody may have done it meanwhile, or changed a file.
            planned = self._plan(self.system)
            if planned.error is not None:
                return self._result(UNCHANGED, planned, planned.error)
            if not planned.changes:
                return self._result(UNCHANGED, planned)
            result = self._apply(planned, made)
            made.extend(installed.folders_of(planned.site.installed.runtime))
            return result

    def _plan(self, system: System) -> _Planned:
        record = installed.load(system, self.directories.state)
        site = site_of(
            system,
            self.directories,
            self.operation.environment,
            self.operation.project,
            record,
            self.artifact,
        )
        planned = _Planned(site, [], [], None)
        for folder in (self.directories.state, self.directories.data):
            require_private(system, folder)
            site.require_writable(os.path.join(folder, "x"))
        removing = self.operation.command == UNINSTALL
        for name in self.operation.targets:
            setup = load_setup(name)
            self._report("plan", name)
            try:
                plan = self._plan_agent(site, setup)
            except (SafetyNetError, OSError) as error:
                failure = _expected(error)
                planned.error = planned.error or failure
                planned.results.append(
                    AgentResult(name, self.operation.scope, FAILED, error=failure)
                )
                continue
            planned.agents.append(plan)
            planned.results.append(
                AgentResult(name, plan.scope, plan.state, plan.changes, notes=plan.notes)
            )
        if not removing and planned.error is None and self._needs_runtime(site):
            self._refuse_older()
            planned.runtime = self.artifact.plan(system)
        return planned

    def _refuse_older(self) -> None:
        """An older program that is found first on PATH must not take a newer guard's place."""
        found = placement.current(self.directories.data)
        version = str(found.manifest.get("version", "")) if found is not None else ""
        if version and release.older(self.artifact.version, version) and not self.operation.older:
            raise Refused(
                f"the installed runtime is {version}, and this program is only "
                f"{self.artifact.version}",
                f"{release.upgrade_command()}; or go back to the older one with --yes",
                code="downgrade",
            )

    def _needs_runtime(self, site: Site) -> bool:
        """An update of agents that hold nothing of ours leaves nothing behind either."""
        operation = self.operation
        return operation.command != UPDATE or any(
            load_setup(name).installed(site, operation.scope) for name in operation.targets
        )

    def _plan_agent(self, site: Site, setup: Setup) -> AgentPlan:
        command, scope = self.operation.command, self.operation.scope
        if command == UNINSTALL:
            return setup.plan_uninstall(site, scope)
        if command == UPDATE and not setup.installed(site, scope):
            note = f"{setup.spec.title}: not installed, so there is nothing to update"
            return AgentPlan(setup.spec.name, scope, UNCHANGED, notes=[note])
        return setup.plan_install(site, scope)

    def _apply(self, planned: _Planned, made: list[str]) -> Result:
        # From the commit, or the first failure, to the end no signal is heeded.
        with contextlib.ExitStack() as hold:
            return self._applied(planned, made, hold)

    def _applied(self, planned: _Planned, made: list[str], hold: contextlib.ExitStack) -> Result:
        self._report("apply")
        transaction = Transaction(self.system, self.directories.state)
        current = ""
        try:
            runtime = planned.site.installed.runtime
            if planned.runtime is not None:
                self._report("apply", "runtime", planned.runtime.summary)
                transaction.apply(planned.runtime)
                runtime["version"] = self.artifact.version
                runtime["digest"] = self.artifact.digest
                runtime["folders"] = [
                    *installed.folders_of(runtime),
                    *(folder for folder in transaction.made),
                ]
            runtime["folders"] = sorted({*installed.folders_of(runtime), *made})
            for plan, result in zip(planned.agents, planned.results, strict=True):
                current = plan.agent
                if plan.changes:
                    self._report("apply", plan.agent)
                    self._apply_agent(transaction, planned.site, plan)
                del result
            current = ""
            self._tidy(transaction, planned)
            self._write_record(transaction, planned.site)
            for plan, result in zip(planned.agents, planned.results, strict=True):
                current = plan.agent
                if self.operation.command != UNINSTALL:
                    self._report("verify", plan.agent)
                    result.verify = self._verify(planned.site, plan)
            hold.enter_context(interruption.held())
            transaction.commit()
        except BaseException as error:
            hold.enter_context(interruption.held())
            self._report("roll-back", current)
            self.notes += transaction.roll_back()
            if isinstance(error, Interrupted):
                stopped = SafetyNetError("interrupted", code="interrupted")
                return self._failed(planned, "", stopped)
            if not isinstance(error, SafetyNetError | OSError):
                raise
            return self._failed(planned, current, _expected(error))
        self.notes += transaction.finish()
        return self._result(APPLIED, planned)

    def _apply_agent(self, transaction: Transaction, site: Site, plan: AgentPlan) -> None:
        key = site.key(load_setup(plan.agent).spec, plan.scope)
        before = len(transaction.made)
        record = dict(plan.record)
        for change in plan.changes:
            record.update(transaction.apply(change).record)
        folders = [*plan.folders, *transaction.made[before:]]
        if plan.state == REMOVED:
            transaction.vacate(folders)
            site.installed.agents.pop(key, None)
            return
        record["folders"] = folders
        record["version"] = self.artifact.version
        site.installed.agents[key] = record

    def _tidy(self, transaction: Transaction, planned: _Planned) -> None:
        """Runtimes that nothing calls any more; all of them after the last uninstall."""
        record = planned.site.installed
        last = self.operation.command == UNINSTALL and self._nobody_left(planned.site)
        if not last and planned.runtime is None:
            return
        names = self.artifact.all_names() if last else self.artifact.old_names()
        for name in names:
            path = os.path.join(self.directories.data, name)
            transaction.apply(RemoveTree(path, "no longer needed"))
        if last:
            transaction.vacate(installed.folders_of(record.runtime))

    def _nobody_left(self, site: Site) -> bool:
        """Neither our record nor an agent's own file knows of an entry."""
        # Where it can't be told it is better to think that the launcher is still needed.
        return not site.installed.agents and all(
            load_setup(name).standing(site, USER) is False for name in installable()
        )

    def _write_record(self, transaction: Transaction, site: Site) -> None:
        path = installed.path_of(self.directories.state)
        content = site.installed.content()

        def edit(before: bytes | None) -> Edited:
            del before
            return Edited(content)

        transaction.apply(
            FileChange(
                WRITE, path, path, edit, "", mode=atomic.PRIVATE_FILE_MODE, folder_mode=0o700
            )
        )

    def _verify(self, site: Site, plan: AgentPlan) -> Verified | None:
        """None for an agent that an update found without our entry."""
        setup = load_setup(plan.agent)
        commands = setup.commands(site, plan.scope)
        if not commands and not plan.changes:
            return None
        if not commands:
            raise _nothing_there(setup.spec.title, plan)
        setup.require_loaded(site, plan.scope)
        slowest = 0
        for command in commands:
            slowest = max(slowest, self._prove(site, setup, plan.scope, command))
        return Verified(deny=True, allow=True, ms=slowest)

    def _prove(self, site: Site, setup: Setup, scope: str, command: str) -> int:
        """Milliseconds of the slower answer; raises unless both are right."""
        probe = setup.probe(site, scope, self.directories.state)
        slowest = 0
        for shell_command, expected in (
            (verify.canary(secrets.token_hex(8)), verify.DENY),
            (verify.HARMLESS, verify.ALLOW),
        ):
            answer = verify.ask(
                self.system, setup.spec, probe, command, shell_command, site.environment
            )
            if answer.verdict != expected:
                said = answer.ended.stdout.decode("utf-8", "replace").strip()
                got = answer.wrong or f"it answered {answer.verdict}: {said[:300]}"
                raise VerifyFailed(
                    f"{setup.spec.title}: the installed command must {expected} "
                    f"`{shell_command}`, but {got}",
                    "run `cc-safety-net doctor` to see what is in the way; nothing was changed",
                )
            slowest = max(slowest, answer.ms)
        return slowest

    def _failed(self, planned: _Planned, agent: str, error: SafetyNetError) -> Result:
        for result in planned.results:
            result.state = FAILED if result.name == agent else UNCHANGED
            result.verify = None
            # They speak of what is no longer there.
            result.notes = []
            if result.name == agent:
                result.error = error
        return self._result(ROLLED_BACK, planned, error)

    def _result(
        self, word: str, planned: _Planned | None, error: SafetyNetError | None = None
    ) -> Result:
        agents = [] if planned is None else planned.results
        runtime = None if planned is None else planned.runtime
        return Result(self.operation.command, word, agents, runtime, list(self.notes), error)


def _nothing_there(title: str, plan: AgentPlan) -> VerifyFailed:
    """What was done without a complaint has no effect; the agent's own program may be to blame."""
    ran = [shlex.join(change.argv) for change in plan.changes if isinstance(change, RunChange)]
    if not ran:
        return VerifyFailed(f"{title}: the entry that was written is not to be found")
    return VerifyFailed(
        f"`{ran[-1]}` ended without an error, but {title} does not have our plugin",
        f"run `{ran[-1]}` by hand to see what it does; nothing was changed",
    )


def _expected(error: SafetyNetError | OSError) -> SafetyNetError:
    """An error of the operating system, said in our form."""
    if isinstance(error, SafetyNetError):
        return error
    name = f"{error.filename}: " if error.filename else ""
    return Refused(
        f"{name}{(error.strerror or str(error)).lower()}",
        _HINTS.get(error.errno or 0, "see what is wrong with it, then run the command again"),
        code="io_error",
    )
