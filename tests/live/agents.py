"""How each real agent is installed from its registry, pointed at a loopback model, and run."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.live.model import Call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tests.live.model import Model


@dataclass(frozen=True)
class LiveAgent:
    """One agent: where it comes from, its tools, and how it is set up, asked and started."""

    name: str
    flag: str
    #: What its registry installs: from npm, or from PyPI if `pypi`.
    packages: Sequence[str]
    program: str
    #: A command for the shell, and a path to be read, as calls of the agent's tools.
    shell: Callable[[str], Call]
    read: Callable[[str], Call]
    prepare: Callable[[Path, Model], None]
    command: Callable[[str], list[str]]
    environment: Callable[[Model], Mapping[str, str]]
    #: Arguments with which its command line shows what is installed; our name is looked for.
    view: Sequence[str]
    pypi: bool = False
    #: Where the agent itself refuses to read a secret by `read`.
    read_secret: Callable[[str], Call] | None = None
    #: Texts of the view beside our name that say that ours is on.
    view_says: Sequence[str] = ()
    #: Whether the view lists what is installed by name; else only its exit code counts.
    view_names: bool = True


def installed(agent: LiveAgent, folder: Path) -> Path:
    """Install the agent below `folder` (kept between runs); returns its program."""
    base = folder / agent.name
    home = folder / "installer-home"
    home.mkdir(parents=True, exist_ok=True)
    if agent.pypi:
        program = base / "bin" / agent.program
        steps = [
            [sys.executable, "-m", "venv", base],
            [base / "bin" / "python", "-m", "pip", "install", "-q", *agent.packages],
        ]
    else:
        program = base / "node_modules" / ".bin" / agent.program
        steps = [["npm", "install", "--no-audit", "--no-fund", "--prefix", base, *agent.packages]]
    for step in () if program.exists() else steps:
        subprocess.run(
            step,
            check=True,
            env={**os.environ, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=900,
        )
    return program


def _command(tool: str, argument: str = "command", **more: str) -> Callable[[str], Call]:
    return lambda text: Call(tool, {argument: text, **more})


def _path(tool: str, argument: str) -> Callable[[str], Call]:
    return lambda path: Call(tool, {argument: path})


def _nothing_to_prepare(home: Path, model: Model) -> None:
    """Claude Code needs no file: its environment says all."""


def _grok_config(home: Path, model: Model) -> None:
    (home / ".grok").mkdir(exist_ok=True)
    (home / ".grok" / "config.toml").write_text(
        "[cli]\nauto_update = false\n\n"
        '[models]\ndefault = "loopback"\n\n'
        "[model.loopback]\n"
        f'model = "loopback"\nbase_url = "{model.url}/v1"\napi_key = "sk-none"\n'
        'api_backend = "chat_completions"\ncontext_window = 200000\n'
    )


def _codex_config(home: Path, model: Model) -> None:
    (home / ".codex").mkdir(exist_ok=True)
    (home / ".codex" / "config.toml").write_text(
        'model = "gpt-5.5"\nmodel_provider = "loopback"\n\n'
        "[model_providers.loopback]\n"
        f'name = "loopback"\nbase_url = "{model.url}/v1"\nwire_api = "responses"\n'
        'env_key = "LOOPBACK_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
    )


def _gemini_settings(home: Path, model: Model) -> None:
    del model
    (home / ".gemini").mkdir(exist_ok=True)
    (home / ".gemini" / "settings.json").write_text(
        '{"security": {"auth": {"selectedType": "gemini-api-key"}}, '
        '"general": {"enableAutoUpdate": false}, "privacy": {"usageStatisticsEnabled": false}}\n'
    )


def _kimi_config(home: Path, model: Model) -> None:
    (home / ".kimi-code").mkdir(exist_ok=True)
    (home / ".kimi-code" / "config.toml").write_text(
        'default_model = "loopback"\ntelemetry = false\n\n'
        f'[providers.loopback]\ntype = "openai"\nbase_url = "{model.url}/v1"\n'
        'api_key = "none"\n\n'
        '[models.loopback]\nprovider = "loopback"\nmodel = "loopback"\n'
        "max_context_size = 200000\n"
    )


def _hermes_config(home: Path, model: Model) -> None:
    (home / ".hermes").mkdir(exist_ok=True)
    (home / ".hermes" / "config.yaml").write_text(
        "model:\n  provider: custom\n  default: loopback\n"
        f"  base_url: {model.url}/v1\n  api_key: none\n  context_length: 200000\n"
        "tts:\n  provider: none\nsecurity:\n  tirith_enabled: false\n"
    )


AGENTS = (
    LiveAgent(
        name="claude-code",
        flag="--claude-code",
        packages=("@anthropic-ai/claude-code@2.1.332",),
        program="claude",
        shell=_command("Bash", description="live test"),
        read=_path("Read", "file_path"),
        prepare=_nothing_to_prepare,
        command=lambda program: [program, "-p", "go", "--permission-mode", "bypassPermissions"],
        environment=lambda model: {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
        },
        view=("plugin", "list", "--json"),
        view_says=('"enabled": true',),
    ),
    LiveAgent(
        name="grok-build",
        flag="--grok-build",
        packages=("@xai-official/grok@1.0.41",),
        program="grok",
        shell=_command("run_terminal_command", description="live test"),
        read=_path("read_file", "target_file"),
        prepare=_grok_config,
        command=lambda program: [program, "-p", "go", "-m", "loopback", "--always-approve"],
        environment=lambda model: {"GROK_DISABLE_AUTOUPDATER": "1"},
        view=("inspect", "--json"),
    ),
    LiveAgent(
        name="copilot-cli",
        flag="--copilot-cli",
        packages=("@github/copilot@1.0.102",),
        program="copilot",
        shell=_command("bash", description="live test"),
        read=_path("view", "path"),
        prepare=_nothing_to_prepare,
        command=lambda program: [program, "-p", "go", "--allow-all"],
        environment=lambda model: {
            "COPILOT_PROVIDER_BASE_URL": f"{model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        },
        view=("plugin", "list", "--json"),
    ),
    LiveAgent(
        name="codex",
        flag="--codex",
        packages=("@openai/codex@0.171.0",),
        program="codex",
        shell=_command("exec_command", "cmd"),
        # It has no tool that reads a file: it uses the shell.
        read=lambda path: Call("exec_command", {"cmd": f"cat {path}"}),
        prepare=_codex_config,
        # Trust is the person's to give; for one run a flag stands for it.
        command=lambda program: [
            program,
            "exec",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            "go",
        ],
        environment=lambda model: {"LOOPBACK_KEY": "none"},
        view=("plugin", "list", "--json"),
        view_says=('"enabled": true',),
    ),
    LiveAgent(
        name="gemini-cli",
        flag="--gemini-cli",
        packages=("@google/gemini-cli@0.61.0",),
        program="gemini",
        shell=_command("run_shell_command", description="live test"),
        read=_path("read_file", "file_path"),
        read_secret=lambda path: Call("run_shell_command", {"command": f"cat {path}"}),
        prepare=_gemini_settings,
        command=lambda program: [program, "-p", "go", "-m", "gemini-2.5-pro", "--yolo"],
        environment=lambda model: {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": model.url,
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        view=("extensions", "list", "-o", "json"),
        view_says=('"isActive": true',),
    ),
    LiveAgent(
        name="kimi-code",
        flag="--kimi-code",
        # It needs a newer Node than Debian's; npm has Node itself too.
        packages=("@moonshot-ai/kimi-code@2.1.0", "node@22"),
        program="kimi",
        shell=_command("Bash"),
        read=_path("Read", "path"),
        read_secret=lambda path: Call("Bash", {"command": f"cat {path}"}),
        prepare=_kimi_config,
        command=lambda program: [program, "-p", "go"],
        environment=lambda model: {"KIMI_DISABLE_TELEMETRY": "1"},
        # It has no list of hooks; this says whether the configuration is valid.
        view=("doctor",),
        view_names=False,
    ),
    LiveAgent(
        name="hermes-agent",
        flag="--hermes-agent",
        packages=("hermes-agent==0.19.0",),
        pypi=True,
        program="hermes",
        shell=_command("terminal"),
        read=_path("read_file", "path"),
        read_secret=lambda path: Call("terminal", {"command": f"cat {path}"}),
        prepare=_hermes_config,
        command=lambda program: [program, "chat", "-Q", "-q", "go", "--yolo"],
        environment=lambda model: {},
        view=("plugins", "list", "--user", "--json"),
        view_says=('"status": "enabled"',),
    ),
)
