"""A scripted `claude`: keeps the files that the real one keeps, and rewrites settings.json."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

MARKETPLACES = "plugins/known_marketplaces.json"
PLUGINS = "plugins/installed_plugins.json"


class Program:
    """One run. A file `claude.trouble` beside the program makes a verb fail, hang or lie."""

    def __init__(self, argv: list[str]) -> None:
        self.argv = [word for word in argv if word != "--json"]
        default = os.path.join(os.environ["HOME"], ".claude")
        self.home = Path(os.environ.get("CLAUDE_CONFIG_DIR", default))
        trouble = Path(sys.argv[0]).with_suffix(".trouble")
        self.trouble = json.loads(trouble.read_text()) if trouble.exists() else {}
        log = Path(sys.argv[0]).with_suffix(".log")
        with log.open("a") as file:
            file.write(" ".join(argv) + "\n")

    def load(self, name: str) -> dict:
        file = self.home / name
        text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
        return json.loads(text) if text.strip() else {}

    def save(self, name: str, value: dict) -> None:
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".tmp")
        temporary.write_text(json.dumps(value, indent=2) + "\n")
        temporary.rename(file)

    def run(self) -> int:
        verb = " ".join(self.argv[1:3] if self.argv[1] == "marketplace" else self.argv[1:2])
        trouble = self.trouble.get(verb)
        if trouble == "hang":
            time.sleep(600)
        if trouble == "slow":
            time.sleep(1)
        if trouble == "asks":
            print("Do you trust this folder?", flush=True)
            time.sleep(600)
        if trouble == "fail":
            sys.stderr.write("something broke\n")
            return 1
        if trouble == "garbage":
            print("<html>")
            return 0
        if trouble == "lie":
            return 0
        if sys.stdin.read():
            return 3
        names = {"marketplace add": self.add, "marketplace remove": self.remove}
        names |= {"install": self.install, "uninstall": self.uninstall, "list": self.list}
        names |= {"enable": self.enable}
        return names[verb](self.argv[-1])

    def add(self, folder: str) -> int:
        name = json.loads((Path(folder) / ".claude-plugin/marketplace.json").read_text())["name"]
        source = {"source": "directory", "path": folder}
        self.save(MARKETPLACES, {**self.load(MARKETPLACES), name: {"source": source}})
        settings = self.load("settings.json")
        settings.setdefault("extraKnownMarketplaces", {})[name] = {"source": source}
        self.save("settings.json", settings)
        print(json.dumps({"command": "marketplace-add", "outcome": "ok", "marketplace": name}))
        return 0

    def remove(self, name: str) -> int:
        known = self.load(MARKETPLACES)
        if name not in known:
            sys.stderr.write(f"Marketplace '{name}' not found\n")
            return 1
        del known[name]
        self.save(MARKETPLACES, known)
        settings = self.load("settings.json")
        settings.get("extraKnownMarketplaces", {}).pop(name, None)
        self.save("settings.json", settings)
        return 0

    def install(self, plugin: str) -> int:
        if plugin.partition("@")[2] not in self.load(MARKETPLACES):
            sys.stderr.write("unknown marketplace\n")
            return 1
        installed = self.load(PLUGINS)
        installed.setdefault("plugins", {})[plugin] = [{"scope": "user"}]
        self.save(PLUGINS, installed)
        return self.enable(plugin)

    def enable(self, plugin: str) -> int:
        settings = self.load("settings.json")
        settings.setdefault("enabledPlugins", {})[plugin] = True
        self.save("settings.json", settings)
        return 0

    def uninstall(self, plugin: str) -> int:
        installed = self.load(PLUGINS)
        if installed.get("plugins", {}).pop(plugin, None) is None:
            sys.stderr.write(f"Plugin '{plugin}' is not installed\n")
            return 1
        self.save(PLUGINS, installed)
        settings = self.load("settings.json")
        settings.get("enabledPlugins", {}).pop(plugin, None)
        self.save("settings.json", settings)
        return 0

    def list(self, _: str) -> int:
        enabled = self.load("settings.json").get("enabledPlugins", {})
        known = self.load(MARKETPLACES)
        found = []
        for plugin in self.load(PLUGINS).get("plugins", {}):
            source = known.get(plugin.partition("@")[2], {}).get("source", {})
            entry = {"id": plugin, "scope": "user", "enabled": bool(enabled.get(plugin))}
            if not Path(source.get("path", "/nonexistent")).is_dir():
                entry["errors"] = ["Marketplace m failed to load: cache-miss"]
            found.append(entry)
        print(json.dumps(found))
        return 0


def put(folder: Path) -> Path:
    """The program `claude` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "claude"
    program.write_text(f"#!{sys.executable} -ISB\n" + Path(__file__).read_text())
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    sys.exit(Program(sys.argv[1:]).run())
