"""Configuration that makes git run commands: hooks path, aliases, pagers and filters, ssh."""

from __future__ import annotations

from cc_safety_net.guard.paths import join, normalise
from cc_safety_net.guard.rules.git.options import Argument
from cc_safety_net.guard.rules.git.ssh import is_plain_ssh
from cc_safety_net.guard.rules.nested import is_denied
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.git.invocation import Invocation

_HOOKS_PATH = "core.hookspath"
_SSH = "core.sshcommand"
#: Sub-commands that talk to another machine.
_NETWORK = frozenset(
    (
        "push",
        "fetch",
        "pull",
        "clone",
        "ls-remote",
        "remote",
        "submodule",
        "archive",
        "fetch-pack",
        "send-pack",
        "lfs",
        "subtree",
    )
)
#: Hook directories of a tree that tools set up.
_TREE_HOOKS = frozenset((".husky", ".husky/_", ".githooks"))
_HOOKS = frozenset(
    (
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
        "pre-push",
        "pre-rebase",
        "post-checkout",
        "post-merge",
        "post-rewrite",
        "pre-merge-commit",
        "applypatch-msg",
        "pre-applypatch",
        "post-applypatch",
        "pre-receive",
        "update",
        "pre-auto-gc",
    )
)
#: Keys whose value is a command, by whole name, and by section and last part.
_COMMAND_KEYS = frozenset(
    (
        "core.pager",
        "core.editor",
        "core.fsmonitor",
        "core.askpass",
        "core.gitproxy",
        _SSH,
        "sequence.editor",
        "diff.external",
        "interactive.difffilter",
        "gpg.program",
        "credential.helper",
        "core.alternaterefscommand",
        "uploadpack.packobjectshook",
        "sendemail.smtpserver",
        "sendemail.sendmailcmd",
        "sendemail.tocmd",
        "sendemail.cccmd",
        "gpg.ssh.defaultkeycommand",
    )
)
_COMMAND_PARTS = frozenset(
    (
        ("pager", ""),
        ("diff", "textconv"),
        ("diff", "command"),
        ("filter", "clean"),
        ("filter", "smudge"),
        ("filter", "process"),
        ("merge", "driver"),
        ("mergetool", "cmd"),
        ("difftool", "cmd"),
        ("guitool", "cmd"),
        ("browser", "cmd"),
        ("man", "cmd"),
        ("credential", "helper"),
        ("gpg", "program"),
        ("trailer", "command"),
        ("trailer", "cmd"),
        ("tar", "command"),
        ("hook", "command"),
        ("submodule", "update"),
        ("remote", "uploadpack"),
        ("remote", "receivepack"),
    )
)
#: Values that switch something on or off instead of naming a command.
_SWITCHES = frozenset(("", "true", "false", "yes", "no", "on", "off", "0", "1"))
#: Values of `submodule.<name>.update` that are no command.
_WAYS = frozenset(("checkout", "rebase", "merge", "none"))
#: Options of `git config` that only read, or only remove.
_READING = (
    "get",
    "get-all",
    "get-regexp",
    "get-urlmatch",
    "list",
    "unset",
    "unset-all",
    "rename-section",
    "remove-section",
    "get-color",
    "get-colorbool",
    "edit",
)
_READING_WORDS = frozenset(("get", "list", "unset", "edit", "rename-section", "remove-section"))


def check_settings(call: Invocation) -> Iterator[Finding]:
    """Settings for this call alone: `-c`, `--config-env`, and variables of the environment."""
    for key, value in (*call.config, *_from_environment(call)):
        if key == _HOOKS_PATH:
            yield call.finding("git.hooks-path", why=_WHY_HOOKS)
        elif key.startswith("alias."):
            if _alias_is_denied(call, value, key):
                yield call.finding("git.alias-config", key=quote(key))
        elif key == _SSH:
            if call.command in _NETWORK and value is not None and not is_plain_ssh(value):
                yield _ssh(call)
        elif _runs_command(key) and _command_is_denied(call, key, value):
            yield call.finding("git.config-command", key=quote(key))
    if call.command in _NETWORK:
        for name in ("GIT_SSH_COMMAND", "GIT_SSH"):
            word = call.execution.env.get(name)
            if word is not None and not all(is_plain_ssh(_value(c)) for c in word.choices):
                yield _ssh(call)


_WHY_HOOKS = "The setting makes git skip or replace the hooks that the person installed."


def _ssh(call: Invocation) -> Finding:
    words = [word.text for word in call.words]
    plain = " ".join(quote(text) for text in words if text is not None)
    return call.finding("git.ssh-env", arguments=f"{call.command} {plain}".rstrip())


def _value(pieces: Sequence[object]) -> Argument:
    from cc_safety_net.guard.rules.git.invocation import argument

    return argument(pieces)  # type: ignore[arg-type] # a choice of a Word


def stored(call: Invocation) -> Iterator[Finding]:
    """`git config key value`: settings for all calls to come."""
    options = call.options
    if any(options.on(name) for name in _READING):
        return
    words = [*options.operands, *options.paths]
    if words and words[0].text in _READING_WORDS:
        return
    if words and words[0].text == "set":
        words = words[1:]
    if len(words) < 2:
        return
    yield from _persisted(call, words[0], words[1])


def cloned(call: Invocation) -> Iterator[Finding]:
    """`git clone -c key=value` stores the setting in the new repository."""
    for pair in call.options.values("c", "config"):
        key, equals, _ = pair.prefix.partition("=")
        if equals:
            name = Argument(key, key, key, (key,))
            yield from _persisted(call, name, pair.rest(len(key) + 1))


def _persisted(call: Invocation, name: Argument, value: Argument) -> Iterator[Finding]:
    key = (name.text or "").lower()
    if key == _HOOKS_PATH:
        if not _is_tree_hooks(call, value):
            yield call.finding("git.hooks-path")
    elif key.startswith("alias."):
        if (value.prefix.startswith("!") or not value.prefix) and _alias_is_denied(call, value):
            yield call.finding("git.alias-persisted", key=quote(key))
    elif _runs_command(key) and _command_is_denied(call, key, value):
        yield call.finding("git.config-command", key=quote(key))


def _is_tree_hooks(call: Invocation, value: Argument) -> bool:
    """The value is a hook directory in the work tree that holds a hook."""
    text = value.text
    root = call.work_tree_root()
    if text is None or root is None or not call.local or call.options.on("global", "system"):
        return False
    path = normalise(join(root, text))
    if not any(path == normalise(join(root, name)) for name in _TREE_HOOKS):
        return False
    return any(name in _HOOKS for name in call.context.world.names(path) or ())


def _runs_command(key: str) -> bool:
    if key in _COMMAND_KEYS:
        return True
    section, _, rest = key.partition(".")
    if (section, "") in _COMMAND_PARTS and rest:
        return True
    return "." in rest and (section, rest.rpartition(".")[2]) in _COMMAND_PARTS


def _alias_is_denied(call: Invocation, value: Argument | None, key: str = "") -> bool:
    """The alias's command is denied; called here, with the words of this call behind it."""
    if value is None:
        return False
    if value.text is None:
        return True
    text = value.text[1:] if value.text.startswith("!") else "git " + value.text
    if call.command is not None and key == "alias." + call.command.lower():
        text = " ".join([text, *(quote(word.text) for word in call.words if word.text)])
    return is_denied(text, call.context, call.directory())


def _command_is_denied(call: Invocation, key: str, value: Argument | None) -> bool:
    if value is None:
        return False
    text = value.text
    if key == _SSH and is_plain_ssh(value):
        return False
    if text is None:
        return True
    if text.lower() in _SWITCHES or (key.startswith("submodule.") and text in _WAYS):
        return False
    if key.startswith("credential.") and not text.startswith(("!", "/")):
        # A helper's short name becomes `git credential-NAME`; "!" marks shell text.
        text = "git credential-" + text
    return is_denied(text.removeprefix("!"), call.context, call.directory())


def _from_environment(call: Invocation) -> Iterator[tuple[str, Argument | None]]:
    """`GIT_CONFIG_KEY_n` with its value, and `GIT_CONFIG_PARAMETERS`."""
    environment = call.execution.env
    for name, word in environment.items():
        if name.startswith("GIT_CONFIG_KEY_"):
            value = environment.get("GIT_CONFIG_VALUE_" + name[15:])
            for key in word.texts or ():
                yield key.lower(), _value(value.choices[0]) if value is not None else None
        elif name == "GIT_CONFIG_PARAMETERS":
            for text in word.texts or ():
                for pair in text.split("' '"):
                    key, equals, rest = pair.replace("'='", "=").strip("'").partition("=")
                    given = Argument(rest, rest, rest, (rest,)) if equals else None
                    yield key.lower(), given
