"""From a call to a decision: the stages in their fixed order, with a trace of all that ran.

The first denial in stage order decides; the others are still looked for, so that the trace, the
log and a later permission know every finding. Nothing leaves here but a verdict: whatever fails
is a denial too.
"""

from __future__ import annotations

from posix import urandom
from time import monotonic_ns

from cc_safety_net.guard import limits
from cc_safety_net.guard.call import BadCall, ToolCall
from cc_safety_net.guard.decision import ALLOW, ASK, DENY, Decision, Finding, StageResult
from cc_safety_net.guard.directories import Unfit, find_place
from cc_safety_net.guard.interpret.facts import Reading
from cc_safety_net.guard.limits import Effort, LimitReached
from cc_safety_net.guard.policy.load import load
from cc_safety_net.guard.policy.settings import Policy
from cc_safety_net.guard.rules import catalogue
from cc_safety_net.guard.rules.context import Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cc_safety_net.guard.place import Place
    from cc_safety_net.guard.rules.rule import Rule
    from cc_safety_net.guard.tools.reading import ReadShell
    from cc_safety_net.guard.world import World

#: Names in the trace, in order; the middle ones are those of the catalogue.
STAGES = (
    "input",
    "directories",
    "policy",
    "self",
    "git",
    "secrets",
    "commands",
    "packs",
    "rulebooks",
    "permissions",
)
#: Agents with a question that holds in their most permissive mode (docs/reference/agents.md).
ASKING = frozenset(("claude-code", "copilot-cli", "antigravity-cli", "openclaw", "pi"))
CANARY = ": cc-safety-net-canary"
#: Stages that still answer when a policy file is broken; of `commands` the catastrophic rules.
_ALWAYS = ("self", "git", "commands")
_OURS = frozenset(("cc-safety-net", "ccsn"))
_READ_ONLY = frozenset(("status", "doctor", "explain", "logs", "version", "--version"))
_READ_ONLY_PAIRS = frozenset(
    (("policy", "check"), ("policy", "show"), ("rule", "verify"), ("rule", "list"))
)


class Judged:
    """A finding with its rule, the stage it was found in, and what the policy makes of it."""

    __slots__ = ("action", "finding", "rule", "stage")

    def __init__(self, finding: Finding, rule: Rule, stage: str, action: str) -> None:
        self.finding = finding
        self.rule = rule
        self.stage = stage
        self.action = action


class Judgement:
    """All that is known of one call once it was judged.

    findings: those that deny or ask, in stage order. deciding: the one that the verdict rests on.
    permission: id of a permission that let the call pass, "" if none did. repeat: how often the
    deciding rule was refused in the session, this time included. error: class of an internal
    error. complete: every stage ran to its end. ns: from the start to the verdict.
    """

    __slots__ = (
        "call",
        "complete",
        "deciding",
        "decision",
        "error",
        "findings",
        "ns",
        "permission",
        "place",
        "policy",
        "reading",
        "repeat",
        "stages",
    )

    def __init__(self, call: ToolCall) -> None:
        self.call = call
        self.place: Place | None = None
        self.policy = Policy()
        self.reading = Reading()
        self.stages: list[StageResult] = []
        self.findings: list[Judged] = []
        self.deciding: Judged | None = None
        self.permission = ""
        self.repeat = 0
        self.error = ""
        self.complete = True
        self.ns = 0
        self.decision = Decision(DENY)

    @property
    def permittable(self) -> bool:
        """The person may let this very call pass once."""
        # A search that was cut short may have missed what can't be permitted.
        if not self.findings or not self.complete:
            return False
        return all(judged.rule.off == "Y" for judged in self.findings)


def decide(call: ToolCall, world: World) -> Decision:
    """The decision about a call."""
    return judge(call, world).decision


def examine(
    call: ToolCall, world: World, *, level: str = ""
) -> tuple[Decision, Reading, Place | None]:
    """The decision as `explain` shows it: no permission is used, nothing is recorded.

    level: at least this one. The place is None if the call has no usable directory.
    """
    judgement = judge(call, world, level=level, permissions=False)
    judgement.decision.policy = judgement.policy.digest()
    return judgement.decision, judgement.reading, judgement.place


def judge(
    call: ToolCall,
    world: World,
    *,
    level: str = "",
    policy: Policy | None = None,
    permissions: bool = True,
    read_shell: ReadShell | None = None,
) -> Judgement:
    """Run all stages over a call.

    level: raises the policy's. policy: instead of the files'. permissions: standing and one-time
    permissions count. read_shell: instead of the interpreter.
    """
    started = monotonic_ns()
    run = _Run(call, world, level, policy, read_shell)
    try:
        run.stages()
        if permissions:
            run.permit()
    except BaseException as caught:  # noqa: BLE001 - whatever fails in the guard is a denial
        run.fail(caught)
    try:
        run.conclude()
    except BaseException as caught:  # noqa: BLE001 - texts that can't be filled in must not open
        run.judgement.findings.clear()
        run.fail(caught)
        run.conclude()
    run.judgement.ns = monotonic_ns() - started
    return run.judgement


def refuse_unread(
    agent: str, rule_id: str, what: str, world: World, *, error: str = ""
) -> Judgement:
    """The judgement of a call that can't be read: denied, with texts and an audit id."""
    run = _Run(ToolCall(agent, "", "other", {}), world, "", None, None)
    run.refuse(rule_id, part="this call", what=what)
    if rule_id == "guard.internal-error":
        run.judgement.error = error
    run.conclude()
    return run.judgement


class _Run:
    """One pass over the stages."""

    def __init__(
        self,
        call: ToolCall,
        world: World,
        level: str,
        policy: Policy | None,
        read_shell: ReadShell | None,
    ) -> None:
        self.call = call
        self.world = world
        self.level = level
        self.given = policy
        self.read_shell = read_shell
        self.effort = Effort()
        self.judgement = Judgement(call)
        self.stage = "input"

    def stages(self) -> None:
        """Stages 1 to 8. What stops the reading stops the rest."""
        try:
            for name, work in (
                ("input", self._input),
                ("directories", self._directories),
                ("policy", self._read),
            ):
                self._timed(name, work)
        except (BadCall, LimitReached) as caught:
            self.refuse(caught.rule, what=caught.what)
        except Unfit as caught:
            self.refuse(
                caught.rule,
                part=self.call.command or caught.path,
                why=caught.why,
                instead=caught.instead,
                path=caught.path,
            )
        else:
            self._rules()

    def _timed(self, name: str, work: Callable[..., str], *arguments: object) -> None:
        """Run one stage and put it into the trace; a stage that raises is there as a denial."""
        self.stage = name
        before = len(self.judgement.findings)
        started = monotonic_ns()
        result = DENY
        try:
            result = work(*arguments)
        finally:
            found = [judged.finding for judged in self.judgement.findings[before:]]
            if found:
                result = DENY
            self.judgement.stages.append(StageResult(name, result, monotonic_ns() - started, found))

    def _input(self) -> str:
        command = self.call.command
        if command is not None:
            if len(command) > limits.COMMAND_CHARACTERS:
                raise LimitReached(
                    "guard.input-limit", f"more than {limits.COMMAND_CHARACTERS:,} characters"
                )
            if "\0" in command:
                # No argument of a program can hold one; a shell that reads a file drops it.
                raise BadCall("guard.malformed-input", "the command holds a NUL character")
            words = command.split(None, 3) if command.lstrip().startswith(CANARY) else ()
            if len(words) == 3 and words[1] == CANARY[2:]:
                self.refuse("guard.canary", part=command.strip())
        return "ok"

    def _directories(self) -> str:
        self.judgement.place = find_place(self.call, self.world)
        return "ok"

    def _read(self) -> str:
        place = self.judgement.place
        assert place is not None, "stage 2 has found it or raised"
        policy = self.given
        if policy is None:
            policy = load(self.world, self.call.agent, place.roots[0] if place.roots else "")
        if self.level:
            policy.raise_level(self.level)
        self.judgement.policy = policy
        command = self.call.command
        if self.call.kind == "shell" and command is not None:
            read_shell = self.read_shell or _interpreter()
            dialect = self.call.dialect
            reading = read_shell(command, dialect, place, self.world, self.effort)
        else:
            # Everyday shell calls don't load the tables of file tools.
            from cc_safety_net.guard.tools.reading import read_call

            reading = read_call(
                self.call, place, self.world, self.effort, self.read_shell or _late_interpreter
            )
        self.judgement.reading = reading
        return "ok"

    def _rules(self) -> None:
        """Stages 4 to 8, and the end that a broken policy makes."""
        judgement = self.judgement
        place = judgement.place
        assert place is not None, "stage 2 has found it"
        policy = judgement.policy
        context = Context(
            self.call,
            place,
            self.world,
            judgement.reading,
            self.effort,
            allow_paths=policy.allow_paths,
            worktree_mode=policy.worktree_mode,
            policy=policy,
        )
        try:
            for name in catalogue.STAGES:
                self._timed(name, self._rule_stage, name, context)
            self._timed("rulebooks", self._rulebooks, context)
        except LimitReached as caught:
            # A reason found before is the true one.
            self.judgement.complete = False
            if not judgement.findings:
                self.refuse(caught.rule, what=caught.what)
        problem = policy.problem
        if problem is not None and not _only_reports(judgement.reading):
            # It belongs to stage 3, but the truer reasons go before it.
            self.stage = "policy"
            self.refuse(problem.rule, what=str(problem), part=self.call.command or self.call.tool)

    def _rule_stage(self, name: str, context: Context) -> str:
        policy = self.judgement.policy
        broken = policy.problem is not None
        if broken and name not in _ALWAYS:
            return "skipped"
        if name == "secrets" and not policy.secrets_enabled and not _sets(policy, "secret."):
            return "off"
        for finding in catalogue.find(name, context):
            rule = catalogue.rule(finding.rule)
            if broken and name == "commands" and rule.off != "C":
                continue
            action = policy.action(
                rule.id,
                level=finding.level or rule.level,
                off=rule.off,
                pack=rule.pack,
                stage=name,
            )
            if action == ASK and self.call.agent not in ASKING:
                action = DENY
            if action != ALLOW:
                self.judgement.findings.append(Judged(finding, rule, name, action))
        return "ok"

    def _rulebooks(self, context: Context) -> str:  # noqa: ARG002 - the seam of stage 8
        return "off"

    def permit(self) -> None:
        """Stage 9: a standing or a one-time permission for all that was found."""
        if not self.judgement.permittable:
            return
        # Rare: only for a call that would be refused.
        from cc_safety_net.guard.permissions import permission_for

        def work() -> str:
            self.judgement.permission = permission_for(self.judgement, self.world)
            return ALLOW if self.judgement.permission else "ok"

        self._timed("permissions", work)

    def fail(self, error: BaseException) -> None:
        """A failure of ours denies, unless a true reason was found before it."""
        self.judgement.error = type(error).__name__
        self.judgement.complete = False
        self.judgement.permission = ""
        if not any(judged.action == DENY for judged in self.judgement.findings):
            self.judgement.findings.clear()
            self.refuse(
                "guard.internal-error",
                what=f"{type(error).__name__} in stage {self.stage}",
                part=self.call.command or self.call.tool,
            )

    def refuse(self, rule_id: str, *, part: str = "", why: str = "", **values: str) -> None:
        """A denial of the guard's own."""
        values["why"] = why
        values.setdefault("instead", "Send the call once more in a simpler form.")
        finding = Finding(rule_id, part or self.call.command or self.call.tool, values=values)
        judged = Judged(finding, catalogue.rule(rule_id), self.stage, DENY)
        self.judgement.findings.append(judged)
        for stage in self.judgement.stages:
            if stage.name == self.stage:
                stage.result = DENY
                stage.findings = (*stage.findings, finding)

    def conclude(self) -> None:
        """The verdict, its reason, and the text for the agent."""
        judgement = self.judgement
        ran = {stage.name for stage in judgement.stages}
        judgement.stages.extend(
            StageResult(name, "skipped", 0) for name in STAGES if name not in ran
        )
        judgement.deciding = _deciding(judgement.findings)
        verdict = ALLOW
        text = ""
        audit_id = urandom(8).hex()
        if judgement.deciding is not None and not judgement.permission:
            verdict = judgement.deciding.action
            text = self._text(judgement.deciding, audit_id)
        found = [judged.finding for judged in judgement.findings]
        deciding = judgement.deciding
        judgement.decision = Decision(
            verdict,
            finding=deciding.finding if deciding is not None and verdict != ALLOW else None,
            findings=found,
            stages=judgement.stages,
            text=text,
            audit_id=audit_id,
            level=judgement.policy.level,
        )

    def _text(self, deciding: Judged, audit_id: str) -> str:
        # Only refused calls need these.
        from cc_safety_net.guard.denials import refused_before
        from cc_safety_net.guard.refusal import write

        judgement = self.judgement
        judgement.repeat = 1 + refused_before(self.world, judgement, deciding.rule.id)
        shell = self.call.kind in ("shell", "typed")
        return write(
            deciding.finding,
            deciding.rule,
            text=(self.call.command or "") if shell else "",
            tool="" if shell else self.call.tool,
            level=judgement.policy.level,
            repeat=judgement.repeat,
            audit_id=audit_id,
            permit=judgement.permittable,
        )


def _interpreter() -> ReadShell:
    """The interpreter, which loads the parser: only for calls that run text."""
    from cc_safety_net.guard.interpret.reader import read_shell

    return read_shell


def _late_interpreter(
    text: str, dialect: str, place: Place, world: World, effort: Effort
) -> Reading:
    return _interpreter()(text, dialect, place, world, effort)


def _deciding(findings: list[Judged]) -> Judged | None:
    """The first denial; without one the first question."""
    for judged in findings:
        if judged.action == DENY:
            return judged
    return findings[0] if findings else None


def _sets(policy: Policy, start: str) -> bool:
    """Somebody switched a rule of this family on by its id."""
    return any(
        rule_id.startswith(start) and action != ALLOW
        for rules in (policy.rules, policy.project_rules)
        for rule_id, action in rules.items()
    )


def _only_reports(reading: Reading) -> bool:
    """Nothing runs but our own commands that only look: the way to learn what is broken."""
    if reading.codes or not reading.executions:
        return False
    if any(access.mode not in ("metadata", "execute") for access in reading.accesses):
        return False
    seen = False
    for execution in reading.executions:
        words = [word.text for word in execution.argv[1:3]]
        if execution.program == "cd":
            continue
        if execution.program not in _OURS or not words:
            return False
        if words[0] not in _READ_ONLY and tuple(words) not in _READ_ONLY_PAIRS:
            return False
        seen = True
    return seen
