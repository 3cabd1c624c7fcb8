"""Infrastructure as code: destroyed stacks, removed state, unreviewed applies."""

from __future__ import annotations

from cc_safety_net.guard.rules.packs.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_OPTIONS = (
    "-chdir: -var: -var-file: -target: -state: -backup: -lock? -parallelism: -destroy?"
    " -auto-approve? -force? -help working-dir: terragrunt-working-dir: terragrunt-config:"
    " s,stack: C,cwd: y,yes a,app: c,context: stage: region: profile: stack-name: all f,force"
    " non-interactive require-approval:"
)
_TERRAFORM = frozenset(("terraform", "tofu", "terragrunt"))
_OTHERS = {
    "pulumi": "destroy|down",
    "cdk": "destroy",
    "cdktf": "destroy",
    "serverless": "remove",
    "sls": "remove",
    "sam": "delete",
    "sst": "remove",
}


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    line = Line(execution, context, _OPTIONS)
    if line.only_shows or line.has("h"):
        return
    if execution.program not in _TERRAFORM:
        if line.starts(_OTHERS.get(execution.program, "")) and line.operands:
            yield line.finding("terraform.destroy")
        elif execution.program == "pulumi" and line.starts("up|update") and line.has("y", "yes"):
            yield line.finding("terraform.apply-auto-approve")
        elif execution.program == "pulumi" and line.starts("stack rm|remove"):
            yield line.finding("terraform.state")
        return
    # `terragrunt run-all destroy`, `terragrunt run --all -- destroy`
    while line.operands and line.operands[0] in ("run-all", "run", "stack"):
        line.operands = line.operands[1:]
    if line.starts("destroy|destroy-all") or (line.starts("apply") and line.has("destroy")):
        yield line.finding("terraform.destroy")
    elif (
        line.starts("state rm|push|replace-provider")
        or (line.starts("workspace|env delete") and line.has("force"))
        or (line.starts("force-unlock") and line.has("force"))
    ):
        yield line.finding("terraform.state")
    elif line.starts("apply|apply-all") and line.has("auto-approve"):
        yield line.finding("terraform.apply-auto-approve")
