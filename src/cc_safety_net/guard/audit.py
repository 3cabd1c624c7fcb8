"""What is recorded about a call, after its verdict is on its way.

One line a call in `<state>/logs/<day>.jsonl`; for a denial also its record (which `allow` reads)
and a line in the counter of its session. Nothing here may raise or change a verdict: failures are
swallowed and counted in `<state>/audit-failures`, a byte each.
"""

from __future__ import annotations

import posix
from time import time

from cc_safety_net.guard import clock
from cc_safety_net.guard.decision import ALLOW
from cc_safety_net.guard.denials import DIRECTORY, call_digest, session_file
from cc_safety_net.guard.digests import sha256
from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.json_text import encode_json
from cc_safety_net.guard.redact import HIDDEN, redact, secret_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cc_safety_net.guard.engine import Judgement
    from cc_safety_net.guard.world import World

LOGS = "logs"
FAILURES = "audit-failures"
LINE = 16 * 1024
_TEXT = 4_096
_PART = 500
_CHAIN = 20
_PATHS = 16
_ARGUMENT = 300
_MEMBERS = 32
_DEPTH = 4
#: Keys (or parts of them) whose text is the content of a file: never logged.
_CONTENT = ("content", "text", "string", "str", "body", "data", "patch", "diff", "code", "source")
_APPEND = (
    posix.O_RDWR
    | posix.O_APPEND
    | posix.O_CREAT
    | posix.O_CLOEXEC
    | posix.O_NOFOLLOW
    | posix.O_NONBLOCK
)


def record(judgement: Judgement, world: World, version: str) -> None:
    """Write everything that is kept of a call."""
    try:
        _record(judgement, world, version)
    except BaseException:  # noqa: BLE001 - the verdict is given, nothing may change it now
        count_failure(world)


def count_failure(world: World) -> None:
    """One more record that could not be written; `doctor` shows how many."""
    try:
        _append(f"{world.state}/{FAILURES}", b".")
    except OSError:
        # The directory itself can't be written: `doctor` finds that by looking.
        return


def _record(judgement: Judgement, world: World, version: str) -> None:
    now = world.now_ns()
    digest = call_digest(judgement)
    decision = judgement.decision
    if decision.verdict != ALLOW:
        # The counter first: a full disk should not hide a repeat.
        rule_id = decision.finding.rule if decision.finding is not None else ""
        _append(session_file(world, judgement), f"{now // 10**9} {rule_id}\n".encode())
        _write_denial(judgement, world, digest, now)
    elif judgement.policy.audit_scope == "denied" and not judgement.permission:
        return
    day = clock.day(now // 10**9)
    line = line_of(judgement, digest, now, version)
    created = _append(f"{world.state}/{LOGS}/{day}.jsonl", line, whole=True)
    if created:
        # Once a day: the first call of a new file.
        from cc_safety_net.guard.retention import clean

        clean(world, judgement.policy, now)


def line_of(judgement: Judgement, digest: str, now: int, version: str) -> bytes:
    """The record of a call as a line of at most LINE bytes."""
    fields = fields_of(judgement, digest, now, version)
    for dropped in ("", "args", "paths", "chain", "command", "reason"):
        if dropped and dropped in fields:
            del fields[dropped]
            fields["truncated"] = True
        data = encode_json(fields).encode("utf-8", "backslashreplace") + b"\n"
        if len(data) <= LINE:
            return data
    return data[: LINE - 1] + b"\n"


def fields_of(judgement: Judgement, digest: str, now: int, version: str) -> dict[str, Any]:
    """The record's fields in their order; empty ones are left out."""
    call = judgement.call
    decision = judgement.decision
    place = judgement.place
    deciding = judgement.deciding if decision.verdict != ALLOW else None
    fields: dict[str, Any] = {
        "ts": clock.stamp(now),
        "id": decision.audit_id,
        "v": version,
        "agent": call.agent,
        "shape": call.shape if call.shape != call.agent else "",
        "session": call.session[:200],
        "call_id": call.call_id[:200],
        "digest": digest,
        "tool": call.tool[:200],
        "kind": call.kind,
        "dialect": call.dialect if call.command is not None else "",
        "decision": decision.verdict,
    }
    if judgement.findings:
        fields["rule"] = (deciding or judgement.findings[0]).rule.id
        fields["rules"] = list(dict.fromkeys(judged.rule.id for judged in judgement.findings))
    if deciding is not None:
        fields["intent"] = deciding.rule.intent
        fields["stage"] = deciding.stage
    truncated = _put_call(fields, judgement)
    if deciding is not None:
        fields["part"] = redact(deciding.finding.part[:_PART])
        fields["chain"] = [redact(link[:200]) for link in deciding.finding.chain[:_CHAIN]]
    fields["paths"] = _paths(judgement)
    fields["reason"] = decision.text
    fields["cwd"] = place.directory if place is not None else call.directory
    fields["root"] = place.roots[0] if place is not None and place.roots else ""
    fields["level"] = decision.level
    fields["policy"] = judgement.policy.digest()
    fields["ms"] = round(judgement.ns / 1_000_000, 1)
    fields["repeat"] = judgement.repeat
    fields["permission"] = judgement.permission
    fields["error"] = judgement.error
    fields["truncated"] = truncated
    return {key: value for key, value in fields.items() if value not in ("", [], 0, False, None)}


def _put_call(fields: dict[str, Any], judgement: Judgement) -> bool:
    """The command or the arguments, redacted; True if something was cut."""
    call = judgement.call
    if call.command is not None:
        fields["command"] = redact(call.command[:_TEXT])
        return len(call.command) > _TEXT
    fields["args"] = arguments_shown(call.arguments)
    return False


def arguments_shown(arguments: Mapping[str, Any]) -> Any:
    """Arguments without what is written: contents become their length and digest."""
    return _shown(arguments, "", _DEPTH)


def _shown(value: Any, key: str, depth: int) -> Any:
    if isinstance(value, str):
        if len(value) > _ARGUMENT or any(part in key.lower() for part in _CONTENT):
            digest = sha256(value.encode("utf-8", "surrogatepass"))
            return f"[{len(value)} characters, sha256 {digest}]"
        # A key may say that the value is secret.
        return HIDDEN if secret_name(key) and value else redact(value)
    if isinstance(value, dict):
        if depth == 0:
            return "[…]"
        return {
            redact(str(name)[:100]): _shown(item, str(name), depth - 1)
            for name, item in list(value.items())[:_MEMBERS]
        }
    if isinstance(value, (list, tuple)):
        if depth == 0:
            return "[…]"
        return [_shown(item, key, depth - 1) for item in list(value)[:_MEMBERS]]
    return value


def _paths(judgement: Judgement) -> list[str]:
    found: list[str] = []
    for access in judgement.reading.accesses:
        for choice in access.path.choices:
            path = redact(f"{access.mode} {shown(choice)}"[:_ARGUMENT])
            if path not in found:
                found.append(path)
            if len(found) == _PATHS:
                return found
    return found


def _write_denial(judgement: Judgement, world: World, digest: str, now: int) -> None:
    """`<state>/denials/<audit id>`, read by `allow`: never the raw text."""
    call = judgement.call
    place = judgement.place
    kept = {
        "version": 1,
        "id": judgement.decision.audit_id,
        "time": now // 10**9,
        "digest": digest,
        "agent": call.agent,
        "tool": call.tool[:200],
        "cwd": place.directory if place is not None else "",
        "command": redact(call.command[:_TEXT]) if call.command is not None else "",
        "args": None if call.command is not None else arguments_shown(call.arguments),
        "permittable": judgement.permittable,
        "findings": [
            {
                "rule": judged.rule.id,
                "off": judged.rule.off,
                "action": judged.action,
                "part": redact(judged.finding.part[:_PART]),
            }
            for judged in judgement.findings[:64]
        ],
        "text": judgement.decision.text,
    }
    path = f"{world.state}/{DIRECTORY}/{judgement.decision.audit_id}"
    _append(path, encode_json(kept).encode("utf-8", "backslashreplace"))


def _append(path: str, data: bytes, *, whole: bool = False) -> bool:
    """Append by one write; True if the file is new. `whole`: lines, of which one may be torn."""
    try:
        descriptor = posix.open(path, _APPEND, 0o600)
    except FileNotFoundError:
        make_directories(path.rpartition("/")[0])
        descriptor = posix.open(path, _APPEND, 0o600)
    try:
        status = posix.fstat(descriptor)
        if status.st_mode & 0o170000 != 0o100000:
            raise OSError(f"{path} is no regular file")
        size = status.st_size
        torn = whole and size and posix.pread(descriptor, 1, size - 1) != b"\n"
        if torn and time() - status.st_mtime > 1:
            # A full disk has cut the last record short. (Younger: another call is writing it.)
            data = b"\n" + data
        if posix.write(descriptor, data) != len(data):
            raise OSError("short write")
        return size == 0
    finally:
        posix.close(descriptor)


def make_directories(path: str) -> None:
    """The directory and its parents, private ones."""
    if not path:
        return
    try:
        try:
            posix.mkdir(path, 0o700)
        except FileNotFoundError:
            make_directories(path.rpartition("/")[0])
            posix.mkdir(path, 0o700)
    except FileExistsError:
        # Another call was faster, perhaps between our two attempts.
        return
