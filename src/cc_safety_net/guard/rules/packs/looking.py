"""What looks at the same things instead: the *Instead* of a pack's rule, in the call's own names.

Loaded for a denial only.
"""

from __future__ import annotations

from cc_safety_net.guard.rules.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.packs.line import Line

#: Program -> (first operands, what to run). `{0}` is the first operand behind them, `{*}` all.
#: A form whose holes can't be filled is passed over.
_LOOKS: dict[str, tuple[tuple[str, str], ...]] = {
    "aws": (
        ("s3 rm", "aws s3 ls {0} --recursive"),
        ("s3 rb", "aws s3 ls {0}"),
        ("s3 sync", "aws s3 sync {*} --delete --dryrun"),
        ("ec2 terminate-instances", "aws ec2 describe-instances {same}"),
        ("rds delete-db-instance", "aws rds describe-db-instances {same}"),
        ("rds delete-db-cluster", "aws rds describe-db-clusters {same}"),
        ("dynamodb delete-table", "aws dynamodb describe-table {same}"),
        ("lambda delete-function", "aws lambda get-function {same}"),
        ("cloudformation delete-stack", "aws cloudformation describe-stacks {same}"),
        ("iam delete-user", "aws iam get-user {same}"),
        ("iam delete-role", "aws iam get-role {same}"),
        ("kms schedule-key-deletion", "aws kms describe-key {same}"),
        ("eks delete-cluster", "aws eks describe-cluster {same}"),
        ("sqs delete-queue|purge-queue", "aws sqs get-queue-attributes {same}"),
        ("secretsmanager delete-secret", "aws secretsmanager describe-secret {same}"),
        ("*", "aws {service} help"),
    ),
    "gsutil": (("rm", "gsutil ls -r {*}"),),
    "bq": (("rm", "bq show {0}"),),
    "firebase": (("", "firebase projects:list"),),
    "heroku": (
        ("apps:destroy", "heroku apps:info {0}"),
        ("pg:reset", "heroku pg:info"),
        ("", "heroku apps"),
    ),
    "fly": (("apps destroy", "fly status -a {0}"), ("", "fly status")),
    "flyctl": (("apps destroy", "flyctl status -a {0}"), ("", "flyctl status")),
    "vercel": (("rm|remove", "vercel ls {0}"), ("", "vercel ls")),
    "netlify": (("", "netlify status"),),
    "railway": (("", "railway status"),),
    "wrangler": (("", "wrangler deployments list"),),
    "supabase": (("db", "supabase migration list"), ("", "supabase projects list")),
    "rclone": (("purge|delete", "rclone ls {0}"),),
    "s3cmd": (("*", "s3cmd ls {0}"),),
    "mc": (("*", "mc ls {0}"),),
    "psql": (("", "psql -l"),),
    "cqlsh": (("", "cqlsh -e 'DESCRIBE KEYSPACES'"),),
    "influx": (("", "influx -execute 'SHOW DATABASES'"),),
    "mongorestore": (("", "mongosh --eval 'db.stats()'"),),
    "dropdb": (("", "pg_dump {0} -f {0}.sql"),),
    "mysqladmin": (("drop", "mysqldump {0} --result-file={0}.sql"), ("", "mysqladmin status")),
    "redis-cli": (("", "redis-cli DBSIZE"),),
    "valkey-cli": (("", "valkey-cli DBSIZE"),),
    "etcdctl": (("", "etcdctl get '' --prefix --count-only"),),
    "prisma": (("", "prisma migrate status"),),
    "rails": (("", "rails db:migrate:status"),),
    "rake": (("", "rake db:migrate:status"),),
    "python": (("", "python manage.py showmigrations"),),
    "python3": (("", "python3 manage.py showmigrations"),),
    "manage.py": (("", "./manage.py showmigrations"),),
    "alembic": (("", "alembic current"),),
    "flyway": (("", "flyway info"),),
    "knex": (("", "knex migrate:status"),),
    "typeorm": (("", "typeorm migration:show"),),
    "sequelize": (("", "sequelize db:migrate:status"),),
    "drizzle-kit": (("", "drizzle-kit check"),),
    "mix": (("", "mix ecto.migrations"),),
    "liquibase": (("", "liquibase status"),),
    "dbmate": (("", "dbmate status"),),
    "sqlx": (("", "sqlx migrate info"),),
    "diesel": (("", "diesel migration list"),),
    "dotnet": (("", "dotnet ef migrations list"),),
    "wp": (("", "wp db size"),),
    "drush": (("", "drush status"),),
    "vagrant": (("", "vagrant status"),),
    "multipass": (("", "multipass list"),),
    "limactl": (("", "limactl list"),),
    "colima": (("", "colima list"),),
    "virsh": (("undefine", "virsh dominfo {0}"), ("", "virsh list --all")),
    "helm": (("*", "helm status {0}"), ("", "helm list")),
    "argocd": (("app *", "argocd app get {0}"), ("", "argocd app list")),
    "flux": (("", "flux get all"),),
    "velero": (("", "velero backup get"),),
    "npm": (
        ("unpublish", "npm view {0}"),
        ("owner|author *", "npm owner ls {1}"),
        ("", "npm pack --dry-run"),
    ),
    "pnpm": (("unpublish", "npm view {0}"), ("", "pnpm pack")),
    "yarn": (("", "yarn pack"),),
    "cargo": (("publish", "cargo publish --dry-run"), ("*", "cargo search {0}")),
    "gem": (("yank", "gem list --remote {0}"), ("push", "gem specification {0}")),
    "twine": (("upload", "twine check {*}"),),
    "poetry": (("", "poetry build"),),
    "uv": (("", "uv build"),),
    "flit": (("", "flit build"),),
    "hatch": (("", "hatch build"),),
    "pulumi": (("stack", "pulumi stack ls"), ("", "pulumi preview")),
    "cdk": (("", "cdk list"),),
    "cdktf": (("", "cdktf diff"),),
    "serverless": (("", "serverless info"),),
    "sls": (("", "sls info"),),
    "curl": (("", "curl -I {0}"),),
    "wget": (("", "wget --spider {0}"),),
    "http": (("*", "http HEAD {0}"),),
    "https": (("*", "https HEAD {0}"),),
    "xh": (("*", "xh HEAD {0}"),),
}
_DOCKER = (
    ("volume rm|remove", "{program} volume inspect {*}"),
    ("volume prune", "{program} volume ls -f dangling=true"),
    ("stack *", "{program} stack ps {0}"),
    ("service *", "{program} service ps {0}"),
    ("swarm *", "{program} node ls"),
    ("machine *", "{program} machine list"),
    ("rm|remove", "{program} inspect {*}"),
    ("container rm|remove", "{program} inspect {*}"),
    ("", "{program} system df -v"),
)
_TERRAFORM = (
    ("state", "{program} state list"),
    ("force-unlock", "{program} state list"),
    ("workspace|env", "{program} workspace list"),
)
_FORGE = (
    ("repo *", "{program} repo view {0}"),
    ("repo *", "{program} repo view"),
    ("api", "{program} api {0}"),
    ("release *", "{program} release view {0}"),
    ("run *", "{program} run view {0}"),
    ("issue *", "{program} issue view {0}"),
    ("gist *", "{program} gist list"),
    ("secret *", "{program} secret list"),
    ("variable *", "{program} variable list"),
    ("", "{program} repo view"),
)
_PHP = (
    ("artisan", "php artisan migrate:status"),
    ("bin/console", "php bin/console doctrine:migrations:status"),
)
#: Program -> (word that deletes, word that shows); the rest of the line stays.
_TURNED = {
    "gcloud": (("delete", "describe"),),
    "az": (("delete", "show"),),
    "doctl": (("delete", "get"),),
    "hcloud": (("delete", "describe"),),
    "linode-cli": (("delete", "view"),),
    "oci": (("delete", "get"),),
}
_DROPPED = frozenset(
    ("-q", "--quiet", "-y", "--yes", "-f", "--force", "--no-wait", "--force-delete")
)
_GROUPS = {
    "docker": _DOCKER, "podman": _DOCKER, "nerdctl": _DOCKER, "gh": _FORGE, "glab": _FORGE,
    "php": _PHP, "artisan": _PHP, "terraform": _TERRAFORM, "tofu": _TERRAFORM,
    "terragrunt": _TERRAFORM,
}  # fmt: skip


def look(line: Line, rule: str) -> str:
    """A command that shows what the line would destroy."""
    program = line.execution.program
    words = [word.text or "" for word in line.execution.argv[1:]]
    if program in ("kubectl", "oc"):
        return _cluster(line, program)
    if rule == "docker.prune" and (program.endswith("-compose") or line.starts("compose")):
        return _compose(line, program)
    if (
        rule in ("terraform.destroy", "terraform.apply-auto-approve")
        and _GROUPS.get(program) is _TERRAFORM
    ):
        return f"{program} plan " + ("-destroy" if rule == "terraform.destroy" else "-out tfplan")
    if program == "gcloud" and "storage" in words[:2]:
        return "gcloud storage ls -r " + _joined(word for word in words if "://" in word)
    if program == "az" and "delete" not in words:
        listed = [word for word in line.operands if word not in ("delete-batch", "purge")]
        source = line.options.get("s") or line.options.get("source") or ""
        within = f" --container-name {quote(source)}" if source else ""
        shows = "list-deleted" if "purge" in words else "list"
        return f"az {_joined(listed[:2])} {shows}{within}"
    for verb, shows in _TURNED.get(program, ()):
        if verb in words:
            kept = [shows if word == verb else word for word in words if word not in _DROPPED]
            return f"{program} {_joined(kept)}"
    for verbs, form in _LOOKS.get(program, _GROUPS.get(program, ())):
        if line.starts(verbs):
            rest = line.operands[len(verbs.split()) :]
            filled = _filled(form, line.execution, rest, line.operands)
            if filled:
                return filled
    return f"{program} --help"


#: Client -> (shows the number of rows, saves a database first).
_CLIENTS = {
    "psql": ("psql{db} -c {sql}", "pg_dump {name} -f {name}.sql"),
    "mysql": ("mysql{db} -e {sql}", "mysqldump {name} --result-file={name}.sql"),
    "pgcli": ("psql{db} -c {sql}", "pg_dump {name} -f {name}.sql"),
    "usql": ("usql{db} -c {sql}", "usql{db} -c '\\l'"),
    "mycli": ("mycli{db} -e {sql}", "mysqldump {name} --result-file={name}.sql"),
    "mariadb": ("mariadb{db} -e {sql}", "mariadb-dump {name} --result-file={name}.sql"),
    "sqlite": ("sqlite{db} {sql}", "sqlite{db} .tables"),
    "sqlite3": ("sqlite3{db} {sql}", "sqlite3{db} .tables"),
    "duckdb": ("duckdb{db} {sql}", "duckdb{db} .tables"),
    "mongosh": ("mongosh{db} --eval 'db.stats()'", "mongosh{db} --eval 'db.stats()'"),
    "mongo": ("mongo{db} --eval 'db.stats()'", "mongo{db} --eval 'db.stats()'"),
    "clickhouse-client": ("clickhouse-client -q {sql}", "clickhouse-client -q 'SHOW DATABASES'"),
    "cqlsh": ("cqlsh -e {sql}", "cqlsh -e 'DESCRIBE KEYSPACES'"),
    "influx": ("influx -execute 'SHOW DATABASES'", "influx -execute 'SHOW DATABASES'"),
    "sqlcmd": ("sqlcmd -Q {sql}", "sqlcmd -Q 'SELECT name FROM sys.databases'"),
}


def of_statement(program: str, database: str, text: str, name: str) -> str:
    """What counts or saves the rows that a statement would lose. `database` is quoted."""
    forms = _CLIENTS.get(program)
    if forms is None:
        return f"{program} --help"
    words = text.upper().split()
    whole = not {"DATABASE", "KEYSPACE", "SCHEMA"}.isdisjoint(words)
    plain = name.strip('"`[]')
    if not plain.replace("_", "a").replace(".", "a").replace("-", "a").isalnum():
        plain = ""
    if whole and "{name}" in forms[True] and not plain:
        return f"{program} --help"
    db = f" {database}" if database else ""
    sql = quote(f"SELECT count(*) FROM {plain}" if plain else "SELECT 1")  # noqa: S608 - only shown
    return forms[whole].replace("{db}", db).replace("{sql}", sql).replace("{name}", plain)


#: Ends of the options that name a thing of a cloud.
_NAMES = ("-arn", "-id", "-identifier", "-ids", "-name", "-url")


def _naming(execution: Execution) -> str:
    """The option that names the thing, with its value."""
    words = [word.text or "" for word in execution.argv]
    for index, value in enumerate(words[1:]):
        option = words[index]
        if option.startswith("--") and option.endswith(_NAMES) and value[:1] not in ("", "-"):
            return f"{option} {quote(value)}"
    return ""


def _filled(form: str, execution: Execution, rest: Sequence[str], operands: Sequence[str]) -> str:
    program = execution.program
    text = form.replace("{program}", program)
    if "{same}" in text:
        named = _naming(execution)
        text = text.replace("{same}", named) if named else ""
    if "{service}" in text:
        text = text.replace("{service}", quote(operands[0]))
    if "{*}" in text:
        known = [word for word in rest if word]
        text = text.replace("{*}", _joined(known)) if known else ""
    for number in (0, 1):
        hole = "{" + str(number) + "}"
        if hole in text:
            given = rest[number] if number < len(rest) else ""
            text = text.replace(hole, quote(given)) if given else ""
    return text


def _cluster(line: Line, program: str) -> str:
    operands = line.operands
    verb = operands[0] if operands else ""
    file = line.options.get("f") or line.options.get("k")
    if file:
        letter = "f" if line.options.get("f") else "k"
        return f"{program} {'get' if verb == 'delete' else 'diff'} -{letter} {quote(file)}"
    space = line.options.get("n") or line.options.get("namespace")
    within = f" -n {quote(space)}" if space else ""
    if verb == "drain" and operands[1:2] not in ([], [""]):
        node = quote("spec.nodeName=" + operands[1])
        return f"{program} get pods --all-namespaces --field-selector {node}"
    named = [word for word in operands[1:] if word]
    return f"{program} get {_joined(named) or 'all'}{within}"


def _compose(line: Line, program: str) -> str:
    """Without `-v` the volumes stay."""
    start = program if program.endswith("-compose") else f"{program} compose"
    for name in ("f", "p"):
        if line.options.get(name):
            start += f" -{name} {quote(line.options[name])}"
    return f"{start} down" if "down" in line.operands else f"{start} ps"


def _joined(words: Iterable[str]) -> str:
    return " ".join(quote(word) for word in words)
