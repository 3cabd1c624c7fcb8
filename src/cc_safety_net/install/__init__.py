"""Puts the guard into agents, keeps it current and takes it out again."""
