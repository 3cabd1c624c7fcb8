"""Repositories, releases and packages that others use."""

from __future__ import annotations

from cc_safety_net.guard.rules.packs.line import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_OPTIONS = (
    "R,repo: X,method: f,raw-field: F,field: H,header: q,jq: t,template: input: visibility:"
    " hostname: tag: registry: otp: access: token: workspace,w: manifest-path: p,package: index:"
    " repository,r: repository-url: u,username: host: k,key: C,prefix: e,env: o,org: n,dry-run"
    " dry-run? y,yes"
)
#: Of package managers, where the letters mean other things.
_PACKAGE_OPTIONS = (
    "registry: otp: access: tag: token: w,workspace: manifest-path: p,package: index: C,prefix:"
    " r,repository: repository-url: u,username: k,key: host: userconfig: loglevel: filter:"
    " n,dry-run dry-run? y,yes f,force"
)
_GH = {
    "gh": (
        ("publish.repository-delete", "repo delete|archive"),
        ("publish.artifact-delete", "release|secret|variable|run|gist|issue delete"),
        ("publish.artifact-delete", "release delete-asset"),
        ("publish.artifact-delete", "cache|project|label|codespace delete"),
    ),
    "glab": (
        ("publish.repository-delete", "repo|project delete|archive"),
        ("publish.artifact-delete", "release|variable|issue|snippet|mr delete"),
    ),
}
#: Program -> (verbs that take a package back, verbs that publish one).
_PACKAGES = {
    "npm": ("unpublish", "publish"),
    "pnpm": ("unpublish", "publish"),
    "yarn": ("unpublish", "publish"),
    "bun": ("", "publish"),
    "cargo": ("yank", "publish"),
    "gem": ("yank", "push"),
    "twine": ("", "upload"),
    "poetry": ("", "publish"),
    "uv": ("", "publish"),
    "hatch": ("", "publish"),
    "flit": ("", "publish"),
    "vsce": ("unpublish", "publish"),
    "lerna": ("", "publish"),
}


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    program = execution.program
    line = Line(execution, context, _OPTIONS if program in _GH else _PACKAGE_OPTIONS)
    if line.only_shows or line.has("h", "n"):
        return
    if program in _GH:
        yield from _forge(line, program)
        return
    if line.starts("npm") and program == "yarn":
        line.operands = line.operands[1:]
    back, forth = _PACKAGES.get(program, ("", ""))
    if (back and line.starts(back) and not line.has("undo")) or (
        program in ("npm", "pnpm") and line.starts("owner|author rm|remove")
    ):
        yield line.finding("publish.unpublish")
    elif forth and line.starts(forth):
        yield line.finding("publish.release")


def _forge(line: Line, program: str) -> Iterator[Finding]:
    for rule, verbs in _GH[program]:
        if line.starts(verbs):
            yield line.finding(rule)
            return
    public = line.options.get("visibility") == "public"
    if (line.starts("repo edit") and public) or (
        line.starts("api") and line.options.get("X", "").upper() == "DELETE"
    ):
        yield line.finding("publish.repository-delete")
