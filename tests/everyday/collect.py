"""Collect everyday commands from packages: `python -m tests.everyday.collect ARCHIVE… > FILE`.

Reads package archives (sdists, npm tarballs, wheels) and takes the commands that their authors
tell people to run: fenced and indented shell blocks of documentation, `run:` steps of CI files,
`scripts` of package.json, `RUN` of Dockerfiles, `commands` of tox.ini. One JSON line a command,
with its source. After names and numbers are made equal no line stands twice, and no program has
more than four in a hundred (the whole corpus allows five).
"""

from __future__ import annotations

import collections
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHELLS = "sh|bash|shell|console|shell-session|shellsession|zsh|terminal"
_FENCE = re.compile(
    rf"^([ \t]*)(```+|~~~+)[ \t]*\{{?\.?({_SHELLS})\b[^\n]*\n(.*?)^\1\2", re.MULTILINE | re.DOTALL
)
_RST = re.compile(
    r"^([ \t]*)\.\. (?:code-block|code|sourcecode|prompt)::[ \t]*"
    r"(?:console|bash|shell|sh|zsh)[^\n]*\n"
    r"(?:\1[ \t]+:[^\n]*\n)*\n((?:\1[ \t]+[^\n]*\n|[ \t]*\n)+)",
    re.MULTILINE,
)
_PROMPT = re.compile(r"^\s*\$ (.+)$", re.MULTILINE)
_WORD = re.compile(r"^[a-z][a-z0-9_.+-]*$|^\./[\w./-]+$")
#: Synopses: `<id|name>`, `[port]`, `[ options ]`, `{add | remove}`, `…`.
_PLACEHOLDER = re.compile(
    r"<[a-z][^>&]*>|\.\.\.|…|\{\{|(?<!\S)\[[\w<-][^\]]*\]|\[options|/\[\w+\]|\{\w+ \||\(optional\)",
    re.IGNORECASE,
)
#: A description in the next column, as in the output of --help.
_COLUMN = re.compile(r"\S {2,}[A-Z][a-z]+ [a-z]")
#: Programs whose third word still says what is done, not to what.
_TWO_VERBS = frozenset(
    "aws az docker gcloud gh git helm kubectl podman poetry railway supabase uv".split()  # noqa: SIM905 - as above
)
_TEST = re.compile(r"(?:^|[;&|!]|\b(?:if|while|then)) ?\[ ")
#: Words that begin sentences or other languages in badly marked blocks, no programs.
_NO_PROGRAM = frozenset(
    "the this if for while do done then else fi case esac import from const let var function"  # noqa: SIM905 - one word a line says no more
    " return class def print note you use see select and or in to a an is it created running"
    " added removed collecting installing successfully usage options error warning info total"
    " requirement http https localhost true false null export foo bar".split()
)


def documents(path: str) -> Iterator[tuple[str, str]]:
    """(name inside the archive, text) of the files that can hold commands."""
    wanted = re.compile(
        r"(\.(md|rst|mdx)|package\.json|Dockerfile|\.github/.*\.ya?ml|\.gitlab-ci\.yml|tox\.ini|"
        r"README(\.txt)?|INSTALL(\.txt)?)$",
        re.IGNORECASE,
    )
    if path.endswith((".whl", ".zip")):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if wanted.search(info.filename) and info.file_size < 300_000:
                    yield info.filename, archive.read(info).decode("utf-8", "replace")
        return
    with tarfile.open(path) as tar:
        for member in tar:
            if member.isfile() and wanted.search(member.name) and member.size < 300_000:
                stream = tar.extractfile(member)
                if stream is not None:
                    yield member.name, stream.read().decode("utf-8", "replace")


def commands(name: str, text: str) -> Iterator[str]:
    """The command lines that a document tells people to run."""
    if name.endswith("package.json"):
        try:
            scripts = json.loads(text).get("scripts", {})
        except (ValueError, AttributeError):
            return
        yield from (s for s in scripts.values() if isinstance(s, str) and "\n" not in s)
    elif name.endswith((".yml", ".yaml")):
        yield from _steps(text)
    elif name.endswith("Dockerfile"):
        for found in re.finditer(r"^RUN ((?:.*\\\n)*.*)$", text, re.MULTILINE):
            yield found[1].replace("\\\n", " ")
    elif name.endswith("tox.ini"):
        for found in re.finditer(
            r"^commands(?:_pre|_post)?\s*=\s*\n?((?:[ \t]+.*\n|[^\n]+\n)+?)(?=\S|\n)",
            text,
            re.MULTILINE,
        ):
            yield from (line.strip() for line in found[1].splitlines() if "{" not in line)
    else:
        for found in _FENCE.finditer(text):
            yield from _lines(found[4], prompted=found[3] not in ("sh", "bash", "zsh", "shell"))
        for found in _RST.finditer(text):
            yield from _lines(found[2], prompted=False)
        for found in _PROMPT.finditer(text):
            yield found[1]


def _steps(text: str) -> Iterator[str]:
    """`run:` of a workflow, one line or a block."""
    for found in re.finditer(
        r"^([ \t]*)(?:- )?run:[ \t]*(\|[-+]?\s*\n|>[-+]?\s*\n)?(.*(?:\n\1[ \t]{2,}.*)*)",
        text,
        re.MULTILINE,
    ):
        yield from _lines(found[3], prompted=False)


def _lines(block: str, *, prompted: bool) -> Iterator[str]:
    block = block.replace("\\\n", " ")
    has_prompt = any(line.lstrip().startswith("$ ") for line in block.splitlines())
    for raw in block.splitlines():
        line = raw.strip()
        if line.startswith("$ "):
            yield line[2:]
        elif not has_prompt and not prompted and line and line[0] not in "#<>|":
            yield line


def usable(command: str) -> bool:
    """A whole command of an ordinary program, without placeholders to fill in."""
    words = command.split()
    if (
        not words
        or len(command) > 300
        or words[0][:1] in "[{"
        or not command.isascii()
        or "${{" in command
    ):
        return False
    first = words[0]
    if first.lower() in _NO_PROGRAM or not _WORD.match(first) or _PLACEHOLDER.search(command):
        return False
    if "<<" in command.replace("<<<", "") and "\n" not in command:
        return False
    if "[" in words and not _TEST.search(command):
        return False
    return (
        not command.endswith(("\\", "|", "&&", ":", "{", "(", "[", ",", "."))
        and "=>" not in command
    )


def readable(command: str) -> bool:
    """A shell can read it."""
    return (
        subprocess.run(["bash", "-n", "-c", command], check=False, capture_output=True).returncode
        == 0
    )


def program(command: str) -> str:
    """The program of a line, behind assignments, `sudo`, `env` and changes of directory."""
    words = re.sub(r"^(?:cd [^&;]+(?:&&|;) *)+", "", command).split()
    while words and (words[0] in ("sudo", "env", "time") or re.match(r"\w+=", words[0])):
        words.pop(0)
    return words[0].rpartition("/")[2] if words else command.split(maxsplit=1)[0]


def shape(command: str) -> str:
    """The command with its names and numbers made equal: programs, verbs and options stay."""
    words = re.findall(r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'|&;<>]+)+|[|&;]+|[<>]+&?\d?", command)
    kept: list[str] = []
    place = 0
    name = ""
    for word in words:
        if word.startswith("#"):
            break
        if re.fullmatch(r"[|&;]+", word):
            kept.append(word)
            place = 0
        elif re.fullmatch(r"[<>]+&?\d?", word):
            kept.append(word)
            place = 9
        elif word.startswith("-"):
            kept.append(re.sub(r"\d+", "0", word.partition("=")[0]))
        elif place == 0:
            name = re.sub(r"\d+", "0", word.rpartition("/")[2])
            kept.append(name if "=" not in name else "x=x")
            place = 1 if "=" not in name and name not in ("sudo", "env", "time") else 0
        else:
            verb = re.fullmatch(r"[a-z][a-z:-]*", word)
            kept.append(word if verb and place < (3 if name in _TWO_VERBS else 2) else "x")
            place += 1
    return re.sub(r"\bx( x)+\b", "x", " ".join(kept))


def main(archives: list[str], share: float = 0.04, most: int = 6_000) -> int:
    seen: set[str] = set()
    found: list[dict[str, str]] = []
    for path in sorted(archives):
        package = path.rpartition("/")[2]
        per_package = 0
        for name, text in documents(path):
            for line in commands(name, text):
                command = " ".join(line.split()) if "<<" not in line else line
                form = shape(command)
                if per_package >= 60 or form in seen or _COLUMN.search(line):
                    continue
                if not usable(command) or not readable(command):
                    continue
                seen.add(form)
                per_package += 1
                found.append({"command": command, "source": f"{package}:{name}"})
    limit = max(1, int(min(len(found), most) * share))
    counts: collections.Counter[str] = collections.Counter()
    kept = []
    for entry in found:
        name = program(entry["command"])
        if counts[name] < limit:
            counts[name] += 1
            kept.append(entry)
    for entry in kept:
        print(json.dumps(entry))
    print(f"{len(kept)} of {len(found)} kept, {len(counts)} programs", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
