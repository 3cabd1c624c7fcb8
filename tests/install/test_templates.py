"""Templates are read from one place, and no hole stays open."""

from __future__ import annotations

import pytest

from cc_safety_net.install.templates import filled, template


def test_a_template_is_found_in_a_checkout() -> None:
    assert "cc-marketplace" in template("claude-code", "marketplace.json")


@pytest.mark.parametrize("values", [{}, {"name": "x", "other": "y"}])
def test_unfilled_and_unknown_holes_are_mistakes(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="differ"):
        filled("a {{name}} b", values)


def test_holes_are_filled_once() -> None:
    assert filled("{{a}} {{b}}", {"a": "{{b}}", "b": "x"}) == "{{b}} x"
