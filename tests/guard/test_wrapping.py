"""Wrapping a refused command changes nothing, and mentioning it is no execution.

Every denied example of every rule goes behind wrappers, alone and two deep, and must keep its
verdict and id; quoted, commented, echoed or written down it must be allowed. Names in the
commands are random in each run; the seed is printed with a failure.
"""

from __future__ import annotations

import os
import random
import shlex
import string
from typing import TYPE_CHECKING

import pytest
from tests.guard.rules.test_examples import RULES, _call, _policy
from tests.guard.worlds import workspace

from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.limits import Effort
from cc_safety_net.guard.shell.posix.nodes import SimpleCommand
from cc_safety_net.guard.shell.posix.parser import parse

if TYPE_CHECKING:
    from cc_safety_net.guard.rules.rule import Rule

SEED = int(os.environ.get("CC_SAFETY_NET_SEED") or random.SystemRandom().randrange(1 << 30))
#: Two-deep combinations tried for each example; `CC_SAFETY_NET_PAIRS` makes a long run of it.
PAIRS = int(os.environ.get("CC_SAFETY_NET_PAIRS") or 2)

#: `{c}`: the command as words, for simple commands only. `{q}`: quoted as one word.
WRAPPERS = (
    "sudo {c}",
    "sudo -u {user} -E {c}",
    "doas {c}",
    "env {c}",
    "/usr/bin/env {NAME}=1 {c}",
    "command {c}",
    "exec {c}",
    "nohup {c}",
    "setsid {c}",
    "nice -n 10 {c}",
    "ionice -c 3 {c}",
    "timeout 5 {c}",
    "timeout -k 1 --signal=KILL 5 {c}",
    "time -p {c}",
    "stdbuf -o0 {c}",
    "taskset -c 0 {c}",
    "chrt -b 0 {c}",
    "busybox {c}",
    "unbuffer {c}",
    "strace -f -o /tmp/{name} {c}",
    "systemd-run --user --wait {c}",
    "flock /tmp/{name}.lock {c}",
    "caffeinate -i {c}",
    "! {c}",
    "bash -c {q}",
    "sh -c {q}",
    "bash -lc {q}",
    "/bin/dash -ec {q}",
    "zsh -ic {q}",
    "sudo bash -c {q}",
    "env -S {q}",
    "eval {q}",
    "bash <<< {q}",
    "echo {q} | bash",
    "printf '%s\\n' {q} | sh -s",
    "script -qc {q} /dev/null",
    "su {user} -c {q}",
    "watch -n 1 {q}",
    "nix-shell --run {q}",
    "tmux new-session -d {q}",
    "trap {q} EXIT",
    '{NAME}={q}; eval "${NAME}"',
    "parallel ::: {q}",
    "( {s}\n)",
    "{{ {s}\n}}",
    "if true; then {s}\nfi",
    "false || {{ {s}\n}}",
    "for {name} in 1; do {s}\ndone",
    "while :; do {s}\nbreak; done",
    "case a in a) {s}\n;; esac",
    "{name}() {{ {s}\n}}; {name}",
    ": $({s}\n)",
    ": <({s}\n)",
    "{s}\n:",
    "bash <<'{NAME}'\n{s}\n{NAME}\n",
    "cat > /tmp/{name}.sh <<'{NAME}'\n{s}\n{NAME}\nbash /tmp/{name}.sh",
    "time {{ {s}\n}}",
    "coproc {{ {s}\n}}",
)

#: Ways to mention a command: text only, nothing runs.
MENTIONS = (
    "echo {q}",
    "printf '%s' {q}",
    "git commit -m {q}",
    "grep -F {q} README.md",
    "# {one}",
    "cat > {name}.md <<'{NAME}'\n{s}\n{NAME}",
    "{name}={q}",
    "rg -F -- {q}",
    "git log --grep {q}",
    "gh pr create --title t --body {q}",
    "test -n {q}",
    "man ls # {one}",
    "{name}() {{ {s}\n}}",
)

#: Rules whose finding belongs to the text around the command, or to the shell it is typed in.
_CONTEXT_RULES = frozenset(
    {
        "shell.unparseable",
        "raw-text.dangerous-command",
        "shell.interactive",
        "shell.unknown-wrapper",
        "interpreter.one-liner-paranoid",
    }
)

#: Families of ids that differ by a name alone: one of them stands for all.
_ALIKE = (
    "secret.variant.id-",
    "secret.ext.",
    "secret.home.kube-config.",
    "secret.home.docker-config.",
)
#: Rules on what is printed, and wrappers that swallow it: captured, it is only used.
_PRINTED = ("secret.command.", "secret.recursive-read")
_SWALLOWING = (": $({s}\n)", ": <({s}\n)")


def _word(length: int = 6) -> str:
    return "".join(_random.choice(string.ascii_lowercase) for _ in range(length))


_random = random.Random(SEED)


def _renamed(command: str) -> str:
    """The command with those names replaced by random ones on which nothing rests."""
    return command.replace("feature/x", f"feature/{_word()}").replace("-u me", f"-u {_word()}")


def _posix_examples() -> list[tuple[Rule, str]]:
    found = []
    for rule in RULES:
        if rule.id in _CONTEXT_RULES or rule.id.startswith(("guard.", "powershell.", "cmd.")):
            continue
        if rule.id.startswith(_ALIKE):
            continue
        found.extend(
            (rule, example)
            for example in rule.denied
            if isinstance(example, str) and not parse(example, Effort()).problems
        )
    return found


EXAMPLES = _posix_examples()


def _simple(command: str) -> bool:
    """One simple command of plain words, so that it can stand behind another program's words."""
    items = parse(command, Effort()).script.items
    if len(items) != 1 or items[0][1] not in ("", "\n"):
        return False
    node = items[0][0]
    return (
        isinstance(node, SimpleCommand)
        and not node.assignments
        and bool(node.words)
        and command.split(maxsplit=1)[0] not in _BUILTINS
        and "<<" not in command
    )


#: Known to the shell only: behind `sudo` they are no commands, or do nothing of the kind.
_BUILTINS = frozenset(
    {":", "alias", "cd", "declare", "eval", "export", "hash", "history", "read", "set", "source"}
    | {".", "trap", "typeset", "unset", "exec", "command", "builtin", "test", "[", "kill", "local"}
)


def _wrapped(template: str, command: str) -> str:
    return template.format(
        c=command,
        q=shlex.quote(command),
        s=command,
        one=" ".join(command.split()),
        name=_word(),
        NAME=_word().upper(),
        user=_word(),
    )


#: `env -S` only splits: what a shell would expand stays as it is written.
_EXPANDED = frozenset("~$*?[]{}<>|&;()`\\#!\n")


def _usable(command: str, rule: Rule) -> list[str]:
    simple = _simple(command)
    plain = simple and not set(command) & _EXPANDED
    return [
        template
        for template in WRAPPERS
        if (simple or "{c}" not in template)
        and (plain or not template.startswith("env -S"))
        and not (template in _SWALLOWING and rule.id.startswith(_PRINTED))
    ]


def _found(command: str, level: str, rule: Rule) -> tuple[str, list[str]]:
    judgement = judge(
        _call(command), workspace(), level=level, policy=_policy(rule), permissions=False
    )
    decision = judgement.decision
    return decision.verdict, [finding.rule for finding in decision.findings]


def _ids(cases: list[tuple[Rule, str]]) -> list[str]:
    return [f"{rule.id}: {example[:60]}" for rule, example in cases]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=_ids(EXAMPLES))
def test_a_wrapper_keeps_verdict_and_id(rule: Rule, example: str) -> None:
    example = _renamed(example)
    templates = _usable(example, rule)
    commands = [_wrapped(template, example) for template in templates]
    for _ in range(PAIRS):
        inner = _wrapped(_random.choice(templates), example)
        outer = _random.choice(_usable(inner, rule))
        if inner.startswith("trap") and outer.startswith("trap"):
            continue  # bash runs no trap that another EXIT trap has set
        commands.append(_wrapped(outer, inner))

    lost = []
    for command in commands:
        verdict, rules = _found(command, rule.level, rule)
        if verdict != "deny" or rule.id not in rules:
            lost.append((command, verdict, rules))

    assert lost == [], f"seed {SEED}"


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=_ids(EXAMPLES))
def test_a_mention_is_allowed(rule: Rule, example: str) -> None:
    mentions = [_wrapped(template, example) for template in MENTIONS]

    denied = []
    for command in mentions:
        verdict, rules = _found(command, "strict", rule)
        if verdict != "allow":
            denied.append((command, rules))

    assert denied == [], f"seed {SEED}"


def test_there_are_enough_wrappers() -> None:
    assert len(set(WRAPPERS)) >= 40
