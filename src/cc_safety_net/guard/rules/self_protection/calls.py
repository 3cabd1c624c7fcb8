"""Which commands change the guard or take it out of an agent: tables of programs and verbs."""

from __future__ import annotations

from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.interpret.facts import Unknown, shown
from cc_safety_net.guard.paths import basename, is_inside, join, normalise
from cc_safety_net.guard.rules.self_protection import switches
from cc_safety_net.guard.rules.self_protection.commands import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import Execution, Word
    from cc_safety_net.guard.rules.context import Context

#: Our commands that change something: sub-commands that do, () for the command as a whole.
_CHANGING: dict[str, tuple[str, ...]] = {
    "install": (),
    "uninstall": (),
    "update": (),
    "allow": (),
    "gui": (),
    "policy": ("apply", "trust", "import"),
    "rule": ("init", "new", "add", "remove", "update"),
    "logs": ("prune",),
    "doctor": ("--fix",),
}
_HARMLESS = frozenset(("--help", "-h", "--dry-run", "--list"))
_PACKAGE = frozenset(("cc-safety-net", "gemini-safety-net"))
_OURS = ("cc-safety-net", "cc-marketplace", "gemini-safety-net", "ccsn")
_MODULES = frozenset(("cc_safety_net", "cc_safety_net.__main__", "cc_safety_net.cli.app"))
#: Package manager -> verbs that remove, and words that may stand in front of them.
_MANAGERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "brew": (("uninstall", "remove", "rm", "unlink", "zap"), ()),
    "bun": (("remove", "rm", "uninstall", "unlink"), ("pm",)),
    "conda": (("remove", "uninstall"), ()),
    "mamba": (("remove", "uninstall"), ()),
    "micromamba": (("remove", "uninstall"), ()),
    "npm": (("uninstall", "remove", "rm", "r", "un", "unlink"), ()),
    "pdm": (("remove",), ()),
    "pip": (("uninstall",), ()),
    "pipenv": (("uninstall",), ()),
    "pipx": (("uninstall", "uninstall-all"), ()),
    "pixi": (("remove", "uninstall"), ("global",)),
    "pnpm": (("remove", "rm", "uninstall", "un", "unlink"), ()),
    "poetry": (("remove",), ()),
    "uv": (("uninstall", "remove"), ("pip", "tool")),
    "rye": (("uninstall", "remove"), ("tools",)),
    "hatch": (("remove",), ("dep",)),
    "yarn": (("remove", "unlink"), ("global",)),
}
_REMOVALS_OF_ALL = frozenset(("uninstall-all", "--all"))
_KINDS = frozenset(
    ("plugin", "plugins", "extension", "extensions", "ext", "hooks", "hook", "skills", "packages")
)
_OFF = frozenset(
    (
        "block",
        "delete",
        "deny",
        "disable",
        "disable-all",
        "purge",
        "remove",
        "rm",
        "uninstall",
        "unlink",
    )
)
_CONFIG_VERBS = frozenset(("set", "unset", "remove", "delete", "add", "rm", "edit"))
_PATTERNS = frozenset(("pkill", "killall", "pgrep", "pidof"))
_LOOKUPS = frozenset(("pgrep", "pidof", "ps", "grep", "rg", "awk", "lsof", "fuser"))
_NAMES = ("safety-net", "safety_net", "safety.net", "safety?net", "safetynet", "ccsn")


def findings(execution: Execution, context: Context) -> Iterator[Finding]:
    """At most one finding for an execution."""
    texts = [word.text for word in execution.argv]
    program = _plain_program(execution.program)
    rule = why = ""
    own = _own_words(execution, program, context)
    if own is not None:
        rule, why = _own_command(own)
    elif program in switches.PROGRAMS:
        rule, why = _of_agent(program, execution, context)
    elif program in _MANAGERS or program in ("python", "pypy"):
        rule, why = _of_manager(program, texts[1:])
    elif program in ("kill", *_PATTERNS):
        rule, why = _of_killer(program, execution, context)
    if rule:
        yield _finding(rule, why, execution)


def _plain_program(program: str) -> str:
    """`python3.12` is python, `pip3` is pip."""
    stem = program.rstrip("0123456789.")
    return stem if stem in ("python", "pip", "pypy") else program


def _own_words(execution: Execution, program: str, context: Context) -> Sequence[Word] | None:
    """The words behind our own program, None if another one is called."""
    argv = execution.argv
    if program in OWN or basename(argv[0].text or "") in OWN:
        return argv[1:]
    texts = [word.text or "" for word in argv]
    if program in ("python", "pypy"):
        if "-m" in texts:
            at = texts.index("-m")
            if at + 1 < len(texts) and texts[at + 1] in _MODULES:
                return argv[at + 2 :]
        return _script(argv, texts, execution, context)
    if program in ("node", "bun", "deno", "sh", "bash", "dash", "zsh"):
        return _script(argv, texts, execution, context)
    return None


def _script(
    argv: Sequence[Word], texts: Sequence[str], execution: Execution, context: Context
) -> Sequence[Word] | None:
    """`python <DATA>/…`, `node node_modules/cc-safety-net/bin.js`, `deno run npm:cc-safety-net`."""
    for at, text in enumerate(texts[1:], 1):
        if text.startswith("-") or text == "run":
            continue
        name = text.removeprefix("npm:").removeprefix("jsr:")
        if name != text and name.rpartition("/")[2].partition("@")[0] in _PACKAGE:
            return argv[at + 1 :]
        cwd = execution.cwds[0] if execution.cwds else None
        path = normalise(join(cwd or "/", text))
        if is_inside(path, context.world.data) or basename(path) in OWN:
            return argv[at + 1 :]
        if "/node_modules/cc-safety-net/" in path or "/cc_safety_net/__main__.py" in path:
            return argv[at + 1 :]
        return None
    return None


def _own_command(words: Sequence[Word]) -> tuple[str, str]:
    texts = [word.text for word in words]
    if any(text in _HARMLESS for text in texts):
        return "", ""
    names = [text for text in texts if text is None or not text.startswith("-")]
    if not names:
        return "", ""
    command = names[0]
    if command is None:
        return "self.command", "Which command of the guard this calls is not known."
    command = command.lower()
    inner = _CHANGING.get(command)
    if inner is None:
        return "", ""
    if inner:
        second = names[1] if len(names) > 1 else ""
        if second is None:
            return "self.command", f"Which part of `{command}` this calls is not known."
        if second.lower() not in inner and not any(text in inner for text in texts if text):
            return "", ""
        command = command if inner[0].startswith("-") else f"{command} {second.lower()}"
    return "self.command", f"`cc-safety-net {command}` changes the guard itself."


def _of_agent(program: str, execution: Execution, context: Context) -> tuple[str, str]:
    agent = switches.PROGRAMS[program]
    words = execution.argv[1:]
    if any(word.text in ("--help", "-h", "--version", "-V") for word in words):
        return "", ""
    why = _removal(program, words)
    if why:
        return "self.agent-plugin", why
    why = _without_hooks(agent, words, execution, context) or _moved(agent, execution, context)
    return ("self.agent-hooks-off", why) if why else ("", "")


def _removal(program: str, words: Sequence[Word]) -> str:
    """`claude plugin disable cc-safety-net`, `pi remove npm:cc-safety-net`."""
    texts = [word.text for word in words]
    names = [text.lower() for text in texts if text and not text.startswith("-")]
    verbs = [name for name in names if name in _OFF]
    kinds = [name for name in names if name in _KINDS or name == "marketplace"]
    direct = program == "pi" and names[:1] and names[0] in ("remove", "uninstall")
    if kinds and names and names[0] in (*_KINDS, "marketplace", "config") and verbs:
        target = names[names.index(verbs[0]) + 1 :]
    elif direct:
        target = names[1:]
    elif names[:1] == ["config"] and len(names) > 1 and names[1] in _CONFIG_VERBS:
        rest = " ".join(names[2:])
        if any(name in rest.replace("_", "").replace("-", "") for name in _SWITCH_NAMES) or any(
            name in rest for name in _OURS
        ):
            return f"`{program} config {names[1]}` would switch the guard off in this agent."
        return ""
    else:
        return ""
    everything = any(text in ("--all", "-a", "disable-all") for text in (*texts, *verbs))
    unknown = any(text is None for text in texts)
    if everything or unknown or any(ours in text for text in target for ours in _OURS):
        return f"`{program}` would switch off or remove the guard's plugin."
    return ""


_SWITCH_NAMES = ("disableallhooks", "plugins.", "hooksconfig", "enabledplugins", "features.hooks")


def _without_hooks(
    agent: str, words: Sequence[Word], execution: Execution, context: Context
) -> str:
    texts = [word.text or "" for word in words]
    values = [*zip(texts, [*texts[1:], ""], strict=False)]
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and name.startswith("-"):
            values.append((name, value))
    for option, value in values:
        if option == "--":
            break
        if option in switches.OPTIONS.get(agent, ()):
            return f"`{option}` starts the agent without the guard."
        for name, off in switches.VALUES.get(agent, ()):
            if option == name and value.lower() in off:
                return f"`{option} {value}` starts the agent without the guard."
        if (
            option == "--setting-sources"
            and agent == "claude-code"
            and "user" not in value.lower().replace(" ", "").split(",")
        ):
            return "Without the source `user` the agent leaves the guard's hook out."
        if option in switches.SETTINGS.get(agent, ()) and _switches(value, execution, context):
            return f"The settings behind `{option}` concern hooks."
    for name, (owner, off) in switches.OFF_VARIABLES.items():
        word = execution.env.get(name)
        if owner == agent and word is not None:
            text = (word.text or "").lower()
            if (text in off) if off else text not in ("", "0", "false"):
                return f"`{name}` starts the agent without the guard."
    return ""


def _switches(value: str, execution: Execution, context: Context) -> bool:
    """The settings, given as text or as a file, hold a switch."""
    text = value
    if not value.lstrip().startswith(("{", "[")) and "=" not in value:
        cwd = execution.cwds[0] if execution.cwds else None
        path = normalise(join(cwd or "/", value))
        written = context.reading.written.get(path)
        text = (
            (written.text or "disableAllHooks")
            if written is not None
            else context.world.text(path, 65_536) or ""
        )
    lowered = text.lower().replace(" ", "")
    return any(name in lowered for name in switches.SETTINGS_SWITCHES) or (
        '"hooks"' in lowered or "hooks=" in lowered
    )


def _moved(agent: str, execution: Execution, context: Context) -> str:
    """The agent is started with another home, where nothing of ours is."""
    from cc_safety_net.guard.rules.self_protection.protected import homes

    for name, word in execution.env.items():
        text = word.text
        own = switches.HOME_VARIABLES.get(name) == agent
        every = name in switches.MOVING_ALL
        xdg = name == "XDG_CONFIG_HOME" and agent in switches.XDG_AGENTS
        if not (own or every or xdg):
            continue
        home = context.world.home
        if text is not None:
            path = normalise(join(home, text)) if text else ""
            usual = [home] if every else homes(agent, context.world)
            if xdg:
                usual = [join(home, ".config")]
            if not path or path in usual or (own and path == home and "GEMINI" in name):
                continue
        return f"`{name}` would start the agent with another home, without the guard."
    return ""


def _of_manager(program: str, texts: Sequence[str | None]) -> tuple[str, str]:
    words = list(texts)
    if program in ("python", "pypy"):
        if len(words) < 2 or words[0] != "-m" or words[1] not in ("pip", "pipx", "uv"):
            return "", ""
        program, words = words[1] or "", words[2:]
    verbs, fronts = _MANAGERS[program]
    names = _from_verb(words, verbs, fronts)
    if not names:
        return "", ""
    everything = any(text in _REMOVALS_OF_ALL for text in words)
    if everything or any(_package(name) in _PACKAGE for name in names[1:]):
        return "self.package", f"`{program} {names[0]}` would remove the guard itself."
    return "", ""


def _from_verb(
    words: Sequence[str | None], verbs: Sequence[str], fronts: Sequence[str]
) -> list[str]:
    """The operands from the verb on; in front of it may stand options, with values or without."""
    names: list[str] = []
    valued = False
    for text in words:
        if not text:
            continue
        if text.startswith("-"):
            valued = "=" not in text
        elif names or text in verbs:
            names.append(text)
        elif text in fronts or valued:
            valued = False
        else:
            return []
    return names


def _package(name: str) -> str:
    """`CC_Safety.Net@1.2` as its package is called."""
    name = name.lower().rpartition("/")[2].partition("@")[0].partition("=")[0].partition("[")[0]
    return name.replace("_", "-").replace(".", "-")


def _of_killer(program: str, execution: Execution, context: Context) -> tuple[str, str]:
    if program in ("pgrep", "pidof"):
        return "", ""
    why = "This would end the guard while it decides."
    if program != "kill":
        texts = [word.text or "" for word in execution.argv[1:]]
        if any(name in text.lower() for text in texts for name in _NAMES):
            return "self.process", why
        if any(_is_part_of_us(text.lower()) for text in texts):
            return "self.process", why
    unknown = any(
        isinstance(piece, Unknown)
        for word in execution.argv[1:]
        for choice in word.choices
        for piece in choice
    )
    fed = unknown or not execution.argv[1:] or any("xargs" in step for step in execution.chain)
    if fed and _is_looked_up(context):
        return "self.process", why
    return "", ""


def _is_part_of_us(pattern: str) -> bool:
    """`pkill -f safety`: our name holds the text. Short ones are the names of others."""
    pattern = pattern.strip("^$.*")
    return len(pattern) > 4 and any(pattern in name for name in ("cc-safety-net", "cc_safety_net"))


def _is_looked_up(context: Context) -> bool:
    memo = context.memo.get("self-looked-up")
    if memo is None:
        memo = any(_looks_us_up(execution) for execution in context.reading.executions)
        context.memo["self-looked-up"] = memo
    return bool(memo)


def _looks_us_up(execution: Execution) -> bool:
    if execution.program not in _LOOKUPS:
        return False
    return any(name in (word.text or "").lower() for word in execution.argv[1:] for name in _NAMES)


def _finding(rule: str, why: str, execution: Execution) -> Finding:
    # Only a denial needs the text of the command.
    from cc_safety_net.guard.rules.deletion import command_text

    return Finding(
        rule,
        command_text(execution),
        execution.start,
        execution.end,
        chain=execution.chain,
        values={"program": shown(execution.argv[0].choices[0])},
        why=why,
    )
