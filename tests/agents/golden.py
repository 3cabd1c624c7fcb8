"""Golden files of the protocols: what each captured payload decodes to, and the replies.

`python -m tests.agents.golden` (with `src` on PYTHONPATH) writes them anew; the diff is the
review.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

from cc_safety_net.agents.catalogue import PACKAGES
from cc_safety_net.guard.call import BadCall

HERE = Path(__file__).parent
TEXT = 'Blocked: "git reset --hard"\n\nRule: git.reset-hard\nWhy: été ✓ \\ %s $HOME `id`'


def folder(agent: str) -> Path:
    return HERE / agent.replace("-", "_")


def protocol(agent: str) -> Any:
    return importlib.import_module(PACKAGES[agent] + ".protocol")


def payloads(agent: str) -> dict[str, Any]:
    found = sorted((folder(agent) / "payloads").glob("*.json"))
    return {path.stem: json.loads(path.read_text("utf-8")) for path in found}


def decoded(agent: str, payload: Any) -> Any:
    """The decoded call as plain data, None for another event, the rule of a refusal."""
    try:
        call = protocol(agent).decode(payload, {}, "")
    except BadCall as error:
        return {"refused": error.rule}
    if call is None:
        return None
    names = set(type(call).__slots__) - {"arguments"}
    return {name: getattr(call, name) for name in sorted(names)}


def replies(agent: str) -> dict[str, Any]:
    """The agent's three replies as plain data."""
    found = {}
    for verdict in ("allow", "ask", "deny"):
        reply = protocol(agent).encode(verdict, TEXT if verdict != "allow" else "")
        found[verdict] = {
            "stdout": reply.stdout,
            "stderr": reply.stderr,
            "status": reply.status,
        }
    return found


def write() -> None:
    for agent in PACKAGES:
        target = folder(agent) / "golden"
        target.mkdir(parents=True, exist_ok=True)
        calls = {name: decoded(agent, payload) for name, payload in payloads(agent).items()}
        for name, content in (("calls", calls), ("replies", replies(agent))):
            text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
            (target / f"{name}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    write()
