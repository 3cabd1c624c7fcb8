"""Antigravity CLI: its description, its calls, its installation."""
