"""The reference pages say what the code says, and the manual's links lead somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.docs.pages import DOCS, PAGES, rules

if TYPE_CHECKING:
    from pathlib import Path

ROOT = DOCS.parent
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_made_from_the_code_is_current(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")

    assert (DOCS / name).read_text("utf-8") == PAGES[name](), "run python -m tests.docs.pages"


def test_every_rule_has_an_entry_of_its_own() -> None:
    text = (DOCS / "reference/rules.md").read_text("utf-8")

    missing = [rule.id for rule in rules() if f"\n### {rule.id}\n" not in text]

    assert missing == []


@pytest.mark.parametrize(
    "page",
    sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")]),
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_links_between_pages_lead_to_files(page: Path) -> None:
    targets = _LINK.findall(page.read_text("utf-8"))

    broken = [target for target in targets if not (page.parent / target).exists()]

    assert broken == []
