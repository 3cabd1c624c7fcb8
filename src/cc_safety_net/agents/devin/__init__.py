"""Devin: its description, its calls, its installation."""
