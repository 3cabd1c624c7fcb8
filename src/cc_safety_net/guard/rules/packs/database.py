"""Databases: dropped, emptied, flushed, and reset by a framework."""

from __future__ import annotations

from cc_safety_net.guard import limits
from cc_safety_net.guard.interpret.codes import DRIVER
from cc_safety_net.guard.paths import is_below, join, normalise
from cc_safety_net.guard.rules.packs.line import Line, is_disposable
from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

#: Program -> (options, names of those with SQL, of those with a file, of the one with the
#: database).
_PSQL = "c,command: f,file: d,dbname: h,host: p,port: U,username: v,set: o,output: F: P,pset: L:"
_MYSQL = (
    "e,execute: h,host: P,port: u,user: p,password? D,database: S,socket: protocol:"
    " default-character-set: init-command:"
)
#: Options of tools that are no clients, where they are not those of psql.
_TOOLS = {
    "mongorestore": "d,db: c,collection: uri: h,host: port: u: p: nsInclude: archive? dir:",
    "mysqladmin": _MYSQL,
}
_CLIENTS: dict[str, tuple[str, str, str, str]] = {
    "psql": (_PSQL, "c", "f", "d"),
    "cockroach": ("e,execute: f,file: d,database: url: host:", "e", "f", "d"),
    "pgcli": ("h,host: p,port: U,username: d,dbname: D,dsn:", "", "", "d"),
    "usql": ("c,command: f,file: o,out: v,set:", "c", "f", ""),
    "mysql": (_MYSQL, "e", "", "D"),
    "mycli": (_MYSQL, "e", "", "D"),
    "mariadb": (_MYSQL, "e", "", "D"),
    "sqlite": ("-cmd: -init: -separator:", "", "", ""),
    "sqlite3": ("-cmd: -init: -separator:", "", "", ""),
    "sqlcmd": ("Q: q: i: d: S: U: P:", "Q q", "i", "d"),
    "clickhouse-client": ("q,query: d,database: h,host: u,user: password:", "q", "", "d"),
    "cqlsh": ("e,execute: f,file: k,keyspace: u: p:", "e", "f", "k"),
    "duckdb": ("c: s: -init:", "c s", "", ""),
    "influx": ("-execute: -database: -host: -port:", "execute", "", "database"),
    "mongosh": ("eval: f,file: host: port: u,username: p,password:", "eval", "f", ""),
    "mongo": ("eval: host: port: u,username: p,password:", "eval", "", ""),
    "snowsql": ("q,query: f,filename: d,dbname: c,connection:", "q", "f", "d"),
    "trino": ("execute: f,file: catalog: schema: server: user:", "execute", "f", "schema"),
    "mysqlsh": (_MYSQL + " f,file: uri: sql", "e", "f", "D"),
    "hive": ("e: f: database: hiveconf:", "e", "f", "database"),
    "beeline": ("e: f: u: n: p: d:", "e", "f", "u"),
    "heroku": ("c,command: a,app: r,remote:", "c", "f", ""),
    "wrangler": ("command: file: c,config: e,env: persist-to:", "command", "file", ""),
    "bq": ("project_id: dataset_id: location: format: n,max_rows: job_id:", "", "", ""),
}
_MONGO = (
    ("dropDatabase(", "database.drop"),
    (".drop(", "database.drop"),
    ("deleteMany({})", "database.truncate"),
    ("dropDatabase:1", "database.drop"),
    ("runCommand({drop:", "database.drop"),
    ("remove({})", "database.truncate"),
    ("updateMany({},", "database.truncate"),
)
#: Program -> sub-commands that reset a database, each with an option that it needs.
_RESETS: dict[str, tuple[tuple[str, str], ...]] = {
    "prisma": (
        ("migrate reset", ""),
        ("db push", "force-reset"),
        ("db push", "accept-data-loss"),
    ),
    "drizzle-kit": (("push", "force"), ("drop", "")),
    "rails": (("db:drop|db:reset|db:setup|db:schema:load|db:migrate:reset|db:purge", ""),),
    "rake": (("db:drop|db:reset|db:setup|db:schema:load|db:migrate:reset|db:purge", ""),),
    "manage.py": (("flush|reset_db|sqlflush", ""),),
    "django": (("flush|reset_db", ""),),
    "django-admin": (("flush|reset_db", ""),),
    "artisan": (("migrate:fresh|migrate:reset|migrate:refresh|db:wipe", ""),),
    "supabase": (("db reset", ""),),
    "mix": (("ecto.drop|ecto.reset", ""),),
    "sequelize": (("db:drop", ""),),
    "sequelize-cli": (("db:drop", ""),),
    "typeorm": (("schema:drop", ""),),
    "knex": (("migrate:rollback", "all"),),
    "alembic": (("downgrade base", ""),),
    "flyway": (("clean", ""),),
    "liquibase": (("drop-all|dropAll", ""),),
    "dbmate": (("drop", ""),),
    "sqlx": (("database|db drop|reset", ""),),
    "diesel": (("database|db drop|reset", ""),),
    "dotnet": (("ef database drop", ""),),
    "dotnet-ef": (("database drop", ""),),
    "wp": (("db reset|drop", ""),),
    "drush": (("sql:drop|sql-drop", ""),),
    "bin/console": (("doctrine:database:drop|doctrine:schema:drop", ""),),
}
_RESET_OPTIONS = (
    "c,command: execute: env,e: environment: schema: database: config: dry-run? help all force f"
    " append"
)
#: Calls that empty a whole table.
_EMPTYING = ("delete_all", "destroy_all", ".objects.all().delete()", "truncate()")
_ENVIRONMENTS = ("RAILS_ENV", "RACK_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "DJANGO_ENV", "ENV")


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    program = execution.program
    if program == DRIVER:
        yield from _driver(execution, context)
    elif program in _CLIENTS:
        yield from _client(execution, context)
    elif program in ("redis-cli", "valkey-cli", "etcdctl"):
        yield from _flush(execution, context)
    elif program in ("dropdb", "mongorestore", "mysqladmin", "pg_restore"):
        yield from _tool(execution, context)
    else:
        yield from _reset(execution, context)


def _client(execution: Execution, context: Context) -> Iterator[Finding]:
    options, codes, files, database = _CLIENTS[execution.program]
    line = Line(execution, context, options)
    if line.has("help"):
        return
    texts = [line.options[name] for name in codes.split() if line.options.get(name)]
    operands = line.operands
    where = line.options.get(database, "") or (operands[0] if operands else "")
    if execution.program == "bq" and line.starts("query"):
        texts += operands[1:]
    if execution.program in ("sqlite", "sqlite3", "duckdb"):
        texts += operands[1:]
        if _is_new_file(where, execution, context):
            return
    for name in files.split():
        texts.append(_file(line.options.get(name, ""), execution, context))
    if execution.program.startswith("mongo"):
        texts += [_file(name, execution, context) for name in operands if name.endswith(".js")]
    if execution.stdin is not None and execution.stdin.text:
        texts.append(execution.stdin.text)
    if is_disposable(where.rpartition("/")[2]):
        return
    for text in texts:
        context.effort.spend(1 + len(text) // 8, "SQL text")
        rule, name = _loss(text, mongo=execution.program.startswith("mongo"))
        if rule:
            yield line.finding(rule, look=_look(line, database, text, name))
            return


def _look(line: Line, database: str, text: str, name: str) -> str:
    """What counts or saves the rows, in the call's own database."""
    from cc_safety_net.guard.rules.packs.looking import of_statement
    from cc_safety_net.guard.rules.packs.where import as_written, without_password

    where = quote(without_password(line.options.get(database, "")))
    if not line.options.get(database):
        first = line.first
        where = as_written(first, line) if first is not None else ""
    return of_statement(line.execution.program, where, text, name)


def _driver(execution: Execution, context: Context) -> Iterator[Finding]:
    """A statement that code sends: the method, a client, the database, the statement."""
    method, client, where, text = (word.text or "" for word in execution.argv[:4])
    if where.startswith(("sqlite:", "duckdb:")):
        client, where = where.partition(":")[0].replace("sqlite", "sqlite3"), _of_url(where)
    if client in ("sqlite3", "duckdb") and where and _is_new_file(where, execution, context):
        return
    if is_disposable(where.rpartition("/")[2]):
        return
    context.effort.spend(1 + len(text) // 8, "SQL text")
    rule, name = ("database.flush", "") if text.startswith("FLUSH") else _loss(text, mongo=False)
    if not rule:
        return
    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.packs.looking import of_statement

    look = "redis-cli DBSIZE" if rule == "database.flush" else ""
    yield Finding(
        rule,
        f"{method}({text})",
        execution.start,
        execution.end,
        chain=execution.chain,
        values={"program": client, "look": look or of_statement(client, "", text, name)},
    )


def _of_url(url: str) -> str:
    """The file that `sqlite:///name` names, `:memory:` for none."""
    rest = url.partition(":")[2]
    return rest.removeprefix("///") or ":memory:" if rest.startswith("//") else rest


def _loss(text: str, *, mongo: bool) -> tuple[str, str]:
    """The rule, and the name of what is lost."""
    if mongo:
        plain = text.replace(" ", "")
        return next((rule for sign, rule in _MONGO if sign in plain), ""), ""
    from cc_safety_net.guard.rules.packs.sql import losses

    for kind, name in losses(text):
        if not is_disposable(name):
            return "database." + kind, name
    return "", ""


def _is_new_file(name: str, execution: Execution, context: Context) -> bool:
    """In memory, below a temp root, or not there yet."""
    if name in ("", ":memory:") or name.startswith("file::memory:"):
        return True
    for directory in execution.cwds:
        if directory is None and not name.startswith("/"):
            return False
        path = normalise(join(directory or "/", name))
        temporary = any(is_below(path, temp) for temp in context.place.temps)
        if not temporary and context.world.exists(path):
            return False
        if not temporary and "." not in name and "/" not in name:
            return False
    return execution.scope.kind == "local"


def _file(name: str, execution: Execution, context: Context) -> str:
    directory = execution.cwds[0] if len(execution.cwds) == 1 else None
    if not name or (directory is None and not name.startswith("/")):
        return ""
    path = normalise(join(directory or "/", name))
    written = context.reading.written.get(path)
    if written is not None:
        return written.text or ""
    return context.world.text(path, limits.SCRIPT_BYTES) or ""


def _flush(execution: Execution, context: Context) -> Iterator[Finding]:
    line = Line(execution, context, "h,host: p: a: n: u: s: i: endpoints: user: cert: key: cacert:")
    words = [word.upper() for word in line.operands]
    if execution.program == "etcdctl":
        everything = line.starts("del") and (line.has("prefix") or line.has("from-key"))
        if everything and line.operands[1:2] in ([""], []):
            yield line.finding("database.flush")
        return
    stdin = (execution.stdin.text if execution.stdin is not None else None) or ""
    given = words[:1] + [text.strip().upper() for text in stdin.split("\n")]
    if any(word.split()[:1] in (["FLUSHALL"], ["FLUSHDB"]) for word in given if word):
        yield line.finding("database.flush")


def _tool(execution: Execution, context: Context) -> Iterator[Finding]:
    line = Line(execution, context, _TOOLS.get(execution.program, _PSQL))
    if line.has("help"):
        return
    program = execution.program
    names = line.operands
    if program == "mysqladmin":
        if "drop" not in names:
            return
        names = names[names.index("drop") + 1 :]
    elif program == "pg_restore":
        if not line.has("clean", "c"):
            return
        names = [line.options.get("d", "")]
    elif program == "mongorestore":
        if not line.has("drop"):
            return
        names = [line.options.get("d", "")]
    elif not names:
        return
    if not (names and all(is_disposable(name) for name in names)):
        yield line.finding("database.drop")


def _reset(execution: Execution, context: Context) -> Iterator[Finding]:
    program = execution.program
    line = Line(execution, context, _RESET_OPTIONS)
    if line.has("help", "dry-run") or _is_test(line):
        return
    if program.startswith(("python", "php")):
        # `python manage.py flush`, `php artisan migrate:fresh`, `php bin/console …`
        script = line.operands[0] if line.operands else ""
        program = script if script == "bin/console" else script.rpartition("/")[2]
        line.operands = line.operands[1:]
    elif program == "console":
        program = "bin/console"
    elif program == "cargo":
        # `cargo sqlx database drop`
        program = line.operands[0] if line.operands else ""
        line.operands = line.operands[1:]
    for verbs, needed in _RESETS.get(program, ()):
        if line.starts(verbs) and (not needed or line.has(needed)):
            yield line.finding("database.reset")
            return
    if any(sign in _runner_text(line, program) for sign in _EMPTYING):
        yield line.finding("database.truncate")
    if line.starts("doctrine:fixtures:load") and not line.has("append"):
        yield line.finding("database.reset")


def _runner_text(line: Line, program: str) -> str:
    """Code that a framework's runner is given."""
    if program == "rails" and line.starts("runner|r *"):
        return line.operands[1]
    if program == "manage.py" and line.starts("shell"):
        return line.options.get("c", "")
    if program == "artisan" and line.starts("tinker"):
        return line.options.get("execute", "")
    return ""


def _is_test(line: Line) -> bool:
    names = [line.options.get(name, "") for name in ("env", "environment")]
    for name in _ENVIRONMENTS:
        word = line.execution.env.get(name)
        names.append((word.text or "") if word is not None else "")
    for operand in line.operands:
        name, _, value = operand.partition("=")
        if name in _ENVIRONMENTS:
            names.append(value)
    return any(is_disposable(name) for name in names)
