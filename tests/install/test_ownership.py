"""Ours is what calls the guard and nothing else."""

from __future__ import annotations

import pytest

from cc_safety_net.agents.catalogue import FLAGS
from cc_safety_net.install import ownership
from cc_safety_net.install.launcher import entry_command, specs

OURS = [
    "cc-safety-net hook --cursor",
    "ccsn hook --cursor",
    "/a/b/cc-safety-net hook -cu",
    "'/a b/current/cc-safety-net' hook --kimi-code",
    "exec /a/cc-safety-net hook --grok-build",
    '"$HOME/x/cc-safety-net" hook --coding-cli || { echo why >&2; exit 2; }',
    "[ -x /a/ccsn ] && exec /a/ccsn hook --cursor; echo gone >&2; exit 2",
    "if [ -x /a/ccsn ]; then /a/ccsn hook --cursor; else echo gone; exit 2; fi",
    "FORCE=1 cc-safety-net hook --cursor",
    "cc-safety-net -cc",
    "/opt/ccsn.exe hook --cursor",
    "node_modules/.bin/cc-safety-net hook --cursor",
    "cc-safety-net --claude-code",
]
NPM = [
    "npx -y cc-safety-net hook --cursor",
    "npx cc-safety-net hook --coding-cli",
    "npx --yes cc-safety-net@latest hook --cursor",
    "npx -p cc-safety-net cc-safety-net hook --cursor",
    "/usr/bin/npx -y cc-safety-net -cc",
    "npm exec cc-safety-net hook --cursor",
    "npm exec -- cc-safety-net hook --cursor",
    "bunx cc-safety-net@1.2.3 hook --kimi-code",
    "pnpm dlx cc-safety-net hook --cursor",
    "bun x cc-safety-net hook --cursor",
    "npx.cmd -y cc-safety-net hook --cursor",
    "npm exec --yes -- cc-safety-net hook --copilot-cli",
    "npx --package=cc-safety-net cc-safety-net hook -cp",
    "yarn dlx cc-safety-net hook --gemini-cli",
    "FORCE_COLOR=0 npx -y cc-safety-net hook --codex",
    "npx -y cc-safety-net hook --cursor 2>/dev/null",
    "npx -y cc-safety-net --copilot-cli",
]
FOREIGN = [
    "",
    "echo cc-safety-net hook --cursor",
    "cc-safety-net",
    "cc-safety-net hook",
    "cc-safety-net hook --unknown",
    "cc-safety-net doctor",
    "cc-safety-net --cursor",
    "my-cc-safety-net hook --cursor",
    "cc-safety-net-extra hook --cursor",
    "cc-safety-net.sh hook --cursor",
    "/x/cc-safety-net/other hook --cursor",
    "cc-safety-net hook --cursor | tee log",
    "./first.sh && cc-safety-net hook --cursor",
    "cc-safety-net hook --cursor; ./then.sh",
    "npx -y cc-safety-net-fork hook --cursor",
    "npx -y other hook --cursor",
    "npm run cc-safety-net hook --cursor",
    "python -m cc-safety-net hook --cursor",
    "true # cc-safety-net hook --cursor",
    "unclosed ' cc-safety-net hook --cursor",
]


@pytest.mark.parametrize("command", OURS)
def test_a_call_of_the_guard_is_ours(command: str) -> None:
    assert ownership.owner_of_command(command) == ownership.OURS


@pytest.mark.parametrize("command", NPM)
def test_the_npm_edition_is_recognised(command: str) -> None:
    assert ownership.owner_of_command(command) == ownership.NPM


@pytest.mark.parametrize("command", FOREIGN)
def test_anything_else_is_foreign(command: str) -> None:
    assert ownership.owner_of_command(command) == ownership.FOREIGN


@pytest.mark.parametrize("spec", specs(), ids=lambda spec: spec.name)
@pytest.mark.parametrize("home", ["", "/home/me"])
@pytest.mark.parametrize("launcher", ["/home/me/x/cc-safety-net", '/home/me/it\'s "x" $y/ccsn'])
def test_what_we_write_is_ours(spec: object, home: str, launcher: str) -> None:
    command = entry_command(launcher, spec, home=home)

    assert ownership.owner_of_command(command) == ownership.OURS


def test_every_flag_of_the_guard_is_known() -> None:
    assert set(FLAGS) <= ownership.HOOK_FLAGS


@pytest.mark.parametrize(
    ("handler", "owner"),
    [
        ({"command": "cc-safety-net hook --cursor"}, ownership.OURS),
        ({"command": "/a/ccsn", "args": ["hook", "--coding-cli"]}, ownership.OURS),
        ({"command": "/a/ccsn", "args": ["doctor"]}, ownership.FOREIGN),
        ({"command": ["cc-safety-net", "hook"]}, ownership.FOREIGN),
        ({"url": "cc-safety-net hook --cursor"}, ownership.FOREIGN),
        ("cc-safety-net hook --cursor", ownership.FOREIGN),
        (None, ownership.FOREIGN),
    ],
)
def test_handlers_are_judged_by_what_they_call(handler: object, owner: str) -> None:
    assert ownership.owner_of_handler(handler) == owner


@pytest.mark.parametrize(
    ("content", "managed"),
    [
        (b"// cc-safety-net managed pi\n// version 1\n", True),
        (b"# cc-safety-net managed hermes; reinstall with ...\n", True),
        (b"---\n# cc-safety-net managed claude-code\n", True),
        (b"\xef\xbb\xbf# cc-safety-net managed\n", True),
        (b"<!-- cc-safety-net managed -->\n", True),
        (b"# my file about cc-safety-net managed things\n", False),
        (b"x = 1\n# cc-safety-net managed\n", False),
        (b"", False),
        (b"\xff\xfe\x00", False),
    ],
)
def test_a_managed_file_says_so_in_its_first_line(content: bytes, managed: bool) -> None:
    assert ownership.has_header(content) is managed
