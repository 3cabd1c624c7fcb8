"""One call over standard input: payload in, verdict out in the form of the agent that asks.

Whatever goes wrong here is a denial in that form. The one place that catches everything.
"""

from __future__ import annotations

import posix

from cc_safety_net.guard import limits
from cc_safety_net.guard.call import BadCall
from cc_safety_net.guard.decision import ALLOW, DENY, Reply
from cc_safety_net.guard.json_text import JsonError, decode_json
from cc_safety_net.guard.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    from cc_safety_net.guard.call import ToolCall
    from cc_safety_net.guard.engine import Judgement

    Decode: TypeAlias = Callable[[Any, Mapping[str, str], str], ToolCall | None]
    Encode: TypeAlias = Callable[[str, str], Reply]
    Imported: TypeAlias = Callable[[Any, Mapping[str, str]], tuple[Decode, Encode] | None]

#: Seconds until a payload that never ends is given up; agents wait 30 s and then go on.
INPUT_SECONDS = 10
_BLOCK = 2


def run(
    decode: Decode,
    encode: Encode,
    *,
    agent: str,
    directories: Sequence[str] = (),
    imported: Imported | None = None,
) -> int:
    """Decide about the call on standard input and answer it; the result is the exit status.

    agent: name by the flag. directories: our config, state and data directory. imported: for an
    entry that other agents load too, whose decoder and encoder a payload needs.
    """
    own = decode, encode
    world = None
    judgement = None
    try:
        environment = _environment()
        world = make_world(environment, directories)
        if imported is not None:
            # For a payload that can't be read: by the environment alone.
            decode, encode = imported(None, environment) or own
        payload = read_payload()
        if imported is not None:
            decode, encode = imported(payload, environment) or own
        call = decode(payload, environment, world.directory)
        if call is None:
            reply = encode(ALLOW, "")
        else:
            call.shape = agent
            from cc_safety_net.guard.engine import judge

            judgement = judge(call, world)
            reply = encode(judgement.decision.verdict, judgement.decision.text)
    except BaseException as caught:  # noqa: BLE001 - nothing may end in an open gate
        judgement = _refused(caught, agent, world)
        reply = encode(
            DENY, judgement.decision.text if judgement else failure_text(*failure(caught))
        )
    status = write_reply(reply)
    if judgement is not None and world is not None:
        _afterwards(judgement, world, quiet=bool(reply.stderr) or status != 0)
    return status


def _refused(error: BaseException, agent: str, world: World | None) -> Judgement | None:
    """The refusal of a call that never came to the engine, to be recorded like any other."""
    if world is None:
        return None
    try:
        from cc_safety_net.guard.engine import refuse_unread

        rule, what = failure(error)
        return refuse_unread(agent, rule, what, world, error=type(error).__name__)
    except BaseException:  # noqa: BLE001 - the fault may lie in the engine itself
        return None


def _afterwards(judgement: Judgement, world: World, *, quiet: bool) -> None:
    """What may wait until the verdict is out. quiet: standard error already has a meaning."""
    try:
        from cc_safety_net import __version__
        from cc_safety_net.guard.audit import record

        record(judgement, world, __version__)
        if quiet:
            return
        for note in judgement.policy.notes:
            _write(2, f"cc-safety-net: {note}\n")
        if world.environment.get("CC_SAFETY_NET_DEBUG"):
            from cc_safety_net.guard.trace import trace_of

            _write(2, trace_of(judgement))
    except BaseException:  # noqa: BLE001 - the verdict is out, nothing may change it
        return


def failure(error: BaseException) -> tuple[str, str]:
    """Rule id and fact of a failure of ours or of the payload."""
    if isinstance(error, (BadCall, limits.LimitReached)):
        return error.rule, error.what
    if isinstance(error, JsonError):
        rule = "guard.input-limit" if error.limit else "guard.malformed-input"
        return rule, f"the payload: {error.what}"
    return "guard.internal-error", f"{type(error).__name__} in the guard"


def failure_text(rule: str, what: str) -> str:
    """The refusal for a call that could not be judged."""
    audit_id = posix.urandom(8).hex()
    try:
        from cc_safety_net.guard.decision import Finding
        from cc_safety_net.guard.refusal import write
        from cc_safety_net.guard.rules.catalogue import rule as texts

        values = {"what": what, "why": what, "instead": "Name a directory inside the workspace."}
        finding = Finding(rule, "this call", values=values)
        return write(finding, texts(rule), audit_id=audit_id)
    except BaseException:  # noqa: BLE001 - the fault may lie in the writer of refusals itself
        return (
            f"Blocked by cc-safety-net: this call\n\nRule: {rule}\n\n"
            f"Why: The guard can't judge this call: {what}.\n\n"
            "Do not try variants. Simplify the call once, or report what you wanted to do.\n\n"
            f"Audit: {audit_id}"
        )


def _environment() -> dict[str, str]:
    return {
        key.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for key, value in posix.environ.items()
    }


def make_world(environment: Mapping[str, str], directories: Sequence[str] = ()) -> World:
    """The machine as this process sees it."""
    home = environment.get("HOME", "")
    if not home.startswith("/"):
        import pwd

        home = pwd.getpwuid(posix.geteuid()).pw_dir
    try:
        directory = posix.getcwd()
    except OSError:
        directory = ""
    config, state, data = directories or _directories(environment, home)
    return World(environment, home, directory, config=config, state=state, data=data)


def _directories(environment: Mapping[str, str], home: str) -> tuple[str, str, str]:
    """Our directories for a call by hand: an installed entry has them recorded."""
    own = environment.get("CC_SAFETY_NET_HOME", "")
    if own.startswith("/"):
        return own + "/config", own + "/state", own + "/data"
    found = []
    for variable, default in (
        ("XDG_CONFIG_HOME", "/.config"),
        ("XDG_STATE_HOME", "/.local/state"),
        ("XDG_DATA_HOME", "/.local/share"),
    ):
        base = environment.get(variable, "")
        found.append((base if base.startswith("/") else home + default) + "/cc-safety-net")
    return found[0], found[1], found[2]


def read_payload() -> Any:
    """The JSON value on standard input; BadCall or JsonError if there is none to be trusted."""
    try:
        text = _read_input().decode("utf-8")
    except UnicodeDecodeError:
        raise BadCall("guard.malformed-input", "the payload is not UTF-8") from None
    payload = decode_json(text)
    # Half a surrogate pair has no bytes: what the agent would run can't be known.
    if "\\ud" in text or "\\uD" in text:
        _refuse_surrogates(payload)
    return payload


def _read_input() -> bytes:
    import _signal as signal  # type: ignore[import-not-found] # `signal` imports enum

    def late(*_: object) -> None:
        raise BadCall("guard.malformed-input", f"no end of input after {INPUT_SECONDS} seconds")

    signal.signal(signal.SIGALRM, late)
    # The runtime has set an alarm for the whole process, whose end the launcher takes as a denial.
    whole = signal.alarm(INPUT_SECONDS)
    found = []
    size = 0
    while True:
        block = posix.read(0, 1 << 16)
        if not block:
            break
        size += len(block)
        if size > limits.PAYLOAD_BYTES:
            raise BadCall("guard.input-limit", "the payload is larger than 8 MiB")
        found.append(block)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(whole)
    return b"".join(found)


def _refuse_surrogates(payload: Any) -> None:
    todo = [payload]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo.extend(value)
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
        elif isinstance(value, str):
            try:
                value.encode()
            except UnicodeEncodeError:
                raise BadCall(
                    "guard.malformed-input", "a text of the payload holds half a surrogate pair"
                ) from None


def write_reply(reply: Reply) -> int:
    """Give the answer; the exit status. An answer that can't be given blocks by its status."""
    status = reply.status
    stderr = reply.stderr
    try:
        _write(1, reply.stdout)
    except OSError:
        status = _BLOCK
        stderr = stderr or "cc-safety-net: the verdict could not be written\n"
    try:
        _write(2, stderr)
    except OSError:
        # The verdict is out; the text for people is lost.
        return status
    return status


def _write(descriptor: int, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[posix.write(descriptor, data) :]
