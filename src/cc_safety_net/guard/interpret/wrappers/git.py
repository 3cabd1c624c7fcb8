"""To come."""

from __future__ import annotations

TABLE: dict[str, tuple[str, str]] = {}
