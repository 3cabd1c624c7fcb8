"""Tasks of deno.json, which may hold comments."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

from cc_safety_net.guard.interpret.tasks.deno_json import plain
from cc_safety_net.guard.json_text import decode_json

_TASKS = """{ // tasks
  "tasks": {
    "build": "deno run -A build.ts", /* one */
    "wipe": "rm -rf /etc",
    "all": {"command": "deno task build", "dependencies": ["wipe"]},
  },
}"""


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("deno task build", ""),
        ("deno task wipe", "rm.system-path"),
        ("deno task all", "rm.system-path"),
        ("deno task nothing", ""),
    ],
)
def test_a_task_and_what_comes_before_it_are_judged(command, expected):
    assert rule(command, {"deno.jsonc": _TASKS}) == expected


def test_comments_and_trailing_commas_are_taken_out_but_not_of_strings():
    text = '{"a": "// no", /* x */ "b": [1, 2, ], "c": "\\",}",}'

    assert decode_json(plain(text)) == {"a": "// no", "b": [1, 2], "c": '",}'}
