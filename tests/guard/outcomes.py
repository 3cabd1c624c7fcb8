"""All that the guard sees in a command, as text: for golden files of outcomes.

A verdict says yes or no; an outcome says which programs run where and through what, which paths
they touch and how, which code stays opaque, and what each rule objects to at `paranoid`.
`python -m tests.guard.outcomes` writes the golden files anew; their diff is to be read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.interpret.facts import shown

if TYPE_CHECKING:
    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import CodeRun, Execution, FileAccess, Scope, Word

FOLDER = Path(__file__).parent.parent / "data" / "outcomes"
_TABLES = FOLDER.parent / "verdicts"
_ROOT = f"{HOME}/proj"


def golden() -> list[dict[str, Any]]:
    """The cases of the golden files: those of a verdict table, each with its `outcome`."""
    return [json.loads(line) for file in sorted(FOLDER.glob("*.jsonl")) for line in _lines(file)]


def key(case: dict[str, Any]) -> str:
    """What makes a case: two with the same have the same outcome."""
    parts = {
        name: case[name] for name in ("command", "dialect", "directory", "files") if name in case
    }
    return json.dumps(parts, sort_keys=True)


def outcome(case: dict[str, Any]) -> list[str]:
    """The lines of a case."""
    world = workspace()
    windows = "dialect" in case
    for name, content in case.get("files", {}).items():
        world.add(f"{_ROOT}/{name}", "\r\n".join(content) if windows else content)
    directory = case.get("directory", _ROOT)
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": case["command"]},
        command=case["command"],
        dialect=case.get("dialect", "posix"),
        directory=directory,
        session_directory=directory,
        workspaces=(_ROOT,),
    )
    judged = judge(call, world, level="paranoid", permissions=False)
    reading = judged.reading
    lines = [_execution(e) for e in reading.executions]
    lines += [_access(a) for a in reading.accesses]
    lines += [_code(c) for c in reading.codes]
    lines += [f"reassigned {name}" for name in sorted(reading.reassigned)]
    lines += [f"fork {name}" for name, _, _ in reading.forks]
    lines += [f"written {path} {_word(text)}" for path, text in sorted(reading.written.items())]
    lines += [_finding(f) for f in judged.decision.findings]
    return [line if len(line) <= 300 else f"{line[:300]}… {len(line)}" for line in lines]


def _word(word: Word) -> str:
    text = "|".join(shown(choice) for choice in word.choices) or "∅"
    if any(c in text for c in " \n'") or not text:
        text = repr(text)
    return f"{text}…" if word.splits else text


def _cwds(cwds: tuple[str | None, ...]) -> str:
    if cwds == (_ROOT,):
        return ""
    return "@" + "|".join("?" if cwd is None else cwd for cwd in cwds)


def _scope(scope: Scope) -> str:
    if scope.kind == "local":
        return ""
    mounts = ",".join(f"{inside}={outside}" for inside, outside in scope.mounts)
    return f"{scope.kind}({' '.join(filter(None, (scope.host, mounts)))})"


def _marks(**given: object) -> str:
    return " ".join(name for name, value in given.items() if value)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _programs(label: str, executions: tuple[Execution, ...]) -> str:
    return f"{label}={','.join(e.program or '?' for e in executions)}" if executions else ""


def _execution(e: Execution) -> str:
    words = " ".join(_word(word) for word in e.argv)
    return _joined(
        "run",
        " > ".join((*e.chain, words)),
        *(f"{name}={_word(value)}" for name, value in sorted(e.env.items())),
        *(f"{r.fd if r.fd is not None else ''}{r.op}{_word(r.target)}" for r in e.redirects),
        "" if e.stdin is None else f"<<<{_word(e.stdin)}",
        _cwds(e.cwds),
        _scope(e.scope),
        "" if e.dialect == "posix" else e.dialect,
        _programs("after", e.after),
        _programs("feeds", e.feeds),
        "" if e.fed is None else f"fed={e.fed.program or '?'}",
        f"script={e.script}" if e.script else "",
        *(f"list:{name}={_word(value)}" for name, value in sorted(e.lists.items())),
        _marks(captured=e.captured, uncertain=not e.certain, bare=e.bare),
        f"{e.start}-{e.end}",
    )


def _access(a: FileAccess) -> str:
    return _joined(
        a.mode,
        _word(a.path),
        f"via {a.via}",
        _cwds(a.cwds),
        _scope(a.scope),
        "" if a.content is None else f"content={_word(a.content)}",
        "" if a.source is None else f"source={_word(a.source)}",
        "" if a.destination is None else f"destination={_word(a.destination)}",
        _marks(recursive=a.recursive, found=a.found, keeps=a.keeps, names=a.names),
    )


def _code(c: CodeRun) -> str:
    path = f"path={c.path}" if c.path else ""
    return _joined(
        "code", c.how, " > ".join(c.chain), _word(c.text), path, _programs("of", c.origin)
    )


def _finding(f: Finding) -> str:
    values = " ".join(f"{name}={value!r}" for name, value in sorted(f.values.items()))
    level = f"from {f.level}" if f.level else ""
    return _joined(
        "rule", f.rule, level, f"{f.start}-{f.end}", repr(f.part), values, f.why, *f.lost
    )


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def write(file: Path, cases: list[dict[str, Any]]) -> None:
    """One golden file: the cases with their outcomes of now."""
    wanted = ("command", "dialect", "directory", "files")
    out = []
    for case in cases:
        entry = {name: case[name] for name in wanted if name in case}
        out.append(json.dumps({**entry, "outcome": outcome(case)}, ensure_ascii=False))
    file.write_text("\n".join(out) + "\n", "utf-8")


def main() -> int:
    for file in sorted(FOLDER.glob("*.jsonl")):
        write(file, [json.loads(line) for line in _lines(file)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
