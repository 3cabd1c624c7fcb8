"""Kimi Code: its description, its calls, its installation."""
