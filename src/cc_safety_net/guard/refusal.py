"""The text of a refusal: fixed blocks, written for a reader who will act on it."""

from __future__ import annotations

from cc_safety_net.guard.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.rules.rule import Rule

LENGTH = 2_000
_PART = 200
#: So much of a text is redacted before it is cut to its length.
_LOOKED_AT = 2_000
_LOST = 900

ADVICE = {
    "hard_stop": "Do not retry or work around this. Report it and go on with the rest.",
    "use_alternative": "Use the alternative above.",
    "scope_down": "A narrower, explicit target may be tried once.",
    "manual_only": "Ask the person to run it themselves.",
    "stop_and_explain": (
        "Do not try variants. Simplify the call once, or report what you wanted to do."
    ),
}


def write(
    finding: Finding,
    rule: Rule,
    *,
    text: str = "",
    tool: str = "",
    level: str = "standard",
    repeat: int = 1,
    audit_id: str,
    permit: bool = False,
) -> str:
    """All blocks of a refusal, in order, at most LENGTH characters.

    text: the whole command of the call, for `In:`. tool: its tool, named for file tools.
    repeat: how often this rule was refused in this session, this time included.
    permit: the person can let this call pass once.
    """
    part = _cut(redact(_one_line((finding.part or text)[:_LOOKED_AT])), _PART)
    values = dict(finding.values)
    values.setdefault("part", finding.part)
    first = [f"Blocked by cc-safety-net: {part or tool or 'this call'}"]
    outer = _cut(redact(_one_line(text[:_LOOKED_AT])), _PART)
    if finding.chain:
        via = " → ".join((*(redact(link) for link in finding.chain), _program(finding.part)))
        first.append(f"In: {outer} ({via})" if outer and outer != part else f"In: {via}")
    elif outer and outer != part:
        first.append(f"In: {outer}")
    naming = f"Rule: {rule.id}"
    if level != "standard":
        naming += f" (level {level})"
    if tool:
        naming += f", tool {tool}"
    before = ["\n".join(first), naming, "Why: " + _sentence(finding.why or rule.reason, values)]
    lost = _lost(finding.lost)
    after = []
    if rule.instead:
        # A Windows shell has other words for the same suggestion.
        instead = values.get("in_words") or fill(rule.instead, values)
        after.append("Instead: " + redact(instead))
    if rule.do_not:
        after.append("Do not: " + redact(_plain(fill(rule.do_not, values))))
    if repeat > 1:
        after.append(f"Refused {repeat} times in this session. Stop and ask the person.")
    else:
        after.append(ADVICE[rule.intent])
    if permit:
        after.append(
            f"Permit once: The person can run `cc-safety-net allow {audit_id[:8]}` in their own "
            "terminal; valid 15 minutes, once, this call only."
        )
    after.append(f"Audit: {audit_id}")
    return _fit(before, lost, after)


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with each known `{name}` replaced; other braces stay (`find -exec … {} +`)."""
    if "{" not in text:
        return text
    out = []
    at = 0
    while True:
        start = text.find("{", at)
        if start < 0:
            break
        end = text.find("}", start)
        name = text[start + 1 : end] if end > 0 else ""
        if name in values:
            out.append(text[at:start] + values[name])
            at = end + 1
        else:
            out.append(text[at : start + 1])
            at = start + 1
    out.append(text[at:])
    return "".join(out)


def _sentence(text: str, values: Mapping[str, str]) -> str:
    sentence = redact(fill(text, values)).strip()
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."


def _plain(text: str) -> str:
    """`Do not:` is the block's name: the sentence goes on without repeating it."""
    for start in ("Do not ", "do not ", "Don't "):
        if text.startswith(start):
            return text[len(start) :]
    return text


def _program(part: str) -> str:
    return _cut(redact(part.split(None, 1)[0]), 80) if part.strip() else "?"


def _lost(lines: Sequence[str]) -> str:
    if not lines:
        return ""
    kept: list[str] = []
    size = 0
    for line in lines:
        shown = redact(line)
        size += len(shown) + 3
        if size > _LOST:
            kept.append("  …")
            break
        kept.append("  " + shown)
    return "Would be lost:\n" + "\n".join(kept)


def _fit(before: list[str], lost: str, after: list[str]) -> str:
    """Too long a text loses the lost first, then the ends of its longest blocks."""
    blocks = [block for block in (*before, lost, *after) if block]
    if lost and _size(blocks) > LENGTH:
        blocks.remove(lost)
    while _size(blocks) > LENGTH:
        longest = max(range(len(blocks)), key=lambda index: len(blocks[index]))
        over = _size(blocks) - LENGTH
        keep = max(len(blocks[longest]) - over - 1, 80)
        if keep >= len(blocks[longest]):
            break
        blocks[longest] = _cut(blocks[longest], keep)
    return "\n\n".join(blocks)[:LENGTH]


def _size(blocks: list[str]) -> int:
    return sum(len(block) + 2 for block in blocks) - 2


def _one_line(text: str) -> str:
    """Control characters would let a command draw on the person's screen."""
    if text.isprintable():
        return text
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
