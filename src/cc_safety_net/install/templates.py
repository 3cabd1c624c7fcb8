"""Reads the files that are written into other programs' homes, and fills their holes.

A hole is `{{name}}`. A name that is not given, and one that is given but not used, is a mistake.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_HOLE = re.compile(r"\{\{([a-z_]+)\}\}")


def template(folder: str, name: str) -> str:
    """The text of `templates/<folder>/<name>`: of the installed package, else of the checkout."""
    packaged = files("cc_safety_net").joinpath("templates", folder, name)
    if packaged.is_file():
        return packaged.read_text("utf-8")
    return (Path(__file__).parents[3] / "templates" / folder / name).read_text("utf-8")


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with a value in every hole."""
    names = set(_HOLE.findall(text))
    if names != set(values):
        raise ValueError(f"holes {sorted(names)} and values {sorted(values)} differ")
    return _HOLE.sub(lambda found: values[found.group(1)], text)
