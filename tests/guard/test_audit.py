"""The audit log, denial records, the session counter, and one-time permissions, on a real disk."""

from __future__ import annotations

import json
import os
import stat
import threading

import pytest

from cc_safety_net.guard import audit
from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.decision import Finding
from cc_safety_net.guard.denials import call_digest, session_file
from cc_safety_net.guard.engine import judge
from cc_safety_net.guard.interpret.facts import Reading
from cc_safety_net.guard.policy.settings import Policy
from cc_safety_net.guard.rules import catalogue
from cc_safety_net.guard.rules.rule import Rule
from cc_safety_net.guard.world import World

NOW = 1_790_000_000


@pytest.fixture
def world(tmp_path):
    home = tmp_path / "home"
    (home / "proj").mkdir(parents=True)

    class Fixed(World):
        seconds = NOW

        def now_ns(self):
            return self.seconds * 10**9

    return Fixed(
        {}, str(home), str(home / "proj"), state=str(home / "state"), config=str(home / "config")
    )


@pytest.fixture(autouse=True)
def rules(monkeypatch):
    """`bad` is refused by a rule that may be permitted, `worse` by one that may not."""
    texts = {
        "reason": "r",
        "instead": "ls",
        "do_not": "x",
        "intent": "use_alternative",
        "denied": (),
        "allowed": (),
    }
    known = {
        "t.bad": Rule("t.bad", **texts),
        "t.worse": Rule("t.worse", off="N", **texts),
    }
    original = catalogue.rule
    monkeypatch.setattr(catalogue, "rule", lambda name: known.get(name) or original(name))

    def find(stage, context):
        command = context.call.command or ""
        if stage != "commands":
            return []
        return [Finding(name, command) for name in known if name[2:] in command.split()]

    monkeypatch.setattr(catalogue, "find", find)


def _judge(world, command="ls", session="s", policy=None, **options):
    call = ToolCall("claude-code", "Bash", "shell", {}, command=command, session=session, **options)
    return judge(call, world, policy=policy, read_shell=lambda *_: Reading())


def _lines(world):
    return [
        json.loads(line)
        for name in sorted(os.listdir(f"{world.state}/logs"))
        for line in _text(world, f"logs/{name}").splitlines()
    ]


def _text(world, name):
    with open(f"{world.state}/{name}", encoding="utf-8") as file:
        return file.read()


def test_a_call_leaves_one_line_with_its_fields(world):
    judgement = _judge(world, "TOKEN=abc123 ls", call_id="c1")

    audit.record(judgement, world, "1.0.0")

    (line,) = _lines(world)
    assert line.pop("ms") >= 0
    assert line == {
        "ts": "2026-09-21T14:13:20.000Z",
        "id": judgement.decision.audit_id,
        "v": "1.0.0",
        "agent": "claude-code",
        "session": "s",
        "call_id": "c1",
        "digest": call_digest(judgement),
        "tool": "Bash",
        "kind": "shell",
        "dialect": "auto",
        "decision": "allow",
        "command": "TOKEN=[redacted] ls",
        "cwd": world.directory,
        "root": world.directory,
        "level": "standard",
        "policy": Policy().digest(),
    }
    assert os.listdir(f"{world.state}/logs") == ["2026-09-21.jsonl"]


def test_a_denial_is_recorded_counted_and_kept(world):
    judgement = _judge(world, "bad PASSWORD=hunter2")

    audit.record(judgement, world, "1")

    (line,) = _lines(world)
    assert (line["decision"], line["rule"], line["rules"]) == ("deny", "t.bad", ["t.bad"])
    assert (line["intent"], line["stage"], line["repeat"]) == ("use_alternative", "commands", 1)
    assert line["reason"] == judgement.decision.text
    kept = json.loads(_text(world, f"denials/{judgement.decision.audit_id}"))
    assert kept["digest"] == line["digest"]
    assert kept["permittable"] is True
    assert [finding["rule"] for finding in kept["findings"]] == ["t.bad"]
    assert "hunter2" not in json.dumps(kept) + json.dumps(line)
    assert _judge(world, "bad again").repeat == 2
    assert _judge(world, "bad", session="other").repeat == 1
    world.seconds += 8 * 86_400
    assert _judge(world, "bad").repeat == 1


def test_files_and_directories_are_private(world):
    judgement = _judge(world, "bad")
    previous = os.umask(0)
    try:
        audit.record(judgement, world, "1")
    finally:
        os.umask(previous)

    for folder, _, names in os.walk(world.state):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        for name in names:
            assert stat.S_IMODE(os.stat(f"{folder}/{name}").st_mode) == 0o600


def test_contents_are_never_logged(world):
    call = ToolCall(
        "claude-code",
        "Write",
        "write",
        {"file_path": "a.txt", "content": "the words", "edits": [{"new_string": "more words"}]},
    )

    audit.record(judge(call, world), world, "1")

    (line,) = _lines(world)
    assert "words" not in json.dumps(line)
    assert line["args"]["file_path"] == "a.txt"
    assert line["args"]["content"].startswith("[9 characters, sha256 ")
    assert line["paths"] == ["write a.txt"]


def test_arguments_with_secret_names_are_redacted(world):
    call = ToolCall(
        "claude-code", "mcp__x__y", "other", {"api_key": "hunter2", "q": "TOKEN=hunter2"}
    )

    audit.record(judge(call, world), world, "1")

    assert "hunter2" not in json.dumps(_lines(world))


def test_a_long_command_is_cut_and_the_line_stays_short(world):
    judgement = _judge(world, "bad " + "é\n" * 20_000)

    audit.record(judgement, world, "1")

    (line,) = _lines(world)
    assert line["truncated"] is True
    assert os.path.getsize(f"{world.state}/logs/2026-09-21.jsonl") <= audit.LINE


def test_only_denials_are_logged_if_the_policy_says_so(world):
    policy = Policy()
    policy.audit_scope = "denied"

    audit.record(_judge(world, "ls", policy=policy), world, "1")
    audit.record(_judge(world, "bad", policy=policy), world, "1")

    assert [line["decision"] for line in _lines(world)] == ["deny"]


def test_failures_are_swallowed_and_counted(world):
    os.makedirs(f"{world.state}/logs/2026-09-21.jsonl")

    audit.record(_judge(world), world, "1")
    audit.record(_judge(world), world, "1")

    assert os.path.getsize(f"{world.state}/{audit.FAILURES}") == 2


def test_a_state_directory_that_is_a_file_changes_nothing(world):
    open(world.state, "w").close()

    audit.record(_judge(world), world, "1")

    assert _judge(world, "bad").decision.verdict == "deny"


def test_the_log_is_not_written_through_a_link(world, tmp_path):
    os.makedirs(f"{world.state}/logs")
    (tmp_path / "precious").write_text("keep")
    os.symlink(tmp_path / "precious", f"{world.state}/logs/2026-09-21.jsonl")

    audit.record(_judge(world), world, "1")

    assert (tmp_path / "precious").read_text() == "keep"


def test_a_record_cut_short_ends_before_the_next(world):
    audit.record(_judge(world), world, "1")
    with open(f"{world.state}/logs/2026-09-21.jsonl", "a") as log:
        log.write('{"torn')
    os.utime(f"{world.state}/logs/2026-09-21.jsonl", (NOW, NOW))

    audit.record(_judge(world), world, "1")

    lines = _text(world, "logs/2026-09-21.jsonl").split("\n")
    assert lines[1] == '{"torn'
    assert json.loads(lines[2])["decision"] == "allow"


def test_lines_of_many_writers_are_whole(world):
    judgement = _judge(world, "bad " + "x" * 3_000)

    def write():
        for _ in range(50):
            audit.record(judgement, world, "1")

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(_lines(world)) == 400
    assert not os.path.exists(f"{world.state}/{audit.FAILURES}")


def test_old_days_denials_and_counters_go_with_the_first_call_of_a_day(world):
    logs = f"{world.state}/logs"
    old = _judge(world, "bad")
    audit.record(old, world, "1")
    for name in ("2026-08-20.jsonl", "2026-09-01.jsonl", "notes.txt", "2026-08-01.txt"):
        open(f"{logs}/{name}", "w").close()
    counter = session_file(world, old)
    denial = f"{world.state}/denials/{old.decision.audit_id}"
    os.utime(counter, (NOW, NOW))
    os.utime(denial, (NOW, NOW))
    world.seconds = NOW + 2 * 86_400

    audit.record(_judge(world), world, "1")

    assert sorted(os.listdir(logs)) == [
        "2026-08-01.txt",
        "2026-09-01.jsonl",
        "2026-09-21.jsonl",
        "2026-09-23.jsonl",
        "notes.txt",
    ]
    assert not os.path.exists(denial)
    assert os.path.exists(counter)


def test_the_oldest_days_go_first_when_the_log_is_too_large(world):
    policy = Policy()
    policy.audit_max_mb = 1
    logs = f"{world.state}/logs"
    os.makedirs(logs)
    for day in ("18", "19", "20"):
        with open(f"{logs}/2026-09-{day}.jsonl", "w") as log:
            log.write("x" * 500_000)

    audit.record(_judge(world, policy=policy), world, "1")

    assert sorted(os.listdir(logs)) == [
        "2026-09-19.jsonl",
        "2026-09-20.jsonl",
        "2026-09-21.jsonl",
    ]


def _permit(world, judgement, rules=("t.bad",), expires=NOW + 900):
    os.makedirs(f"{world.state}/permissions", exist_ok=True)
    path = f"{world.state}/permissions/{call_digest(judgement)}"
    with open(path, "w") as file:
        json.dump({"version": 1, "id": "a" * 16, "rules": list(rules), "expires": expires}, file)


def test_a_permission_lets_one_call_pass_once(world):
    _permit(world, _judge(world, "bad x"))

    first = _judge(world, "bad x")

    assert (first.decision.verdict, first.permission) == ("allow", "a" * 16)
    audit.record(first, world, "1")
    assert _lines(world)[0]["permission"] == "a" * 16
    # A second delivery in the same session is answered alike, a later call is not.
    assert _judge(world, "bad x").decision.verdict == "allow"
    assert _judge(world, "bad x", session="other").decision.verdict == "deny"
    world.seconds += 6
    assert _judge(world, "bad x").decision.verdict == "deny"


def test_a_permission_fits_its_call_only(world):
    refused = _judge(world, "bad x")
    _permit(world, refused)

    assert _judge(world, "bad  x").decision.verdict == "deny"
    assert _judge(world, "bad x", directory=world.home).decision.verdict == "deny"


@pytest.mark.parametrize(
    ("command", "permitted", "expires"),
    [
        ("bad worse", ("t.bad", "t.worse"), NOW + 900),
        ("bad x", ("t.other",), NOW + 900),
        ("bad x", ("t.bad",), NOW),
    ],
)
def test_a_permission_that_does_not_cover_everything_permits_nothing(
    world, command, permitted, expires
):
    _permit(world, _judge(world, command), permitted, expires)

    assert _judge(world, command).decision.verdict == "deny"


def test_a_permission_that_can_not_be_consumed_permits_nothing(world, monkeypatch):
    import posix

    _permit(world, _judge(world, "bad x"))

    def fail(*_):
        raise OSError

    monkeypatch.setattr(posix, "rename", fail)

    assert _judge(world, "bad x").decision.verdict == "deny"


def test_a_permission_that_is_no_record_permits_nothing(world):
    refused = _judge(world, "bad x")
    os.makedirs(f"{world.state}/permissions")
    for text in ("", "[]", '{"id": 1}', "{"):
        with open(f"{world.state}/permissions/{call_digest(refused)}", "w") as file:
            file.write(text)
        assert _judge(world, "bad x").decision.verdict == "deny"


def test_two_calls_at_once_share_one_permission(world):
    _permit(world, _judge(world, "bad x", session="0"))
    verdicts = []
    gate = threading.Barrier(8)

    def ask(session):
        gate.wait()
        verdicts.append(_judge(world, "bad x", session=session).decision.verdict)

    threads = [threading.Thread(target=ask, args=(str(n),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert verdicts.count("allow") == 1
