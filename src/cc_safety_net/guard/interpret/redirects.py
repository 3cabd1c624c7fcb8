"""Redirections: what they name, and what they change around a command."""

from __future__ import annotations

from cc_safety_net.guard.interpret import words
from cc_safety_net.guard.interpret.facts import Redirection, Word
from cc_safety_net.guard.interpret.machine import Input
from cc_safety_net.guard.interpret.values import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices
    from cc_safety_net.guard.shell.posix import nodes

_WRITES = frozenset((">", ">>", ">|", "&>", "&>>", ">&", "<>"))


def redirections(m: Machine, state: State, found: Sequence[nodes.Redirect]) -> list[Redirection]:
    out = []
    if found:
        m.effort.spend(12 * len(found), "redirections")
    for redirect in found:
        if redirect.heredoc is not None:
            choices = words.single(m, state, redirect.heredoc.body)
            out.append(Redirection(redirect.op, Word(choices, *m.span_of(redirect)), redirect.fd))
        elif redirect.op == "<<<":
            choices = words.single(m, state, redirect.target)
            out.append(Redirection("<<<", Word(choices, *m.span_of(redirect)), redirect.fd))
        else:
            target = words.target(m, state, redirect.target)
            fd = redirect.fd
            if redirect.variable:
                from cc_safety_net.guard.interpret.descriptors import number_for

                fd = number_for(m, state, redirect.variable, target)
            out.append(Redirection(redirect.op, target, fd))
    return out


class Surroundings:
    """What redirections change around a command: its input, and where its output goes."""

    __slots__ = ("certain", "cwds", "descriptors", "redirects", "saved", "sinks", "targets")

    def __init__(self, m: Machine, state: State, redirects: Sequence[Redirection]) -> None:
        self.saved = (m.input, m.output, m.captured, m.feeds)
        self.descriptors = m.descriptors
        self.sinks = m.sinks
        self.certain = m.certain
        self.redirects = redirects
        self.cwds = state.cwds
        # None in place of a file: another stream of the caller.
        self.targets: list[tuple[Word | None, bool]] = []
        if any(redirect.fd is not None and redirect.fd > 2 for redirect in redirects):
            from cc_safety_net.guard.interpret.descriptors import open_further, open_sinks

            open_further(m, self.cwds, redirects)
            open_sinks(m, self.cwds, redirects)
        for redirect in redirects:
            self._enter(m, redirect)

    def _enter(self, m: Machine, redirect: Redirection) -> None:
        op, target = redirect.op, redirect.target
        if op in ("<<", "<<-", "<<<"):
            if redirect.fd in (None, 0):
                newline = op == "<<<"
                m.input = Input(_with_newline(target.choices) if newline else target.choices)
                m.feeds = ()
        elif op in ("<", "<>", "<&"):
            if op == "<&" and _is_descriptor(target):
                kept = m.descriptors.get(f"/dev/fd/{target.text}")
                if kept is not None and redirect.fd in (None, 0):
                    m.input, m.feeds = kept, tuple(kept.origin)
            elif redirect.fd in (None, 0):
                from cc_safety_net.guard.interpret.contents import contents_of

                choices, origin = contents_of(m, self.cwds, target)
                m.input, m.feeds = Input(choices, origin), tuple(origin)
                if choices is None:
                    m.certain = False  # without the file the command is not run
        elif op in _WRITES and (redirect.fd in (None, 1) or op[0] == "&"):
            self._output(m, op, target)

    def _output(self, m: Machine, op: str, target: Word) -> None:
        if m.sinks:
            name = target.text or ""
            sink = m.sinks.get(name if name.startswith("/") else f"/dev/fd/{name}")
            if sink is not None and (op == ">&" or name.startswith("/dev/fd/")):
                target, self.cwds = sink
                op = ">>"
        if op == ">&" and _is_descriptor(target):
            if target.text == "2":
                self.targets = [(None, False)]
                m.output = EMPTY
            return
        text = target.text or ""
        if text in ("/dev/stderr", "/dev/tty", "/dev/stdout", "/dev/fd/1", "/dev/fd/2"):
            if text in ("/dev/stderr", "/dev/tty", "/dev/fd/2"):
                self.targets = [(None, False)]
                m.output = EMPTY
            return
        m.captured = True
        m.output = EMPTY
        self.targets = [(target, op in (">>", "&>>"))]

    def leave(self, m: Machine) -> None:
        """Back to what was; the text that was printed lies in the file now."""
        output = m.output
        m.certain = self.certain
        m.input, saved, m.captured, m.feeds = self.saved
        m.descriptors = self.descriptors
        if m.sinks is not self.sinks and not m.keeps:
            m.sinks = self.sinks
        m.keeps = False
        if m.kept:
            from cc_safety_net.guard.interpret.descriptors import keep_open

            keep_open(m)
        if not self.targets:
            m.output = output if saved is not None else None
            return
        m.output = saved
        target, append = self.targets[0]
        if output is not None and target is not None:
            from cc_safety_net.guard.interpret.contents import write

            write(m, self.cwds, target, output, append=append)


def _is_descriptor(target: Word) -> bool:
    text = target.text
    return text is not None and (text.rstrip("-").isdigit() or text == "-")


def _with_newline(choices: Choices) -> Choices:
    from cc_safety_net.guard.interpret.values import concat

    return concat(choices, (("\n",),))
