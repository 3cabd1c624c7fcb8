"""Cursor: its description, its calls, its installation."""
