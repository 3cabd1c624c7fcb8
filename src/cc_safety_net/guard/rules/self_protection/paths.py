"""Changes of the guard's own files and of the files by which agents call it.

Here stands what every call that changes a file has to pay: is a path such a file, could it hold
one? The tables and the judgement by result are loaded for those only.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Glob, Unknown, literal
from cc_safety_net.guard.paths import basename, is_inside, join, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import CodeRun, Execution, FileAccess, Pieces
    from cc_safety_net.guard.rules.context import Context

_SEARCHES = frozenset(("find", "gfind", "bfs"))
#: Names that lie in no folder of their own.
_FILES = (".claude.json", "opencode.json")
#: Quotes and brackets around a path in code, as its ends.
_QUOTES = {34: "/", 39: "/", 96: "/", 40: "/", 41: "/", 91: "/", 93: "/", 44: "/", 59: "/"}
CHANGING = frozenset(("delete", "move", "write", "append", "truncate", "permissions", "link"))
#: Folders in which such files lie; a part of a path that is one of them is looked at closely.
_FOLDERS = frozenset(
    (
        ".agent", ".agents", ".amp", ".cc-safety-net", ".claude", ".codex", ".copilot", ".cursor",
        ".devin", ".gemini", ".github", ".grok", ".hermes", ".kimi-code", ".openclaw", ".opencode",
        ".pi", "_agent", "_agents", "amp", "application support", "cc-safety-net", "claude-code",
        "codex", "cursor", "devin", "gemini-cli", "github-copilot", "grok", "opencode",
    )
)  # fmt: skip
#: Their names: the folder may be reached under another one, through a link.
_NAMES = frozenset(
    (
        ".claude.json", "config.json", "config.local.json", "config.toml", "config.yaml",
        "disabled-hooks", "hooks.json", "hooks.v1.json", "managed-settings.json",
        "managed_config.toml", "openclaw.json", "opencode.json", "opencode.jsonc", "policy.json",
        "requirements.toml", "rules.lock.json", "settings.json", "settings.jsonc",
        "settings.local.json", "trust.json", "trusted_folders.toml", "trustedfolders.json",
    )
)  # fmt: skip
#: Variables that move an agent's files; with one of them set every change is looked at closely.
_VARIABLES = (
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "GROK_HOME",
    "HERMES_HOME",
    "KIMI_CODE_HOME",
    "OPENCLAW_CONFIG_PATH",
    "OPENCLAW_HOME",
    "OPENCLAW_STATE_DIR",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "PI_CODING_AGENT_DIR",
    "XDG_CONFIG_HOME",
)


def check_access(access: FileAccess, context: Context) -> Iterable[Finding]:
    """Findings for one path that is changed."""
    if access.mode not in CHANGING or access.scope.kind == "remote":
        return ()
    if not _concerned(access, context):
        return ()
    # Few calls come here: their paths have the look of ours.
    from cc_safety_net.guard.rules.self_protection.changes import findings

    return findings(access, context)


def check_code(code: CodeRun, context: Context) -> Iterable[Finding]:
    """Findings for code in a language that nobody reads."""
    texts = code.text.texts
    found: list[Finding] = []
    for text in texts or ():
        cut = text.translate(_QUOTES)
        if (
            _has_folder(cut)
            or _has_folder(cut.replace(" ", "/"))
            or any(name in text for name in _FILES)
        ):
            from cc_safety_net.guard.rules.self_protection.mentions import findings

            found.extend(findings(code, text, context))
    return found


def check_execution(execution: Execution, context: Context) -> Iterable[Finding]:
    """Findings for programs that make a name, or write what they are given for their own use."""
    found: list[Finding] = []
    for access in _used(context).get(id(execution), ()):
        if _concerned(access, context):
            from cc_safety_net.guard.rules.self_protection.changes import made

            found.extend(made(access, context))
    return found


def _used(context: Context) -> dict[int, list[FileAccess]]:
    """What is used without a change, by the identity of the execution that does it."""
    used: dict[int, list[FileAccess]] | None = context.memo.get("self-used")
    if used is None:
        used = context.memo["self-used"] = {}
        for access in context.reading.accesses:
            if access.mode in ("metadata", "use"):
                used.setdefault(id(access.execution), []).append(access)
    return used


def _concerned(access: FileAccess, context: Context) -> bool:
    """The path, or what it is made from, may be one of ours or hold one."""
    environment = context.world.environment
    if any(name in environment for name in _VARIABLES):
        return True
    words = [access.path]
    if access.source is not None and (access.mode == "link" or access.via == "git"):
        words.append(access.source)
    for word in words:
        for choice in word.choices:
            text = literal(choice)
            if text is None:
                if _unknown_concerned(choice, context):
                    return True
                continue
            for cwd in access.cwds or (context.place.directory,):
                if cwd is None and not text.startswith("/"):
                    if _has_folder(text) or basename(text).lower() in _NAMES:
                        return True
                elif _may_be(normalise(join(cwd or "/", text)), access, context):
                    return True
    return _linked_before(access, context)


def _may_be(path: str, access: FileAccess, context: Context) -> bool:
    world = context.world
    resolved = world.resolve(path)
    for one in (path, resolved) if resolved != path else (path,):
        if _has_folder(one) or basename(one).lower() in _NAMES:
            return True
        takes = access.recursive or access.via == "git"  # `git mv` takes its source
        if takes or access.mode not in ("write", "append", "truncate"):
            if is_inside(world.home, one) or any(
                is_inside(ours, one) for ours in (world.config, world.state, world.data)
            ):
                return True
            if access.via in _SEARCHES:
                return True
            # A folder that an agent keeps elsewhere lies below a dotted one, or has a linked twin.
            if one.startswith(world.home + "/.") or not context.place.root_of(one):
                return True
    if access.mode in ("write", "append", "truncate"):
        found = world.status(resolved)
        return found is not None and found.links > 1
    return False


def _unknown_concerned(pieces: Pieces, context: Context) -> bool:
    """A pattern may meet one of ours; what is wholly unknown counts only with one of its names."""
    for piece in pieces:
        if isinstance(piece, str) and _has_folder(piece):
            return True
    first = pieces[0] if pieces else ""
    if isinstance(first, Glob) or (isinstance(first, Unknown) and first.name in _VARIABLES):
        return True
    if not isinstance(first, str):
        return False
    return (
        first.startswith((".", "~", "/"))
        or "/." in first
        or any(isinstance(piece, Glob) for piece in pieces)
        or not context.place.root_of(context.place.directory)
    )


def _has_folder(path: str) -> bool:
    parts = path.lower().split("/")
    if not _FOLDERS.isdisjoint(parts):
        return True
    return "/.openclaw-" in path or "cc-safety-net" in path.lower()


def _linked_before(access: FileAccess, context: Context) -> bool:
    """The text makes links: the path may go through one of them."""
    if access.mode == "link":
        return False
    memo = context.memo.get("self-links")
    if memo is None:
        memo = any(a.mode == "link" or a.via == "mount" for a in context.reading.accesses)
        context.memo["self-links"] = memo
    return bool(memo)
