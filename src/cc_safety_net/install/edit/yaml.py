"""The seam for YAML configs; no agent that is installed so far keeps its hooks in YAML.

The editor will have the form of `edit/editor.py`: ruamel.yaml if its untouched part prints back
equal, else lines are inserted and the result is parsed again.
"""

from __future__ import annotations
