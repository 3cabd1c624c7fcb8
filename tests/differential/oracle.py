"""bash as the oracle: which programs does it start, with which words, where, fed with what?

Commands run in real bash below a scratch directory. PATH holds stubs that write down their call,
and a few harmless filters; nothing else can be reached by name.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

#: Stubs that record and succeed; `fails` records and fails; `sink` records its input too.
STUBS = ("alpha", "beta", "gamma", "delta", "fails", "sink")
#: Real programs that commands may use: they read, print, or start a program by name.
REAL = (
    "base64", "basename", "bash", "cat", "cut", "dirname", "env", "head", "nice", "nohup", "rev",
    "seq", "sh", "sort", "tail", "tee", "timeout", "touch", "tr", "uniq", "xargs", "xxd", "mkdir",
)  # fmt: skip

_STUB = r"""#!/bin/sh
read -r n < {root}/current
{{ printf '%s\0' "$PWD" "${{0##*/}}" "$@"; {stdin}; }} > "{root}/records/$n/$$"
{status}
"""

_DRIVER = r"""
while IFS= read -r -d '' text; do
  n=$((n + 1))
  printf '%s\n' "$n" > "$ROOT/current"
  cd "$PLACES/$n/proj" || exit 1
  : "$(exec env -i LC_ALL=C.UTF-8 PATH="$ROOT/bin" \
      HOME="$PLACES/$n/home" USER=dev TMPDIR="$ROOT/tmp" \
      timeout 5 "$BASH" --norc --noprofile -O expand_aliases \
      -c "$text" bash 2>&1 < /dev/null)"
  printf '%s\n' "$?" > "$ROOT/records/$n/status"
done
"""


class Record(NamedTuple):
    """One call of a stub."""

    argv: tuple[str, ...]
    cwd: str
    stdin: str | None


class Oracle:
    """A scratch directory with stubs; `run` may be called many times."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._count = 0
        binaries = root / "bin"
        binaries.mkdir(parents=True)
        (root / "tmp").mkdir()
        for name in STUBS:
            self._stub(binaries / name)
        for name in REAL:
            for folder in ("/usr/bin", "/bin"):
                if os.path.exists(f"{folder}/{name}"):
                    (binaries / name).symlink_to(f"{folder}/{name}")
                    break

    def _stub(self, path: Path) -> None:
        stdin = "printf '\\1'; exec /bin/cat" if path.name == "sink" else ":"
        status = "exit 1" if path.name == "fails" else "exit 0"
        path.write_text(_STUB.format(root=self.root, stdin=stdin, status=status))
        path.chmod(0o755)

    def places(self, count: int) -> list[Path]:
        """Fresh projects for the next `count` commands."""
        return [self._place(number) for number in range(1, count + 1)]

    def _place(self, number: int) -> Path:
        place = self.root / f"run{self._count}" / "places" / str(number)
        project = place / "proj"
        for folder in ("src/deep", "docs", "out", "a b"):
            (project / folder).mkdir(parents=True)
        (place / "home" / "sub").mkdir(parents=True)
        for name in ("one.txt", "two.txt", "src/code.c", ".hidden"):
            (project / name).write_text(f"text of {name}\n")
        (project / "run.sh").write_text('alpha script "$@"\n')
        (project / "lib.sh").write_text('from_lib() { beta lib "$1"; }\nLIB=loaded\n')
        (self.root / f"run{self._count}" / "records" / str(number)).mkdir(parents=True)
        return project

    def link(self) -> None:
        """Let `records`, where the stubs write, lead to the new ones."""
        link = self.root / "records"
        link.unlink(missing_ok=True)
        link.symlink_to(self.root / f"run{self._count}" / "records")

    def run(self, texts: list[str]) -> list[list[Record]]:
        """Run the commands in the places that `places(len(texts))` made."""
        base = self.root / f"run{self._count}"
        self._count += 1
        subprocess.run(
            ["/bin/bash", "--norc", "--noprofile", "-c", _DRIVER],
            input=b"".join(text.encode() + b"\0" for text in texts),
            env={"PATH": "/usr/bin:/bin", "ROOT": str(self.root), "PLACES": str(base / "places")},
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=30 + len(texts),
        )
        return [self._records(base / "records" / str(n + 1)) for n in range(len(texts))]

    def _records(self, folder: Path) -> list[Record]:
        found = []
        for path in sorted(folder.iterdir()):
            if path.name == "status":
                continue
            head, mark, stdin = path.read_bytes().partition(b"\0\1")
            fields = head.decode("utf-8", "surrogateescape").rstrip("\0").split("\0")
            if not mark:
                fields = head.decode("utf-8", "surrogateescape").split("\0")[:-1]
            text = stdin.decode("utf-8", "surrogateescape") if mark else None
            found.append(Record(tuple(fields[1:]), fields[0], text))
        return found

    def project(self, number: int) -> str:
        """The directory that the command `number` (from 1) runs in, as bash names it."""
        return f"{self.root}/run{self._count}/places/{number}/proj"
