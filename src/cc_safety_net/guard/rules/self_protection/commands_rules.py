"""Texts of the rules about commands against the guard."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "self.command",
        reason="This command of the guard is the person's alone.",
        instead="cc-safety-net doctor",
        do_not="run it by a package runner, a script or another path.",
        intent="hard_stop",
        off="N",
        denied=(
            "npx cc-safety-net uninstall --cursor",
            'script -qc "cc-safety-net policy apply p"',
            "cc-safety-net gui",
            "python3 -m cc_safety_net allow 3f9c21ab",
            "~/.local/share/cc-safety-net/current/cc-safety-net doctor --fix",
            "uvx cc-safety-net rule add x",
        ),
        allowed=(
            "cc-safety-net status && cc-safety-net doctor",
            "cc-safety-net explain 'rm -rf /'",
            "npx cc-safety-net policy show",
            "ccsn rule list",
            "git commit -m 'cc-safety-net uninstall'",
        ),
    ),
    Rule(
        "self.agent-plugin",
        reason="Without the plugin this agent no longer asks the guard.",
        instead="cc-safety-net doctor",
        do_not="edit the agent's settings instead.",
        intent="hard_stop",
        off="N",
        denied=(
            "claude plugin disable cc-safety-net",
            "codex plugin remove cc-safety-net",
            "gemini extensions uninstall cc-safety-net",
            "claude plugin marketplace remove cc-marketplace",
            "openclaw plugins uninstall cc-safety-net --force",
        ),
        allowed=("claude plugin list", "codex plugin list --json", "gemini extensions list"),
    ),
    Rule(
        "self.agent-hooks-off",
        reason="An agent that is started like this does not ask the guard.",
        instead="cc-safety-net doctor",
        do_not="move its home or its settings elsewhere.",
        intent="hard_stop",
        off="N",
        denied=(
            "claude -p --bare hi",
            "codex exec --disable hooks hi",
            "CLAUDE_CONFIG_DIR=/tmp/c claude -p hi",
            "pi -ne -p hi",
            "PLUGINS=off amp",
            """claude --settings '{"disableAllHooks": true}' -p hi""",
        ),
        allowed=("claude -p hi", "codex exec hi", "gemini -p hi", "claude --version"),
    ),
    Rule(
        "self.package",
        reason="This would remove the guard from the machine.",
        instead="cc-safety-net version",
        do_not="delete its files instead.",
        intent="hard_stop",
        off="N",
        denied=(
            "pip uninstall -y cc-safety-net",
            "npm uninstall -g cc-safety-net",
            "pipx uninstall cc_safety_net",
            "uv tool uninstall cc-safety-net",
            "python3 -m pip uninstall cc-safety-net",
        ),
        allowed=(
            "pip install cc-safety-net",
            "pip show cc-safety-net",
            "npm uninstall -g left-pad",
        ),
    ),
    Rule(
        "self.process",
        reason="The guard has to be running to decide.",
        instead="pgrep -fl cc-safety-net",
        do_not="end it by its number instead.",
        intent="hard_stop",
        off="N",
        denied=(
            "pkill -f cc-safety-net",
            "kill $(pgrep -f cc-safety-net)",
            "pgrep -f cc-safety-net | xargs kill -9",
        ),
        allowed=("pgrep -fl cc-safety-net", "pkill -f vite", "kill 4242"),
    ),
)
