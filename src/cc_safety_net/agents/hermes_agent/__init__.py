"""Hermes Agent: its description, its calls, its installation."""
