"""`explain`: what would be decided about a call, and why. Runs nothing, logs nothing.

The same engine, policy and facts as the hook; only the one-time permissions are left out.
"""

from __future__ import annotations

import importlib
import json
import os
import shlex
import sys
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.agents.claude_code.spec import SPEC
from cc_safety_net.agents.decoding import build_call
from cc_safety_net.cli import recorded, stages
from cc_safety_net.cli.output import tilde
from cc_safety_net.cli.result import Result
from cc_safety_net.errors import SafetyNetError, Usage
from cc_safety_net.guard.call import BadCall, ToolCall
from cc_safety_net.guard.engine import Judgement, judge
from cc_safety_net.guard.hook import make_world
from cc_safety_net.guard.interpret.facts import Glob, literal
from cc_safety_net.guard.json_text import JsonError, decode_json
from cc_safety_net.guard.policy.settings import Policy
from cc_safety_net.guard.redact import redact
from cc_safety_net.guard.refusal import fill
from cc_safety_net.guard.rules import catalogue
from cc_safety_net.guard.rules.rule import LEVELS
from cc_safety_net.install.directories import find_directories

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Pieces, Word

#: Limits of the document (docs/reference/cli.md).
_ENTRIES = 512
_TEXT = 2_048
_DIALECTS = ("auto", "posix", "powershell", "cmd")


@dataclass(frozen=True, slots=True)
class Request:
    """The options of the command; exactly one of words, tool, payload and id asks the question."""

    words: tuple[str, ...] = ()
    directory: str = ""
    root: str = ""
    dialect: str = "auto"
    tool: str = ""
    path: str = ""
    arguments: str = ""
    payload: str = ""
    agent: str = ""
    audit_id: str = ""
    level: str = ""
    use_policy: bool = True


def run(request: Request) -> Result:
    """Answer a request; raises Usage for one that can't be understood."""
    asked = [bool(request.words), bool(request.tool), bool(request.payload), bool(request.audit_id)]
    if sum(asked) != 1:
        raise Usage(
            "explain needs one of: a command, --tool, --payload, --id",
            "cc-safety-net explain 'git reset --hard'",
        )
    if request.level not in ("", *LEVELS):
        raise Usage(f"--level: unknown level {request.level}", f"one of: {', '.join(LEVELS)}")
    if request.dialect not in _DIALECTS:
        raise Usage(
            f"--dialect: unknown dialect {request.dialect}", f"one of: {', '.join(_DIALECTS)}"
        )
    directory = os.path.abspath(request.directory or ".")
    root = os.path.abspath(request.root) if request.root else ""
    if request.audit_id:
        return _again(request)
    if request.payload:
        call = payload_call(request.agent, payload_text(request.payload))
    elif request.tool:
        arguments = dict(arguments_from(request.arguments)) if request.arguments else {}
        if request.path:
            arguments["path"] = request.path
        call = tool_call(request.tool, arguments, directory=directory, root=root)
    else:
        call = shell_call(request.words, directory=directory, root=root, dialect=request.dialect)
    reply = request.agent if request.payload else ""
    return explain(call, level=request.level, use_policy=request.use_policy, reply=reply)


def _again(request: Request) -> Result:
    """A recorded call by today's policy and files, with what was decided then."""
    past = recorded.find(find_directories(os.environ).state, request.audit_id)
    directory, root = past.directory or os.getcwd(), past.root
    if past.command is not None:
        call = shell_call((past.command,), directory=directory, root=root, dialect=past.dialect)
        call.tool = past.tool
    else:
        call = tool_call(past.tool, past.arguments, directory=directory, root=root)
    result = explain(call, level=request.level, use_policy=request.use_policy)
    return Result("explain", {**result.data, "recorded": past.as_data()}, lines)


def shell_call(words: Sequence[str], *, directory: str, root: str, dialect: str) -> ToolCall:
    """A command, given as one quoted string or as words (joined as the shell had them)."""
    text = words[0] if len(words) == 1 else shlex.join(words)
    call = tool_call("Bash", {"command": text}, directory=directory, root=root)
    call.dialect = dialect
    return call


def tool_call(tool: str, arguments: Mapping[str, Any], *, directory: str, root: str) -> ToolCall:
    """A call of any tool by its name, as an agent with Claude Code's form would send it."""
    call = build_call(SPEC, {"cwd": directory}, tool, arguments, {}, directory)
    call.agent = call.shape = "explain"
    if root:
        call.workspaces, call.rooted = (root,), True
    return call


def payload_call(agent: str, payload: bytes) -> ToolCall:
    """The call in an agent's payload, read by that agent's decoder."""
    if agent not in PACKAGES:
        raise Usage(
            f"--agent: {agent} is no known agent" if agent else "--payload needs --agent",
            f"one of: {', '.join(PACKAGES)}",
        )
    protocol = importlib.import_module(f"{PACKAGES[agent]}.protocol")
    try:
        found: ToolCall | None = protocol.decode(
            decode_json(payload.decode("utf-8")), os.environ, os.getcwd()
        )
    except (BadCall, JsonError, UnicodeDecodeError) as error:
        what = getattr(error, "what", "") or str(error)
        raise SafetyNetError(
            f"the payload can't be judged, so {agent} is answered with a denial: {what}",
            "give the JSON as the agent sends it to its hook, whole",
            code="malformed_payload",
        ) from error
    if found is None:
        raise SafetyNetError(
            f"the payload is no call of a tool, so {agent} is answered with an allow",
            "give the event that comes before a tool",
            code="no_call",
        )
    return found


def arguments_from(text: str) -> Mapping[str, Any]:
    """The `--args` option: a JSON object."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Usage(f"--args: no JSON: {error}", 'like: --args \'{"path": ".env"}\'') from error
    if not isinstance(found, dict):
        raise Usage("--args: a JSON object is needed", 'like: --args \'{"path": ".env"}\'')
    return found


def payload_text(source: str) -> bytes:
    """The bytes of `--payload FILE` or `-`."""
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        with open(source, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise SafetyNetError(
            f"{source}: {error.strerror}",
            "name a file with the agent's JSON, or - for standard input",
            code="unreadable",
        ) from error


def explain(call: ToolCall, *, level: str = "", use_policy: bool = True, reply: str = "") -> Result:
    """Examine the call; the result's exit code is 0 for both verdicts.

    reply: name of the agent whose reply is shown too.
    """
    judgement = judge(
        call,
        make_world(dict(os.environ)),
        level=level,
        policy=None if use_policy else Policy(),
        permissions=False,
    )
    data = as_data(judgement)
    if reply:
        protocol = importlib.import_module(f"{PACKAGES[reply]}.protocol")
        answer = protocol.encode(judgement.decision.verdict, judgement.decision.text)
        data["reply"] = {
            "stdout": answer.stdout,
            "stderr": answer.stderr,
            "exit": answer.status,
        }
    return Result("explain", data, lines)


def as_data(judgement: Judgement) -> dict[str, Any]:
    """The JSON document of a judgement."""
    decision, call, place = judgement.decision, judgement.call, judgement.place
    reading = judgement.reading
    return {
        "decision": decision.verdict,
        "rule": decision.finding.rule if decision.finding else None,
        "level": decision.level,
        "tool": call.tool,
        "text": _cut(call.command or ""),
        "directory": place.directory if place else None,
        "roots": list(place.roots) if place else [],
        "ms": round(judgement.ns / 1e6, 3),
        "findings": [_finding(f, call) for f in decision.findings[:_ENTRIES]],
        "executions": [_execution(e) for e in reading.executions[:_ENTRIES]],
        "accesses": [_access(a) for a in reading.accesses[:_ENTRIES]],
        "stages": [
            {
                "name": stage.name,
                "result": stage.result,
                "ms": round(stage.ns / 1e6, 3),
                "rules": [finding.rule for finding in stage.findings[:_ENTRIES]],
                "saw": _cut(stages.saw(stage.name, judgement)),
            }
            for stage in decision.stages
        ],
        "policy": {
            "digest": judgement.policy.digest(),
            "problem": str(judgement.policy.problem) if judgement.policy.problem else None,
        },
        "message": decision.text,
    }


def _cut(text: str) -> str:
    text = redact(text)
    return text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"


def _finding(finding: Finding, call: ToolCall) -> dict[str, Any]:
    rule = catalogue.rule(finding.rule)
    part = finding.part or (call.command or "")[finding.start : finding.end]
    values = {"part": part, **finding.values}
    return {
        "rule": finding.rule,
        "span": [finding.start, finding.end],
        "part": _cut(part),
        "chain": list(finding.chain),
        "reason": _cut(fill(finding.why or rule.reason, values)),
        "instead": _cut(fill(rule.instead, values)),
        "do_not": _cut(fill(rule.do_not, values)),
    }


def _execution(execution: Execution) -> dict[str, Any]:
    return {
        "argv": [_word(word) for word in execution.argv],
        "cwd": list(execution.cwds) if len(execution.cwds) != 1 else execution.cwds[0],
        "chain": list(execution.chain),
        "span": [execution.start, execution.end],
        "scope": execution.scope.kind,
    }


def _access(access: FileAccess) -> dict[str, Any]:
    return {
        "path": _word(access.path),
        "mode": access.mode,
        "via": access.via,
        "recursive": access.recursive,
        "chain": list(access.chain),
        "span": [access.start, access.end],
    }


def _word(word: Word) -> dict[str, Any]:
    texts = word.texts
    if texts is not None:
        return {"text": _cut(texts[0])} if len(texts) == 1 else {"set": [_cut(t) for t in texts]}
    if len(word.choices) > 1:
        return {"set": [_choice(choice) for choice in word.choices]}
    return _choice(word.choices[0])


def _choice(pieces: Pieces) -> dict[str, Any]:
    text = literal(pieces)
    if text is not None:
        return {"text": _cut(text)}
    first = pieces[0]
    found: dict[str, Any] = {"prefix": _cut(first) if isinstance(first, str) else ""}
    if any(isinstance(piece, Glob) for piece in pieces):
        found["pattern"] = True
    if any(not isinstance(piece, (str, Glob)) for piece in pieces):
        found["unknown"] = True
    return found


# --- text ----------------------------------------------------------------------------------------


def lines(data: Mapping[str, Any]) -> Iterator[str]:
    """The document for a person."""
    rule = f"  {data['rule']}" if data["rule"] else ""
    root = tilde(data["roots"][0]) if data["roots"] else "no workspace"
    if "recorded" in data:
        past = data["recorded"]
        then = f"  {past['rule']}" if past["rule"] else ""
        partly = "" if past["exact"] else "   (recorded in part: redacted or cut)"
        yield f"then   {past['decision']}{then}   {past['time']}   {past['agent']}{partly}"
    yield f"{data['decision']}{rule}   level {data['level']}   root {root}   {data['ms']:.1f} ms"
    for number, execution in enumerate(_leaves(data["executions"]), 1):
        yield from _execution_lines(number, execution, data)
    if not data["executions"]:
        for access in data["accesses"]:
            yield f"  {access['mode']} {tilde(_shown(access['path']))}"
    yield "stages"
    for stage in data["stages"]:
        result = "DENY" if stage["result"] == "deny" else stage["result"]
        rules = f"  {', '.join(stage['rules'])}" if stage["rules"] else ""
        yield f"  {stage['name']:11}  {result:7}  {tilde(stage['saw'])}{rules}".rstrip()
    if data["message"]:
        yield "message"
        for text in data["message"].splitlines():
            yield f"  {text}".rstrip()


def _leaves(executions: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Without the wrappers: they stand in the chains of what they start."""
    for execution, following in zip_longest(executions, executions[1:]):
        chain = execution["chain"]
        if following is not None and following["chain"][: len(chain)] == chain:
            started = following["chain"][len(chain) :]
            program = execution["argv"][0].get("text", "").rpartition("/")[2]
            if started and started[0].split()[0] == program:
                continue
        yield execution


def _execution_lines(
    number: int, execution: Mapping[str, Any], data: Mapping[str, Any]
) -> Iterator[str]:
    words = " ".join(_shown(word) for word in execution["argv"])
    if execution["chain"]:
        yield f"  {number} {' > '.join(execution['chain'])}"
        yield f"      {words}"
    else:
        yield f"  {number} {words}"
    start, end = execution["span"]
    for finding in data["findings"]:
        first, last = finding["span"]
        if first >= start and last <= end and last > first:
            yield f"      ^ {finding['rule']}  (columns {first + 1}-{last})"


def _shown(word: Mapping[str, Any]) -> str:
    if "set" in word:
        return "{" + ",".join(w if isinstance(w, str) else _shown(w) for w in word["set"]) + "}"
    if "text" in word:
        text: str = word["text"]
        return text if text and not set(text) & set(" \t\n'\"$") else repr(text)
    return f"{word['prefix']}…"
