"""The names of Click that we need; Typer 0.26 to 0.28 carry a copy of it under a private name.

`pyproject.toml` holds Typer to these versions.
"""

from __future__ import annotations

from typer._click.core import Command, Context, Parameter
from typer._click.exceptions import NoSuchOption, UsageError

__all__ = ["Command", "Context", "NoSuchOption", "Parameter", "UsageError"]
