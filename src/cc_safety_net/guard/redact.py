"""Take secrets out of text that leaves the guard: refusals, the log, the trace.

Words are looked at one by one with string methods; the text is gone through once.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HIDDEN = "[redacted]"

#: A name that holds one of these has a secret value.
_SECRET_NAMES = ("token", "secret", "pass", "key", "credential", "auth")
#: Names that only seem to: `author`, `keyboard`, `pathspec`.
_HARMLESS_NAMES = (
    "author",
    "keyboard",
    "keyword",
    "keys-only",
    "pass-through",
    "bypass",
    "compass",
)
#: Options whose operand is `user:password`.
_PAIR_OPTIONS = ("-u", "--user", "--proxy-user")
_SECRET_HEADERS = (
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "apikey",
    "x-auth-token",
    "private-token",
    "x-goog-api-key",
    "x-amz-security-token",
)
#: Parameters of signed URLs.
_SIGNATURES = (
    "sig",
    "signature",
    "x-amz-signature",
    "x-amz-credential",
    "x-amz-security-token",
    "x-goog-signature",
    "x-goog-credential",
    "sv",
    "se",
    "code",
    "state",
)
#: How keys of known providers begin, and how many characters follow at least.
_PREFIXES = (
    ("sk-", 16),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("pk_live_", 8),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("xoxb-", 8),
    ("xoxp-", 8),
    ("xoxa-", 8),
    ("xoxs-", 8),
    ("xapp-", 8),
    ("AKIA", 12),
    ("ASIA", 12),
    ("AIza", 20),
    ("ya29.", 12),
    ("npm_", 16),
    ("pypi-", 16),
    ("dop_v1_", 16),
    ("hf_", 16),
    ("SG.", 16),
    ("shpat_", 16),
    ("shpss_", 16),
    ("lin_api_", 16),
    ("key-", 24),
    ("rubygems_", 16),
    ("dckr_pat_", 12),
    ("xai-", 16),
    ("gsk_", 16),
    ("r8_", 16),
    ("tskey-", 12),
    ("AGE-SECRET-KEY-", 8),
    ("hvs.", 12),
    ("eyJ", 30),
)
_BREAKS = " \t\n\r\"'`;|&<>(){},[]"
_TOKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/=~")


def redact(text: str) -> str:
    """The text with everything that looks like a secret replaced."""
    if not text:
        return text
    if "-----BEGIN" in text:
        text = _key_blocks(text)
    if "://" in text:
        text = _urls(text)
    return _words(text)


def _key_blocks(text: str) -> str:
    """Private keys, whole; up to the end of the text if the block has none."""
    out = []
    at = 0
    while True:
        start = text.find("-----BEGIN", at)
        if start < 0:
            break
        label_end = text.find("-----", start + 10)
        label = text[start + 10 : label_end] if label_end > 0 else text[start + 10 :]
        if "PRIVATE" not in label and "MESSAGE" not in label:
            end = label_end + 5 if label_end > 0 else len(text)
            out.append(text[at:end])
            at = end
            continue
        closing = text.find("-----END", start)
        closing_end = text.find("-----", closing + 8) if closing >= 0 else -1
        out.append(text[at:start] + HIDDEN)
        at = closing_end + 5 if closing_end >= 0 else len(text)
    out.append(text[at:])
    return "".join(out)


def _urls(text: str) -> str:
    """User info and signatures; a password may hold anything but blanks and quotes."""
    out = []
    at = 0
    while True:
        mark = text.find("://", at)
        if mark < 0:
            break
        start = mark + 3
        end = _end(text, start, " \t\n\r\"'`<>|;")
        out.append(text[at:start])
        out.append(_url(text[start:end]))
        at = end
    out.append(text[at:])
    return "".join(out)


def _url(rest: str) -> str:
    """What follows `://`."""
    head, mark, query = rest.partition("?")
    authority, slash, path = head.partition("/")
    before, at, host = head.rpartition("@")
    if at and (":" in before or "/" not in before):
        # `user:pa/ss@host`: the last @ before the query ends the user info.
        user, colon, _ = before.partition(":")
        head = f"{user}:{HIDDEN}@{host}" if colon else f"{HIDDEN}@{host}"
    elif "@" in authority:
        head = f"{HIDDEN}@{authority.rpartition('@')[2]}{slash}{path}"
    if not mark:
        return head
    parameters = []
    for parameter in query.split("&"):
        name, equals, value = parameter.partition("=")
        if equals and value and (name.lower() in _SIGNATURES or secret_name(name)):
            value = HIDDEN
        parameters.append(name + equals + value)
    return f"{head}?{'&'.join(parameters)}"


def _words(text: str) -> str:
    """Assignments, options, headers and tokens of known forms, from word to word."""
    out = []
    at = 0
    hide_next: Callable[[str], str] | None = None
    while at < len(text):
        end = _end(text, at, _BREAKS)
        if end == at:
            out.append(text[at])
            # An operand may be quoted; what ends a command ends the wait for one.
            if text[at] in ";|&\n(){}":
                hide_next = None
            at += 1
            continue
        word = text[at:end]
        header = _header(text, at, end)
        if header:
            shown, at = header
            out.append(shown)
            hide_next = None
            continue
        if hide_next is not None and word != ":" and not word.startswith("-"):
            out.append(hide_next(word))
            end = _rest_of_quote(text, at, end)
            hide_next = None
        else:
            shown, end = _word(text, word, at, end)
            out.append(shown)
            hide_next = _awaits(word, text, at, end) or (hide_next if word == ":" else None)
        at = end
    return "".join(out)


def _word(text: str, word: str, at: int, end: int) -> tuple[str, int]:
    """A word as shown, and where the text goes on."""
    head = ""
    name, sign, value = _assignment(word)
    while sign == "=" and "=" in value and not secret_name(name):
        # `--env=TOKEN=abc`
        head += name + sign
        at += len(name) + 1
        word = value
        name, sign, value = _assignment(word)
    shown, end = _simple_word(text, word, at, end)
    return head + shown, end


def _simple_word(text: str, word: str, at: int, end: int) -> tuple[str, int]:
    name, sign, value = _assignment(word)
    if sign and secret_name(name):
        if not value and end < len(text) and text[end] in "\"'":
            # NAME="value": the quotes stay, what they hold does not.
            close = _closing(text, end)
            quote = text[end]
            if _placeholder(text[end + 1 : close]):
                return text[at : close + 1], close + 1
            return f"{name}{sign}{quote}{HIDDEN}{quote}", min(close + 1, len(text))
        if value and not _placeholder(value):
            return f"{name}{sign}{HIDDEN}", _rest_of_quote(text, at, end)
        return word, end
    if word.startswith("-u") and ":" in word and not word.startswith("--"):
        return _pair(word), end
    if word.startswith("-p") and len(word) > 2 and _after_database(text, at):
        return "-p" + HIDDEN, end
    return _token(word), end


def _assignment(word: str) -> tuple[str, str, str]:
    """`NAME=value`, `--name=value`, `name:value` in parts."""
    name, sign, value = word.partition("=")
    if sign and name:
        return name, sign, value
    name, sign, value = word.partition(":")
    if sign and name and not value.startswith("//"):
        return name, sign, value
    return word, "", ""


def secret_name(name: str) -> bool:
    """A name whose value is secret."""
    lower = name.lower().strip("-\"'")
    if not any(part in lower for part in _SECRET_NAMES):
        return False
    for harmless in _HARMLESS_NAMES:
        lower = lower.replace(harmless, "")
    if "/" in lower or not any(part in lower for part in _SECRET_NAMES):
        return False
    return not lower.endswith(("path", "file", "_dir", "-dir"))


def _placeholder(value: str) -> bool:
    """A reference or an empty value is no secret."""
    return value in ("", '""', "''") or (value.startswith("$") and "'" not in value)


def _awaits(word: str, text: str, at: int, end: int) -> Callable[[str], str] | None:
    """What to do with the operand after this option or key."""
    if word in _PAIR_OPTIONS:
        return _pair
    if word.startswith("--") and "=" not in word and secret_name(word):
        return _hide
    if word.endswith(":") and secret_name(word[:-1]):
        return _hide
    # A key of JSON, in quotes.
    if text[end : end + 2] in ('":', "':") and secret_name(word):
        return _hide
    if word == "-p" and text[max(at - 20, 0) : at].rstrip().endswith("sshpass"):
        return _hide
    if word == "-a" and _follows(text, at, ("redis-cli", "valkey-cli")):
        return _hide
    return _hide if word.lower() in ("bearer", "basic") else None


def _hide(word: str) -> str:
    return word if _placeholder(word) or word in ("stdin", "-") else HIDDEN


def _pair(word: str) -> str:
    """`user:password`, also with `-u` in front."""
    user, colon, password = word.partition(":")
    if not password or _placeholder(password) or (user.isdigit() and password.isdigit()):
        return word
    if password.startswith("//"):
        # A URL, whose user info is hidden already (`redis-cli -u redis://host`).
        return word
    return f"{user}{colon}{HIDDEN}"


def _header(text: str, at: int, end: int) -> tuple[str, int] | None:
    """`Authorization: …` up to the end of its quote or line."""
    word = text[at:end]
    name, colon, _ = word.partition(":")
    if not colon or name.lower() not in _SECRET_HEADERS:
        return None
    quote = text[at - 1] if at and text[at - 1] in "\"'" else ""
    stop = text.find(quote, end) if quote else -1
    line = text.find("\n", end)
    if stop < 0:
        stop = line if line >= 0 else len(text)
    return f"{name}: {HIDDEN}", stop


def _token(word: str) -> str:
    """A word that begins, anywhere behind a separator, like the key of a known provider."""
    for prefix, least in _PREFIXES:
        found = word.find(prefix)
        if found < 0 or (found and (word[found - 1].isalnum() or word[found - 1] == "_")):
            continue
        end = found + len(prefix)
        while end < len(word) and word[end] in _TOKEN:
            end += 1
        tail = word[found + len(prefix) : end]
        if len(tail) >= least and (prefix != "eyJ" or tail.count(".") >= 1):
            return word[:found] + HIDDEN + word[end:]
    return word


def _after_database(text: str, at: int) -> bool:
    """`-pSECRET` is a password only for these programs."""
    return _follows(text, at, ("mysql", "mysqldump", "mysqladmin", "mariadb", "sshpass"))


def _follows(text: str, at: int, programs: Sequence[str]) -> bool:
    """One of the programs stands before this place in the same simple command."""
    start = max(text.rfind(mark, 0, at) for mark in ("\n", ";", "|", "&"))
    words = text[start + 1 : at].split()
    return not {word.rpartition("/")[2] for word in words}.isdisjoint(programs)


def _rest_of_quote(text: str, at: int, end: int) -> int:
    """The end of a quoted operand that holds blanks, if the word began behind a quote."""
    quote = text[at - 1] if at else ""
    if quote in ("'", '"') and end < len(text) and text[end] != quote:
        close = text.find(quote, end)
        return close if close >= 0 else len(text)
    return end


def _closing(text: str, start: int) -> int:
    """Index of the quote that closes the one at `start`; the end of the text if none does."""
    found = text.find(text[start], start + 1)
    while text[start] == '"' and found > 0 and text[found - 1] == "\\":
        found = text.find('"', found + 1)
    return found if found >= 0 else len(text)


def _end(text: str, start: int, breaks: str) -> int:
    end = start
    while end < len(text) and text[end] not in breaks:
        end += 1
    return end
