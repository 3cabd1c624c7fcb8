"""Containers and virtual machines: volumes, prunes, stacks, destroyed machines."""

from __future__ import annotations

from cc_safety_net.guard.interpret.options import parse
from cc_safety_net.guard.rules.packs.line import Line, acts, is_disposable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_OPTIONS = (
    "H,host: c,context: config: l,log-level: filter: t,timeout: v,volumes a,all f,force s,stop"
    " identity: url: connection: p,purge namespace:"
)
#: Behind `compose` the letters mean other things.
_COMPOSE_OPTIONS = (
    "H,host: c,context: f,file: p,project-name: project-directory: env-file: profile: ansi:"
    " parallel: rmi: t,timeout: v,volumes s,stop a,all force"
)
_COMPOSE_VERB = "rmi: t,timeout: v,volumes f,force s,stop a,all"
#: Program -> (sub-commands, options one of which is needed) that destroy a machine.
_MACHINES: dict[str, tuple[tuple[str, str], ...]] = {
    "vagrant": (("destroy", ""),),
    "multipass": (("purge", ""), ("delete", "p")),
    "limactl": (("delete|rm|remove", ""),),
    "colima": (("delete", ""),),
    "virsh": (("undefine", "remove-all-storage"), ("vol-delete", "")),
}
_COMPOSE = frozenset(("docker-compose", "podman-compose"))


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    program = execution.program
    line = Line(execution, context, _OPTIONS)
    if line.only_shows:
        return
    if program in _MACHINES:
        for verbs, needed in _MACHINES[program]:
            if line.starts(verbs) and (not needed or line.has(*needed.split())):
                yield line.finding("docker.vm-destroy")
                return
        return
    if program in _COMPOSE or line.starts("compose"):
        yield from _compose(Line(execution, context, _COMPOSE_OPTIONS))
        return
    if line.starts("machine rm|remove") and program == "podman":
        yield line.finding("docker.vm-destroy")
    elif (
        line.starts("stack rm|remove|down")
        or line.starts("service rm|remove")
        or (line.starts("swarm leave") and line.has("f", "force"))
    ):
        yield line.finding("docker.swarm-remove")
    else:
        yield from _prune(line)


def _prune(line: Line) -> Iterator[Finding]:
    rule = "docker.prune"
    if line.starts("volume rm|remove"):
        if not _all_disposable(line.operands[2:]):
            yield line.finding(rule)
    elif (
        line.starts("volume prune")
        or (line.starts("system prune") and line.has("v", "volumes"))
        or line.starts("system reset")
    ):
        yield line.finding(rule)
    elif line.starts("system|container prune"):
        if acts(line.context, rule, "strict"):
            yield line.finding(rule)
    elif line.starts("rm|remove") or line.starts("container rm|remove"):
        names = line.operands[1:] if line.starts("rm|remove") else line.operands[2:]
        if _all_disposable(names):
            return
        if line.has("v", "volumes"):
            yield line.finding(rule)
        elif line.has("f", "force"):
            yield line.finding("docker.container-remove-force", name=" ".join(names) or "CONTAINER")


def _compose(line: Line) -> Iterator[Finding]:
    operands = line.operands if line.execution.program in _COMPOSE else line.operands[1:]
    verb = operands[0] if operands else ""
    if verb not in ("down", "rm"):
        return
    # Behind the verb `-f` is `--force`.
    words = line.execution.argv
    at = next((at for at, word in enumerate(words) if word.text == verb), 0)
    before = parse(words[:at], _COMPOSE_OPTIONS, permute=True)
    named = [word.text or "" for name in ("f", "p") if (word := before.value(name)) is not None]
    behind = parse(words, _COMPOSE_VERB, start=at + 1, permute=True)
    if behind.has("v") and not _any_disposable(named):
        yield line.finding("docker.prune")


def _any_disposable(names: list[str]) -> bool:
    return any(is_disposable(name) for name in names)


def _all_disposable(names: list[str]) -> bool:
    return bool(names) and all(is_disposable(name) for name in names)
