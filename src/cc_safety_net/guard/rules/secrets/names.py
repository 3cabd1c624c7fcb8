"""Does one path, wholly known and in lower case, stand in the table of secrets?"""

from __future__ import annotations

from cc_safety_net.guard.rules.secrets import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.rules.context import Context

    #: (id, group) of an entry of the table.
    Entry = tuple[str, str]

_USERS = ("/home/", "/users/", "/export/home/", "/mnt/c/users/", "/c/users/")
_ROOTS = ("/root", "/var/root", "/private/var/root")


def of_path(path: str, context: Context) -> Entry | None:
    """The entry for a normalised path in lower case, None for an ordinary file."""
    found = _of_system(path)
    if found is None:
        for below in home_relative(path, context):
            found = of_home(below)
            if found is not None:
                break
    if found is None:
        head, _, name = path.rpartition("/")
        found = of_name(name, head.split("/"))
    return found


def is_exempt(name: str, directories: Sequence[str]) -> bool:
    """Code, prose, or a file in somebody else's code."""
    extension = name.rpartition(".")[2]
    if extension in table.SOURCE_EXTENSIONS and "." in name[1:]:
        return True
    return not table.VENDORED.isdisjoint(directories)


def of_name(name: str, directories: Sequence[str] = ()) -> Entry | None:
    """The entry for a file's name; the directories above it matter for a few."""
    if is_exempt(name, directories):
        return None
    found = table.NAMES.get(name)
    if found is not None:
        if name == "credentials" and not table.CODE_DIRECTORIES.isdisjoint(directories):
            return None
        return found
    return (
        _of_environment(name)
        or _of_project(name)
        or _of_variant(name, directories)
        or _of_extension(name)
    )


def _of_environment(name: str) -> Entry | None:
    if not name.startswith(".env."):
        return None
    if not table.TEMPLATES.isdisjoint(name[5:].replace("-", ".").replace("_", ".").split(".")):
        return None
    return ("secret.pattern.env-variant", "env-soft" if name in table.SOFT_ENV else "env")


def _of_project(name: str) -> Entry | None:
    if name.endswith(".json"):
        if name.startswith(("service-account", "service_account", "serviceaccount")):
            return ("secret.pattern.service-account", "project")
        if "-firebase-adminsdk" in name:
            return ("secret.pattern.service-account", "project")
        if name.startswith("client_secret"):
            return ("secret.pattern.credentials-json", "project")
    if ".tfstate" in name:
        return ("secret.pattern.tfstate", "project")
    if name.endswith((".tfvars", ".tfvars.json")):
        template = "example" in name or "sample" in name or "template" in name
        return None if template else ("secret.pattern.tfvars", "project-soft")
    if name.startswith((".vault_pass", ".vault-pass")):
        return ("secret.pattern.vault-password", "project")
    if "kubeconfig" in name:
        return ("secret.pattern.kubeconfig", "project")
    return None


def _of_variant(name: str, directories: Sequence[str]) -> Entry | None:
    if name.endswith(".pub"):
        return None
    for base, part in table.VARIANT_BASES.items():
        rest = name[len(base) :]
        if not rest or not name.startswith(base) or rest[0] not in "._-~ ":
            continue
        if base == "credentials" and not table.CODE_DIRECTORIES.isdisjoint(directories):
            return None
        suffix = rest.strip("._-~ ")
        start = f"secret.variant.{part}."
        if suffix in table.VARIANT_SUFFIXES:
            return (start + suffix, "key")
        if rest == "~":
            return (start + "backup", "key")
        if "." not in rest:
            return (start + "separator", "key")
        return None
    if name.endswith(table.KEY_ENDS) and "." not in name:
        return ("secret.pattern.ssh-key-basename", "key")
    return None


def _of_extension(name: str) -> Entry | None:
    head, dot, extension = name.rpartition(".")
    if not dot or not head:
        return None
    if extension in table.EXTENSIONS:
        group = "key-header" if extension in table.HEADED else "key"
        return ("secret.ext." + extension, group)
    if extension in table.PATTERN_EXTENSIONS:
        return ("secret.ext-pattern." + extension, "key")
    return None


def has_public_name(path: str) -> bool:
    """A file that is not there, by its name: a certificate, a chain, a public key."""
    head, _, name = path.lower().rpartition("/")
    stem = name.rpartition(".")[0]
    if "private" in stem or ("key" in stem and "pub" not in stem):
        return False
    if "cert" in stem or "chain" in stem or "public" in stem or "pubkey" in stem:
        return True
    words = stem.replace("_", "-").replace(".", "-").split("-")
    if stem.endswith("ca") or "ca" in words or "cacerts" in words or "crt" in words:
        return True
    return "cert" in head.rpartition("/")[2]


# --- below a home --------------------------------------------------------------------------------


def homes(context: Context) -> list[tuple[str, str]]:
    """(directory in lower case, what it stands for below a home), the person's first."""
    found: list[tuple[str, str]] | None = context.memo.get("secrets.homes")
    if found is None:
        found = [(home.lower(), "") for home in {context.place.home, context.world.home} if home]
        environment = context.world.environment
        for variable, below in table.MOVERS:
            value = environment.get(variable, "").rstrip("/")
            if value.startswith("/"):
                found.append((value.lower(), below))
        context.memo["secrets.homes"] = found
    return found


def home_relative(path: str, context: Context) -> list[str]:
    """The path as seen from each home that it may lie in."""
    found = []
    for home, below in homes(context):
        if path == home:
            found.append(below)
        elif path.startswith(home + "/"):
            rest = path[len(home) + 1 :]
            found.append(f"{below}/{rest}" if below else rest)
    if found:
        return found
    for root in _ROOTS:
        if path.startswith(root + "/"):
            return [path[len(root) + 1 :]]
    if path[2:3] == ":":
        path = path[3:]  # a drive of Windows
    for users in _USERS:
        if path.startswith(users):
            rest = path[len(users) :].partition("/")[2]
            return [rest] if rest else []
    return []


def of_home(below: str) -> Entry | None:
    """The entry for a path below a home, without the home."""
    for entry, rule in table.AGENTS:
        if _lies_in(below, entry):
            return (rule, "agent")
    if below.startswith(".ssh/") and is_ssh_readable(below):
        hosts = below.startswith(".ssh/known_hosts")
        return ("secret.home.ssh", "known-hosts" if hosts else "home-open")
    for base, rule in table.STORE_COPIES.items():
        if below.startswith(base) and len(below) > len(base) and below[len(base)] in ".-_~":
            suffix = below[len(base) :].strip("._-~")
            if suffix in table.STORE_SUFFIXES:
                return (f"{rule}.{suffix}", "home")
    for entry, rule in table.STORES:
        if _lies_in(below, entry):
            return (rule, "home") if rule else None
    if below in table.HISTORIES:
        return ("secret.home.shell-history", "history")
    for entry, rule in table.AGENT_CONFIGS:
        if _lies_in(below, entry):
            return (rule, "agent-config")
    return None


def is_ssh_readable(below: str) -> bool:
    name = below.rpartition("/")[2]
    return name.endswith(".pub") or name.startswith("known_hosts") or name in table.SSH_READABLE


def _lies_in(below: str, entry: str) -> bool:
    if entry[-1] == "/":
        return below.startswith(entry) or below == entry[:-1]
    if "*" not in entry:
        return below == entry
    parts, wanted = below.split("/"), entry.split("/")
    if len(parts) != len(wanted):
        return False
    return all(want in ("*", part) for part, want in zip(parts, wanted, strict=True))


def _of_system(path: str) -> Entry | None:
    path = path.removeprefix("/private")
    for entry, rule in table.SYSTEM:
        if path == entry or (entry[-1] == "/" and (path + "/").startswith(entry)):
            return (rule, "system")
    if path.startswith("/etc/ssh/") and path.endswith("_key"):
        return ("secret.system.ssh-host-keys", "system")
    if path.startswith("/proc/") and path.endswith("/environ"):
        return ("secret.system.proc-environ", "system")
    return None
