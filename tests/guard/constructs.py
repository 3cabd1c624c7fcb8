"""Long inputs, a construct each: what a command of a given size looks like that is full of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Construct -> (what stands before, what is repeated, what stands behind).
REPEATED: Mapping[str, tuple[str, str, str]] = {
    "commands": ("", "ls -l\n", ""),
    "semicolons": ("", "true; ", ""),
    "bare semicolons": ("", ";", ""),
    "and-lists": ("ls", " && ls", ""),
    "pipes": ("cat x", " | cat", ""),
    "background": ("", "ls & ", ""),
    "directory changes": ("", "cd a; ", ""),
    "directory changes and pipes": ("", "cd src && ls -l | grep x > out.txt\n", ""),
    "git commands": ("", "git status\n", ""),
    "git commands with options": ("", "git log -1 --oneline\n", ""),
    "deletions": ("", "rm f; ", ""),
    "wrappers": ("", "sudo ls; ", ""),
    "redirections": ("", "ls > f; ", ""),
    "assignments": ("", "a=b; ", ""),
    "exports": ("", "export a=b; ", ""),
    "variables": ("", "$a ", ""),
    "variables as operands": ("echo ", "$a ", ""),
    "command substitutions": ("", "$(true) ", ""),
    "substitutions in quotes": ("", 'echo "$(date)"; ', ""),
    "backquotes": ("", "`true` ", ""),
    "braces": ("echo ", "{a,b} ", ""),
    "brace groups": ("", "{ ls; }; ", ""),
    "subshells": ("", "(ls); ", ""),
    "conditions": ("", "if true; then ls; fi; ", ""),
    "cases": ("", "case a in a) ls;; esac; ", ""),
    "functions": ("", "f() { ls; }; f; ", ""),
    "quotes": ("echo ", "\"a\"'b'", ""),
    "a long word": ("echo ", "a", ""),
    "a comment": ("ls ", "# a", ""),
    "one here-document": ("cat <<E\n", "some text $x here\n", "E\n"),
    "here-documents": ("", "cat <<E\nab\nE\n", ""),
    "a commit message": ('git commit -m "', "some message text\n", '"'),
    "inline Python": ("python3 -c '", "print(1)\n", "'"),
    "inline shell": ("sh -c '", "ls -l; ", "'"),
    "arithmetic": ("echo $((", "1+", "1))"),
    "array elements": ("a=(", "x ", "); echo ${a[@]}"),
    "a loop's words": ("for i in ", "abc ", "; do echo $i; done"),
    "a list for xargs": ("echo ", "a.txt ", "| xargs rm"),
    "operands of ls": ("ls ", "a.txt ", ""),
    "operands of rm": ("rm ", "a.txt ", ""),
    "operands of cp": ("cp ", "a.txt ", "d"),
    "operands of git clean": ("git clean -fd ", "src/aa.txt ", ""),
    "operands of an unknown program": ("frob ", "a.txt ", ""),
    "patterns": ("ls ", "*.py ", ""),
    "tildes": ("ls ", "~/a ", ""),
    "predicates of find": ("find . ", "-o -name x ", ""),
    "open parentheses": ("", "(", ""),
    "open braces": ("", "{ ", ""),
    "open substitutions": ("", "$(", ""),
    "open expansions": ("", "${a:-", ""),
    "open quotes": ("", '"$(', ""),
}
SIZES = (12_500, 25_000, 50_000, 100_000)


def text_of(construct: str, size: int) -> str:
    """A command of about `size` characters, full of the construct."""
    before, unit, behind = REPEATED[construct]
    return before + unit * ((size - len(before) - len(behind)) // len(unit)) + behind
