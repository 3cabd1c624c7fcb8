"""Chains of wrappers: whatever stands in front of a command, and of that, the command is seen."""

from __future__ import annotations

import pytest
from tests.guard.worlds import place, workspace

from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort

PREFIXES = """\
sudo
sudo -u u
sudo -E env X=1
sudo -n -H -u deploy
sudo -nu deploy
sudo --user=deploy --
sudo -D /
sudo A=1 B=2
doas
doas -u x
env FOO=1
env --
env -
env -i
env -u X
/usr/bin/env
env -C /tmp A=b
env -S 'A=1'
command
command -p
builtin
exec
exec -a x
nohup
setsid
setsid -w
nice
nice -n 10
nice -10
nice --adjustment=3
ionice
ionice -c 3
ionice -c2 -n7
chrt -i 0
chrt --batch 0
taskset 0x1
taskset -c 0,1
numactl --cpunodebind=0
timeout 5
timeout -s KILL 5
timeout -k 1 5s
timeout --signal=9 --preserve-status 5
gtimeout 5
time
time -p
/usr/bin/time -v
/usr/bin/time -f %e -o t
stdbuf -o0
stdbuf -i0 -oL
unbuffer
strace
strace -f -e trace=file -o t
ltrace -f
perf stat
perf record -g
perf stat -e cycles --
valgrind --tool=memcheck
chroot d
chroot --userspec=a:b d
unshare -r
unshare --mount --pid --fork
nsenter -t 1 -m
nsenter --target 1 --all
bwrap --ro-bind / /
bwrap --dev /dev --unshare-all --bind / / --
firejail
firejail --net=none
proot -r /x
fakeroot
fakeroot --
faketime '2020-01-01'
systemd-run --user --scope
systemd-run -p A=b --pty
systemd-inhibit --what=idle
runuser -u u --
runuser -u u
setpriv --reuid 1 --clear-groups
gosu u
su-exec u
setuidgid u
chpst -u u
prlimit --nofile=5
prlimit --as=1000
tini --
tini -g --
dumb-init
dumb-init -c
xvfb-run -a
xvfb-run -s '-screen 0'
dbus-run-session --
ssh-agent
caffeinate -i
caffeinate -t 5
sandbox-exec -f p
sandbox-exec -n x
arch -x86_64
busybox
toybox
coproc
noglob
nocorrect
flock /tmp/l
flock -n 9
flock -w 5 /tmp/l
watch -n1
watch -x
entr
entr -r
screen -dm
screen -dmS x
catchsegv
aws-vault exec p --
op run --
doppler run --
infisical run --
chamber exec s --
direnv exec .
dotenv
dotenv -f .env
dotenv -e .env --
mise exec --
mise x node@20 --
asdf exec
rbenv exec
pyenv exec
bundle exec
poetry run
pipenv run
pdm run
hatch run
rye run
uv run
uv run --with x
uv run --no-sync --
conda run -n e
micromamba run -n e
nix develop -c
nix develop .#x --command
nix shell nixpkgs#x -c
guix shell x --
npx
npx -y
npx --no-install
npx --package=x
npm exec --
npm x --
pnpm exec
pnpm dlx
yarn exec
yarn dlx
bunx
bun x
uvx
uv tool run
pipx run
parallel --
xargs
xargs -n1
""".splitlines()

STRINGS = """\
bash -c
sh -lc
bash -euxo pipefail -c
bash -c --
zsh -ic
ksh -c
dash -c
fish -c
nu -c
xonsh -c
elvish -c
tcsh -c
eval
env -S
su -c
su - app -c
sudo -u x bash -c
script -qc
script -q /dev/null -c
nix-shell -p hello --run
tmux new-session -d
tmux neww
tmux run-shell
tmux send-keys -t x
screen -S x -X stuff
hyperfine
watchexec --
nodemon --exec
concurrently
entr -s
watch
flock /tmp/l -c
parallel :::
ssh-agent sh -c
git submodule foreach
git rebase --exec
git filter-branch --tree-filter
git difftool -x
npx -c
npm exec -c
make --eval x; eval
runuser -l u -c
sg docker -c
mise exec -c
doppler run --command
""".splitlines()


def deletes_etc(command: str) -> bool:
    """The reading of the command deletes the whole of /etc."""
    reading = read_shell(command, "posix", place(), workspace(), Effort())
    return any(
        access.mode == "delete" and access.recursive and (access.path.text or "") == "/etc"
        for access in reading.accesses
    )


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_command_behind_a_wrapper_is_seen(prefix: str) -> None:
    assert deletes_etc(f"{prefix} rm -rf /etc")


@pytest.mark.parametrize("prefix", STRINGS)
def test_a_command_in_a_string_is_seen(prefix: str) -> None:
    assert deletes_etc(f"{prefix} 'rm -rf /etc'")


@pytest.mark.parametrize("outer", PREFIXES)
def test_a_command_behind_two_wrappers_is_seen(outer: str) -> None:
    keywords = ("coproc", "noglob", "nocorrect", "time")
    inner = [prefix for prefix in PREFIXES if not prefix.startswith(keywords)]
    if outer.startswith(("watch", "parallel")):  # they join their words: quotes are lost
        inner = [prefix for prefix in inner if "'" not in prefix]
    lost = [prefix for prefix in inner[::11] if not deletes_etc(f"{outer} {prefix} rm -rf /etc")]
    assert lost == []


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_harmless_command_behind_a_wrapper_deletes_nothing(prefix: str) -> None:
    assert not deletes_etc(f"{prefix} echo rm -rf /etc")
