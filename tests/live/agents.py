"""How each real agent is installed from its registry, pointed at a loopback model, and run."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.live.model import Model


@dataclass(frozen=True)
class LiveAgent:
    """One agent: its npm package, its shell tool, and how it is set up and started."""

    name: str
    flag: str
    package: str
    program: str
    shell_tool: str
    prepare: Callable[[Path, Model], None]
    command: Callable[[str], list[str]]
    environment: Callable[[Model], Mapping[str, str]]
    #: The shell tool's argument that holds the command.
    command_argument: str = "command"


def npm_install(agent: LiveAgent, folder: Path) -> Path:
    """Install the agent below `folder` (kept between runs); returns its program."""
    program = folder / agent.name / "node_modules" / ".bin" / agent.program
    if not program.exists():
        home = folder / "npm-home"
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--prefix",
                folder / agent.name,
                agent.package,
            ],
            check=True,
            env={**os.environ, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=600,
        )
    return program


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


AGENTS = (
    LiveAgent(
        name="claude-code",
        flag="--claude-code",
        package="@anthropic-ai/claude-code@2.1.332",
        program="claude",
        shell_tool="Bash",
        prepare=_nothing_to_prepare,
        command=lambda program: [program, "-p", "go", "--permission-mode", "bypassPermissions"],
        environment=lambda model: {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
        },
    ),
    LiveAgent(
        name="grok-build",
        flag="--grok-build",
        package="@xai-official/grok@1.0.41",
        program="grok",
        shell_tool="run_terminal_command",
        prepare=_grok_config,
        command=lambda program: [program, "-p", "go", "-m", "loopback", "--always-approve"],
        environment=lambda model: {"GROK_DISABLE_AUTOUPDATER": "1"},
    ),
    LiveAgent(
        name="copilot-cli",
        flag="--copilot-cli",
        package="@github/copilot@1.0.102",
        program="copilot",
        shell_tool="bash",
        prepare=_nothing_to_prepare,
        command=lambda program: [program, "-p", "go", "--allow-all"],
        environment=lambda model: {
            "COPILOT_PROVIDER_BASE_URL": f"{model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        },
    ),
    LiveAgent(
        name="codex",
        flag="--codex",
        package="@openai/codex@0.171.0",
        program="codex",
        shell_tool="exec_command",
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
        command_argument="cmd",
    ),
    LiveAgent(
        name="gemini-cli",
        flag="--gemini-cli",
        package="@google/gemini-cli@0.61.0",
        program="gemini",
        shell_tool="run_shell_command",
        prepare=_gemini_settings,
        command=lambda program: [program, "-p", "go", "-m", "gemini-2.5-pro", "--yolo"],
        environment=lambda model: {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": model.url,
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
    ),
)
