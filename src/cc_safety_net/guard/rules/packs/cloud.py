"""Clouds: resources deleted by the providers' tools."""

from __future__ import annotations

from cc_safety_net.guard.rules.packs.line import Line, is_loopback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_OPTIONS = (
    "profile: region: output,o: endpoint-url: query: project: zone: account: configuration:"
    " format: n,name: g,resource-group: subscription: a,app: t,token: c,config: e,env: r,recursive"
    " R,Recursive m f,force m,multi quiet,q yes,y dryrun dry-run? bucket: key: s,scope:"
)
_AWS_VERBS = (
    "delete-",
    "terminate-",
    "purge-",
    "deregister-",
    "batch-delete-",
    "schedule-key-deletion",
)
#: Program -> words that delete, wherever they stand among the sub-commands, or behind a colon.
_WORDS = {
    "doctl": ("delete", "rm", "destroy", "d"),
    "hcloud": ("delete",),
    "linode-cli": ("delete", "rm"),
    "oci": ("delete", "terminate", "bulk-delete"),
    "heroku": ("destroy", "delete", "reset"),
    "fly": ("destroy", "delete"),
    "flyctl": ("destroy", "delete"),
    "vercel": ("rm", "remove"),
    "netlify": ("delete",),
    "railway": ("delete", "down"),
    "wrangler": ("delete",),
    "supabase": ("delete",),
    "rclone": ("purge", "delete"),
    "firebase": ("delete", "remove"),
}


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    program = execution.program
    line = Line(execution, context, _OPTIONS)
    if line.only_shows or is_loopback(line.options.get("endpoint-url", "")):
        return
    rule = _RULES.get(program, "cloud.other-delete")
    if _deletes(line, program):
        yield line.finding(rule)


_RULES = {
    "aws": "cloud.aws-delete",
    "gcloud": "cloud.gcloud-delete",
    "gsutil": "cloud.gcloud-delete",
    "bq": "cloud.gcloud-delete",
    "firebase": "cloud.gcloud-delete",
    "az": "cloud.az-delete",
}


def _deletes(line: Line, program: str) -> bool:
    operands = line.operands
    recursive = line.has("r", "R", "recursive")
    if program == "aws":
        return _aws(line, recursive=recursive)
    if program == "gcloud":
        if line.starts("storage rm") or line.starts("alpha|beta storage rm"):
            return recursive
        return "delete" in operands[1:] and not line.starts("config")
    if program == "gsutil":
        return "rm" in operands[:2] and recursive
    if program == "bq":
        return line.starts("rm") and line.has("r", "f")
    if program == "az":
        return any(word in ("delete", "delete-batch", "purge") for word in operands[1:])
    if program == "s3cmd":
        return (line.starts("del|rm") and recursive) or line.starts("rb")
    if program == "mc":
        return (line.starts("rm") and recursive) or line.starts("rb")
    wanted = _WORDS.get(program, ())
    return any(word.rpartition(":")[2] in wanted for word in operands[:3])


def _aws(line: Line, *, recursive: bool) -> bool:
    if line.starts("s3 rm"):
        return recursive
    if line.starts("s3 rb"):
        return line.has("f", "force")
    if line.starts("s3 sync"):
        return line.has("delete")
    return len(line.operands) > 1 and line.operands[1].startswith(_AWS_VERBS)
