"""The effective policy: what the files, the agent and the environment come to for one call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LEVELS = ("standard", "strict", "paranoid")
PACKS = ("database", "kubernetes", "docker", "terraform", "cloud", "publish")

#: Rules that no setting switches off: the six catastrophic ones, and whole families.
CATASTROPHIC = frozenset(
    (
        "rm.recursive-force-root-or-home",
        "rm.git-metadata",
        "find.delete-git-metadata",
        "powershell.remove-item-root-or-home",
        "powershell.remove-item-recursive-force-root-or-home",
        "powershell.remove-item-git-metadata",
    )
)
UNTOUCHABLE = ("self.", "guard.")


class Problem:
    """Why a policy file, or a rulebook, is invalid.

    rule: `guard.policy-invalid` or `guard.rulebook-invalid`. line: from 1, 0 if unknown.
    key: dotted, "" for the file as a whole.
    """

    __slots__ = ("file", "key", "line", "rule", "what")

    def __init__(
        self, file: str, what: str, *, line: int = 0, key: str = "", rule: str = ""
    ) -> None:
        self.rule = rule or "guard.policy-invalid"
        self.file = file
        self.what = what
        self.line = line
        self.key = key

    def __str__(self) -> str:
        where = self.file + (f": line {self.line}" if self.line else "")
        return f"{where}: {self.key}: {self.what}" if self.key else f"{where}: {self.what}"


class Policy:
    """Settings after all scopes. A new one has the defaults.

    level: one of LEVELS. fail_closed, paranoid_rm, paranoid_interpreters: set by hand, or None.
    rules: id -> `deny`, `ask`, `allow`, `form`, from the person; project_rules: the same from a
    project, which only tightens. packs: name -> `on`, `off`, `ask`.
    allow_paths, secret_allow_paths, deny_paths: absolute patterns (`patterns.py`).
    allow_commands: entries as written. trusted: dotted keys that a trust record loosened.
    not_applied: (file, dotted key) of a project that would loosen and does not.
    notes: lines for stderr (a bad environment variable).
    problem: the file that is invalid; the other settings are then defaults.
    """

    __slots__ = (
        "allow_commands",
        "allow_paths",
        "audit_max_mb",
        "audit_retention_days",
        "audit_scope",
        "commands_enabled",
        "deny_paths",
        "fail_closed",
        "level",
        "loss_aware",
        "loss_budget",
        "not_applied",
        "notes",
        "packs",
        "paranoid_interpreters",
        "paranoid_rm",
        "problem",
        "project_rules",
        "project_trust",
        "rules",
        "secret_allow_paths",
        "secrets_enabled",
        "trusted",
        "worktree_mode",
    )

    def __init__(self) -> None:
        self.level = "standard"
        self.fail_closed: bool | None = None
        self.paranoid_rm: bool | None = None
        self.paranoid_interpreters: bool | None = None
        self.loss_aware: bool | None = None
        self.loss_budget = 50
        self.worktree_mode = False
        self.commands_enabled = True
        self.secrets_enabled = True
        self.rules: dict[str, str] = {}
        self.project_rules: dict[str, str] = {}
        self.packs: dict[str, str] = {}
        self.allow_paths: list[str] = []
        self.secret_allow_paths: list[str] = []
        self.deny_paths: list[str] = []
        self.allow_commands: list[dict[str, Any]] = []
        self.project_trust = "allow"
        self.audit_retention_days = 30
        self.audit_scope = "all"
        self.audit_max_mb = 64
        self.trusted: list[str] = []
        self.not_applied: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.problem: Problem | None = None

    @property
    def proves_loss(self) -> bool:
        """Git discards are looked up in the repository (default: at standard only)."""
        return self.level == "standard" if self.loss_aware is None else self.loss_aware

    def raise_level(self, level: str) -> None:
        if LEVELS.index(level) > LEVELS.index(self.level):
            self.level = level

    def acts(self, rule_id: str, level: str) -> bool:
        """A rule of this lowest level acts, by the level and its three capabilities."""
        if level == "standard":
            return True
        if level == "strict":
            return self.level != "standard" if self.fail_closed is None else self.fail_closed
        if rule_id.startswith(("interpreter.", "script.")):
            chosen = self.paranoid_interpreters
        elif rule_id.startswith(("rm.", "powershell.remove-item-", "find.")):
            chosen = self.paranoid_rm
        else:
            chosen = None
        return self.level == "paranoid" if chosen is None else chosen

    def action(self, rule_id: str, *, level: str, off: str, pack: str, stage: str) -> str:
        """`deny`, `ask` or `allow` for a finding of this rule.

        level: lowest level at which the finding acts. off, pack: of the rule. stage: `self`,
        `git`, `secrets`, `commands` or `packs`.
        """
        if off != "Y":
            return "deny" if off == "N" or self.acts(rule_id, level) else "allow"
        chosen = self._chosen(rule_id, level, pack, stage)
        by_project = self.project_rules.get(rule_id)
        if by_project in ("deny", "form"):
            return "deny"
        if by_project == "ask" and chosen == "allow":
            return "ask"
        return chosen

    def _chosen(self, rule_id: str, level: str, pack: str, stage: str) -> str:
        set_to = self.rules.get(rule_id)
        if set_to in ("deny", "form"):
            return "deny"
        if set_to == "allow" or not self.acts(rule_id, level):
            return "allow"
        enabled = self.secrets_enabled if stage == "secrets" else self.commands_enabled
        # Git metadata stays protected when the command rules are off.
        if not enabled and stage != "git":
            return "allow"
        if set_to == "ask":
            return "ask"
        pack_set_to = self.packs.get(pack, "on") if pack else "on"
        return {"on": "deny", "ask": "ask", "off": "allow"}[pack_set_to]

    def form_only(self, rule_id: str) -> bool:
        """Denied by its form, without looking at what would be lost."""
        return "form" in (self.rules.get(rule_id), self.project_rules.get(rule_id))

    def as_data(self) -> dict[str, Any]:
        """The settings that decide, in a fixed order: for the digest and for `policy show`."""
        return {
            "level": self.level,
            "fail_closed": self.fail_closed,
            "paranoid_rm": self.paranoid_rm,
            "paranoid_interpreters": self.paranoid_interpreters,
            "loss_aware": self.proves_loss,
            "loss_budget": self.loss_budget,
            "worktree_mode": self.worktree_mode,
            "destructive_command_protection": self.commands_enabled,
            "secret_protection": self.secrets_enabled,
            "rules": _sorted(self.rules),
            "project_rules": _sorted(self.project_rules),
            "packs": {name: self.packs.get(name, "on") for name in PACKS},
            "allow_paths": sorted(self.allow_paths),
            "secret_allow_paths": sorted(self.secret_allow_paths),
            "deny_paths": sorted(self.deny_paths),
            "allow_commands": self.allow_commands,
        }

    def digest(self) -> str:
        """The effective policy in 16 hexadecimal digits."""
        from cc_safety_net.guard.digests import sha256
        from cc_safety_net.guard.json_text import encode_json

        return sha256(encode_json(self.as_data()).encode("utf-8", "surrogatepass"))[:16]


def never_off(rule_id: str) -> bool:
    """No setting may make this rule anything but `deny`."""
    return rule_id in CATASTROPHIC or rule_id.startswith(UNTOUCHABLE)


def stricter(first: str, second: str) -> str:
    """The later one in the order of LEVELS."""
    return max(first, second, key=LEVELS.index)


def _sorted(mapping: dict[str, str]) -> dict[str, str]:
    return {key: mapping[key] for key in sorted(mapping)}


def merged(lists: Sequence[Sequence[str]]) -> list[str]:
    """One list without repeats, in order."""
    return list(dict.fromkeys(item for items in lists for item in items))
