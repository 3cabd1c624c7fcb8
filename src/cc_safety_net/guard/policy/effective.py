"""From documents to the effective policy: the person's settings, then a project's tightening."""

from __future__ import annotations

from cc_safety_net.guard import clock
from cc_safety_net.guard.directories import SYSTEM
from cc_safety_net.guard.policy.patterns import expand, matches
from cc_safety_net.guard.policy.settings import LEVELS, Policy, merged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_MEANING = {"on": "deny", "off": "allow"}
_STRENGTH = {"allow": 0, "ask": 1, "deny": 2, "form": 3}
_CAPABILITIES = ("fail_closed", "paranoid_rm", "paranoid_interpreters")
#: Below the person's home; where agents keep their settings by default.
_AGENT_HOMES = (
    ".claude",
    ".codex",
    ".gemini",
    ".copilot",
    ".cursor",
    ".kimi-code",
    ".grok",
    ".hermes",
    ".openclaw",
    ".pi",
    ".config/opencode",
    ".config/amp",
    ".config/devin",
)


def apply_user(
    policy: Policy,
    document: Mapping[str, Any],
    agent: str,
    home: str,
    ours: Sequence[str],
    now: int,
) -> tuple[str, str] | None:
    """Put the person's document into a fresh policy.

    ours: our own directories, in which no `allow_paths` may lie. now: seconds since 1970.
    Returns (dotted key, fact) of a value that is not permitted on this machine.
    """
    _safety(policy, document.get("safety", {}))
    policy.worktree_mode = document.get("workflow", {}).get("worktree_mode", False)
    commands = document.get("destructive_command_protection", {})
    secrets = document.get("secret_protection", {})
    policy.commands_enabled = commands.get("enabled", True)
    policy.secrets_enabled = secrets.get("enabled", True)
    for rules in (
        commands.get("overrides", {}),
        secrets.get("overrides", {}),
        document.get("rules", {}),
    ):
        policy.rules.update(_actions(rules))
    policy.packs.update(document.get("packs", {}))
    own = document.get("agents", {}).get(agent, {})
    _safety(policy, own.get("safety", {}))
    policy.rules.update(_actions(own.get("rules", {})))
    policy.packs.update(own.get("packs", {}))
    policy.project_trust = document.get("project_trust", "allow")
    audit = document.get("audit", {})
    policy.audit_retention_days = audit.get("retention_days", 30)
    policy.audit_scope = audit.get("scope", "all")
    policy.audit_max_mb = audit.get("max_mb", 64)
    wrong = _paths(policy, document, home, ours)
    return wrong or _commands(policy, document, now)


def _safety(policy: Policy, safety: Mapping[str, Any]) -> None:
    policy.level = safety.get("level", policy.level)
    for name in _CAPABILITIES:
        value = safety.get("overrides", {}).get(name)
        if value is not None:
            setattr(policy, name, value)
    policy.loss_aware = safety.get("loss_aware", policy.loss_aware)
    policy.loss_budget = safety.get("loss_budget", policy.loss_budget)


def _actions(rules: Mapping[str, str]) -> dict[str, str]:
    return {rule: _MEANING.get(action, action) for rule, action in rules.items()}


def _paths(
    policy: Policy, document: Mapping[str, Any], home: str, ours: Sequence[str]
) -> tuple[str, str] | None:
    commands = document.get("destructive_command_protection", {})
    secrets = document.get("secret_protection", {})
    both = document.get("allow_paths", [])
    for key, values, into in (
        ("allow_paths", both, (policy.allow_paths, policy.secret_allow_paths)),
        (
            "destructive_command_protection.allow_paths",
            commands.get("allow_paths", []),
            (policy.allow_paths,),
        ),
        (
            "secret_protection.allow_paths",
            secrets.get("allow_paths", []),
            (policy.secret_allow_paths,),
        ),
        ("deny_paths", document.get("deny_paths", []), (policy.deny_paths,)),
        ("secret_protection.deny_paths", secrets.get("deny_paths", []), (policy.deny_paths,)),
    ):
        for value in values:
            pattern = expand(value, home)
            if not pattern:
                return key, f"{value!r} must start with / or ~/"
            if key.endswith("allow_paths"):
                held = _holds(pattern, home, ours)
                if held:
                    return key, f"{value!r} is or holds {held}"
            for target in into:
                target.append(pattern)
    return None


def _holds(pattern: str, home: str, ours: Sequence[str]) -> str:
    """A place that no permission may cover, and this pattern does; else ""."""
    agents = [f"{home}/{name}" for name in _AGENT_HOMES]
    for place in ("/", home, *SYSTEM, *ours, *agents):
        if place and matches(pattern, place):
            return place
    # `/usr/**` stands for all in it, though not for the directory itself.
    for place in ("/", home, *SYSTEM, *ours, *agents):
        if place and pattern.endswith("/**") and matches(pattern, place.rstrip("/") + "/x"):
            return place
    return ""


def _commands(policy: Policy, document: Mapping[str, Any], now: int) -> tuple[str, str] | None:
    for entry in document.get("allow_commands", []):
        expires = clock.parse(entry["expires"])
        assert expires is not None, entry
        if expires > now + 366 * clock.DAY:
            return "allow_commands.expires", "is more than 365 days ahead"
        policy.allow_commands.append(dict(entry))
    return None


def apply_project(
    policy: Policy,
    document: Mapping[str, Any],
    agent: str,
    file: str,
    root: str,
    home: str,
    trusted: Mapping[str, Any],
) -> None:
    """Let a project's document tighten the policy; note what would loosen it.

    trusted: dotted key -> value that a trust record permits.
    """
    tighten = _Tightening(policy, file, trusted)
    own = document.get("agents", {}).get(agent, {})
    for settings in (document, own):
        tighten.safety(settings.get("safety", {}))
        tighten.rules("rules", settings.get("rules", {}))
        tighten.packs(settings.get("packs", {}))
    tighten.protection(document, "destructive_command_protection", "commands_enabled")
    tighten.protection(document, "secret_protection", "secrets_enabled")
    denied = document.get("secret_protection", {}).get("deny_paths", [])
    for value in (*document.get("deny_paths", []), *denied):
        policy.deny_paths.append(expand(value, home, root))
    tighten.ignored(document)


class _Tightening:
    """Applies one project document key by key."""

    def __init__(self, policy: Policy, file: str, trusted: Mapping[str, Any]) -> None:
        self.policy = policy
        self.file = file
        self.trusted = trusted

    def refuse(self, key: str, value: Any) -> bool:
        """Note a loosening key; True unless a trust record permits this very value."""
        if key in self.trusted and self.trusted[key] == value:
            self.policy.trusted.append(key)
            return False
        self.policy.not_applied.append((self.file, key))
        return True

    def safety(self, safety: Mapping[str, Any]) -> None:
        policy = self.policy
        level = safety.get("level")
        if level is not None and (
            LEVELS.index(level) >= LEVELS.index(policy.level)
            or not self.refuse("safety.level", level)
        ):
            policy.level = level
        for name, value in safety.get("overrides", {}).items():
            if value or not self.refuse(f"safety.overrides.{name}", value):
                setattr(policy, name, value)
        aware = safety.get("loss_aware")
        if aware is False or (aware and not self.refuse("safety.loss_aware", aware)):
            policy.loss_aware = aware
        budget = safety.get("loss_budget", policy.loss_budget)
        if budget <= policy.loss_budget or not self.refuse("safety.loss_budget", budget):
            policy.loss_budget = budget

    def rules(self, key: str, rules: Mapping[str, str]) -> None:
        for rule_id, action in _actions(rules).items():
            # Whether `ask` tightens is known only beside the rule: Policy.action decides.
            if action == "allow":
                if self._may_loosen(rule_id) and not self.refuse(f"{key}.{rule_id}", "allow"):
                    self.policy.rules[rule_id] = "allow"
                continue
            known = self.policy.project_rules.get(rule_id, "allow")
            if _STRENGTH[action] > _STRENGTH[known]:
                self.policy.project_rules[rule_id] = action

    def _may_loosen(self, rule_id: str) -> bool:
        """The person's own `deny` and some families stay, whatever a record says."""
        fixed = rule_id.startswith(("secret.cli.", "secret.system.", "git.metadata-", "git.hooks-"))
        if fixed or self.policy.rules.get(rule_id) in ("deny", "form"):
            self.policy.not_applied.append((self.file, f"rules.{rule_id}"))
            return False
        return True

    def packs(self, packs: Mapping[str, str]) -> None:
        for name, setting in packs.items():
            if setting == "on" or not self.refuse(f"packs.{name}", setting):
                self.policy.packs[name] = setting

    def protection(self, document: Mapping[str, Any], key: str, attribute: str) -> None:
        section = document.get(key, {})
        enabled = section.get("enabled")
        if enabled or (enabled is False and not self.refuse(f"{key}.enabled", enabled)):
            setattr(self.policy, attribute, enabled)
        self.rules(f"{key}.overrides", section.get("overrides", {}))

    def ignored(self, document: Mapping[str, Any]) -> None:
        """Keys that have no effect in a project at all."""
        keys = ("workflow", "allow_paths", "allow_commands", "project_trust", "audit")
        present = [key for key in keys if key in document]
        present += [
            f"{section}.allow_paths"
            for section in ("destructive_command_protection", "secret_protection")
            if "allow_paths" in document.get(section, {})
        ]
        self.policy.not_applied.extend((self.file, key) for key in present)


def finish(policy: Policy) -> None:
    """Drop repeats that several scopes brought."""
    policy.allow_paths = merged((policy.allow_paths,))
    policy.secret_allow_paths = merged((policy.secret_allow_paths,))
    policy.deny_paths = merged((policy.deny_paths,))
