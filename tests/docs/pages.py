"""Reference pages that are made from the code: `python -m tests.docs.pages` writes them.

`test_pages.py` fails while one of them is not current.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cc_safety_net.cli.app import app
from cc_safety_net.cli.framework import Context
from cc_safety_net.guard.rules import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.rules.rule import Rule

DOCS = Path(__file__).parents[2] / "docs"

_INTENTS = {
    "hard_stop": "stop; do not retry or work around it",
    "use_alternative": "use the alternative",
    "scope_down": "a narrower, explicit target may be tried once",
    "manual_only": "ask the person to run it",
    "stop_and_explain": "do not try variants; report",
}
_OFF = {"C": "never (catastrophic)", "N": "never", "Y": "yes"}


def rules() -> list[Rule]:
    """Every rule of the catalogue, by family and then in the order of its table."""
    found = []
    for family in catalogue.FAMILIES:
        if family.ids:
            module = f"cc_safety_net.guard.rules.{family.name}_rules"
            found.extend(importlib.import_module(module).RULES)
    return list({rule.id: rule for rule in found}.values())


def rules_page() -> str:
    return "\n".join(_rules_lines()) + "\n"


def _rules_lines() -> Iterator[str]:
    everything = rules()
    yield "# Rules"
    yield ""
    yield "Made from the rules' own tables by `python -m tests.docs.pages`:"
    yield f"{len(everything)} rules. Texts hold `{{names}}` that are filled from the call. *Level*"
    yield "is the lowest at which a rule acts; *off* says whether a policy may set it to ask or"
    yield "allow."
    family = ""
    for rule in sorted(everything, key=lambda rule: rule.id):
        first = rule.id.partition(".")[0]
        if first != family:
            family = first
            yield ""
            yield f"## {family}"
        yield ""
        yield f"### {rule.id}"
        yield ""
        yield _plain(rule.reason)
        yield ""
        if rule.instead:
            yield f"- Instead: {_INSTEAD.get(rule.instead) or _plain(rule.instead)}"
        yield f"- Do not: {_plain(rule.do_not)}"
        pack = f", pack `{rule.pack}`" if rule.pack else ""
        yield f"- Level {rule.level}{pack}; off: {_OFF[rule.off]}; then: {_INTENTS[rule.intent]}"
        yield f"- Denied: {_examples(rule.denied)}"
        yield f"- Allowed: {_examples(rule.allowed)}"


#: What stands for a command that is made from the call's own words.
_INSTEAD = {
    "{look}": "the command that shows or keeps the same things, with the call's own names",
    "{look} {path}": "`Get-ChildItem` of the same path; in cmd `dir`",
    "{copy} {path} {path}.bak": "`Copy-Item` of the file to a name of its own; in cmd `copy`",
    "{fetch}": "a command that saves what would be fetched, or shows what would be run",
    "{instead}": "the same search, without the files that hold secrets",
}


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


def _examples(examples: object) -> str:
    assert isinstance(examples, (list, tuple)), examples
    return ", ".join(_code(example) for example in examples)


def _code(example: object) -> str:
    if isinstance(example, tuple):
        tool, arguments = example
        text = f"{tool} {arguments}"
    else:
        text = str(example)
    text = text.replace("\n", "⏎")
    fence = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def cli_page() -> str:
    return "\n".join(_cli_lines()) + "\n"


def _cli_lines() -> Iterator[str]:
    yield "# Command line"
    yield ""
    yield "Made from the program itself by `python -m tests.docs.pages`."
    yield ""
    yield "| Exit code | Means |"
    yield "|---|---|"
    yield "| 0 | done, or the answer is yes or healthy |"
    yield "| 1 | failed or refused, or the answer is no or unhealthy |"
    yield "| 2 | usage: an unknown option or command, a missing argument, a choice is needed |"
    yield ""
    yield "Data goes to stdout, messages to stderr. With `--json` stdout holds one document,"
    yield 'also on failure: `{"v": 1, "command": …}`, with `"error": {"code", "message", "hint"}`'
    yield "where something failed. `NO_COLOR` and `--no-color` switch colour off."
    group = typer.main.get_group(app)
    with Context(group, info_name="cc-safety-net") as parent:
        for name in group.list_commands(parent):
            command = group.get_command(parent, name)
            assert command is not None, name
            with Context(command, info_name=name, parent=parent, max_content_width=96) as context:
                yield ""
                yield f"## {name}"
                yield ""
                yield "```text"
                yield from (line.rstrip() for line in command.get_help(context).splitlines())
                yield "```"
    yield ""
    yield "## hook"
    yield ""
    yield "`hook FLAG` answers one call of an agent over standard input; entries call it."
    yield "`cc-safety-net hook --help` lists the flags. A failure is a denial, never an exit 1."


PAGES = {
    "reference/rules.md": rules_page,
    "reference/cli.md": cli_page,
}


def main() -> int:
    os.environ["COLUMNS"] = "100"
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), "utf-8")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
