"""A scripted `hermes`: enables and disables plugins, and loses all comments of config.yaml.

A file `hermes.trouble` beside the program makes a verb fail, hang or lie.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

STOCK = "\n# stock comment\n"


def home_of(argv: list[str]) -> Path:
    root = Path(os.environ.get("HERMES_HOME") or Path(os.environ["HOME"], ".hermes"))
    if argv[0] == "-p":
        del argv[0]
        name = argv.pop(0)
        return root if name == "default" else root / "profiles" / name
    return root


def main(argv: list[str]) -> int:
    from ruamel.yaml import YAML

    program = Path(sys.argv[0])
    with program.with_suffix(".log").open("a") as file:
        file.write(" ".join(argv) + "\n")
    home = home_of(argv)
    verb = argv[1]
    file = program.with_suffix(".trouble")
    trouble = json.loads(file.read_text()).get(verb) if file.exists() else None
    if trouble == "hang":
        time.sleep(600)
    if trouble == "fail":
        sys.stderr.write("something broke\n")
        return 1
    if trouble == "lie":
        print("[]")
        return 0
    yaml = YAML(typ="safe", pure=True)
    config = home / "config.yaml"
    text = config.read_text(encoding="utf-8-sig") if config.exists() else ""
    model = yaml.load(text) or {}
    plugins = model["plugins"] = model.get("plugins") or {}
    enabled = plugins["enabled"] = plugins.get("enabled") or []
    disabled = plugins["disabled"] = plugins.get("disabled") or []
    if verb == "list":
        found = []
        for folder in sorted((home / "plugins").iterdir()):
            on = folder.name in enabled and folder.name not in disabled
            found.append({"name": folder.name, "status": "enabled" if on else "disabled"})
        print(json.dumps(found))
        return 0
    name = argv[2]
    if not (home / "plugins" / name / "plugin.yaml").exists():
        sys.stderr.write(f"Plugin '{name}' is not installed or bundled.\n")
        return 1
    into, out = (enabled, disabled) if verb == "enable" else (disabled, enabled)
    if name in out:
        out.remove(name)
    if name not in into:
        into.append(name)
    if verb == "enable":
        plugins.setdefault("entries", {})[name] = {"allow_tool_override": False}
    model["_config_version"] = 33
    with config.open("w") as file:
        yaml.dump(model, file)
        file.write(STOCK)
    return 0


def put(folder: Path) -> Path:
    """The program `hermes` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "hermes"
    program.write_text(f"#!{sys.executable} -B\n" + Path(__file__).read_text())
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
