"""Aliases, expanded as if they were enabled."""

from __future__ import annotations

from cc_safety_net.guard.shell.posix import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State

#: Aliases that lead to one another.
_HOPS = 16


def replacement(m: Machine, node: nodes.SimpleCommand, state: State) -> nodes.Script | None:
    """The command with the alias of its first word put in, None if there is none."""
    name = _bare(node.words[0])
    values = state.look("=" + name) if name else None
    if not values:
        return None
    text = values[-1]
    if text is None:
        return None
    script = _graft(m, state, text, node)
    seen = {name}
    for _ in range(_HOPS):
        last = script.items[-1][0] if script is not None and script.items else None
        if script is None or not isinstance(last, nodes.SimpleCommand) or not last.words:
            break
        name = _bare(last.words[0])
        values = state.look("=" + name) if name and name not in seen else None
        if not values or values[-1] is None:
            break
        seen.add(name)
        inner = _graft(m, state, values[-1], last)
        if inner is None:
            break
        items = [*script.items[:-1], *inner.items]
        script = nodes.Script(items, script.start, script.end)
    return _hidden(script) if script is not None else None


def with_global(m: Machine, node: nodes.SimpleCommand, state: State) -> nodes.Script | None:
    """The command with one of zsh's global or suffix aliases put in, None if there is none."""
    m.effort.spend(len(node.words), "global aliases")
    for at, word in enumerate(node.words):
        name = _bare(word)
        suffix = name.rpartition(".")[2] if not at and "." in name else ""
        values = state.look("=-s " + suffix) if suffix else None
        if values and values[-1] is not None:
            opened = nodes.Word([nodes.Lit(name, True, word.start, word.end)], word.start, word.end)
            words = [word, opened, *node.words[1:]]
            behind = nodes.SimpleCommand(
                node.assignments, words, node.redirects, node.start, node.end
            )
            return _graft(m, state, values[-1], behind)
        values = state.look("=-g " + name) if name else None
        if values and values[-1] is not None:
            return _spliced(m, values[-1], node, at)
    return None


def _spliced(m: Machine, text: str, node: nodes.SimpleCommand, at: int) -> nodes.Script | None:
    """The command with `text` in the place of a word: it may end the command, or begin another."""
    from cc_safety_net.guard.shell.posix.parser import parse

    script = parse("x " + text, m.effort).script
    outer = script.items[0][0] if len(script.items) == 1 else None
    first = outer.commands[0] if isinstance(outer, nodes.Pipeline) else outer
    if not isinstance(first, nodes.SimpleCommand):
        return None
    rest = node.words[at + 1 :]
    # No word of the alias is an alias again.
    inserted = [_quoted(word) for word in first.words[1:]]
    alone = first is outer
    command = nodes.SimpleCommand(
        [*node.assignments, *first.assignments],
        [*node.words[:at], *inserted, *(rest if alone else ())],
        [*node.redirects, *first.redirects],
        node.start,
        node.end,
    )
    if not isinstance(outer, nodes.Pipeline):
        return nodes.Script([(command, "")], node.start, node.end)
    last = outer.commands[-1]
    if rest and isinstance(last, nodes.SimpleCommand):
        last.words = [*last.words, *rest]
    followers = [_placed(one, node) for one in outer.commands[1:]]
    pipeline = nodes.Pipeline(
        [command, *followers], outer.pipe_stderr, node.start, node.end, negated=outer.negated
    )
    return nodes.Script([(pipeline, "")], node.start, node.end)


def _quoted(word: nodes.Word | nodes.Assignment) -> nodes.Word | nodes.Assignment:
    name = _bare(word)
    if not name or any(c in name for c in "*?[~{"):
        return word
    return nodes.Word([nodes.Lit(name, True, word.start, word.end)], word.start, word.end)


def _bare(word: nodes.Word | nodes.Assignment) -> str:
    """The text of a word that may be an alias: written plainly, without any quote."""
    if not isinstance(word, nodes.Word) or len(word.parts) != 1:
        return ""
    part = word.parts[0]
    return part.text if isinstance(part, nodes.Lit) and not part.quoted else ""


def _next_expanded(m: Machine, state: State, node: nodes.SimpleCommand) -> nodes.SimpleCommand:
    """The command with the alias of its second word put in: the first one ended in a blank."""
    name = _bare(node.words[1])
    values = state.look("=" + name) if name else None
    if not values or values[-1] is None:
        return node
    from cc_safety_net.guard.shell.posix.parser import parse

    script = parse(values[-1], m.effort).script
    first = script.items[0][0] if len(script.items) == 1 else None
    if not isinstance(first, nodes.SimpleCommand):
        return node
    words = [node.words[0], *first.words, *node.words[2:]]
    return nodes.SimpleCommand(node.assignments, words, node.redirects, node.start, node.end)


def _graft(m: Machine, state: State, text: str, node: nodes.SimpleCommand) -> nodes.Script | None:
    """The alias's commands, the last of them with the words that follow the name."""
    from cc_safety_net.guard.shell.posix.parser import parse

    m.effort.spend(len(text), "an alias")
    script = parse(text, m.effort).script
    if not script.items:
        # An alias that says nothing: the next word is the program.
        return nodes.Script([(_joined((), (), (), node, node), "")], node.start, node.end)
    last = script.items[-1][0]
    if not isinstance(last, nodes.SimpleCommand):
        return script
    if text[-1:] in (" ", "\t") and len(node.words) > 1:
        node = _next_expanded(m, state, node)
    rest = _joined(last.assignments, last.words, last.redirects, node, last)
    placed = [(_placed(command, node), end) for command, end in script.items[:-1]]
    return nodes.Script([*placed, (rest, "")], node.start, node.end)


def _joined(
    assignments: Sequence[nodes.Assignment],
    words: Sequence[nodes.Word | nodes.Assignment],
    redirects: Sequence[nodes.Redirect],
    node: nodes.SimpleCommand,
    last: nodes.SimpleCommand,
) -> nodes.SimpleCommand:
    del last
    return nodes.SimpleCommand(
        [*node.assignments, *assignments],
        [*words, *node.words[1:]],
        [*redirects, *node.redirects],
        node.start,
        node.end,
    )


def _placed(command: nodes.Command, node: nodes.SimpleCommand) -> nodes.Command:
    """The command, said to stand where the alias was used."""
    command.start, command.end = node.start, node.end
    return command


def _hidden(script: nodes.Script) -> nodes.Script:
    """The first word of each command marked as quoted, so that no alias is looked up again."""
    items = []
    for command, terminator in script.items:
        if isinstance(command, nodes.SimpleCommand) and command.words:
            first = command.words[0]
            if isinstance(first, nodes.Word) and _bare(first):
                lit = first.parts[0]
                text = getattr(lit, "text", "")
                if not any(c in text for c in "*?[~{"):
                    word = nodes.Word(
                        [nodes.Lit(text, True, first.start, first.end)],
                        first.start,
                        first.end,
                    )
                    command = nodes.SimpleCommand(  # noqa: PLW2901 - the same, its word hidden
                        command.assignments,
                        [word, *command.words[1:]],
                        command.redirects,
                        command.start,
                        command.end,
                    )
        items.append((command, terminator))
    return nodes.Script(items, script.start, script.end)
