"""Runners of environments and packages: `poetry run`, `npx`, `mise exec`, `uvx`, `nix develop`."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.wrappers.inner import InnerArgv, InnerFile
from cc_safety_net.guard.interpret.wrappers.script_runners import NPX
from cc_safety_net.guard.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.interpret.wrappers.inner import Inner
    from cc_safety_net.guard.world import World

_CONDA_RUN = "n,name: p,prefix: cwd:@dir no-capture-output live-stream v"
_NIX = (
    "c,command$ f,file: expr: I,include: arg: argstr: k,keep: u,unset: option: override-input:"
    " profile: inputs-from: reference-lock-file: output-lock-file:"
)
_UVX = (
    "from: with: with-editable: with-requirements: python,p: index: default-index: index-url,i:"
    " extra-index-url: find-links,f: env-file: constraints,c: overrides: directory:@dir project:"
    " config-file: cache-dir: color: refresh-package: upgrade-package,P: prerelease: resolution:"
    " link-mode: exclude-newer: build-constraints,b: config-setting,C:"
)
_UV_RUN = (
    "extra: group: only-group: no-group: no-extra: package: directory:@dir project: env-file: with:"
    " with-editable: with-requirements: python,p: index: default-index: index-url,i:"
    " extra-index-url: find-links,f: config-file: cache-dir: color: refresh-package:"
    " upgrade-package,P: prerelease: resolution: link-mode: exclude-newer: config-setting,C:"
    " module,m!@file=python-module script,s@mode=script=python gui-script"
)


def _direnv(execution: Execution, _world: World) -> list[Inner]:
    """`direnv exec DIRECTORY command`: what the directory's file sets up, then the command."""
    words = execution.argv
    if len(words) < 4 or words[1].text != "exec":
        return []
    folder = words[2].text
    found: list[Inner] = []
    if folder is not None:
        found.append(InnerFile("direnv .envrc", "shell", known(join(folder, ".envrc"))))
    found.append(InnerArgv("direnv exec", words[3:]))
    return found


#: Runners of environments that run tasks of the project too.
TASK_RUNNERS: dict[str, Entry] = {
    "mise": {
        "": ("C,cd:@dir E,env: j,jobs:", ""),
        "exec": ("c,command:@text C,cd:@dir j,jobs:", "dashes=0 tail permute"),
        "x": ("c,command:@text C,cd:@dir j,jobs:", "dashes=0 tail permute"),
    },
    "pdm": {
        "": ("c,config: p,project:", ""),
        "run": ("p,project: s,site-packages env-file:", "tail python"),
    },
    "hatch": {
        "": ("e,env: p,project: data-dir: cache-dir: config:", ""),
        "run": ("", "tail python"),
    },
    "rye": {"run": ("pyproject: l,list@query", "tail python")},
    "pixi": {
        "run": ("e,environment: manifest-path:", "tail python"),
        "exec": ("s,spec: c,channel:", "tail"),
    },
}


TABLE: dict[str, Entry] = {
    "aws-vault": {
        "": ("backend: debug", ""),
        "exec": ("d,duration: region: mfa-token,t: j n", "dashes=1 tail permute"),
    },
    "op": {
        "": ("account: config: session: cache", ""),
        "run": ("env-file: environment: no-masking", "tail"),
    },
    "doppler": {
        "": ("p,project: c,config: t,token: scope:", ""),
        "run": (
            (
                "command:@text p,project: c,config: t,token: mount: mount-format: fallback:"
                " name-transformer:"
            ),
            "tail",
        ),
    },
    "infisical": {
        "": ("", ""),
        "run": ("command:@text env: projectId: path: token: tags,t: secret-overriding?", "tail"),
    },
    "chamber": {"": ("b,backend: r,retries:", ""), "exec": ("", "dashes=1 tail permute")},
    "direnv": _direnv,
    "dotenv": {
        "": ("f,file: e: c? o,override q,quote: v: p: export:", "tail"),
        "run": ("override no-override", "tail"),
        "list": ("", ""),
        "get": ("", ""),
        "set": ("", ""),
        "unset": ("", ""),
    },
    "dotenvx": {"run": ("f,env-file: fk: e,env: o,overload l,log-level: convention:", "tail")},
    "rtx": {
        "exec": ("c,command:@text C,cd:@dir", "dashes=0 tail permute"),
        "x": ("c:@text", "dashes=0 tail permute"),
    },
    "asdf": {"exec": ("", "tail")},
    "rbenv": {"exec": ("", "tail")},
    "pyenv": {"exec": ("", "tail")},
    "nodenv": {"exec": ("", "tail")},
    "volta": {"run": ("node: npm: pnpm: yarn: env:", "tail")},
    "fnm": {"exec": ("using:", "tail")},
    "nvm": {"exec": ("silent", "tail skip=1")},
    "bundle": {"exec": ("gemfile: keep-file-descriptors", "tail")},
    "bundler": {"exec": ("gemfile:", "tail")},
    "poetry": {
        "": ("C,directory:@dir P,project:", ""),
        "run": ("C,directory:@dir P,project:", "tail python"),
    },
    "pipenv": {"": ("python:", ""), "run": ("", "tail python")},
    "uv": {
        "": ("directory:@dir project: config-file: cache-dir: color:", ""),
        "run": (_UV_RUN, "tail python"),
        "x": (_UVX, "tail package"),
        "tool": {"run": (_UVX, "tail package")},
    },
    "uvx": (_UVX, "tail package"),
    "pipx": {
        "": ("q v", ""),
        "run": ("spec: python: pip-args: index-url: with: system-site-packages", "tail package"),
    },
    "conda": {"": ("", ""), "run": (_CONDA_RUN, "tail")},
    "mamba": {"run": (_CONDA_RUN, "tail")},
    "micromamba": {"": ("r,root-prefix:", ""), "run": (_CONDA_RUN + " a,attach:", "tail")},
    "nix": {
        "": ("", ""),
        "develop": (_NIX, "dashes tail permute"),
        "shell": (_NIX, "dashes tail permute"),
    },
    "nix-shell": (
        "run:@text command:@text p,packages A,attr: I: E,expr: arg: argstr: option: keep: i:",
        "permute stdin",
    ),
    "guix": {
        "shell": (
            "m,manifest: f,file: D,development C,container N,network: share: expose: e,expression:",
            "dashes tail permute",
        ),
        "environment": ("ad-hoc m,manifest: l,load:", "dashes tail permute"),
    },
    "npx": (NPX, "tail package"),
    "bunx": ("p,package: bun", "tail package"),
    "pnpx": ("p,package: c,shell-mode", "tail package"),
    "watchexec": (
        (
            "w,watch: e,exts: f,filter: i,ignore: d,debounce: s,signal: stop-signal: stop-timeout:"
            " shell:"
            " E,env:@env workdir:@dir o,on-busy-update: project-origin: n@mode=tail N r c? q p"
        ),
        "join",
    ),
    "nodemon": (
        "x,exec:@text e,ext: w,watch: i,ignore: delay,d: config: s,signal: cwd:@dir",
        "script=javascript",
    ),
    "corepack": ("", "tail"),
}
