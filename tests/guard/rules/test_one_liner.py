from __future__ import annotations

import pytest
from tests.guard.verdicts import verdict


@pytest.mark.parametrize(
    "command",
    [
        "python -c 'print(1)'",
        "python3 -c 'import math; print(math.pi * 2)'",
        "python3 -c 'print(sorted(x * 2 for x in range(3)))'",
        "python3 - <<'EOF'\nprint(1)\nEOF",
        "python3 x.py",
        "perl -pe 's/a/b/' f",
        "ruby -e 'puts 1'",
        "node -e 'console.log(1 + 2)'",
    ],
)
def test_code_without_effects_passes_at_paranoid(command):
    assert verdict(command, "paranoid").verdict == "allow"


@pytest.mark.parametrize(
    "command",
    [
        'python3 -c \'open("f", "w")\'',
        "python3 -c 'list(map(eval, [\"1\"]))'",
        'python3 -c \'import json; json.codecs.open("f", "w")\'',
        "python3 -c 'import sys; sys.modules'",
        "python3 -c '().__class__'",
        "python3 -c 'import os'",
        'python3 -c "$CODE"',
        "python3 - <<'EOF'\nimport socket\nEOF",
        "perl -i -pe 's/a/b/' f",
        "perl -pe 's/a/b/e' f",
        "ruby -e 'puts `ls`'",
        "node -e 'fetch(1)'",
    ],
)
def test_code_with_possible_effects_is_denied_at_paranoid_only(command):
    rules = [finding.rule for finding in verdict(command, "paranoid").findings]

    assert "interpreter.one-liner-paranoid" in rules
