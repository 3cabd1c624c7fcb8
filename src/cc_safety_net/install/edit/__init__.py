"""Edits of other programs' config files that keep every byte outside our own entry."""
