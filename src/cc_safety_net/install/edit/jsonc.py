"""The editor for JSON with comments and trailing commas."""

from __future__ import annotations

from cc_safety_net.install.edit.json import JsonEditor

EDITOR = JsonEditor(comments=True)
