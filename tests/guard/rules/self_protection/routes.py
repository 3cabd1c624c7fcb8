"""Every protected path, and every route by which it could be changed, as calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.guard.worlds import HOME, Link, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.rules.self_protection import agent_files as tables
from cc_safety_net.guard.tool_names import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.guard.worlds import FakeWorld

ROOT = f"{HOME}/proj"
ENTRY = "/home/dev/.local/share/cc-safety-net/current/cc-safety-net hook --coding-cli"

_CONTENTS = {
    tables.JSON: '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "'
    + ENTRY
    + '"}]}]}}\n',
    tables.TOML: f'[[hooks]]\nevent = "PreToolUse"\ncommand = "{ENTRY}"\n',
    tables.YAML: "plugins:\n  enabled:\n    - cc-safety-net\n",
    tables.WHOLE: "kept\n",
    tables.OURS: "// cc-safety-net managed\n",
}


def _concrete(pattern: str) -> str:
    """An instance of a pattern: a star is a name, all below a folder one file in it."""
    return pattern.replace("/**", "/index.js").replace("*", "x")


def _files() -> Iterator[tuple[str, str]]:
    ours = (
        f"{HOME}/.config/cc-safety-net/policy.json",
        f"{HOME}/.config/cc-safety-net/trust.json",
        f"{HOME}/.config/cc-safety-net/rules.lock.json",
        f"{HOME}/.config/cc-safety-net/rules/team/book.json",
        f"{HOME}/.local/state/cc-safety-net/journal.json",
        f"{HOME}/.local/state/cc-safety-net/permissions/3f9c21ab",
        f"{HOME}/.local/state/cc-safety-net/denials/s1",
        f"{HOME}/.local/state/cc-safety-net/logs/2026-11-30.jsonl",
        f"{HOME}/.local/share/cc-safety-net/current/cc-safety-net",
        f"{HOME}/.local/share/cc-safety-net/current/manifest.json",
        f"{HOME}/.cc-safety-net/policy.json",
        f"{ROOT}/.cc-safety-net/policy.json",
        f"{ROOT}/packages/api/.cc-safety-net/rules/a.json",
    )
    for path in ours:
        yield path, tables.OURS
    for agent, pattern, form in tables.HOME_FILES:
        yield f"{HOME}/{tables.HOMES[agent][0]}/{_concrete(pattern)}", form
    for _, pattern, form in tables.USER_FILES:
        yield f"{HOME}/{_concrete(pattern)}", form
    for _, pattern, form in tables.PROJECT_FILES:
        yield f"{ROOT}/{_concrete(pattern)}", form
    for _, pattern, form in tables.SYSTEM_FILES:
        yield _concrete(pattern), form


FILES = dict(_files())


def world() -> FakeWorld:
    """The workspace with every protected file in place, each with our entry in it."""
    made = workspace()
    for path, form in FILES.items():
        made.add(path, _CONTENTS[form])
    made.add(f"{HOME}/.config/cc-safety-net/policy.json", '{"version": 2}')
    made.add(f"{ROOT}/.cc-safety-net/policy.json", '{"version": 2}')
    made.add(f"{ROOT}/through", Link(f"{HOME}/.config"))
    made.add(f"{ROOT}/s.json", "{}\n")
    made.add(f"{ROOT}/change.py", "print(1)\n")
    return made


def _quoted(path: str) -> str:
    return path.replace(" ", "\\ ")


#: Name of a route -> command, with {p} the path, {d} its directory, {b} its name.
COMMANDS = {
    "redirect": "echo x > {p}",
    "append": "echo x >> {p}",
    "clobber": "echo x >| {p}",
    "both": "ls &> {p}",
    "here-document": "cat > {p} <<'EOF'\nx\nEOF",
    "tee": "echo x | tee {p}",
    "tee-append": "echo x | tee -a {p} >/dev/null",
    "truncate": "truncate -s 0 {p}",
    "empty": "> {p}",
    "colon": ": > {p}",
    "copy": "cp x {p}",
    "copy-into": "cp sub/{b} {d}/",
    "copy-target": "cp -t {d} sub/{b}",
    "copy-null": "cp /dev/null {p}",
    "install": "install -m 600 x {p}",
    "move-over": "mv x {p}",
    "move-into": "mv {b} {d}/",
    "move-away": "mv {p} gone",
    "rename-parent": "mv {d} {d}.off",
    "delete": "rm -f {p}",
    "unlink": "unlink {p}",
    "delete-parent": "rm -rf {d}",
    "delete-glob": "rm -f {d}/*",
    "shred": "shred -u {p}",
    "archive": "tar -C {d} -xf a.tar {b}",
    "unzip": "unzip -o a.zip {b} -d {d}",
    "rsync": "rsync -a x {p}",
    "symbolic-link": "ln -s {p} handle",
    "symbolic-over": "ln -sf x {p}",
    "hard-link": "ln {p} handle",
    "link-in": "ln -s x {d}/{b}",
    "copy-link": "cp -l {p} handle",
    "through-a-link": "ln -s {d} way && echo x > way/{b}",
    "sed": "sed -i s/a/b/ {p}",
    "sed-backup": "sed -i.bak -e 1d {p}",
    "perl-in-place": "perl -pi -e s/a/b/ {p}",
    "sponge": "sort {p} | sponge {p}",
    "jq": "jq . s.json > {p}",
    "dd": "dd if=x of={p}",
    "curl": "curl -so {p} https://example.com/x",
    "wget": "wget -qO {p} https://example.com/x",
    "chmod": "chmod 000 {p}",
    "chown": "chown nobody {p}",
    "directory": "cd {d} && echo x > {b}",
    "directory-delete": "cd {d}; rm {b}",
    "loop": "for f in {p}; do echo x > $f; done",
    "variable": 'f={p}; echo x > "$f"',
    "function": 'w() {{ echo x > "$1"; }}; w {p}',
    "find": "find {d} -name {b} -delete",
    "find-exec": "find {p} -exec rm {{}} \\;",
    "xargs": "printf '%s\\0' {p} | xargs -0 rm",
    "split-name": "echo x > '{d}'/\"{b}\"",
    "dots": "echo x > {d}/./x/../{b}",
    "patch": "patch {p} change.diff",
    "git-output": "git diff --output={p}",
    "python": "python3 -c \"open('{p}', 'w').write('x')\"",
    "python-pathlib": "python3 -c \"from pathlib import Path; Path('{p}').write_text('x')\"",
    "python-remove": "python3 -c \"import os; os.remove('{p}')\"",
    "python-rename": "python3 -c \"import os; os.rename('{d}', '/tmp/off')\"",
    "python-tree": "python3 -c \"import shutil; shutil.rmtree('{d}')\"",
    "python-copy": "python3 -c \"import shutil; shutil.copy('x', '{p}')\"",
    "python-input": "python3 - <<'EOF'\nopen('{p}', 'a').write('x')\nEOF",
    "script": "printf '%s\\n' 'echo x > {p}' > s.sh && bash s.sh",
    "python-script": "echo \"open('{p}','w').write('x')\" > w.py; python3 w.py",
    "node": "node -e \"require('fs').writeFileSync('{p}', 'x')\"",
    "node-remove": "node -e \"require('fs').rmSync('{p}')\"",
    "ruby": "ruby -e \"File.write('{p}', 'x')\"",
    "perl": "perl -e \"unlink '{p}'\"",
    "php": "php -r \"unlink('{p}');\"",
    "awk": "awk 'BEGIN {{ print 1 > \"{p}\" }}'",
    "sed-write": "sed -n 'w {p}' x",
    "vim": "vim -es -c 'w! {p}' -c q x",
}
#: Routes that read only.
READING = (
    "cat {p}",
    "head -n 3 {p}",
    "grep x {p}",
    "ls -l {p}",
    "ls {d}",
    "stat {p}",
    "cp {p} copy",
    "diff {p} x",
    "wc -l {p}",
    "[ -f {p} ]",
    "sha256sum {p}",
    "python3 -c \"print(open('{p}').read())\"",
)
WRAPPERS = (
    "{c}",
    "sudo {c}",
    "bash -c {q}",
    "env A=1 timeout 5 {c}",
    "true && {{ {c}\n}}",
    "npx -c {q}",
    "nohup sh -c {q} &",
)
#: Wrappers that take a simple command only.
_PREFIXES = ("sudo {c}", "env A=1 timeout 5 {c}")


#: Routes whose paths stand inside quotes already.
_CODE = ("python3", "node", "ruby", "perl -e", "php", "awk")
_IN_QUOTES = ("python-script", "sed-write", "vim", "split-name")


def command(route: str, path: str, wrapper: str = "{c}") -> str:
    directory, _, name = path.rpartition("/")
    if COMMANDS[route].startswith(_CODE) or route in _IN_QUOTES:
        text = COMMANDS[route].format(p=path, d=directory, b=name)
    else:
        text = COMMANDS[route].format(p=_quoted(path), d=_quoted(directory), b=_quoted(name))
    if wrapper in _PREFIXES and not _is_simple(text):
        wrapper = "bash -c {q}"
    return wrapper.format(c=text, q="'" + text.replace("'", "'\\''") + "'")


def _is_simple(text: str) -> bool:
    plain = text.replace("\\;", "")
    return (
        not any(mark in plain for mark in ("|", "&&", ";", "\n", "() {")) and plain[0] not in ":>"
    )


#: Name of a route -> (tool, arguments), `{p}` filled in at any depth.
TOOLS = {
    "Write": ("Write", {"file_path": "{p}", "content": "x"}),
    "write_file": ("write_file", {"path": "{p}", "content": ""}),
    "write_to_file": ("write_to_file", {"TargetFile": "{p}", "CodeContent": "x"}),
    "create": ("create", {"path": "{p}", "file_text": "x"}),
    "append": ("append_file", {"path": "{p}", "content": "x"}),
    "Edit": ("Edit", {"file_path": "{p}", "old_string": "cc-safety-net", "new_string": "x"}),
    "edits": ("edit", {"path": "{p}", "edits": [{"oldText": "safety", "newText": "x"}]}),
    "search_replace": ("search_replace", {"file_path": "{p}", "old_string": "k", "new_string": ""}),
    "chunks": (
        "multi_replace_file_content",
        {
            "TargetFile": "{p}",
            "ReplacementChunks": [{"TargetContent": "net", "ReplacementContent": ""}],
        },
    ),
    "NotebookEdit": ("NotebookEdit", {"notebook_path": "{p}", "new_source": "x"}),
    "insert": (
        "str_replace_based_edit_tool",
        {"command": "insert", "path": "{p}", "insert_line": 0, "insert_text": "x"},
    ),
    "Delete": ("Delete", {"file_path": "{p}"}),
    "move-away": ("move_file", {"source": "{p}", "destination": "gone"}),
    "move-over": ("move_file", {"source": "x", "destination": "{p}"}),
    "copy-over": ("copy_file", {"source": "x", "destination": "{p}"}),
    "patch-add": (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Add File: {p}\n+x\n*** End Patch"},
    ),
    "patch-update": (
        "apply_patch",
        {"patchText": "*** Begin Patch\n*** Update File: {p}\n@@\n-a\n+b\n*** End Patch"},
    ),
    "patch-delete": (
        "apply_patch",
        {"command": "*** Begin Patch\n*** Delete File: {p}\n*** End Patch"},
    ),
    "patch-move": (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Update File: x\n*** Move to: {p}\n@@\n-x\n+y\n"},
    ),
    "diff": ("apply_diff", {"diff": "--- {p}\n+++ {p}\n@@ -1 +1 @@\n-a\n+b\n"}),
    "unknown-write": ("acme_store", {"path": "{p}", "content": "x"}),
    "unknown-nested": ("mcp__fs__put", {"request": {"files": [{"path": "{p}", "data": "x"}]}}),
    "unknown-delete": ("mcp__fs__remove_entry", {"target": "{p}"}),
    "unknown-command": ("mcp__sh__go", {"cmd": "rm -f '{p}'"}),
    "unknown-argv": ("acme", {"program": "rm", "args": ["-f", "{p}"]}),
    "dispatched": (
        "use_tool",
        {"tool_name": "fs__write", "tool_input": {"path": "{p}", "content": "x"}},
    ),
    "python-tool": ("execute_code", {"code": "open('{p}', 'w').write('x')"}),
    "typed": ("write_bash", {"shellId": "1", "input": "echo x > '{p}'\n"}),
}
READING_TOOLS = (
    ("Read", {"file_path": "{p}"}),
    ("read_file", {"absolute_path": "{p}"}),
    ("view", {"path": "{p}"}),
    ("Grep", {"pattern": "x", "path": "{p}"}),
    ("Glob", {"pattern": "*", "path": "{p}"}),
    ("mcp__fs__get_file", {"path": "{p}"}),
)


def filled(value: object, path: str) -> object:
    if isinstance(value, str):
        return value.replace("{p}", path)
    if isinstance(value, list):
        return [filled(item, path) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, path) for key, item in value.items()}
    return value


def tool_call(tool: str, arguments: object) -> ToolCall:
    return ToolCall(
        "claude-code",
        tool,
        kind_of(tool),
        arguments,  # type: ignore[arg-type] # filled from a mapping
        directory=ROOT,
        session_directory=ROOT,
        workspaces=(ROOT,),
    )


def shell_call(text: str) -> ToolCall:
    return ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": text},
        command=text,
        dialect="posix",
        directory=ROOT,
        session_directory=ROOT,
        workspaces=(ROOT,),
    )


def changing_calls(
    paths: Iterator[str] | list[str], route: str, wrappers: tuple[str, ...]
) -> Iterator[ToolCall]:
    """The calls of one route for paths: wrapped, or of a tool."""
    for path in paths:
        if route in TOOLS:
            tool, arguments = TOOLS[route]
            yield tool_call(tool, filled(arguments, path))
        else:
            for wrapper in wrappers:
                yield shell_call(command(route, path, wrapper))


def reading_calls(path: str) -> Iterator[ToolCall]:
    directory, _, name = path.rpartition("/")
    for text in READING:
        quoted = path if "open(" in text else _quoted(path)
        yield shell_call(text.format(p=quoted, d=_quoted(directory), b=name))
    for tool, arguments in READING_TOOLS:
        yield tool_call(tool, filled(arguments, path))


def described(call: ToolCall) -> str:
    return call.command or f"{call.tool} {call.arguments}"
