"""What a file holds: a credential line, or something public. Read within the sniff limits."""

from __future__ import annotations

from cc_safety_net.guard.limits import SNIFF_BYTES, SNIFF_FILES
from cc_safety_net.guard.rules.secrets.names import has_public_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.rules.context import Context

#: Words in the name of something secret (specification of the guard, section 13).
_WORDS = ("token", "secret", "pass", "key", "credential", "auth")
_HARMLESS = ("author", "keyboard", "keyword", "bypass", "compass", "passive", "passenger")
_PLACEHOLDERS = frozenset(
    (
        "", "changeme", "change-me", "change_me", "example", "placeholder", "password", "secret",
        "todo", "tbd", "none", "null", "nil", "xxx", "true", "false", "your-key", "...", "test",
        "redacted", "dummy", "~", "|", ">", "{", "[", "0", "1",
    )
)  # fmt: skip
_PLACEHOLDER_STARTS = ("your", "<", "xxx", "***", "${", "$", "{{", "%(", "changeme", "replace", "#")


def sniff(path: str, context: Context) -> str | None:
    """The text of a file, None if it is not there, too large, or one too many."""
    cache: dict[str, str | None] = context.memo.setdefault("secrets.sniffed", {})
    if path not in cache:
        text = None
        if len(cache) < SNIFF_FILES and context.world.is_file(path):
            text = context.world.text(path, SNIFF_BYTES)
            context.effort.spend(1 + len(text or "") // 64, "a file that may hold secrets")
        cache[path] = text
    return cache[path]


def holds_credentials(path: str, context: Context) -> bool:
    """A line `name = value` of a secret name; a file that can't be read holds one."""
    text = sniff(path, context) if path else None
    if text is None:
        return True
    return any(is_credential_line(line) for line in text.split("\n"))


def is_credential_line(line: str) -> bool:
    line = line.strip().removeprefix("export ")
    if line[:1] in ("#", ";"):
        return False
    return any(_is_credential(*line.partition(sign)) for sign in ("=", ": ", '":'))


def _is_credential(name: str, sign: str, value: str) -> bool:
    if not sign or (sign == "=" and ": " in name):
        return False
    name = name.lower()
    if not any(word in name for word in _WORDS) or any(word in name for word in _HARMLESS):
        return False
    return is_literal_value(value)


def is_literal_value(value: str) -> bool:
    """Neither empty nor a placeholder, a variable or a template reference."""
    value = value.strip().rstrip(",;").strip()
    if value[:1] not in ('"', "'") and " #" in value:
        value = value.partition(" #")[0].strip()
    value = value.strip("\"'").strip()
    low = value.lower()
    if low in _PLACEHOLDERS or low.startswith(_PLACEHOLDER_STARTS):
        return False
    return not low.startswith(("var.", "data.", "local.", "!vault", "vault:", "op://", "enc["))


def is_public(path: str, shown: str, context: Context) -> bool:
    """A PEM or armoured file with public parts only; one that is not there, by its name."""
    text = sniff(path, context) if path else None
    if text is None:
        return has_public_name(path or "/" + shown)
    if "PRIVATE KEY" in text or "BEGIN PGP MESSAGE" in text:
        return False
    return any(mark in text for mark in _PUBLIC) or has_public_name(path)


_PUBLIC = (
    "BEGIN CERTIFICATE", "BEGIN TRUSTED CERTIFICATE", "BEGIN X509", "PUBLIC KEY",
    "BEGIN NEW CERTIFICATE REQUEST", "BEGIN DH PARAMETERS", "BEGIN PKCS7",
    "BEGIN PGP SIGNATURE", "BEGIN PGP SIGNED MESSAGE", "BEGIN CMS",
)  # fmt: skip
