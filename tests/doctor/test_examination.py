"""Doctor runs what an agent's own config holds, and says what came back."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from cc_safety_net.cli.app import main

AGENTS = {
    "cursor": ("--cursor", ".cursor/hooks.json"),
    "grok-build": ("--grok-build", ".grok/hooks/cc-safety-net.json"),
    "kimi-code": ("--kimi-code", ".kimi-code/config.toml"),
    "claude-code": ("--claude-code", ".claude/settings.json"),
}


@pytest.fixture(autouse=True)
def no_agents_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["doctor", "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)


def install(name: str, home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    flag, path = AGENTS[name]
    assert main(["install", flag]) == 0, capsys.readouterr().err
    return home / path


def state(document: dict[str, Any], name: str) -> str:
    return str(next(a["state"] for a in document["agents"] if a["name"] == name))


def stub(home: Path, body: str) -> Path:
    path = home / "stub"
    path.write_text(f"#!/bin/sh\ncat >/dev/null\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def point_at(config: Path, text: str) -> None:
    """Replace the command in the agent's config, as a person or another program would."""
    content = config.read_text()
    if config.suffix == ".json":
        document = json.loads(content)
        entries = [e for es in document["hooks"].values() for e in es]
        for handler in [h for e in entries for h in e.get("hooks", [e])]:
            handler["command"] = text
        config.write_text(json.dumps(document))
    else:
        lines = [
            f"command = {json.dumps(text)}" if line.startswith("command") else line
            for line in content.splitlines()
        ]
        config.write_text("\n".join(lines))


@pytest.mark.parametrize("name", AGENTS)
def test_an_installed_agent_is_protected_after_right_answers(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(name, home, capsys)

    code, document = doctor(capsys, "--agent", name)

    agent = document["agents"][0]
    answers = {probe: result["ok"] for probe, result in agent["probes"].items()}
    assert (code, agent["state"]) == (0, "protected")
    assert answers == {"deny": True, "allow": True, "malformed": True}
    assert document["runtime"]["state"] == "ok"


ALLOW = {
    "cursor": 'echo \'{"permission":"allow"}\'',
    "grok-build": 'echo \'{"decision":"allow"}\'',
    "kimi-code": ":",
    "claude-code": ":",
}


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("kind", ["allows everything", "exits 1", "prints a line first"])
@pytest.mark.parametrize("ours_by_name", [True, False], ids=["named like us", "named otherwise"])
def test_a_stub_in_place_of_the_guard_is_a_wrong_answer(
    name: str,
    kind: str,
    ours_by_name: bool,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = install(name, home, capsys)
    launcher = home / ".local/share/cc-safety-net/current/cc-safety-net"
    flag = "--coding-cli" if name == "claude-code" else AGENTS[name][0]
    bodies = {
        "allows everything": ALLOW[name],
        "exits 1": "exit 1",
        "prints a line first": "exit 0",
    }
    path = stub(home, bodies[kind])
    if kind == "prints a line first":
        path.write_text(f"#!/bin/sh\necho hello\nexec '{launcher}' hook {flag}\n")
    if ours_by_name:
        path = path.rename(home / "cc-safety-net")
    point_at(config, f"'{path}' hook {flag}" if ours_by_name else f"'{path}'")

    code, document = doctor(capsys, "--agent", name)

    assert (code, state(document, name), document["ok"]) == (1, "wrong-answer", False)


def test_an_entry_that_is_gone_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = install("cursor", home, capsys)
    config.unlink()

    code, document = doctor(capsys, "--agent", "cursor")

    assert (code, state(document, "cursor")) == (1, "not-installed")


def test_a_launcher_that_is_gone_is_no_guard(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("cursor", home, capsys)
    (home / ".local/share/cc-safety-net/current").unlink()

    code, document = doctor(capsys, "--agent", "cursor")

    assert (code, state(document, "cursor")) == (1, "guard-not-executable")
    assert document["runtime"]["state"] == "missing"


def test_a_runtime_of_another_build_is_old(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install("cursor", home, capsys)
    manifest = home / ".local/share/cc-safety-net/current/manifest.json"
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "hash": "0" * 64}))

    code, document = doctor(capsys, "--agent", "cursor")

    assert (code, [f["id"] for f in document["findings"]]) == (0, ["runtime.old"])


def test_a_config_that_does_not_parse_is_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = install("cursor", home, capsys)
    config.write_text(config.read_text() + "}")

    code, document = doctor(capsys, "--agent", "cursor")

    found = document["findings"][0]
    assert (code, found["id"], found["agent"]) == (1, "agent.rejected-config", "cursor")
    assert "hooks.json: line" in found["detail"]


#: Parses, but its agent drops the whole file for what stands in the line added.
DROPPED = {
    "cursor": (b'"version": 1', b'"version":\n\n2', "hooks.json: line "),
    "kimi-code": (b"", b'[[hooks]]\nevent = "Stop"\ncommand = "x"\non = 1\n', "config.toml: line "),
}


@pytest.mark.parametrize("name", DROPPED)
def test_a_config_that_its_agent_drops_is_named_with_the_line(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = install(name, home, capsys)
    old, new, where = DROPPED[name]
    content = config.read_bytes()
    assert old in content
    config.write_bytes(content.replace(old, new, 1) if old else content + b"\n" + new)

    code, document = doctor(capsys, "--agent", name)

    found = document["findings"][0]
    assert (code, state(document, name)) == (1, "rejected-config")
    assert (found["id"], where in found["detail"]) == ("agent.rejected-config", True)


def test_no_agent_at_all_is_an_error_with_the_next_step(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, document = doctor(capsys)

    assert (code, [f["id"] for f in document["findings"]]) == (1, ["agents.none-protected"])
    assert not any(home.iterdir())


def test_doctor_changes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install("cursor", home, capsys)
    before = snapshot(home)

    doctor(capsys)

    assert snapshot(home) == before


def snapshot(root: Path) -> dict[str, object]:
    """Every file below `root` but the audit log, which the probes write."""
    found: dict[str, object] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if "logs" not in path.parts and "denials" not in path.parts:
                content = os.readlink(path) if path.is_symlink() else path.read_bytes()
                found[str(path)] = (content, path.lstat().st_mtime_ns)
    return found


def test_the_screen_names_state_place_and_latency(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("cursor", home, capsys)
    capsys.readouterr()

    code = main(["doctor", "--agent", "cursor"])

    line = next(text for text in capsys.readouterr().out.splitlines() if "cursor" in text)
    assert code == 0
    assert line.split()[:5] == ["ok", "cursor", "protected", "0.1.0", "user"]
    assert "~/.cursor/hooks.json  deny " in line


def test_in_the_home_the_file_of_the_user_is_not_taken_for_the_projects_too(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install("cursor", home, capsys)
    monkeypatch.chdir(home)

    code, document = doctor(capsys, "--agent", "cursor")

    assert (code, [agent["scope"] for agent in document["agents"]]) == (0, ["user"])


def test_an_answer_of_several_lines_stays_one_line_of_the_finding(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = install("cursor", home, capsys)
    point_at(config, f"'{stub(home, 'echo one; echo two')}'")

    _, document = doctor(capsys, "--agent", "cursor")

    assert "\n" not in document["findings"][0]["detail"]


def test_a_hook_that_hangs_is_asked_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = install("cursor", home, capsys)
    point_at(config, f"'{stub(home, 'echo called >> ' + str(home / 'calls') + '; sleep 60')}'")
    monkeypatch.setattr("cc_safety_net.doctor.probes.SECONDS", 0.5)

    code, document = doctor(capsys, "--agent", "cursor")

    assert (code, state(document, "cursor")) == (1, "wrong-answer")
    assert "no answer in 0.5 s" in document["findings"][0]["detail"]
    assert (home / "calls").read_text() == "called\n"


def test_a_second_examination_gets_the_same_answers(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("kimi-code", home, capsys)

    replies = [
        doctor(capsys, "--agent", "kimi-code")[1]["agents"][0]["probes"]["deny"]["reply"]
        for _ in range(3)
    ]

    assert not any("times in this session" in reply for reply in replies)


#: Host files that the agent drops whole for one bad entry of somebody else; ours is not in them.
NEIGHBOURS = {
    "kimi-code": (
        ".kimi-code/config.toml",
        '[[hooks]]\nevent = "Stop"\ncommand = "x"\ntype = "command"\n',
        "config.toml: line 1: ",
    ),
    "antigravity-cli": (
        ".gemini/config/hooks.json",
        '{"a": {\n"Stop": [{"command": "x", "timeout": 1.5}]}}',
        "hooks.json: line 2: ",
    ),
    "devin": (
        ".config/devin/config.json",
        '{"hooks": {\n"BeforeTool": []}}',
        "config.json: line 2: ",
    ),
    "claude-code": (
        ".claude/settings.json",
        '{"hooks": {"Stop": [{"hooks": [\n{"type": "shell"}]}]}}',
        "settings.json: line 2: ",
    ),
    "codex": (".codex/hooks.json", '{"hooks": {},\n"x": 1}', "hooks.json: line 2: "),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_bad_entry_of_somebody_else_is_named_before_ours_is_there(
    name: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, text, where = NEIGHBOURS[name]
    (home / path).parent.mkdir(parents=True)
    (home / path).write_text(text)

    code, document = doctor(capsys, "--agent", name)

    found = [f for f in document["findings"] if f["id"] == "agent.rejected-config"]
    assert (code, state(document, name), len(found)) == (1, "rejected-config", 1)
    assert where in found[0]["detail"]


def test_doubts_about_devins_files_are_findings(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".config/devin").mkdir(parents=True)
    handler = {"type": "command", "command": "check || exit 1", "timeout": 30}
    hooks = {"PreToolUse": [{"matcher": "^exec$", "hooks": [handler]}]}
    (home / ".config/devin/config.json").write_text(json.dumps({"hooks": hooks}))

    code, document = doctor(capsys, "--agent", "devin")

    found = {f["id"]: f["severity"] for f in document["findings"]}
    assert (code, found) == (0, {"agent.not-installed": "warning", "devin.exit-code": "warning"})
