"""Which files hold secrets, as data: names, extensions, stores of the home, system paths, agents.

All names are lower case, since paths are compared without case.
"""

from __future__ import annotations

#: What a class of use comes to: "A" allow, "D" deny, "C" deny if the file holds a credential
#: line, "S" deny if the header is not public, "P" deny at paranoid, "E" deny where the person has
#: set the rule. Columns: read, names (metadata, template), create, overwrite, use.
CLASSES = ("read", "names", "create", "overwrite", "use")
GROUPS = {
    "env": ("D", "A", "A", "D", "P"),
    "env-soft": ("C", "A", "A", "D", "P"),
    "package": ("D", "A", "A", "D", "P"),
    "package-soft": ("C", "A", "A", "D", "P"),
    "key": ("D", "A", "A", "D", "P"),
    "key-header": ("S", "A", "A", "D", "P"),
    "home": ("D", "A", "D", "D", "P"),
    # What may be read in `.ssh`.
    "home-open": ("A", "A", "D", "D", "A"),
    "known-hosts": ("A", "A", "A", "D", "A"),
    "history": ("D", "A", "A", "A", "A"),
    "project": ("D", "A", "A", "D", "P"),
    "project-soft": ("C", "A", "A", "D", "P"),
    "system": ("D", "A", "D", "D", "D"),
    "agent": ("D", "A", "D", "D", "D"),
    "agent-config": ("E", "A", "A", "A", "A"),
    "deny-path": ("D", "D", "D", "D", "D"),
}

#: Whole names -> (id, group).
NAMES = {
    ".env": ("secret.basename.env", "env"),
    ".envrc": ("secret.basename.envrc", "env-soft"),
    ".npmrc": ("secret.basename.npmrc", "package-soft"),
    ".pypirc": ("secret.basename.pypirc", "package"),
    ".netrc": ("secret.basename.netrc", "package"),
    "_netrc": ("secret.basename.netrc", "package"),
    ".git-credentials": ("secret.basename.git-credentials", "package"),
    "credentials": ("secret.basename.credentials", "package"),
    "id_rsa": ("secret.basename.id-rsa", "key"),
    "id_ed25519": ("secret.basename.id-ed25519", "key"),
    "id_ecdsa": ("secret.basename.id-ecdsa", "key"),
    "id_dsa": ("secret.pattern.ssh-key-basename", "key"),
    "id_ecdsa_sk": ("secret.pattern.ssh-key-basename", "key"),
    "id_ed25519_sk": ("secret.pattern.ssh-key-basename", "key"),
    "id_xmss": ("secret.pattern.ssh-key-basename", "key"),
    "credentials.json": ("secret.pattern.credentials-json", "project"),
    "master.key": ("secret.pattern.rails-master-key", "project"),
    ".htpasswd": ("secret.pattern.htpasswd", "project"),
    "secrets.json": ("secret.pattern.secrets-file", "project-soft"),
    "secrets.yml": ("secret.pattern.secrets-file", "project-soft"),
    "secrets.yaml": ("secret.pattern.secrets-file", "project-soft"),
    "secrets.toml": ("secret.pattern.secrets-file", "project-soft"),
    "secrets.env": ("secret.pattern.secrets-file", "project-soft"),
}

#: Variants of `.env` that often hold nothing secret.
SOFT_ENV = frozenset((".env.test", ".env.ci"))
#: A part of the name that makes a template of it.
TEMPLATES = frozenset(
    ("example", "sample", "template", "tpl", "schema", "defaults", "dist")
)  # fmt: skip

#: Bases of key names -> part of the id, and suffixes that stand for copies of them.
VARIANT_BASES = {
    "id_rsa": "id-rsa",
    "id_dsa": "id-dsa",
    "id_ed25519": "id-ed25519",
    "id_ecdsa": "id-ecdsa",
    "credentials": "credentials",
}
VARIANT_SUFFIXES = (
    "bak", "backup", "copy", "disabled", "key", "old", "orig", "pem", "save", "tmp"
)  # fmt: skip
#: Ends of key names (`deploy_rsa`).
KEY_ENDS = (
    "_rsa", "_dsa", "_ecdsa", "_ed25519", "-rsa", "-dsa", "-ecdsa", "-ed25519"
)  # fmt: skip

EXTENSIONS = frozenset(
    (
        "agilekeychain", "asc", "bek", "cscfg", "fve", "gnucash", "jks", "keychain", "kwallet",
        "mdf", "ovpn", "p12", "pcap", "pem", "pfx", "pkcs12", "psafe3", "rdp", "sdf", "tblk", "tpm",
    )
)  # fmt: skip
PATTERN_EXTENSIONS = frozenset(("key", "keystore", "kdbx"))
#: Files of these may hold something public, which their header tells.
HEADED = frozenset(("pem", "asc"))

#: Files with these endings are code or prose, whatever they are called.
SOURCE_EXTENSIONS = frozenset(
    (
        "adoc", "astro", "bash", "c", "cc", "clj", "cpp", "cs", "css", "cxx", "dart", "el", "elm",
        "erb", "erl", "ex", "exs", "fish", "fs", "go", "gql", "gradle", "graphql", "groovy", "h",
        "haml", "hbs", "hpp", "hrl", "hs", "html", "ipynb", "java", "jinja", "jl", "js", "jsx",
        "kt", "kts", "less", "liquid", "lua", "m", "md", "mdx", "mjs", "cjs", "ml", "mli", "mm",
        "mts", "cts", "nim", "nix", "php", "pl", "pm", "proto", "ps1", "psm1", "pug", "py", "pyi",
        "pyx", "r", "rb", "rs", "rst", "sass", "scala", "scss", "sh", "slim", "snap", "sol", "sql",
        "svelte", "svg", "swift", "tcl", "tex", "ts", "tsx", "v", "vb", "vim", "vue", "zig", "zsh",
    )
)  # fmt: skip
#: Directories of code that others wrote; their test keys are public.
VENDORED = frozenset(
    (
        "node_modules", "bower_components", "site-packages", "dist-packages", "vendor", "pods",
        "third_party", "third-party", "__pycache__",
    )
)  # fmt: skip
#: Directories in which a file called `credentials` is code or prose.
CODE_DIRECTORIES = frozenset(
    ("docs", "doc", "src", "lib", "test", "tests", "examples", "example", "spec")
)  # fmt: skip

#: Below a home: (path, id). A path that ends in a slash is a directory, with all that is in it;
#: `*` ends a name that goes on.
STORES = (
    (".ssh/", "secret.home.ssh"),
    (".aws/", "secret.home.aws"),
    (".config/gcloud/application_default_credentials.json", "secret.home.gcp"),
    (".gcp/", "secret.home.gcp"),
    (".gcloud/", "secret.home.gcp"),
    (".config/gcloud/", "secret.home.gcloud-config"),
    ("appdata/roaming/gcloud/application_default_credentials.json", "secret.home.gcp"),
    ("appdata/roaming/gcloud/", "secret.home.gcloud-config"),
    (".kube/cache/", ""),
    (".kube/http-cache/", ""),
    (".kube/", "secret.home.kube-config"),
    (".docker/config.json", "secret.home.docker-config"),
    (".config/gh/hosts.yml", "secret.home.gh-hosts"),
    ("appdata/roaming/github cli/hosts.yml", "secret.home.gh-hosts"),
    (".gnupg/", "secret.home.gnupg"),
    (".pgpass", "secret.home.pgpass"),
    (".my.cnf", "secret.home.my-cnf"),
    (".mylogin.cnf", "secret.home.my-cnf"),
    (".vault-token", "secret.home.vault-token"),
    (".password-store/", "secret.home.password-store"),
    (".azure/", "secret.home.azure"),
    (".cargo/credentials", "secret.home.cargo-credentials"),
    (".cargo/credentials.toml", "secret.home.cargo-credentials"),
    (".gem/credentials", "secret.home.gem-credentials"),
    (".local/share/gem/credentials", "secret.home.gem-credentials"),
    (".terraform.d/credentials.tfrc.json", "secret.home.terraform-credentials"),
    (".terraformrc", "secret.home.terraform-credentials"),
    (".config/sops/age/", "secret.home.age-keys"),
    (".config/age/", "secret.home.age-keys"),
    (".age/", "secret.home.age-keys"),
    (".config/rclone/", "secret.home.rclone"),
    (".rclone.conf", "secret.home.rclone"),
    (".config/glab-cli/", "secret.home.glab"),
    (".config/op/", "secret.home.op"),
    (".op/", "secret.home.op"),
    (".fly/config.yml", "secret.home.fly"),
    (".vercel/auth.json", "secret.home.vercel"),
    (".local/share/com.vercel.cli/", "secret.home.vercel"),
    (".config/com.vercel.cli/", "secret.home.vercel"),
    ("library/application support/com.vercel.cli/", "secret.home.vercel"),
    (".snowflake/", "secret.home.snowflake"),
    (".snowsql/config", "secret.home.snowflake"),
    (".dbt/profiles.yml", "secret.home.dbt"),
    (".cache/huggingface/token", "secret.home.huggingface"),
    (".cache/huggingface/stored_tokens", "secret.home.huggingface"),
    (".huggingface/", "secret.home.huggingface"),
    (".kaggle/", "secret.home.kaggle"),
    (".config/kaggle/", "secret.home.kaggle"),
    (".s3cfg", "secret.home.s3cfg"),
    (".local/share/keyrings/", "secret.home.keyrings"),
    (".local/share/kwalletd/", "secret.home.keyrings"),
    (".gnome2/keyrings/", "secret.home.keyrings"),
    ("library/keychains/", "secret.home.keychains"),
    ("appdata/local/microsoft/credentials/", "secret.home.keyrings"),
    ("appdata/roaming/microsoft/credentials/", "secret.home.keyrings"),
    ("appdata/roaming/microsoft/protect/", "secret.home.keyrings"),
    (".mozilla/firefox/", "secret.home.browser-profile"),
    (".config/google-chrome", "secret.home.browser-profile"),
    (".config/google-chrome/", "secret.home.browser-profile"),
    (".config/google-chrome-beta/", "secret.home.browser-profile"),
    (".config/chromium/", "secret.home.browser-profile"),
    (".config/bravesoftware/", "secret.home.browser-profile"),
    (".config/microsoft-edge/", "secret.home.browser-profile"),
    (".config/vivaldi/", "secret.home.browser-profile"),
    (".config/opera/", "secret.home.browser-profile"),
    ("snap/firefox/common/.mozilla/firefox/", "secret.home.browser-profile"),
    ("snap/chromium/common/chromium/", "secret.home.browser-profile"),
    (".var/app/org.mozilla.firefox/.mozilla/firefox/", "secret.home.browser-profile"),
    ("library/application support/google/chrome/", "secret.home.browser-profile"),
    ("library/application support/chromium/", "secret.home.browser-profile"),
    ("library/application support/firefox/", "secret.home.browser-profile"),
    ("library/application support/bravesoftware/", "secret.home.browser-profile"),
    ("library/application support/microsoft edge/", "secret.home.browser-profile"),
    ("library/application support/arc/", "secret.home.browser-profile"),
    ("library/cookies/", "secret.home.browser-profile"),
    ("library/safari/", "secret.home.browser-profile"),
    ("appdata/local/google/chrome/user data/", "secret.home.browser-profile"),
    ("appdata/local/microsoft/edge/user data/", "secret.home.browser-profile"),
    ("appdata/roaming/mozilla/firefox/", "secret.home.browser-profile"),
)  # fmt: skip
#: Copies of two stores (`~/.kube/config.bak`).
STORE_COPIES = {
    ".kube/config": "secret.home.kube-config",
    ".docker/config.json": "secret.home.docker-config",
}
STORE_SUFFIXES = ("bak", "backup", "copy", "disabled", "old", "orig", "save", "tmp")
#: What may be read in `.ssh`.
SSH_READABLE = frozenset(("config", "authorized_keys"))

HISTORIES = frozenset(
    (
        ".bash_history", ".zsh_history", ".zhistory", ".histfile", ".sh_history", ".ksh_history",
        ".history", ".python_history", ".node_repl_history", ".irb_history", ".pry_history",
        ".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".dbshell",
        ".mongo_history", ".lesshst", ".scala_history", ".php_history", ".lua_history",
        ".config/fish/fish_history", ".local/share/fish/fish_history",
        ".ipython/profile_default/history.sqlite", ".local/share/nushell/history.txt",
        ".config/nushell/history.txt",
        ".local/share/powershell/psreadline/consolehost_history.txt",
        "appdata/roaming/microsoft/windows/powershell/psreadline/consolehost_history.txt",
        ".mongodb/mongosh/mongosh_repl_history", ".local/share/zsh/history", ".cache/zsh/history",
        ".local/state/bash/history",
    )
)  # fmt: skip

#: Whole paths of the system; one that ends in a slash is a directory.
SYSTEM = (
    ("/etc/shadow", "secret.system.shadow"),
    ("/etc/shadow-", "secret.system.shadow"),
    ("/etc/gshadow", "secret.system.shadow"),
    ("/etc/gshadow-", "secret.system.shadow"),
    ("/etc/master.passwd", "secret.system.shadow"),
    ("/run/secrets/", "secret.system.run-secrets"),
    ("/var/run/secrets/", "secret.system.run-secrets"),
)

#: Variables that move a directory of the home elsewhere.
MOVERS = (
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_CACHE_HOME", ".cache"),
    ("CLAUDE_CONFIG_DIR", ".claude"),
    ("CODEX_HOME", ".codex"),
    ("GEMINI_CLI_HOME", ""),
    ("COPILOT_HOME", ".copilot"),
    ("KIMI_CODE_HOME", ".kimi-code"),
    ("PI_CODING_AGENT_DIR", ".pi/agent"),
    ("OPENCODE_CONFIG_DIR", ".config/opencode"),
    ("GROK_HOME", ".grok"),
    ("OPENCLAW_HOME", ""),
    ("OPENCLAW_STATE_DIR", ".openclaw"),
    ("HERMES_HOME", ".hermes"),
    ("GNUPGHOME", ".gnupg"),
    ("PASSWORD_STORE_DIR", ".password-store"),
    ("CLOUDSDK_CONFIG", ".config/gcloud"),
    ("DOCKER_CONFIG", ".docker"),
    ("AZURE_CONFIG_DIR", ".azure"),
    ("CARGO_HOME", ".cargo"),
    ("GH_CONFIG_DIR", ".config/gh"),
    ("SNOWFLAKE_HOME", ".snowflake"),
    ("HF_HOME", ".cache/huggingface"),
    ("KAGGLE_CONFIG_DIR", ".kaggle"),
)

#: Token and credential files of the agents, below a home; `*` stands for one component.
AGENTS = (
    (".claude/.credentials.json", "secret.cli.claude-code"),
    (".codex/auth.json", "secret.cli.codex"),
    (".codex/.credentials.json", "secret.cli.codex"),
    (".gemini/antigravity-cli/antigravity-oauth-token", "secret.cli.antigravity-cli"),
    (".gemini/antigravity-cli/credentials.json", "secret.cli.antigravity-cli"),
    (".gemini/antigravity/oauth_creds.json", "secret.cli.antigravity-cli"),
    (".gemini/antigravity/mcp-oauth-tokens.json", "secret.cli.antigravity-cli"),
    (".gemini/oauth_creds.json", "secret.cli.gemini"),
    (".gemini/mcp-oauth-tokens.json", "secret.cli.gemini"),
    (".gemini/mcp-oauth-tokens-v2.json", "secret.cli.gemini"),
    (".gemini/gemini-credentials.json", "secret.cli.gemini"),
    (".gemini/a2a-oauth-tokens.json", "secret.cli.gemini"),
    (".copilot/auth.json", "secret.cli.copilot-cli"),
    (".copilot/tokens.json", "secret.cli.copilot-cli"),
    (".copilot/mcp-oauth-config/", "secret.cli.copilot-cli"),
    (".config/github-copilot/hosts.json", "secret.cli.copilot-cli"),
    (".config/github-copilot/apps.json", "secret.cli.copilot-cli"),
    (".kimi-code/credentials/", "secret.cli.kimi-code"),
    (".kimi-code/auth.json", "secret.cli.kimi-code"),
    (".kimi/credentials/", "secret.cli.kimi-code"),
    (".local/share/opencode/auth.json", "secret.cli.opencode"),
    (".local/share/opencode/mcp-auth.json", "secret.cli.opencode"),
    (".pi/agent/auth.json", "secret.cli.pi"),
    (".pi/agent/oauth.json", "secret.cli.pi"),
    (".local/share/amp/secrets.json", "secret.cli.amp"),
    (".config/amp/secrets.json", "secret.cli.amp"),
    (".amp/oauth/", "secret.cli.amp"),
    (".cursor/auth.json", "secret.cli.cursor"),
    (".config/cursor/auth.json", "secret.cli.cursor"),
    (".grok/auth.json", "secret.cli.grok-build"),
    (".grok/mcp_credentials.json", "secret.cli.grok-build"),
    (".openclaw/credentials/", "secret.cli.openclaw"),
    (".openclaw/agents/*/agent/auth-profiles.json", "secret.cli.openclaw"),
    (".openclaw/agents/*/agent/auth.json", "secret.cli.openclaw"),
    (".openclaw/identity/", "secret.cli.openclaw"),
    (".hermes/.env", "secret.cli.hermes-agent"),
    (".hermes/auth.json", "secret.cli.hermes-agent"),
    (".hermes/profiles/*/.env", "secret.cli.hermes-agent"),
    (".hermes/profiles/*/auth.json", "secret.cli.hermes-agent"),
    (".config/devin/credentials.toml", "secret.cli.devin"),
    (".local/share/devin/credentials.toml", "secret.cli.devin"),
    (".config/devin/auth.json", "secret.cli.devin"),
    (".local/share/devin/auth.json", "secret.cli.devin"),
)
AGENT_CONFIGS = (
    (".claude/settings.json", "secret.cli.claude-code.config"),
    (".claude/settings.local.json", "secret.cli.claude-code.config"),
    (".claude.json", "secret.cli.claude-code.config"),
    (".codex/config.toml", "secret.cli.codex.config"),
    (".codex/hooks.json", "secret.cli.codex.config"),
    (".gemini/config/", "secret.cli.antigravity"),
    (".gemini/antigravity-cli/settings.json", "secret.cli.antigravity"),
    (".gemini/antigravity-cli/mcp_config.json", "secret.cli.antigravity"),
    (".gemini/antigravity/mcp_config.json", "secret.cli.antigravity"),
    (".gemini/settings.json", "secret.cli.gemini.config"),
    (".copilot/settings.json", "secret.cli.copilot-cli.config"),
    (".copilot/config.json", "secret.cli.copilot-cli.config"),
    (".copilot/mcp-config.json", "secret.cli.copilot-cli.config"),
    (".kimi-code/config.toml", "secret.cli.kimi-code.config"),
    (".kimi-code/mcp.json", "secret.cli.kimi-code.config"),
    (".config/opencode/opencode.json", "secret.cli.opencode.config"),
    (".config/opencode/opencode.jsonc", "secret.cli.opencode.config"),
    (".pi/agent/settings.json", "secret.cli.pi.config"),
    (".pi/agent/models.json", "secret.cli.pi.config"),
    (".config/amp/settings.json", "secret.cli.amp.config"),
    (".cursor/mcp.json", "secret.cli.cursor.config"),
    (".cursor/hooks.json", "secret.cli.cursor.config"),
    (".cursor/cli-config.json", "secret.cli.cursor.config"),
    (".grok/config.toml", "secret.cli.grok-build.config"),
    (".grok/managed_config.toml", "secret.cli.grok-build.config"),
    (".openclaw/openclaw.json", "secret.cli.openclaw.config"),
    (".hermes/config.yaml", "secret.cli.hermes-agent.config"),
    (".hermes/profiles/*/config.yaml", "secret.cli.hermes-agent.config"),
    (".config/devin/config.json", "secret.cli.devin.config"),
)

#: Names that stand for the table when a pattern or an unknown part has to be compared with it.
REPRESENTATIVES = (
    ".env", ".env.local", ".env.production", ".env.test", ".envrc", ".npmrc", ".pypirc", ".netrc",
    ".git-credentials", "credentials", "credentials.json", "id_rsa", "id_ed25519", "id_ecdsa",
    "id_dsa", "master.key", ".htpasswd", "secrets.json", "secrets.yml", "secrets.yaml",
    "secrets.toml", "secrets.env", "service-account.json", "client_secret.json",
    "terraform.tfstate", "terraform.tfvars", ".vault_pass", "kubeconfig",
)  # fmt: skip
