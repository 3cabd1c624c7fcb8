"""Texts of the rules about configuration that makes git run commands."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

_DO_NOT = "put it in by another key, the environment, an include or the config file."

RULES: tuple[Rule, ...] = (
    Rule(
        "git.hooks-path",
        reason="It replaces or switches off the hooks that the person installed.",
        instead="{git} config --get core.hooksPath",
        do_not="skip the hooks by another setting, --no-verify or a change in .git.",
        intent="manual_only",
        denied=(
            "git config core.hooksPath h",
            "git -c core.hooksPath=/dev/null commit -m x",
            "git config set core.hooksPath h",
        ),
        allowed=("git config --get core.hooksPath", "git config core.hooksPath"),
    ),
    Rule(
        "git.alias-config",
        reason="It gives git an alias whose command is itself refused, or unknown.",
        instead="{git} config --get-regexp alias",
        do_not=_DO_NOT,
        intent="manual_only",
        denied=("git -c alias.x='!rm -rf /' x", 'git -c alias.x="$UNSEEN" x'),
        allowed=("git -c alias.l=log l", "git -c alias.s='status -s' s"),
    ),
    Rule(
        "git.alias-persisted",
        reason="It stores a shell alias whose command is itself refused, or unknown.",
        instead="{git} config --get-regexp alias",
        do_not=_DO_NOT,
        intent="manual_only",
        denied=("git config alias.x '!rm -rf /'", 'git config --global alias.x "$UNSEEN"'),
        allowed=("git config alias.co checkout", "git config alias.root '!pwd'"),
    ),
    Rule(
        "git.config-command",
        reason="It makes git run a command that is itself refused, or unknown.",
        instead="{git} config --get {key}",
        do_not=_DO_NOT,
        intent="manual_only",
        denied=(
            "git -c core.pager='rm -rf /etc' log",
            "git config core.editor 'rm -rf /etc'",
            'git config filter.f.clean "$UNSEEN"',
        ),
        allowed=("git -c core.pager=cat log", "git config core.editor vim"),
    ),
    Rule(
        "git.ssh-env",
        reason="It makes git reach the remote through a program of its own choice.",
        instead="{git} {arguments}",
        do_not=_DO_NOT,
        intent="manual_only",
        denied=(
            "GIT_SSH_COMMAND=x git push",
            "git -c core.sshCommand='sh -c x' fetch",
            "export GIT_SSH=./x; git pull",
        ),
        allowed=("GIT_SSH_COMMAND='ssh -i k' git push", "GIT_SSH_COMMAND=x git status"),
    ),
)
