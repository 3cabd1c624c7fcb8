"""The rows that a mutant is tried with: one call each, with the decision it must get.

All tables of verdicts and cases, the examples beside the rules, the everyday commands, and the
hand-written commands whose executions real bash has shown. A row is plain data; nothing of the
guard is loaded before one is checked.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Row = dict[str, Any]

_TESTS = Path(__file__).parent.parent
_DATA = _TESTS / "data"
_PROJECT = "/home/dev/proj"


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def rows() -> list[Row]:
    """All rows but those of bash; in a process of its own, for it loads the rules."""
    found: list[Row] = []
    for table in sorted((_DATA / "verdicts").glob("*.jsonl")):
        for case in _lines(table):
            kind = "tool" if "tool" in case else "windows" if "dialect" in case else "verdict"
            found.append({"kind": kind, **case})
    for case in _lines(_DATA / "cases" / "commands.jsonl"):
        found.append({"kind": "command", "dialect": case["shell"], **case})
        if case["command"] != "type .env":
            found.append({"kind": "command", "dialect": "auto", **case})
    found += [{"kind": "file", **case} for case in _lines(_DATA / "cases" / "file_tools.jsonl")]
    found += _examples() + _everyday()
    held = {outcome_key(row) for row in found}
    return found + [{"kind": "outcome", **case} for of, case in _golden().items() if of not in held]


def _examples() -> list[Row]:
    from tests.guard.rules.test_examples import RULES

    return [
        {"kind": kind, "rule": rule.id, "level": rule.level, "example": example}
        for rule in RULES
        for kind, examples in (("denied", rule.denied), ("allowed", rule.allowed))
        for example in examples
    ]


def _everyday() -> list[Row]:
    refused = {
        (entry["command"], entry["level"]): entry["rule"]
        for entry in _lines(_DATA / "everyday" / "refused.jsonl")
    }
    found = []
    for name in ("packages", "written"):
        for entry in _lines(_DATA / "everyday" / f"{name}.jsonl"):
            rule = refused.get((entry["command"], "standard"))
            row = {"kind": "verdict", "command": entry["command"], "expect": "allow"}
            found.append({**row, "expect": "deny", "rule": rule} if rule else row)
    return found


def bash_rows(scratch: Path) -> list[Row]:
    """The hand-written commands, with what bash has started; read afresh in places of their own."""
    from tests.differential.compare import table
    from tests.differential.oracle import Oracle

    texts = table(_TESTS / "differential" / "commands.txt")
    oracle = Oracle(scratch)
    oracle.places(len(texts))
    oracle.link()
    records = oracle.run(texts)
    oracle.places(len(texts))
    old, new = f"{scratch}/run0/", f"{scratch}/run1/"
    found = []
    for number, (text, real) in enumerate(zip(texts, records, strict=True), 1):
        started = json.loads(json.dumps(real).replace(old, new))
        row = {"kind": "bash", "command": text, "root": str(scratch), "number": number}
        found.append({**row, "started": started})
    return found


def text(row: Row) -> str:
    """What a row is about: for its likely connection with a changed word."""
    return str(row.get("command") or row.get("example") or row)


def name(row: Row) -> str:
    return f"{row['kind']}: {text(row)}"[:200]


def holds(row: Row) -> bool:
    """The decision is the one that the row wants. Raises what the guard raises."""
    return _CHECKS[row["kind"]](row)


@cache
def _golden() -> dict[str, Row]:
    from tests.guard.outcomes import golden, key

    return {key(case): case for case in golden()}


def outcomes() -> dict[str, list[str]]:
    """What the golden files of outcomes hold, by the key of a row."""
    return {of: case["outcome"] for of, case in _golden().items()}


def outcome_key(row: Row) -> str:
    from tests.guard.outcomes import key

    return key(row) if row["kind"] in ("verdict", "windows", "outcome") else ""


def _seen(row: Row) -> bool:
    """The row's outcome is that of the golden file, where it is in one."""
    from tests.guard.outcomes import outcome

    known = _golden().get(outcome_key(row))
    return known is None or outcome(row) == known["outcome"]


def _verdict(row: Row) -> bool:
    from tests.guard.verdicts import check

    check(row)
    return _seen(row)


def _windows(row: Row) -> bool:
    from tests.guard.verdicts import ROOT

    level = row.get("level", "standard")
    files = {name: "\r\n".join(lines) for name, lines in row.get("files", {}).items()}
    decision = _shell(row["command"], row["dialect"], ROOT, ROOT, ROOT, level, "/home/dev", files)
    rule = decision.finding.rule if decision.finding is not None else ""
    right = decision.verdict == row["expect"] and row.get("rule", rule) == rule
    return bool(right) and _seen(row)


def _shell(
    command: str,
    dialect: str,
    project: str,
    root: str,
    directory: str,
    level: str,
    home: str,
    files: dict[str, str] | None = None,
) -> Any:
    from tests.guard.worlds import workspace

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.engine import examine

    world = workspace(project, home)
    for name, content in (files or {}).items():
        world.add(f"{project}/{name}", content)
    if project != _PROJECT:
        world.add("/tmp/job-17", None)
        world.add(f"{project}/app.db", b"SQLite format 3\0")
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": command},
        command=command,
        dialect=dialect,
        directory=directory,
        session_directory=directory,
        workspaces=(root,),
    )
    return examine(call, world, level=level)[0]


def _command(row: Row) -> bool:
    project = "/home/dev/project"
    root = project if row["cwd"].startswith(project) else row["cwd"]
    decision = _shell(
        row["command"], row["dialect"], project, root, row["cwd"], row["level"], row["home"]
    )
    return bool((decision.verdict == "allow") is (row["expect"] == "allow"))


def _file(row: Row) -> bool:
    from tests.guard.worlds import workspace

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.engine import examine
    from cc_safety_net.guard.tool_names import kind_of

    project = "/home/dev/project"
    world = workspace(project, row["home"])
    world.add(f"{project}/.env.production", "DB_PASSWORD=hunter22\n")
    world.add(f"{project}/.env.local", "STRIPE_SECRET_KEY=sk_live_1234\n")
    arguments = {"path": row["path"]}
    arguments.update({key: row[key] for key in ("pattern", "glob") if key in row})
    call = ToolCall(
        "claude-code",
        row["tool"],
        kind_of(row["tool"]),
        arguments,
        directory=row["cwd"],
        session_directory=row["cwd"],
        workspaces=(project,),
    )
    decision = examine(call, world, level=row["level"])[0]
    return bool((decision.verdict == "allow") is (row["expect"] == "allow"))


def _tool(row: Row) -> bool:
    from tests.guard.worlds import workspace

    from cc_safety_net.agents.claude_code.protocol import decode
    from cc_safety_net.guard.engine import decide

    payload = {
        "hook_event_name": "PreToolUse",
        "cwd": _PROJECT,
        "tool_name": row["tool"],
        "tool_input": json.loads(json.dumps(row["arguments"]).replace("<W>", _PROJECT)),
    }
    call = decode(payload, {}, _PROJECT)
    assert call is not None
    decision = decide(call, workspace())
    rule = decision.finding.rule if decision.finding is not None else ""
    return bool(decision.verdict == row["expect"] and row.get("rule", rule) == rule)


def _judged(row: Row) -> Any:
    from tests.guard.worlds import HOME, workspace

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.engine import judge
    from cc_safety_net.guard.policy.settings import Policy
    from cc_safety_net.guard.rules import catalogue
    from cc_safety_net.guard.tool_names import kind_of

    example = row["example"]
    tool, given = ("Bash", {"command": example}) if isinstance(example, str) else example
    arguments = {key: value for key, value in given.items() if key != "agent"}
    kind = kind_of(tool)
    command = arguments.get("command")
    call = ToolCall(
        given.get("agent", "claude-code"),
        tool,
        kind,
        arguments,
        command=command if kind == "shell" and isinstance(command, str) else None,
        dialect="auto",
        session_directory=_PROJECT,
    )
    policy = Policy()
    if catalogue.rule(row["rule"]).listed:
        policy.rules[row["rule"]] = "deny"
    if row["rule"] == "secret.deny-path":
        policy.deny_paths = [f"{HOME}/closed/**"]
    return judge(call, workspace(), level=row["level"], policy=policy).decision


def _denied(row: Row) -> bool:
    decision = _judged(row)
    return decision.verdict == "deny" and row["rule"] in [f.rule for f in decision.findings]


def _allowed(row: Row) -> bool:
    return bool(_judged(row).verdict == "allow")


@cache
def _no_oracle(root: str) -> Any:
    """An oracle that runs nothing: its places are there already."""
    from tests.differential.oracle import Oracle

    oracle = Oracle.__new__(Oracle)
    oracle.root = Path(root)
    oracle._count = 1
    return oracle


def _bash(row: Row) -> bool:
    from tests.differential import compare
    from tests.differential.oracle import Record

    reading = compare.read(_no_oracle(row["root"]), row["number"], row["command"])
    if isinstance(reading, str):
        return False
    real = [Record(tuple(argv), cwd, stdin) for argv, cwd, stdin in row["started"]]
    verdict = compare._verdict(row["command"], reading, real)
    return not verdict.missed and (verdict.exact or not verdict.known)


_CHECKS: dict[str, Callable[[Row], bool]] = {
    "verdict": _verdict,
    "windows": _windows,
    "outcome": _seen,
    "tool": _tool,
    "command": _command,
    "file": _file,
    "denied": _denied,
    "allowed": _allowed,
    "bash": _bash,
}


def first_wrong(chosen: list[Row], before: Callable[[], None]) -> Row | None:
    """The first row that does not hold; `before` is called ahead of each."""
    for row in chosen:
        before()
        try:
            if not holds(row):
                return row
        except (Exception, AssertionError):  # noqa: BLE001 - whatever happens, it is noticed
            return row
    return None
