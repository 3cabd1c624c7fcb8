"""Commands of programs that print a secret, as data, a rule each.

An entry is (words that stand in this order among the arguments, further conditions): a word that
begins with `-` must be given (letters also in a cluster), one that begins with `!` must not, one
that ends in `*` is the beginning of a word, `a|b` is a choice.
"""

from __future__ import annotations

HOST = "secret.command.host-token"
CLOUD = "secret.command.cloud-token"
KUBE = "secret.command.kube-secret"
GIT = "secret.command.git-credential"
KEYCHAIN = "secret.command.keychain"
VAULT = "secret.command.vault"
EXPORT = "secret.command.key-export"

_NPM = (
    (HOST, "config get *authtoken*"),
    (HOST, "config get *password*"),
    (HOST, "get *authtoken*"),
)  # fmt: skip
_KUBECTL = (
    (KUBE, "config view --raw"),
    (KUBE, "create token"),
    (
        KUBE,
        "get secret|secrets|secret/*|secret,*|secrets,*|*,secret* -o=yaml|json|*.data*|*template*",
    ),
    (KUBE, "get secret|secrets|secret/*|secret,*|secrets,*|*,secret* --template=*.data*"),
)

_GPG = (
    (EXPORT, "--export-secret-keys"),
    (EXPORT, "--export-secret-key"),
    (EXPORT, "--export-secret-subkeys"),
)

#: Program -> its commands.
COMMANDS = {
    "gh": (
        (HOST, "auth token"),
        (HOST, "auth status -t"),
        (HOST, "auth status --show-token"),
        (HOST, "auth git-credential get"),
    ),
    "glab": (
        (HOST, "auth token"),
        (HOST, "auth status -t"),
        (HOST, "auth status --show-token"),
        (HOST, "config get token"),
        (HOST, "auth git-credential get"),
    ),
    "npm": _NPM,
    "pnpm": _NPM,
    "yarn": (*_NPM, (HOST, "config get npmauthtoken*")),
    "heroku": ((HOST, "auth:token"), (HOST, "config:get *"), (HOST, "auth token")),
    "fly": ((HOST, "auth token"), (HOST, "tokens create"), (HOST, "tokens deploy")),
    "flyctl": ((HOST, "auth token"), (HOST, "tokens create"), (HOST, "tokens deploy")),
    "hf": ((HOST, "auth token"),),
    "gcloud": (
        (CLOUD, "print-access-token"),
        (CLOUD, "print-identity-token"),
        (CLOUD, "print-refresh-token"),
        (CLOUD, "secrets versions access"),
        (CLOUD, "config config-helper"),
    ),
    "aws": (
        (CLOUD, "secretsmanager get-secret-value"),
        (CLOUD, "secretsmanager batch-get-secret-value"),
        (CLOUD, "ssm get-parameter|get-parameters|get-parameters-by-path --with-decryption"),
        (CLOUD, "configure export-credentials"),
        (CLOUD, "configure get *secret*"),
        (CLOUD, "configure get *session_token*"),
        (CLOUD, "sts assume-role*"),
        (CLOUD, "sts get-session-token"),
        (CLOUD, "sts get-federation-token"),
        (CLOUD, "ecr|ecr-public get-login-password"),
        (CLOUD, "ecr get-authorization-token"),
        (CLOUD, "codeartifact get-authorization-token"),
        (CLOUD, "eks get-token"),
        (CLOUD, "rds generate-db-auth-token"),
        (CLOUD, "sso get-role-credentials"),
        (CLOUD, "iam create-access-key"),
    ),
    "az": (
        (CLOUD, "account get-access-token"),
        (CLOUD, "keyvault secret show"),
        (CLOUD, "keyvault secret download"),
        (CLOUD, "acr credential show"),
        (CLOUD, "acr login --expose-token"),
        (CLOUD, "storage account keys list"),
        (CLOUD, "storage account show-connection-string"),
        (CLOUD, "ad sp create-for-rbac"),
    ),
    "kubectl": _KUBECTL,
    "k": _KUBECTL,
    "oc": (
        *_KUBECTL,
        (KUBE, "whoami -t"),
        (KUBE, "whoami --show-token"),
        (KUBE, "extract secret/*"),
    ),
    "git": (
        (GIT, "credential fill"),
        (GIT, "credential-* get"),
        (GIT, "credential get"),
    ),
    "git-credential-store": ((GIT, "get"),),
    "git-credential-cache": ((GIT, "get"),),
    "git-credential-manager": ((GIT, "get"),),
    "git-credential-osxkeychain": ((GIT, "get"),),
    "git-credential-libsecret": ((GIT, "get"),),
    "security": (
        (KEYCHAIN, "find-generic-password|find-internet-password -w"),
        (KEYCHAIN, "find-generic-password|find-internet-password -g"),
        (KEYCHAIN, "dump-keychain -d"),
        (KEYCHAIN, "export"),
    ),
    "secret-tool": ((KEYCHAIN, "lookup"), (KEYCHAIN, "search")),
    "netsh": ((KEYCHAIN, "wlan show *profile* *key=clear*"),),
    "gopass": ((KEYCHAIN, "cat"),),
    "op": (
        (KEYCHAIN, "read"),
        (KEYCHAIN, "item get --reveal"),
        (KEYCHAIN, "item get --fields=*"),
        (KEYCHAIN, "get item"),
        (KEYCHAIN, "document get"),
        (KEYCHAIN, "inject"),
    ),
    "bw": ((KEYCHAIN, "get"), (KEYCHAIN, "list items"), (KEYCHAIN, "export")),
    "rbw": ((KEYCHAIN, "get"),),
    "lpass": ((KEYCHAIN, "show !-c !--clip"), (KEYCHAIN, "export")),
    "keyring": ((KEYCHAIN, "get"),),
    "kwallet-query": ((KEYCHAIN, "-r"),),
    "keepassxc-cli": ((KEYCHAIN, "show"), (KEYCHAIN, "export")),
    "chamber": ((KEYCHAIN, "read"), (KEYCHAIN, "export")),
    "doppler": (
        (KEYCHAIN, "secrets get"),
        (KEYCHAIN, "secrets download"),
        (KEYCHAIN, "secrets $ !--only-names"),
    ),
    "infisical": (
        (KEYCHAIN, "secrets get"),
        (KEYCHAIN, "export"),
        (KEYCHAIN, "secrets $"),
    ),
    "vault": (
        (VAULT, "read"),
        (VAULT, "kv get"),
        (VAULT, "print token"),
        (VAULT, "unwrap"),
        (VAULT, "token create"),
    ),
    "bao": ((VAULT, "read"), (VAULT, "kv get"), (VAULT, "print token")),
    "gpg": _GPG,
    "gpg2": _GPG,
}  # fmt: skip

#: `pass NAME` and `gopass NAME` show an entry; these are their other commands.
PASS_COMMANDS = frozenset(
    (
        "init", "ls", "list", "find", "search", "insert", "add", "edit", "generate", "rm", "remove",
        "delete", "mv", "rename", "cp", "copy", "git", "help", "version", "otp",
        "age", "alias", "aliases", "audit", "clone", "completion", "config", "convert", "create",
        "env", "fsck", "history", "link", "merge", "mounts", "new", "process", "pwgen", "rcs",
        "recipients", "reorg", "set", "setup", "sum", "sync", "templates", "unclip", "update",
    )
)  # fmt: skip


def rule_of(program: str, words: list[str]) -> str:
    """The rule that a command of this program breaks, "" for none."""
    for rule, form in COMMANDS.get(program, ()):
        if _fits(form.split(), words):
            return rule
    if program in ("pass", "gopass"):
        return _of_pass(words)
    if program == "openssl":
        return _of_openssl(words)
    return ""


def _fits(form: list[str], words: list[str]) -> bool:
    at = 0
    for want in form:
        if want[0] == "!":
            if _has_option(want[1:], words):
                return False
        elif want == "$":
            if words[at : at + 1] and words[at][:1] != "-":
                return False
        elif want[0] == "-" and len(want) > 1:
            name, equals, value = want.partition("=")
            if equals:
                given = _option_value(name, words)
                if given is None or not any(_is(given, one) for one in value.split("|")):
                    return False
            elif not _has_option(name, words):
                return False
        else:
            while at < len(words) and not any(_is(words[at], one) for one in want.split("|")):
                at += 1
            if at == len(words):
                return False
            at += 1
    return True


def _is(word: str, want: str) -> bool:
    word = word.lower()
    if want.startswith("*") and want.endswith("*") and len(want) > 1:
        return want[1:-1] in word
    if want.endswith("*"):
        return word.startswith(want[:-1])
    return word == want


def _has_option(name: str, words: list[str]) -> bool:
    if name.startswith("--"):
        return any(word == name or word.startswith(name + "=") for word in words)
    letter = name[1:]
    if len(letter) > 1:
        return name in words
    return any(word[0] == "-" and word[:2] != "--" and letter in word[1:] for word in words if word)


def _option_value(name: str, words: list[str]) -> str | None:
    """The value of `-o`, `-oX`, `--output X`, `--fields=X`; None without one."""
    long = {"-o": "--output", "--fields": "--fields"}.get(name, name)
    for index, word in enumerate(words):
        if word in (name, long):
            return words[index + 1] if index + 1 < len(words) else ""
        if word.startswith(long + "="):
            return word[len(long) + 1 :]
        if name[:2] != "--" and word.startswith(name):
            return word[len(name) :].removeprefix("=")
    return None


def _of_pass(words: list[str]) -> str:
    operands = [word for word in words if word and word[0] != "-"]
    if not operands or _has_option("-c", words) or _has_option("--clip", words):
        return ""
    if operands[0] in ("show", "grep"):
        return KEYCHAIN if len(operands) > 1 else ""
    if "--help" in words or "--version" in words or operands[0] in PASS_COMMANDS:
        return ""
    return KEYCHAIN


def _of_openssl(words: list[str]) -> str:
    """A private key is printed: as it is, or its parts."""
    verb = words[0] if words else ""
    options = {word for word in words if word[:1] == "-"}
    if verb in ("rsa", "ec", "dsa", "pkey", "pkcs8", "pkcs12"):
        if "-in" not in options or options & {"-pubin", "-pubout", "-text_pub", "-nokeys"}:
            return ""
        if verb == "pkcs12" and options & {"-info", "-noout"} == {"-info", "-noout"}:
            return ""
        if "-text" in options or "-noout" not in options:
            return "" if "-out" in options and "-text" not in options else EXPORT
    return ""
