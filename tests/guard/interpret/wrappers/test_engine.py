"""What each wrapper hands on: a table of command lines with the inner forms they have."""

from __future__ import annotations

from importlib import import_module

import pytest
from tests.guard.interpret.words import PROJECT, execution
from tests.guard.interpret.wrappers.shapes import shapes
from tests.guard.worlds import Link, workspace

from cc_safety_net.guard.interpret.wrappers.engine import PROGRAMS, unwrap

CASES = [
    ("sudo -u u rm -rf /etc", ["sudo: argv rm -rf /etc"]),
    ("sudo -E env X=1 rm -rf /etc", ["sudo: argv env X=1 rm -rf /etc"]),
    ("sudo --chd=/etc rm -rf ssl", ["sudo: argv rm -rf ssl in /etc"]),
    ("sudo -l", []),
    ("sudo -s", ["sudo: stdin shell"]),
    ("sudo -s rm x", ["sudo: argv rm x"]),
    ("sudo $FLAGS rm -rf /etc", ["sudo: argv $FLAGS rm -rf /etc", "sudo: argv rm -rf /etc"]),
    ("env - rm -rf /", ["env: argv rm -rf / cleared"]),
    ("env -u A -C /etc B=2 rm -rf ssl", ["env: argv rm -rf ssl in /etc B=2"]),
    ("env -S 'npm test' x", ["env: argv npm test x"]),
    ("env -S'-i A=b rm -rf' /etc", ["env: argv rm -rf /etc A=b cleared"]),
    ("command -v rm", []),
    ("timeout -s KILL 5 rm -rf /etc", ["timeout: argv rm -rf /etc"]),
    ("nice -n 10 rm -rf x", ["nice: argv rm -rf x"]),
    ("ionice -c3 rm x", ["ionice: argv rm x"]),
    ("stdbuf -oL git clean -fd", ["stdbuf: argv git clean -fd"]),
    ("setsid -f rm -rf /mnt", ["setsid: argv rm -rf /mnt"]),
    ("time -p rm x", ["time: argv rm x"]),
    ("chroot d rm -rf /etc", ["chroot: argv rm -rf /etc"]),
    ("runuser -u u -- rm -rf /etc", ["runuser: argv rm -rf /etc"]),
    ("runuser -l u -c 'rm -rf /etc'", ["runuser -c: text rm -rf /etc"]),
    ("su - app -c 'rm -rf ~/data'", ["su -c: text rm -rf ~/data"]),
    ("flock /tmp/l -c 'rm -rf x'", ["flock -c: text rm -rf x"]),
    ("flock /tmp/l make -j4", ["flock: argv make -j4"]),
    ("watch -n 1 rm -rf x", ["watch: text rm -rf x"]),
    ("watch -x rm x", ["watch: argv rm x"]),
    ("bwrap --ro-bind / / --chdir /etc rm -rf ssl", ["bwrap: argv rm -rf ssl in /etc"]),
    ("bash -c 'rm -rf ~' _ a", ["bash -c: text rm -rf ~ (_ a)"]),
    ("sh -euxc 'git reset --hard'", ["sh -c: text git reset --hard"]),
    ("bash -c -e 'x y'", ["bash -c: text x y"]),
    ("bash +x -o pipefail -c 'rm'", ["bash -c: text rm"]),
    ("bash --rcfile f -i", ["bash --rcfile: file shell f", "bash: stdin shell"]),
    ("bash -n x.sh", []),
    ("bash x.sh a b", ["script x.sh: file shell x.sh (a b)"]),
    ("bash -s a b", ["bash: stdin shell (a b)"]),
    ("zsh -ic 'rm'", ["zsh -c: text rm"]),
    ("fish -c 'rm x'", ["fish -c: text rm x"]),
    (
        "pwsh -NoProfile -c Remove-Item x -Recurse",
        ["pwsh -Command: powershell Remove-Item x -Recurse"],
    ),
    (
        "powershell -EncodedCommand UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAeAA=",
        ["powershell -EncodedCommand: powershell Remove-Item x"],
    ),
    (
        "powershell -ExecutionPolicy Bypass -File x.ps1 a",
        ["script x.ps1: file powershell x.ps1 (a)"],
    ),
    ("cmd /c del /s /q C:/x", ["cmd /c: cmd del /s /q C:/x"]),
    ("eval rm -rf /", ["eval: text rm -rf / same shell"]),
    ("trap 'rm -rf x' EXIT", ["trap: text rm -rf x same shell"]),
    ("trap - EXIT", []),
    ("at now", ["at: stdin shell (now)"]),
    ("at -f x now", ["at -f: file shell x"]),
    ("crontab -", ["crontab: stdin crontab"]),
    ("crontab f", ["crontab: file crontab f"]),
    ("crontab -r", []),
    (". ./x.sh a", [".: file shell ./x.sh (a) same shell"]),
    ("script -qc 'cc-safety-net policy' f", ["script -c: text cc-safety-net policy"]),
    ("npx rimraf@5 /etc", ["npx: argv rimraf /etc"]),
    ("npx -y -p foo rimraf /etc", ["npx: argv rimraf /etc"]),
    ("npm exec -- rimraf /etc", ["npm exec: argv rimraf /etc"]),
    ("npm run clean -- x", ["npm run clean: file npm . target clean (x)"]),
    ("npm --prefix d test", ["npm run test: file npm . target test in d"]),
    ("yarn clean", ["yarn run clean: file npm . target clean", "yarn: argv clean"]),
    ("yarn add x", []),
    ("yarn dlx rimraf /etc", ["yarn dlx: argv rimraf /etc"]),
    ("bunx rimraf /etc", ["bunx: argv rimraf /etc"]),
    ("uvx --from x foo /etc", ["uvx: argv foo /etc"]),
    ("uv run x.py", ["script x.py: file python x.py"]),
    ("poetry run rm -rf /etc", ["poetry run: argv rm -rf /etc"]),
    ("mise exec node@20 -- rm -rf /etc", ["mise exec: argv rm -rf /etc"]),
    ("nix develop -c rm -rf /etc", ["nix develop: argv rm -rf /etc"]),
    ("nix-shell -p x --run 'rm -rf'", ["nix-shell --run: text rm -rf"]),
    ("aws-vault exec prof -- rm -rf x", ["aws-vault exec: argv rm -rf x"]),
    ("op run --env-file .env -- rm x", ["op run: argv rm x"]),
    ("conda run -n env rm x", ["conda run: argv rm x"]),
    ("make -C d clean X=1", ["make clean: file make . target clean in d X=1"]),
    ("make -f - all", ["make -f -: stdin make (all)"]),
    ("make -n", []),
    ("just clean a", ["just clean: file just . target clean (a)"]),
    ("python3 -Ic 'import os' a", ["python3 -c: code python import os"]),
    ("python3.11 -m pkg", ["python3.11 -m: file python-module pkg"]),
    ("python3 - x", ["python3: stdin python (x)"]),
    ("python x.py", ["script x.py: file python x.py"]),
    ("node -pe 'x'", ["node --pe: code javascript x"]),
    ("node -e 'x'", ["node --eval: code javascript x"]),
    ("perl -pi -e 's/a/b/' f", ["perl -e: code perl s/a/b/"]),
    ("perl -0777ne 'x' f", ["perl -e: code perl x"]),
    ("awk '{print}' f", ["awk: code awk {print}"]),
    ("awk -f x.awk f", ["awk -f: file awk x.awk"]),
    ("sed -n '1p' f", ["sed: code sed 1p"]),
    ("vim -c '!rm' f", ["vim -c: code vim !rm"]),
    ("ed -s f", ["ed: stdin ed"]),
    ("psql -c 'DROP' db", ["psql -c: code sql DROP"]),
    ("psql", ["psql: stdin sql"]),
    ("sqlite3 db 'drop table x'", ["sqlite3: code sqlite drop table x"]),
    ("mysql -e 'x' db", ["mysql -e: code sql x"]),
    ("tar --to-command='rm' -xf x", ["tar --to-command: text rm"]),
    (
        "tar --checkpoint=1 --checkpoint-action=exec='rm -rf' -cf x y",
        ["tar --checkpoint-action: text rm -rf"],
    ),
    ("rsync -e 'ssh -p 2' a b", ["rsync -e: text ssh -p 2"]),
    ("rg --pre 'rm' x", ["rg --pre: text rm"]),
    ("tmux new-session -d 'rm -rf /etc'", ["tmux new-session: text rm -rf /etc"]),
    ("tmux send-keys -t x 'rm -rf /etc' Enter", ["tmux send-keys: text rm -rf /etc\n"]),
    ("screen -dm rm -rf /etc", ["screen: argv rm -rf /etc"]),
    ("hyperfine --prepare 'rm' 'x y'", ["hyperfine --prepare: text rm", "hyperfine: text x y"]),
    ("./x.sh a", ["script ./x.sh: file executable ./x.sh (a)"]),
    ("/bin/rm -rf x", []),
    ("./env rm x", ["env: argv rm x", "script ./env: file executable ./env (rm x)"]),
    ("busybox rm -rf", ["busybox: argv rm -rf"]),
    ("find . -name '*.pyc' -exec rm {} ;", ["find -exec: argv rm ./$find/*.pyc …"]),
    ("find / -name x -exec rm -rf {} +", ["find -exec: argv rm -rf /$find/x …"]),
    (
        "find a b -type d -exec sh -c 'rm -rf \"$1\"' _ {} ; -exec bash -c 'rm -rf {}' ;",
        [
            'find -exec: argv sh -c rm -rf "$1" _ a/$find|b/$find …',
            "find -exec: argv bash -c rm -rf a/$find|rm -rf b/$find …",
        ],
    ),
    ("fd -e pyc -x rm", ["fd -x: argv rm ./$fd.pyc …"]),
    ("fd foo src -X rm -rf", ["fd -X: argv rm -rf src/$fd …"]),
    ("xargs -0 -n1 rm -rf", ["xargs: argv rm -rf $xargs …"]),
    ("parallel rm -rf ::: /a /b", ["parallel: text rm -rf /a", "parallel: text rm -rf /b"]),
    (
        "parallel 'rm -rf {}/x' ::: /a 'b c'",
        ["parallel: text rm -rf /a/x", "parallel: text rm -rf 'b c'/x"],
    ),
    ("parallel ::: 'rm -rf /etc'", ["parallel: text rm -rf /etc"]),
    (
        "parallel 'convert {} {.}.png'",
        ['parallel: text convert "$1" "$1".png (parallel $parallel)'],
    ),
    ("parallel", ["parallel: text $parallel"]),
    ("cat f", []),
]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_a_wrapper_hands_on_its_inner_commands(command: str, expected: list[str]) -> None:
    assert shapes(command) == expected


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("./x.sh", True),
        ("/tmp/x.sh", True),
        (f"{PROJECT}/bin/x", True),
        ("node_modules/.bin/own", True),
        ("node_modules/.bin/tool", False),
        (".venv/bin/pytest", False),
        ("/usr/bin/python3", False),
        ("/home/dev/.nvm/versions/node/v20/bin/npm", False),
    ],
)
def test_a_program_named_by_a_path_is_read_unless_it_is_installed(path: str, read: bool) -> None:
    world = workspace()
    world.add(f"{PROJECT}/node_modules/.bin/own", "#!/bin/sh\n")
    world.add(f"{PROJECT}/node_modules/.bin/tool", Link("../tool/cli.js"))
    assert any("executable" in shape for shape in shapes(f"{path} a", world)) is read


def test_commands_in_variables_are_handed_on_once() -> None:
    made = execution("git rebase -i", env={"GIT_SEQUENCE_EDITOR": "rm -rf /etc", "X": "y"})
    again = execution("git rebase -i", env={"GIT_SEQUENCE_EDITOR": "rm -rf /etc"})
    again.chain = ("GIT_SEQUENCE_EDITOR",)
    assert (shapes(made), shapes(again)) == (["GIT_SEQUENCE_EDITOR: text rm -rf /etc"], [])


def test_a_shell_runs_its_start_up_file_first() -> None:
    made = execution("bash -c x", env={"BASH_ENV": "/tmp/e"})
    assert shapes(made) == ["BASH_ENV: file shell /tmp/e", "bash -c: text x"]


def test_declared_wrappers_hand_on_their_tail() -> None:
    made = execution("rtk -v rm -rf /etc")
    found = [len(unwrap(made, workspace(), names)) for names in ((), ("rtk",))]
    assert found == [0, 1]


def test_each_program_is_found_in_the_table_of_its_group() -> None:
    package = "cc_safety_net.guard.interpret.wrappers"
    groups = sorted(set(PROGRAMS.values()))
    tables = {group: import_module(f"{package}.{group}").TABLE for group in groups}
    listed = {program: group for group, table in tables.items() for program in table}
    assert listed == PROGRAMS
