"""Texts of the rules about secrets: a sentence for each group, examples for each id."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Group -> (reason, what is permitted instead).
_GROUPS = {
    "env": (
        "The file may hold passwords and keys of the project.",
        "Names without values: `cut -d= -f1 {path}`. One more line: `echo NAME= >> {path}`.",
    ),
    "net": (
        "The file holds a login to a package index, a host or a cloud.",
        "Size and date, or whether it names a host: `ls -l {path}`, `grep -c registry {path}`.",
    ),
    "keys": (
        "The file holds a private key, or a store of keys and passwords.",
        ("A program may use it, as ssh -i does; look at it from outside: `ls -l {path}`."),
    ),
    "home": (
        "The file belongs to the person's own credentials.",
        "Ask the program that it belongs to, and look from outside: `ls -ld {path}`.",
    ),
    "history": (
        "A history holds whatever was typed, passwords and tokens too.",
        "Count its lines, or those with a word: `wc -l {path}`.",
    ),
    "project": (
        "The file holds credentials of the project.",
        "Size and date, or whether a name is in it: `ls -l {path}`, `grep -c name {path}`.",
    ),
    "system": ("The file holds secrets of the system.", "`ls -ld {path}`"),
    "agent": (
        "The file holds an agent's login.",
        "Whether somebody is logged in: `ls -ld {path}`.",
    ),
    "agent-config": (
        "The policy protects the agent's settings from being read.",
        "`ls -ld {path}`",
    ),
}
_DO_NOT = {
    "env": "read it by another program, copy it to another name, or encode it.",
    "net": "read it by another program, copy it to another name, or encode it.",
    "keys": "copy, convert, encode or send it.",
    "home": "read, copy, pack or change it by another program.",
    "history": "read it by another program.",
    "project": "read it by another program, copy it to another name, or encode it.",
    "system": "try it with sudo or by another program.",
    "agent": "read it by another program, and do not use the token yourself.",
    "agent-config": "read it by another program.",
}


def _of_files(group: str, names: dict[str, str], *, home: bool = False) -> Iterator[Rule]:
    """Rules of files; names: id -> a path that it protects."""
    reason, instead = _GROUPS[group]
    for rule_id, path in names.items():
        word = f"'{path}'" if " " in path else path
        if home:
            word = f"~/{word}" if " " not in path else '"$HOME"/' + word
        yield Rule(
            rule_id,
            reason=reason,
            instead=instead,
            do_not=_DO_NOT[group],
            intent="use_alternative",
            denied=(f"cat {word}", f"base64 {word}"),
            allowed=(f"ls -l {word}", f"wc -c {word}"),
            level="strict" if group == "history" else "standard",
            listed=group == "agent-config",
        )


_ENV = {
    "secret.basename.env": ".env",
    "secret.pattern.env-variant": ".env.production",
    "secret.basename.envrc": ".envrc",
}
_NET = {
    "secret.basename.npmrc": "/srv/app/.npmrc",
    "secret.basename.pypirc": ".pypirc",
    "secret.basename.netrc": ".netrc",
    "secret.basename.git-credentials": ".git-credentials",
    "secret.basename.credentials": "config/credentials",
}
_SUFFIXES = ("bak", "backup", "copy", "disabled", "key", "old", "orig", "pem", "save", "tmp")
_KEYS = {
    "secret.basename.id-rsa": "id_rsa",
    "secret.basename.id-ed25519": "id_ed25519",
    "secret.basename.id-ecdsa": "id_ecdsa",
    **{
        f"secret.variant.{base.replace('_', '-')}.{suffix}": f"{base}.{suffix}"
        for base in ("id_rsa", "id_dsa", "id_ed25519", "id_ecdsa", "credentials")
        for suffix in _SUFFIXES
    },
    **{
        f"secret.variant.{base.replace('_', '-')}.separator": f"{base}-work"
        for base in ("id_rsa", "id_dsa", "id_ed25519", "id_ecdsa", "credentials")
    },
    "secret.pattern.ssh-key-basename": "deploy_rsa",
    **{
        f"secret.ext.{extension}": f"store.{extension}"
        for extension in (
            "agilekeychain", "asc", "bek", "cscfg", "fve", "gnucash", "jks", "keychain", "kwallet",
            "mdf", "ovpn", "p12", "pcap", "pem", "pfx", "pkcs12", "psafe3", "rdp", "sdf", "tblk",
            "tpm",
        )
    },
    "secret.ext-pattern.key": "server.key",
    "secret.ext-pattern.keystore": "release.keystore",
    "secret.ext-pattern.kdbx": "vault.kdbx",
}  # fmt: skip
_COPIES = ("bak", "backup", "copy", "disabled", "old", "orig", "save", "tmp")
_HOME = {
    "secret.home.ssh": ".ssh/id_work",
    "secret.home.aws": ".aws/config",
    "secret.home.gcp": ".config/gcloud/application_default_credentials.json",
    "secret.home.gcloud-config": ".config/gcloud/credentials.db",
    "secret.home.kube-config": ".kube/config",
    "secret.home.docker-config": ".docker/config.json",
    "secret.home.gh-hosts": ".config/gh/hosts.yml",
    **{f"secret.home.kube-config.{copy}": f".kube/config.{copy}" for copy in _COPIES},
    **{f"secret.home.docker-config.{copy}": f".docker/config.json.{copy}" for copy in _COPIES},
    "secret.home.gnupg": ".gnupg/secring.gpg",
    "secret.home.pgpass": ".pgpass",
    "secret.home.my-cnf": ".my.cnf",
    "secret.home.vault-token": ".vault-token",
    "secret.home.password-store": ".password-store/mail.gpg",
    "secret.home.azure": ".azure/accessTokens.json",
    "secret.home.cargo-credentials": ".cargo/credentials.toml",
    "secret.home.gem-credentials": ".gem/credentials",
    "secret.home.terraform-credentials": ".terraform.d/credentials.tfrc.json",
    "secret.home.age-keys": ".config/sops/age/keys.txt",
    "secret.home.rclone": ".config/rclone/rclone.conf",
    "secret.home.glab": ".config/glab-cli/config.yml",
    "secret.home.op": ".config/op/config",
    "secret.home.fly": ".fly/config.yml",
    "secret.home.vercel": ".local/share/com.vercel.cli/auth.json",
    "secret.home.snowflake": ".snowflake/config.toml",
    "secret.home.dbt": ".dbt/profiles.yml",
    "secret.home.huggingface": ".cache/huggingface/token",
    "secret.home.kaggle": ".kaggle/kaggle.json",
    "secret.home.s3cfg": ".s3cfg",
    "secret.home.keyrings": ".local/share/keyrings/login.keyring",
    "secret.home.keychains": "Library/Keychains/login.keychain-db",
    "secret.home.browser-profile": ".config/google-chrome/Default/Login Data",
}
_PROJECT = {
    "secret.pattern.service-account": "service-account.json",
    "secret.pattern.credentials-json": "credentials.json",
    "secret.pattern.tfstate": "terraform.tfstate",
    "secret.pattern.tfvars": "prod.tfvars",
    "secret.pattern.vault-password": ".vault_pass",
    "secret.pattern.rails-master-key": "config/master.key",
    "secret.pattern.htpasswd": ".htpasswd",
    "secret.pattern.secrets-file": "secrets.yml",
    "secret.pattern.kubeconfig": "prod-kubeconfig.yaml",
}
_SYSTEM = {
    "secret.system.shadow": "/etc/shadow",
    "secret.system.ssh-host-keys": "/etc/ssh/ssh_host_rsa_key",
    "secret.system.proc-environ": "/proc/self/environ",
    "secret.system.run-secrets": "/run/secrets/db",
}
_AGENTS = {
    "secret.cli.claude-code": ".claude/.credentials.json",
    "secret.cli.codex": ".codex/auth.json",
    "secret.cli.gemini": ".gemini/oauth_creds.json",
    "secret.cli.copilot-cli": ".config/github-copilot/hosts.json",
    "secret.cli.kimi-code": ".kimi-code/credentials/kimi.json",
    "secret.cli.opencode": ".local/share/opencode/auth.json",
    "secret.cli.pi": ".pi/agent/auth.json",
    "secret.cli.amp": ".local/share/amp/secrets.json",
    "secret.cli.cursor": ".config/cursor/auth.json",
    "secret.cli.grok-build": ".grok/auth.json",
    "secret.cli.antigravity-cli": ".gemini/antigravity-cli/antigravity-oauth-token",
    "secret.cli.openclaw": ".openclaw/credentials/oauth.json",
    "secret.cli.hermes-agent": ".hermes/auth.json",
    "secret.cli.devin": ".local/share/devin/credentials.toml",
}
_AGENT_CONFIGS = {
    "secret.cli.claude-code.config": ".claude/settings.json",
    "secret.cli.antigravity": ".gemini/config/hooks.json",
    "secret.cli.codex.config": ".codex/config.toml",
    "secret.cli.gemini.config": ".gemini/settings.json",
    "secret.cli.copilot-cli.config": ".copilot/settings.json",
    "secret.cli.kimi-code.config": ".kimi-code/config.toml",
    "secret.cli.opencode.config": ".config/opencode/opencode.json",
    "secret.cli.pi.config": ".pi/agent/settings.json",
    "secret.cli.amp.config": ".config/amp/settings.json",
    "secret.cli.cursor.config": ".cursor/mcp.json",
    "secret.cli.grok-build.config": ".grok/config.toml",
    "secret.cli.openclaw.config": ".openclaw/openclaw.json",
    "secret.cli.hermes-agent.config": ".hermes/config.yaml",
    "secret.cli.devin.config": ".config/devin/config.json",
}


def _of_command(
    rule_id: str, reason: str, instead: str, denied: Sequence[str], allowed: Sequence[str]
) -> Rule:
    return Rule(
        rule_id,
        reason=reason,
        instead=instead,
        do_not="print it by another program, encode it, or write it to a file to read it.",
        intent="use_alternative",
        denied=denied,
        allowed=allowed,
    )


_COMMANDS = (
    _of_command(
        "secret.command.environment-dump",
        "The environment holds tokens and passwords beside everything else.",
        "Names without values: `env | cut -d= -f1`. One variable: `printenv PATH`.",
        ("printenv", "env", "export -p", "set", "python3 -c 'import os; print(os.environ)'"),
        ("printenv PATH", "env | cut -d= -f1", "env | grep -i node", "set -e", "env FOO=1 make"),
    ),
    _of_command(
        "secret.command.environment-value",
        "The value of this variable is a secret by its name.",
        "Whether it is set: `test -n {value}`. Programs read it from the environment themselves.",
        ("echo $API_KEY", "printenv GITHUB_TOKEN", "node -p process.env.API_KEY"),
        ("echo ${API_KEY:+set}", "echo ${#API_KEY}", '[ -n "$API_KEY" ]', "echo $SSH_AUTH_SOCK"),
    ),
    _of_command(
        "secret.command.host-token",
        "It prints the token of a login.",
        "Whether somebody is logged in: `gh auth status`. A program may take the token:"
        " `gh auth token | docker login ghcr.io -u me --password-stdin`.",
        ("gh auth token", "gh auth status -t", "npm config get //r.example/:_authToken"),
        ("gh auth status", "npm config get registry", "TOKEN=$(gh auth token) make release"),
    ),
    _of_command(
        "secret.command.cloud-token",
        "It prints a token, a password or a secret of a cloud.",
        "Who is logged in: `aws sts get-caller-identity`, `gcloud auth list`.",
        ("gcloud auth print-access-token", "aws secretsmanager get-secret-value --secret-id s"),
        (
            "aws sts get-caller-identity",
            "aws ecr get-login-password | docker login -u AWS --password-stdin r.example",
        ),
    ),
    _of_command(
        "secret.command.kube-secret",
        "It prints secrets of a cluster.",
        "Names and sizes: `kubectl get secret`, `kubectl describe secret`.",
        ("kubectl config view --raw", "kubectl get secret db -o yaml"),
        ("kubectl get secret", "kubectl describe secret db", "kubectl config view"),
    ),
    _of_command(
        "secret.command.git-credential",
        "It prints the password that git has for a host.",
        "Which helper is set: `git config credential.helper`.",
        ("git credential fill", "git credential-store get"),
        ("git config credential.helper", "git credential approve"),
    ),
    _of_command(
        "secret.command.keychain",
        "It prints an entry of a password store.",
        "Names of entries: `pass ls`.",
        ("security find-generic-password -w -s x", "pass show mail", "op read op://v/i/f"),
        ("pass ls", "security find-generic-password -s x", "op item list"),
    ),
    _of_command(
        "secret.command.vault",
        "It prints a secret of the vault.",
        "Names of secrets: `vault kv list s`.",
        ("vault kv get s/x", "vault read secret/x", "vault print token"),
        ("vault status", "vault kv list s"),
    ),
    _of_command(
        "secret.command.key-export",
        "It prints a private key.",
        "The public part: `openssl rsa -in FILE -pubout`, `gpg --export me`.",
        ("gpg --export-secret-keys me", "openssl rsa -in k -text"),
        ("openssl x509 -in cert.pem -text", "openssl rsa -in k -pubout", "gpg --export me"),
    ),
)

_OTHERS = (
    Rule(
        "secret.recursive-read",
        reason="The search opens files that hold secrets, and prints lines of them.",
        instead="{instead}",
        do_not="search the files one by one, or by another program.",
        intent="use_alternative",
        denied=("grep -r KEY .", "rg --hidden KEY", ("Grep", {"pattern": ".", "path": "."})),
        allowed=("grep -r KEY . --exclude='.env*'", "grep -rl KEY .", "rg KEY", "grep -r KEY src"),
    ),
    Rule(
        "secret.deny-path",
        reason="The policy closes this path to every tool and command.",
        instead="Work without it, or ask the person to lift the entry in `deny_paths`.",
        do_not="reach it by another tool, a link or a copy.",
        intent="stop_and_explain",
        denied=("cat ~/closed/plan.txt", ("Write", {"file_path": "~/closed/plan.txt"})),
        allowed=("cat notes.txt", ("Write", {"file_path": "open/plan.txt"})),
    ),
)

RULES: tuple[Rule, ...] = (
    *_of_files("env", _ENV),
    *_of_files("net", _NET),
    *_of_files("keys", _KEYS),
    *_of_files("home", _HOME, home=True),
    *_of_files("history", {"secret.home.shell-history": ".bash_history"}, home=True),
    *_of_files("project", _PROJECT),
    *_of_files("system", _SYSTEM),
    *_of_files("agent", _AGENTS, home=True),
    *_of_files("agent-config", _AGENT_CONFIGS, home=True),
    *_COMMANDS,
    *_OTHERS,
)
