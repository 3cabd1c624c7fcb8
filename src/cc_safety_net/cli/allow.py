"""`allow`: the person permits one refused call once, in a terminal of their own.

Reads `<state>/denials/<audit id>`, which the guard keeps at a denial, and writes
`<state>/permissions/<digest>`, which it uses up at the next call with that digest.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cc_safety_net.cli import output
from cc_safety_net.cli.output import tilde
from cc_safety_net.cli.presence import confirmed, require_person
from cc_safety_net.cli.result import Result
from cc_safety_net.errors import Refused, SafetyNetError, Usage
from cc_safety_net.guard.denials import DIRECTORY as DENIALS
from cc_safety_net.guard.permissions import DIRECTORY as PERMISSIONS
from cc_safety_net.install.directories import find_directories

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_KEPT_SECONDS = 24 * 3600
_SHORTEST_ID = 8
_ID = 16
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Denial:
    """A refusal as the guard kept it, for `allow`."""

    id: str
    digest: str
    agent: str
    tool: str
    directory: str
    what: str
    seconds_ago: int
    permittable: bool
    rules: tuple[str, ...]
    fixed: tuple[str, ...]


def permit(identifier: str, minutes: int) -> Result:
    """Show the call with all that stands against it, ask, and write the permission."""
    if not 1 <= minutes <= 60:
        raise Usage(
            f"--minutes: {minutes} is not from 1 to 60",
            f"cc-safety-net allow {identifier} --minutes {min(max(minutes, 1), 60)}",
        )
    require_person(f"allow {identifier}", os.environ)
    state = find_directories(os.environ).state
    denial = find_denial(state, identifier)
    if denial.fixed or not denial.permittable:
        rules = ", ".join(denial.fixed or denial.rules)
        raise Refused(
            f"{rules} can't be permitted",
            "run the command yourself if it must run",
            code="not_permittable",
        )
    for text in _question(denial):
        output.line(text, sys.stderr)
    if not confirmed(f"Permit exactly this call once, within {minutes} minutes?"):
        raise SafetyNetError(
            "not permitted", f"cc-safety-net allow {identifier}, and answer yes", code="declined"
        )
    expires = int(time.time()) + minutes * 60
    record = {"version": 1, "id": denial.id, "rules": list(denial.rules), "expires": expires}
    _write(os.path.join(state, PERMISSIONS), denial.digest, record)
    until = time.strftime("%H:%M", time.localtime(expires))
    return Result("allow", {"id": denial.id, "expires": expires, "until": until}, _permitted_lines)


def _question(denial: Denial) -> Iterator[str]:
    yield f"Agent {denial.agent} wants to run, in {tilde(denial.directory) or 'no directory'}:"
    for text in denial.what.splitlines() or [denial.tool]:
        yield f"    {text}"
    first, *rest = dict.fromkeys(denial.rules)
    also = f"Also against it: {', '.join(rest)}." if rest else "Nothing else stands against it."
    yield f"Refused by {first} {denial.seconds_ago} s ago. {also}"


def _permitted_lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"permitted until {data['until']}. Tell the agent to try the same command again."


def find_denial(state: str, identifier: str) -> Denial:
    """The kept denial whose audit id begins so; raises if there is none or more than one."""
    wanted = identifier.lower()
    if not _SHORTEST_ID <= len(wanted) <= _ID or not set(wanted) <= _HEX:
        raise Usage(
            f"{identifier} is no audit id", "it stands at the end of the refusal, 8 to 16 digits"
        )
    folder = os.path.join(state, DENIALS)
    names = [n for n in _names(folder) if len(n) == _ID and n.startswith(wanted)]
    if len(names) > 1:
        raise Refused(f"{identifier} fits {len(names)} denials", "give all 16 digits")
    found = _denial(os.path.join(folder, names[0])) if names else None
    if found is None or found.seconds_ago > _KEPT_SECONDS:
        raise Refused(
            f"no denial {identifier} is kept (they are for 24 hours)",
            "let the agent try again, then use the id of the new refusal",
            code="unknown_id",
        )
    return found


def _denial(path: str) -> Denial | None:
    try:
        with open(path, encoding="utf-8") as stream:
            kept = json.load(stream)
        findings = kept["findings"]
        arguments = kept.get("args")
        return Denial(
            str(kept["id"]),
            str(kept["digest"]),
            str(kept["agent"]),
            str(kept["tool"]),
            str(kept["cwd"]),
            str(kept["command"] or (json.dumps(arguments) if arguments else "")),
            max(0, int(time.time()) - int(kept["time"])),
            bool(kept["permittable"]),
            tuple(str(finding["rule"]) for finding in findings),
            tuple(str(finding["rule"]) for finding in findings if finding["off"] != "Y"),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _write(folder: str, name: str, record: Mapping[str, object]) -> None:
    """By a new file and a rename, so that the guard never reads half of it."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, name)
    temporary = f"{path}.{os.getpid()}.new"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(record, stream)
        os.rename(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def listed() -> Result:
    """The permissions that are still good; removes those that have ended."""
    folder = os.path.join(find_directories(os.environ).state, PERMISSIONS)
    found = []
    for name, record in _records(folder):
        if int(record.get("expires", 0)) <= time.time() or name.endswith(".used"):
            continue
        found.append({"id": record["id"], "rules": record["rules"], "expires": record["expires"]})
    return Result("allow", {"permissions": found}, _list_lines)


def _list_lines(data: Mapping[str, Any]) -> Iterator[str]:
    if not data["permissions"]:
        yield "no call is permitted"
    for entry in data["permissions"]:
        until = time.strftime("%H:%M", time.localtime(entry["expires"]))
        yield f"{entry['id']}  until {until}  {', '.join(entry['rules'])}"


def revoke(identifier: str) -> Result:
    """Take a permission back; it makes nothing looser, so no person is asked for."""
    folder = os.path.join(find_directories(os.environ).state, PERMISSIONS)
    wanted = identifier.lower()
    names = [n for n, record in _records(folder) if str(record.get("id", "")).startswith(wanted)]
    if len(wanted) < _SHORTEST_ID or not names:
        raise Refused(f"no permission {identifier}", "cc-safety-net allow --list")
    for name in names:
        os.unlink(os.path.join(folder, name))
    return Result("allow", {"revoked": identifier}, lambda data: [f"revoked {data['revoked']}"])


def _records(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in _names(folder):
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as stream:
                record = json.load(stream)
        except (OSError, ValueError):
            continue
        if isinstance(record, dict) and not name.endswith(".new"):
            yield name, record
