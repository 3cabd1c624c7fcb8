"""Grok Build: its description, its calls, its installation."""
