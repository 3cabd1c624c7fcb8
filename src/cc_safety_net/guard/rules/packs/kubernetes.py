"""Clusters: deleted resources and releases."""

from __future__ import annotations

from cc_safety_net.guard.rules.packs.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_OPTIONS = (
    "n,namespace: context: cluster: kubeconfig: user: as: s,server: token: l,selector:"
    " f,filename: k,kustomize: o,output: field-selector: grace-period: timeout: cascade?"
    " dry-run? all A,all-namespaces force prune delete-emptydir-data delete-local-data"
    " ignore-not-found? wait? now request-timeout: v: kube-context: history-max:"
)
#: Kinds that their controllers, or nobody, make anew.
_SAFE = frozenset(
    (
        "pod",
        "pods",
        "po",
        "job",
        "jobs",
        "job.batch",
        "jobs.batch",
        "replicaset",
        "replicasets",
        "rs",
        "replicaset.apps",
        "endpoints",
        "endpoint",
        "ep",
        "event",
        "events",
        "ev",
        "lease",
        "leases",
    )
)
#: Program -> verbs that take a release away.
_RELEASES = {
    "helm": ("uninstall|delete|del|un",),
    "helmfile": ("destroy|delete",),
    "argocd": ("app delete|delete-resource", "appset delete", "proj delete", "cluster rm"),
    "flux": ("uninstall", "delete *"),
    "velero": ("delete", "* delete"),
}


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    line = Line(execution, context, _OPTIONS)
    if line.only_shows:
        return
    verbs = _RELEASES.get(execution.program)
    if verbs is not None:
        if any(line.starts(verb) for verb in verbs):
            yield line.finding("kubernetes.release-delete")
        return
    if _deletes(line):
        yield line.finding("kubernetes.delete")


def _deletes(line: Line) -> bool:
    verb = line.operands[0] if line.operands else ""
    if verb == "delete":
        return _loses(line)
    return (
        (verb == "replace" and line.has("force"))
        or (verb == "apply" and line.has("prune"))
        or (verb == "drain" and line.has("delete-emptydir-data", "delete-local-data"))
    )


def _loses(line: Line) -> bool:
    named = line.operands[1:]
    if line.has("f", "k") or line.has("all"):
        return True
    if any("/" in word for word in named):
        kinds = [word.partition("/")[0] for word in named]
    else:
        kinds = named[0].split(",") if named else []
    return any(kind and kind.lower() not in _SAFE for kind in kinds)
