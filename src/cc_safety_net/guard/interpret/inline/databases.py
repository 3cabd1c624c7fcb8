"""Databases that code speaks to: what it connects to, and the statements that it sends.

No driver is known by itself: a method with the name of one that sends statements, and a text that
is a statement which destroys, are the same in all of them.
"""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Word, literal
from cc_safety_net.guard.interpret.inline.values import Value, choices_of, text, unknown, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.codes import CodeHost
    from cc_safety_net.guard.interpret.facts import Pieces
    from cc_safety_net.guard.interpret.inline.calls import Call

#: Methods whose first text is a statement.
_STATEMENTS = frozenset(
    (
        "$executeRaw", "$executeRawUnsafe", "$queryRaw", "$queryRawUnsafe", "async_exec", "do",
        "exec", "exec_driver_sql", "exec_params", "exec_query", "exec_update", "execute",
        "executeQuery", "executeSql", "executeUpdate", "execute_batch", "execute_query",
        "execute_script", "executemany", "executescript", "multi_query", "prepare", "query",
        "queryExec", "query_single", "raw", "read_sql", "read_sql_query", "real_query", "run",
        "selectall_arrayref", "simple_query", "sql", "statement", "unprepared", "unsafe",
    )
)  # fmt: skip
#: Methods that many other objects have too.
_COMMON = frozenset(
    ("all", "batch", "each", "fetch", "fetchrow", "fetchval", "get", "insert", "multi", "select")
)
#: Functions with the statement as their last text.
_FUNCTIONS = frozenset(
    (
        "mysqli_query", "mysqli_multi_query", "mysqli_real_query", "mysql_query", "pg_query",
        "pg_exec", "pg_send_query", "sqlite_query", "sqlite_exec", "sql", "Bun.sql", "bun.sql",
    )
)  # fmt: skip
#: Methods that destroy without a statement -> the statement that does the same. `{}` is the name.
_DROPPING = {
    "dropAllTables": "DROP SCHEMA {}",
    "dropCollection": "DROP TABLE {}",
    "dropDatabase": "DROP DATABASE {}",
    "dropIfExists": "DROP TABLE {}",
    "dropSchema": "DROP SCHEMA {}",
    "dropTable": "DROP TABLE {}",
    "dropTableIfExists": "DROP TABLE {}",
    "drop_all": "DROP SCHEMA {}",
    "drop_collection": "DROP TABLE {}",
    "drop_database": "DROP DATABASE {}",
    "drop_table": "DROP TABLE {}",
    "flushAll": "FLUSHALL",
    "flushDb": "FLUSHDB",
    "flushall": "FLUSHALL",
    "flushdb": "FLUSHDB",
}
_EMPTYING = frozenset(("deleteMany", "delete_many"))
#: A word in the name of a driver -> the client that looks into such a database.
_DRIVERS = (
    ("sqlite", "sqlite3"),
    ("duckdb", "duckdb"),
    ("mysql", "mysql"),
    ("mariadb", "mysql"),
    ("psycopg", "psql"),
    ("postgres", "psql"),
    ("asyncpg", "psql"),
    ("sqlalchemy", "psql"),
    ("prisma", "psql"),
    ("knex", "psql"),
    ("sequelize", "psql"),
    ("pyodbc", "psql"),
    ("oracle", "psql"),
    ("mongo", "mongosh"),
    ("redis", "redis-cli"),
)
#: Drivers with short names, as the first part of the name of a call.
_SHORT = {"pg": "psql", "PG": "psql", "PDO": "psql", "DBI": "psql", "Sequel": "psql"}
_PLACES = ("database", "dbname", "db", "filename", "path", "connectionString", "url", "dsn")
_VERBS = ("DROP", "TRUNCATE", "DELETE", "UPDATE", "ALTER")


def connected(name: str, call: Call) -> Value | None:
    """A call of a driver by its dotted name: the database that it opens; None if it is none."""
    client = _SHORT.get(name.partition(".")[0], "")
    if not client:
        lowered = name.lower()
        client = next((program for sign, program in _DRIVERS if sign in lowered), "")
    last = name.rpartition(".")[2]
    if not client or last in _FUNCTIONS or last in ("require", "import"):
        return None
    if last == "text" and call.arguments:
        # SQLAlchemy's `text("…")` is still that text.
        return call.arguments[0]
    found = Value("object", name="database")
    found.fields = {"client": text(client), "where": _place(call)}
    return found


def _place(call: Call) -> Value:
    """Which database: an option by one of its names, else the first text."""
    given = call.option(*_PLACES)
    if given is None:
        given = next((each for each in call.arguments if each.kind == "text"), None)
    return given if given is not None else text("")


def sent(host: CodeHost, receiver: Value | None, name: str, call: Call) -> Value | None:
    """A method, or a function, that may send a statement; its result if it is a database's."""
    ours = receiver is not None and receiver.kind == "object" and receiver.name == "database"
    sends = name in _STATEMENTS or (ours and name in _COMMON)
    if sends and receiver is not None and receiver.kind not in ("text", "list"):
        for argument in call.arguments[:1]:
            if argument.kind == "map":
                argument = argument.fields.get("text") or argument.fields.get("sql") or argument  # noqa: PLW2901 - a query as an object
            _state(host, receiver, name, argument)
    elif name in _DROPPING:
        known = call.arguments[0].text if call.arguments else ""
        statement = _DROPPING[name].format(known or "?")
        if statement.startswith("FLUSH"):
            receiver = Value("object", name="database")
            receiver.fields = {"client": text("redis-cli")}
        _report(host, receiver, name, statement)
    elif name in _EMPTYING and all(a.kind == "map" and not a.fields for a in call.arguments):
        _report(host, receiver, name, "DELETE FROM ?")
    if not ours:
        return None
    return receiver if name != "prepare" else unknown(name)


def called(host: CodeHost, function: Value | None, name: str, call: Call) -> bool:
    """A function that sends a statement: a driver's own, or the database as a template's tag."""
    ours = function is not None and function.name == "database"
    if not ours and name not in _FUNCTIONS:
        return False
    for argument in reversed(call.arguments):
        if argument.kind == "text":
            _state(host, function, name or "sql", argument)
            break
    return ours


def _state(host: CodeHost, receiver: Value | None, name: str, argument: Value) -> None:
    for choice in choices_of(argument)[:16]:
        statement = _statement(choice)
        upper = statement[:65_536].upper()
        if any(verb in upper for verb in _VERBS):
            _report(host, receiver, name, statement)


def _statement(choice: Pieces) -> str:
    """The text, with something harmless for what is not known of it."""
    whole = literal(choice)
    if whole is not None:
        return whole
    out = ""
    for piece in choice:
        if isinstance(piece, str):
            out += piece
            continue
        last = out.rpartition(";")[2].upper()
        # What is not known may be the condition, or a whole list of statements.
        out += " WHERE " if "DELETE" in last or "UPDATE" in last else "?"
    return out


def _report(host: CodeHost, receiver: Value | None, name: str, statement: str) -> None:
    fields = receiver.fields if receiver is not None and receiver.name == "database" else {}
    client = fields.get("client")
    where = fields.get("where")
    host.statement(
        name,
        (client.text or "") if client is not None else "psql",
        word(where) if where is not None else Word(((),)),
        statement,
    )
