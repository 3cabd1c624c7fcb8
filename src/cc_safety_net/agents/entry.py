"""The runtime's main: which agent calls, by hand, before anything else is loaded.

It loads the one agent it was called for and hands its decoder and encoder to the guard.
"""

from __future__ import annotations

import posix
import sys

from cc_safety_net.agents.catalogue import FLAGS, LEGACY_FLAGS, PACKAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from cc_safety_net.guard.decision import Reply
    from cc_safety_net.guard.hook import Decode, Encode

    class AgentProtocol(Protocol):
        decode: Decode
        encode: Encode


def main(arguments: Sequence[str], directories: Sequence[str] = ()) -> int:
    """Answer one call; the result is the exit status, which is never 1.

    directories: our config, state and data directory as recorded at installation; without them
    the environment says where they are.
    """
    name, problem = _agent(arguments)
    if name == "help":
        posix.write(1, _help().encode())
        return 0
    if not name:
        return _refuse(problem)
    from cc_safety_net.guard.hook import run

    protocol = _protocol(name)
    claude = protocol if name == "claude-code" else None
    return run(
        protocol.decode,
        protocol.encode,
        agent=name,
        directories=directories,
        imported=_imported(claude.host) if claude is not None else None,
    )


def _agent(arguments: Sequence[str]) -> tuple[str, str]:
    """Name of the agent by the flag, or "" and what is wrong with the arguments."""
    words = list(arguments)
    named = bool(words) and words[0].lower() == "hook"
    if named:
        words = words[1:]
        if words and words[0] in ("-h", "--help"):
            return "help", ""
        known: Mapping[str, str] = FLAGS
    else:
        known = {flag: FLAGS[flag] for flag in LEGACY_FLAGS if flag in FLAGS}
    if not words:
        return "", "the agent's flag is missing"
    for word in words:
        if word not in known:
            return "", f"Unknown option: {word}" if word[:1] == "-" else f"Unknown argument: {word}"
    if len(words) > 1:
        return "", f"only one agent's flag is possible, not also {words[1]}"
    return known[words[0]], ""


def _protocol(name: str) -> Any:
    module = PACKAGES[name] + ".protocol"
    __import__(module)
    return sys.modules[module]


def _imported(
    host: Callable[[Any, Mapping[str, str]], str],
) -> Callable[[Any, Mapping[str, str]], tuple[Decode, Encode] | None]:
    """For Claude's entry: decoder and encoder of the agent that sent the payload to it."""

    def protocol(payload: Any, environment: Mapping[str, str]) -> tuple[Decode, Encode] | None:
        name = host(payload, environment)
        if not name:
            return None
        found = _protocol(name)
        return found.decode, found.encode

    return protocol


def canonical_flags() -> list[str]:
    """One flag of each agent, in the order of the catalogue."""
    first: dict[str, str] = {}
    for flag, name in FLAGS.items():
        first.setdefault(name, flag)
    return list(first.values())


def _help() -> str:
    flags = "\n".join(f"  {flag}" for flag in canonical_flags())
    return (
        "Usage: cc-safety-net hook FLAG\n\n"
        "Decide about one tool call: its payload on standard input, the verdict on standard\n"
        f"output in the form of the agent that FLAG names.\n\n{flags}\n"
    )


def _refuse(problem: str) -> int:
    """Block in the form of every agent at once, since nobody knows which one called."""
    from cc_safety_net.agents.encoding import merged_denial
    from cc_safety_net.guard.hook import failure_text, write_reply

    hint = "use one of " + ", ".join(canonical_flags()) + " after the word hook"
    text = failure_text("guard.malformed-input", f"{problem}; {hint}")
    reply: Reply = merged_denial([_spec(name) for name in PACKAGES], text)
    reply.stderr = f"error: {problem}\nhint: {hint}\n"
    write_reply(reply)
    return reply.status


def _spec(name: str) -> Any:
    module = PACKAGES[name] + ".spec"
    __import__(module)
    return sys.modules[module].SPEC
