"""Shared settings may be edited as long as what they say of us stays as it is."""

from __future__ import annotations

import json

import pytest
from tests.guard.rules.self_protection.routes import shell_call, tool_call
from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.engine import decide

ENTRY = f"{HOME}/.local/share/cc-safety-net/current/cc-safety-net hook --coding-cli"
GROUP = {"matcher": "Bash", "hooks": [{"type": "command", "command": ENTRY, "timeout": 30}]}
OTHER = {"matcher": "Write", "hooks": [{"type": "command", "command": "prettier --write"}]}
SETTINGS = f"{HOME}/.claude/settings.json"
BEFORE = {
    "model": "opus",
    "permissions": {"allow": ["Bash(ls)"]},
    "enabledPlugins": {"cc-safety-net@cc-marketplace": True, "x@y": True},
    "hooks": {"PreToolUse": [GROUP, OTHER]},
}


def _world(path=SETTINGS, content=None):
    made = workspace()
    made.add(path, json.dumps(BEFORE, indent=2) if content is None else content)
    return made


def _with(**changes):
    return json.dumps({**BEFORE, **changes}, indent=1)


def _write(content, path=SETTINGS):
    return tool_call("Write", {"file_path": path, "content": content})


def _rule(call, world):
    finding = decide(call, world).finding
    return "" if finding is None else finding.rule


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(_with(model="sonnet"), id="another model"),
        pytest.param(
            _with(permissions={"allow": ["Bash(cc-safety-net status)"]}), id="permissions"
        ),
        pytest.param(_with(hooks={"PreToolUse": [OTHER, GROUP]}), id="another order"),
        pytest.param(_with(hooks={"PreToolUse": [GROUP]}), id="a neighbour goes"),
        pytest.param(
            _with(hooks={"PreToolUse": [GROUP, OTHER], "Stop": [OTHER]}), id="a neighbour comes"
        ),
        pytest.param(
            _with(enabledPlugins={"cc-safety-net@cc-marketplace": True, "x@y": False}),
            id="another plugin",
        ),
        pytest.param(_with(env={"FOO": "1"}), id="a variable"),
    ],
)
def test_an_edit_that_leaves_our_entry_alone_passes(after):
    assert _rule(_write(after), _world()) == ""


@pytest.mark.parametrize(
    "after",
    [
        pytest.param("{}", id="emptied"),
        pytest.param("", id="nothing"),
        pytest.param(_with(hooks={"PreToolUse": [OTHER]}), id="our entry goes"),
        pytest.param(
            _with(hooks={"PreToolUse": [{**GROUP, "matcher": "Never"}]}), id="another matcher"
        ),
        pytest.param(
            _with(
                hooks={"PreToolUse": [{"hooks": [{"type": "command", "command": f"true {ENTRY}"}]}]}
            ),
            id="another command",
        ),
        pytest.param(_with(hooks={"PostToolUse": [GROUP]}), id="another event"),
        pytest.param(_with(disableAllHooks=True), id="all hooks off"),
        pytest.param(_with(allowManagedHooksOnly=True), id="managed hooks only"),
        pytest.param(
            _with(enabledPlugins={"cc-safety-net@cc-marketplace": False}), id="plugin off"
        ),
        pytest.param(_with(enabledPlugins={}), id="plugin gone"),
        pytest.param(
            _with(hooks={"PreToolUse": [GROUP, {"hooks": [{"type": "magic", "command": "x"}]}]}),
            id="a neighbour that takes all down",
        ),
        pytest.param(
            _with(
                hooks={"PreToolUse": [GROUP, {"hooks": [{"command": "x", "timeout": "5"}]}]},
            ),
            id="a neighbour with a bad timeout",
        ),
        pytest.param(_with(env={"CLAUDE_CONFIG_DIR": "/tmp/x"}), id="home moved"),
        pytest.param(_with()[:-1], id="broken"),
        pytest.param(_with(model="x") + "x", id="something behind it"),
    ],
)
def test_an_edit_that_changes_what_the_file_says_of_us_does_not(after):
    assert _rule(_write(after), _world()) == "self.hook-file"


@pytest.mark.parametrize(
    ("tool", "arguments", "rule"),
    [
        ("Edit", {"old_string": '"opus"', "new_string": '"sonnet"'}, ""),
        ("Edit", {"old_string": "Bash", "new_string": "x", "replace_all": True}, "self.hook-file"),
        ("Edit", {"old_string": "absent", "new_string": "x"}, "self.hook-file"),
        ("Edit", {"old_string": "--coding-cli", "new_string": ""}, "self.hook-file"),
        ("MultiEdit", {"edits": [{"old_string": '"opus"', "new_string": '"a"'}]}, ""),
        (
            "edit",
            {
                "edits": [
                    {"oldText": '"opus"', "newText": '"a"'},
                    {"oldText": ENTRY, "newText": "true"},
                ]
            },
            "self.hook-file",
        ),
        ("search_replace", {"old_string": "opus", "new_string": "haiku"}, ""),
        (
            "multi_replace_file_content",
            {"ReplacementChunks": [{"TargetContent": "opus", "ReplacementContent": "haiku"}]},
            "",
        ),
        ("str_replace_editor", {"command": "insert", "insert_line": 1}, "self.hook-file"),
    ],
)
def test_edits_are_judged_by_what_they_make_of_the_file(tool, arguments, rule):
    assert _rule(tool_call(tool, {"file_path": SETTINGS, **arguments}), _world()) == rule


@pytest.mark.parametrize(
    ("patch", "rule"),
    [
        ('@@\n-  "model": "opus",\n+  "model": "haiku",\n', ""),
        ('@@\n-            "timeout": 30\n+            "timeout": 1\n', "self.hook-file"),
        ('@@\n-  "nothing": 1\n+  "x": 2\n', "self.hook-file"),
    ],
)
def test_patches_are_put_in(patch, rule):
    text = f"*** Begin Patch\n*** Update File: {SETTINGS}\n{patch}*** End Patch"

    assert _rule(tool_call("apply_patch", {"input": text}), _world()) == rule


@pytest.mark.parametrize(
    ("path", "before", "after", "rule"),
    [
        (
            ".codex/config.toml",
            'model = "a"\n[features]\nhooks = true\nother = true\n',
            'model = "b"\n[features]\nhooks = true\nother = false\n',
            "",
        ),
        (
            ".codex/config.toml",
            "[features]\nhooks = true\n",
            "[features]\nhooks = false\n",
            "self.hook-file",
        ),
        (".codex/config.toml", "", "[features]\nhooks = false\n", "self.hook-file"),
        (
            ".kimi-code/config.toml",
            f'[[hooks]]\nevent = "PreToolUse"\ncommand = "{ENTRY}"\n',
            f'default_model = "x"\n[[hooks]]\nevent = "PreToolUse"\ncommand = "{ENTRY}"\n',
            "",
        ),
        (
            ".kimi-code/config.toml",
            f'[[hooks]]\nevent = "PreToolUse"\ncommand = "{ENTRY}"\n',
            'default_model = "x"\n',
            "self.hook-file",
        ),
        (
            ".hermes/config.yaml",
            "model: a\nplugins:\n  enabled:\n    - cc-safety-net\n",
            "model: b\nplugins:\n  enabled:\n    - cc-safety-net\n",
            "",
        ),
        (
            ".hermes/config.yaml",
            "model: a\nplugins:\n  enabled:\n    - cc-safety-net\n",
            "plugins:\n  enabled:\n    - cc-safety-net\n  disabled:\n    - cc-safety-net\n",
            "self.hook-file",
        ),
        (
            ".openclaw/openclaw.json",
            '{"plugins": {"allow": ["cc-safety-net"], "entries": {"x": {"enabled": true}}}}',
            '{"plugins": {"allow": ["cc-safety-net"], "entries": {"x": {"enabled": false}}}}',
            "",
        ),
        (
            ".openclaw/openclaw.json",
            '{"plugins": {"entries": {"x": {"enabled": true}}}}',
            '{"plugins": {"allow": ["x"], "entries": {"x": {"enabled": true}}}}',
            "self.hook-file",
        ),
        (
            ".config/opencode/opencode.jsonc",
            '{// ours\n"plugin": ["file:///x/cc-safety-net/index.js", "a"],}',
            '{"plugin": ["file:///x/cc-safety-net/index.js"], "theme": "b"}',
            "",
        ),
        (
            ".config/opencode/opencode.jsonc",
            '{"plugin": ["file:///x/cc-safety-net/index.js"]}',
            '{"plugin": []}',
            "self.hook-file",
        ),
        (
            ".pi/agent/settings.json",
            '{"packages": [{"source": "../cc-safety-net"}]}',
            '{"packages": [{"source": "../cc-safety-net", "extensions": []}]}',
            "self.hook-file",
        ),
        (".gemini/settings.json", "{}", '{"hooksConfig": {"enabled": false}}', "self.hook-file"),
        (".gemini/settings.json", "{}", '{"theme": "dark"}', ""),
        (".gemini/trustedFolders.json", "{}", '{"/x": "DO_NOT_TRUST"}', "self.hook-file"),
        (".cursor/hooks.json", '{"version": 1}', '{"version": 2}', "self.hook-file"),
        (".grok/disabled-hooks", "", "global/cc-safety-net:pre_tool_use[0]\n", "self.hook-file"),
    ],
)
def test_each_form_of_file_is_read(path, before, after, rule):
    path = f"{HOME}/{path}"

    assert _rule(_write(after, path), _world(path, before)) == rule


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("cp same.json ~/.claude/settings.json", ""),
        ("cp off.json ~/.claude/settings.json", "self.hook-file"),
        ("cp absent.json ~/.claude/settings.json", "self.hook-file"),
        ("jq . same.json > same.json; cp same.json ~/.claude/settings.json", "self.hook-file"),
        ("cp same.json s && cp off.json s && cp s ~/.claude/settings.json", "self.hook-file"),
        ("tee ~/.claude/settings.json < off.json", "self.hook-file"),
        ("cat off.json > ~/.claude/settings.json", "self.hook-file"),
    ],
)
def test_a_copy_is_judged_by_what_it_brings(command, rule):
    world = _world()
    world.add(f"{HOME}/proj/same.json", _with(model="copied"))
    world.add(f"{HOME}/proj/off.json", _with(disableAllHooks=True))

    assert _rule(shell_call(command), world) == rule
