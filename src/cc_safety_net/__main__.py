"""The commands `cc-safety-net` and `ccsn`: `hook` is answered before anything else is loaded."""

from __future__ import annotations

import sys

from cc_safety_net.agents.catalogue import FLAGS, LEGACY_FLAGS


def main() -> int:
    """The exit status; a console script ends with it."""
    words = sys.argv[1:]
    if words and (words[0].lower() == "hook" or words[0] in FLAGS or words[0] in LEGACY_FLAGS):
        from cc_safety_net.agents.entry import main as answer

        return answer(words)
    from cc_safety_net.cli.app import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
