"""Codex: its description, its calls, its installation."""
