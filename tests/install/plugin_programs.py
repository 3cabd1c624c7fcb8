"""Scripted `codex`, `copilot` and `gemini`: they keep the files that the real ones keep.

A file `NAME.trouble` beside the program makes a verb fail, hang, lie or print garbage.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import tomllib
from pathlib import Path

NAMES = ("codex", "copilot", "gemini")


class Failed(Exception):
    """The program ends with 1 and says this."""


class Program:
    """One run."""

    name = ""
    variable = ""
    below = ""

    def __init__(self, argv: list[str]) -> None:
        self.argv = [word for word in argv if word != "--json"]
        moved = os.environ.get(self.variable)
        default = Path(os.environ["HOME"], "." + self.name)
        self.home = Path(moved, self.below) if moved else default
        trouble = Path(sys.argv[0]).with_suffix(".trouble")
        self.trouble = json.loads(trouble.read_text()) if trouble.exists() else {}
        with Path(sys.argv[0]).with_suffix(".log").open("a") as file:
            file.write(" ".join(argv) + "\n")

    def load(self, name: str) -> dict:
        file = self.home / name
        text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
        return json.loads(text) if text.strip() else {}

    def save(self, name: str, value: dict) -> None:
        self.write(name, json.dumps(value, indent=2) + "\n")

    def write(self, name: str, text: str) -> None:
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".tmp")
        temporary.write_bytes(text.encode())
        temporary.rename(file)

    def run(self) -> int:
        words = self.argv[1:3] if self.argv[1] == "marketplace" else self.argv[1:2]
        verb = " ".join(words)
        trouble = self.trouble.get(verb)
        if trouble == "hang":
            sys.stderr.write("waiting for the network\n")
            sys.stderr.flush()
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
        try:
            getattr(self, verb.replace(" ", "_"))(*self.argv[len(words) + 1 :])
        except Failed as error:
            sys.stderr.write(f"{error}\n")
            return 1
        return 0


class Codex(Program):
    """Edits config.toml in place, copies plugins into its cache."""

    name, variable = "codex", "CODEX_HOME"

    def text(self) -> str:
        file = self.home / "config.toml"
        return file.read_bytes().decode("utf-8-sig") if file.exists() else ""

    def tables(self, name: str) -> dict:
        return tomllib.loads(self.text()).get(name, {})

    def without(self, header: str) -> str:
        """The text without a table and the blank line before it."""
        kept, inside = [], False
        for line in self.text().splitlines(keepends=True):
            if line.startswith("["):
                inside = line.strip() == header
                if inside and kept and not kept[-1].strip():
                    kept.pop()
            if not inside:
                kept.append(line)
        return "".join(kept)

    def append(self, lines: list[str]) -> None:
        text = self.text()
        gap = "\n" if text.strip() else ""
        text += "" if not text or text.endswith("\n") else "\n"
        self.write("config.toml", text + gap + "\n".join(lines) + "\n")

    def marketplace_add(self, folder: str) -> None:
        file = Path(folder) / ".agents/plugins/marketplace.json"
        name = json.loads(file.read_text())["name"]
        if name not in self.tables("marketplaces"):
            self.append([f"[marketplaces.{name}]", 'source_type = "local"', f'source = "{folder}"'])
        print(json.dumps({"marketplaceName": name, "installedRoot": folder}))

    def marketplace_remove(self, name: str) -> None:
        if name not in self.tables("marketplaces"):
            raise Failed(f"Error: marketplace `{name}` is not configured or installed")
        self.write("config.toml", self.without(f"[marketplaces.{name}]"))

    def add(self, plugin: str) -> None:
        name, _, marketplace = plugin.partition("@")
        known = self.tables("marketplaces").get(marketplace)
        if known is None:
            raise Failed(f"marketplace {marketplace} not found")
        source = Path(known["source"]) / "plugins" / name
        version = json.loads((source / ".codex-plugin/plugin.json").read_text())["version"]
        target = self.home / "plugins/cache" / marketplace / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target / version)
        if plugin not in self.tables("plugins"):
            self.append([f'[plugins."{plugin}"]', "enabled = true"])

    def remove(self, plugin: str) -> None:
        name, _, marketplace = plugin.partition("@")
        shutil.rmtree(self.home / "plugins/cache" / marketplace / name, ignore_errors=True)
        self.write("config.toml", self.without(f'[plugins."{plugin}"]'))

    def list(self) -> None:
        known = self.tables("marketplaces")
        found = []
        for plugin, state in self.tables("plugins").items():
            source = known.get(plugin.partition("@")[2], {}).get("source", "/nonexistent")
            if not Path(source).is_dir():
                raise Failed("failed to load configured marketplace snapshot(s)")
            found.append({"pluginId": plugin, "installed": True, "enabled": state["enabled"]})
        print(json.dumps({"installed": found, "available": []}))


class Copilot(Program):
    """Writes settings.json anew; uninstalling a live plugin only switches it off."""

    name, variable = "copilot", "COPILOT_HOME"

    def settings(self) -> dict:
        return self.load("settings.json")

    def marketplace_add(self, folder: str) -> None:
        name = json.loads((Path(folder) / ".claude-plugin/marketplace.json").read_text())["name"]
        settings = self.settings()
        known = settings.setdefault("extraKnownMarketplaces", {})
        if name in known:
            raise Failed(f'Failed to add marketplace: "{name}" already registered')
        known[name] = {"source": {"source": "directory", "path": folder}}
        self.save("settings.json", settings)

    def marketplace_remove(self, name: str) -> None:
        settings = self.settings()
        if settings.get("extraKnownMarketplaces", {}).pop(name, None) is None:
            raise Failed(f'Failed to remove marketplace: "{name}" is not registered')
        self.save("settings.json", settings)

    def switch(self, plugin: str, on: bool) -> None:
        settings = self.settings()
        settings.setdefault("enabledPlugins", {})[plugin] = on
        self.save("settings.json", settings)

    def install(self, plugin: str) -> None:
        if plugin.partition("@")[2] not in self.settings().get("extraKnownMarketplaces", {}):
            raise Failed("unknown marketplace")
        self.switch(plugin, True)

    def uninstall(self, plugin: str) -> None:
        config = self.load("config.json")
        plugins = config.get("installedPlugins", [])
        kept = [entry for entry in plugins if entry["name"] != plugin]
        if len(kept) < len(plugins):
            self.save("config.json", {**config, "installedPlugins": kept})
            return
        self.switch(plugin, False)

    def list(self) -> None:
        settings = self.settings()
        known = settings.get("extraKnownMarketplaces", {})
        found = [{"name": "browser-use", "marketplace": "", "enabled": False, "source": "builtin"}]
        for plugin, on in settings.get("enabledPlugins", {}).items():
            name, _, marketplace = plugin.partition("@")
            if Path(known.get(marketplace, {}).get("source", {}).get("path", "/nowhere")).is_dir():
                found.append({"name": name, "marketplace": marketplace, "enabled": on})
        print(json.dumps(found))


class Gemini(Program):
    """Keeps a record of each extension; lists on standard error."""

    name, variable, below = "gemini", "GEMINI_CLI_HOME", ".gemini"

    def extension(self, name: str) -> Path:
        return self.home / "extensions" / name

    def link(self, folder: str, *_: str) -> None:
        if os.environ.get("GEMINI_CLI_TRUST_WORKSPACE") != "true":
            self.save("trustedFolders.json", {os.getcwd(): "TRUST_FOLDER"})
        name = json.loads((Path(folder) / "gemini-extension.json").read_text())["name"]
        if self.extension(name).exists():
            raise Failed(f'Extension "{name}" is already installed. Please uninstall it first.')
        record = {"source": folder, "type": "link"}
        self.save(f"extensions/{name}/.gemini-extension-install.json", record)
        self.enable(name)

    def enable(self, name: str) -> None:
        rules = self.load("extensions/extension-enablement.json")
        rules[name] = {"overrides": [os.environ["HOME"] + "/*"]}
        self.save("extensions/extension-enablement.json", rules)

    def uninstall(self, name: str) -> None:
        if not self.extension(name).exists():
            raise Failed(f'Failed to uninstall "{name}": Extension not found.')
        shutil.rmtree(self.extension(name))
        rules = self.load("extensions/extension-enablement.json")
        rules.pop(name, None)
        self.save("extensions/extension-enablement.json", rules)

    def list(self, *_: str) -> None:
        found = []
        folder = self.home / "extensions"
        rules = self.load("extensions/extension-enablement.json")
        for entry in sorted(folder.iterdir()) if folder.exists() else ():
            if not entry.is_dir():
                continue
            source = Path(
                json.loads((entry / ".gemini-extension-install.json").read_text())["source"]
            )
            hooks = source / "hooks/hooks.json"
            if not hooks.exists():
                continue
            overrides = rules.get(entry.name, {}).get("overrides", [])
            found.append(
                {
                    "name": entry.name,
                    "isActive": not any(rule.startswith("!") for rule in overrides),
                    **json.loads(hooks.read_text()),
                }
            )
        sys.stderr.write(json.dumps(found))


def put(folder: Path, name: str) -> Path:
    """The program `name` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!{sys.executable} -ISB\n" + Path(__file__).read_text())
    program.chmod(0o755)
    return program


if __name__ == "__main__":
    kinds = {kind.name: kind for kind in (Codex, Copilot, Gemini)}
    sys.exit(kinds[Path(sys.argv[0]).name](sys.argv[1:]).run())
