"""Options that say which server, account, folder or project a service's tool works on.

What is suggested instead must ask the same one; loaded for a denial only.
"""

from __future__ import annotations

from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Word
    from cc_safety_net.guard.rules.packs.line import Line

_POSTGRES = ("-h", "--host", "-p", "--port", "-U", "--username")
_MYSQL = ("-h", "--host", "-P", "--port", "-u", "--user", "-S", "--socket", "--defaults-file")
_MONGO = ("--host", "--port", "--uri", "--username", "--authenticationDatabase")
_REDIS = ("-h", "-p", "-n", "-s", "-u", "--user", "--cacert")
_DOCKER = ("-H", "--host", "--context", "-c", "--config")
_FORGE = ("-R", "--repo")
_TERRAFORM = ("-chdir", "--chdir")
#: Program -> options with one value each.
_PLACES: dict[str, tuple[str, ...]] = {
    "argocd": ("--server", "--grpc-web-root-path"),
    "aws": ("--profile", "--region", "--endpoint-url"),
    "clickhouse-client": ("-h", "--host", "--port", "-u", "--user", "-d", "--database"),
    "cqlsh": ("-u", "-k", "--keyspace", "--cqlversion"),
    "docker": _DOCKER,
    "dropdb": _POSTGRES,
    "etcdctl": ("--endpoints", "--cacert", "--cert", "--key"),
    "fly": ("-a", "--app"),
    "flyctl": ("-a", "--app"),
    "gh": _FORGE,
    "glab": _FORGE,
    "helm": ("-n", "--namespace", "--kube-context", "--kubeconfig"),
    "heroku": ("-a", "--app", "-r", "--remote"),
    "influx": ("-host", "-port", "-database", "--host", "--org"),
    "kubectl": ("--context", "--kubeconfig", "--cluster", "-s", "--server"),
    "mariadb": _MYSQL,
    "mongo": _MONGO,
    "mongorestore": _MONGO,
    "mongosh": _MONGO,
    "mysql": _MYSQL,
    "mysqladmin": _MYSQL,
    "nerdctl": ("--host", "-H", "--address", "--namespace", "-n"),
    "oc": ("--context", "--kubeconfig", "--cluster", "-s", "--server"),
    "podman": ("--connection", "-c", "--url"),
    "prisma": ("--schema",),
    "psql": _POSTGRES,
    "pulumi": ("-s", "--stack", "-C", "--cwd"),
    "redis-cli": _REDIS,
    "sqlcmd": ("-S", "-U", "-d"),
    "supabase": ("--project-ref", "--db-url", "--workdir"),
    "terraform": _TERRAFORM,
    "terragrunt": ("--working-dir", "--terragrunt-working-dir"),
    "tofu": _TERRAFORM,
    "valkey-cli": _REDIS,
}
#: Tools whose sub-commands take them, so that they stand behind.
_BEHIND = frozenset(
    ("aws", "fly", "flyctl", "gh", "glab", "heroku", "prisma", "pulumi", "supabase")
)
#: Flags without a value that belong to them.
_FLAGS = {"aws": ("--no-sign-request",), "redis-cli": ("--tls",), "valkey-cli": ("--tls",)}


def asking_there(text: str, line: Line) -> str:
    """The suggested command, with the options by which the call says where."""
    execution = line.execution
    program = execution.program
    kept = " ".join(_kept(line))
    first, blank, rest = text.partition(" ")
    if program == "mongorestore":
        kept = kept.replace("--uri ", "").replace("--uri=", "")  # mongosh takes it as it is
    if not kept or kept in text or not blank:
        return text
    if program in _BEHIND:
        return f"{text} {kept}"
    # A tool may hand over to another of its family (`dropdb`, `pg_dump`).
    return f"{first} {kept} {rest}"


def _kept(line: Line) -> list[str]:
    program = line.execution.program
    names = _PLACES.get(program, ())
    flags = _FLAGS.get(program, ())
    words = line.execution.argv[1:]
    found = []
    waits = ""
    for word in words:
        text = word.text
        if waits:
            shown = as_written(word, line)
            if shown:
                found += [waits, shown]
            waits = ""
        elif text is None or not text.startswith("-"):
            continue
        elif text in names:
            waits = text
        elif text in flags:
            found.append(text)
        elif text.partition("=")[0] in names or _is_attached(text, program):
            found.append(quote(text))
    return found


def _is_attached(text: str, program: str) -> bool:
    """`-hHOST`, where one dash does not begin a long name."""
    return text[:2] in _PLACES.get(program, ()) and text[1] != "-" and program != "influx"


def as_written(word: Word, line: Line) -> str:
    """The word for a shell: quoted, a variable as the call has it, without a password."""
    if word.text is not None:
        return quote(without_password(word.text))
    call = line.context.call.command or ""
    raw = call[word.start : word.end]
    plain = raw.strip('"')
    if line.execution.chain or not plain.startswith("$") or not _is_name(plain[1:].strip("{}")):
        return ""
    return raw


def without_password(url: str) -> str:
    """`scheme://user:password@host` with the host alone: the client asks, or has its own file."""
    head, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    if not mark or "@" not in authority:
        return url
    return f"{head}://{authority.rpartition('@')[2]}{slash}{path}"


def _is_name(text: str) -> bool:
    return text.replace("_", "a").isalnum() and not text[0].isdigit()
