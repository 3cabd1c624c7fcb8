"""cc-safety-net: a guard that AI coding agents call before every tool call, and its manager."""

__version__ = "0.1.0"
