"""The errors of the manager: one base, and the few kinds that callers treat differently."""

from __future__ import annotations


class SafetyNetError(Exception):
    """A failure that a person can act on.

    code: stable, snake case, for `--json`. message: what is wrong and where. hint: what to do, a
    command or an edit; "" if there is nothing. exit_code: 1 failed or refused, 2 usage.
    """

    code = "failed"
    exit_code = 1

    def __init__(self, message: str, hint: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code:
            self.code = code


class Usage(SafetyNetError):
    """The command line can't be understood, or a choice is missing."""

    code = "usage"
    exit_code = 2


class Refused(SafetyNetError):
    """Something is not ours to change: a foreign file, a link, another user's home."""

    code = "refused"


class Unreadable(SafetyNetError):
    """A config can't be parsed or has another shape than its agent accepts."""

    code = "unreadable"


class Conflict(SafetyNetError):
    """A file was changed by somebody else while we worked."""

    code = "conflict"


class Busy(SafetyNetError):
    """Another installer holds the lock."""

    code = "busy"


class AgentCliFailed(SafetyNetError):
    """An agent's own program failed, hung, or is missing."""

    code = "agent_cli_failed"


class Interrupted(BaseException):
    """Ctrl-C, or a signal that asks us to end: nothing that handles failures catches it."""


class VerifyFailed(SafetyNetError):
    """What was installed gave a wrong answer when it was run."""

    code = "verify_failed"
