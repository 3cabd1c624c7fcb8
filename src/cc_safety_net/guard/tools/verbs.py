"""What an unknown tool does with a path, as far as its name says."""

from __future__ import annotations

from cc_safety_net.guard.tool_names import last_part, normalise_name

_TYPING = ("shell", "bash", "term", "exec", "cmd", "process", "console")


def is_foreign(name: str) -> bool:
    """The tool comes from a server that the agent was given, not from the agent."""
    return last_part(name) != name


def types_text(name: str) -> bool:
    """The keys `input`, `text`, `data` of this tool hold what is typed into a console."""
    normalised = normalise_name(name)
    return any(part in normalised for part in _TYPING)


_DATABASES = (
    "sql", "postgres", "database", "supabase", "neon", "bigquery", "snowflake", "duckdb",
    "clickhouse", "mariadb", "redshift", "cockroach",
)  # fmt: skip
#: Tools for a database of the session, which the agent made for itself.
_OWN_DATABASES = frozenset(("sql", "sessionstoresql"))


def queries(name: str) -> bool:
    """The tool sends queries to a database: its name, or its server's, says so."""
    normalised = normalise_name(name)
    if normalised in _OWN_DATABASES:
        return False
    return any(part in normalised for part in _DATABASES) or "db" in words_of(name)


_DELETE = frozenset(
    (
        "delete",
        "remove",
        "rm",
        "unlink",
        "trash",
        "erase",
        "purge",
        "destroy",
        "clear",
        "wipe",
        "rmdir",
    )
)
_MOVE = frozenset(("move", "mv", "rename"))
_WRITE = frozenset(
    (
        "write",
        "create",
        "save",
        "edit",
        "update",
        "append",
        "insert",
        "put",
        "export",
        "download",
        "modify",
        "patch",
        "replace",
        "set",
        "add",
        "make",
        "touch",
        "overwrite",
        "generate",
        "copy",
        "truncate",
        "store",
        "apply",
        "extract",
    )
)
_READ = frozenset(
    (
        "read",
        "get",
        "list",
        "view",
        "open",
        "search",
        "find",
        "show",
        "cat",
        "fetch",
        "load",
        "query",
        "describe",
        "inspect",
        "upload",
        "send",
        "parse",
        "analyze",
        "analyse",
        "check",
        "lint",
        "stat",
        "head",
        "tail",
        "diff",
        "grep",
        "count",
        "summarize",
    )
)


def verb_of(name: str) -> str:
    """`delete`, `move`, `write` or `read` by the first verb in a name; "" if it has none."""
    for word in words_of(last_part(name)):
        if word in _DELETE:
            return "delete"
        if word in _MOVE:
            return "move"
        if word in _WRITE:
            return "write"
        if word in _READ:
            return "read"
    return ""


def words_of(name: str) -> list[str]:
    """The words of `snake_case`, `kebab-case` and `camelCase`, in lower case."""
    out: list[str] = []
    word = ""
    for character in name:
        if not character.isalnum():
            out.append(word)
            word = ""
            continue
        if character.isupper() and word and not word[-1].isupper():
            out.append(word)
            word = ""
        word += character
    out.append(word)
    return [word.lower() for word in out if word]
