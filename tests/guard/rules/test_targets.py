"""Target classes on the disk: links, spellings of case, nested repositories, temp roots, mounts."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, FakeWorld, Link, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.engine import decide

W = f"{HOME}/proj"
ALLOW = "allow"
SELF = "rm.recursive-force-cwd-self"
OUTSIDE = "rm.recursive-force-outside-cwd"
HOMES = "rm.recursive-force-root-or-home"
GIT = "rm.git-metadata"
NESTED = "rm.nested-repository"
SYSTEM = "rm.system-path"
REMOTE = "remote.delete"


def deciding(command: str, world: FakeWorld, root: str = W) -> str:
    """The rule that decides, `allow` if none does."""
    call = ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": command},
        command=command,
        dialect="posix",
        directory=root,
        session_directory=root,
        workspaces=(root,),
    )
    finding = decide(call, world).finding
    return finding.rule if finding is not None else ALLOW


def world_with(files: dict[str, str | None]) -> FakeWorld:
    world = workspace()
    for path, content in files.items():
        world.add(path, content)
    return world


LINKS = {
    f"{W}/link": Link("../other"),
    f"{W}/temporary": Link("/tmp/b"),
    f"{W}/system": Link("/etc"),
    f"{W}/api": Link("packages/api"),
    "/tmp/w": Link(W),
    "/tmp/h": Link(HOME),
    f"{HOME}/alias": Link(W),
}


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        (ALLOW, "rm -rf link"),
        (OUTSIDE, "rm -rf link/"),
        (OUTSIDE, "rm -rf link/sub"),
        (OUTSIDE, "rm -rf link/*"),
        (HOMES, "rm -rf link/.."),
        (ALLOW, "rm -rf temporary/x"),
        (SYSTEM, "rm -rf system/ssl"),
        (SYSTEM, "cd system && rm -rf ssl"),
        (ALLOW, "rm -rf /tmp/w"),
        (GIT, "rm -rf /tmp/w/"),
        (GIT, "rm -rf /tmp/w/.git"),
        (SELF, "rm -rf /tmp/w/*"),
        (ALLOW, "rm -rf /tmp/w/build"),
        (HOMES, "rm -rf /tmp/h/*"),
        (OUTSIDE, "rm -rf /tmp/h/docs"),
        (ALLOW, "rm -rf api/dist"),
        (SELF, "rm -rf ~/alias/*"),
        ("git.hooks-write", "echo x > ~/alias/.git/hooks/pre-commit"),
    ],
)
def test_a_link_counts_where_it_is_followed(rule, command):
    assert deciding(command, world_with(LINKS)) == rule


class Folding(FakeWorld):
    """A disk that ignores case."""

    def status(self, path):
        known = {name.lower(): name for name in self._tree}
        return super().status(known.get(path.lower().rstrip("/") or "/", path))


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        (GIT, "rm -rf .GIT"),
        (GIT, "rm -rf /HOME/dev/PROJ"),
        (HOMES, "rm -rf /Home/Dev"),
        (HOMES, "rm -rf /home/DEV/*"),
        ("git.hooks-write", "cp x .Git/hooks/pre-commit"),
        (ALLOW, "rm -rf /home/dev/PROJ/build"),
    ],
)
def test_two_spellings_of_one_directory_are_one(rule, command):
    world = Folding(workspace()._tree, home=HOME, directory=W)

    assert deciding(command, world) == rule


NESTING = {
    f"{W}/vendor/lib/.git/HEAD": "ref: refs/heads/main\n",
    f"{W}/more/a/.git/HEAD": "ref: refs/heads/main\n",
    f"{W}/build/fetched/.git/HEAD": "ref: refs/heads/main\n",
    f"{W}/module/.git": "gitdir: ../.git/modules/module\n",
    f"{W}/.git/modules/module/HEAD": "ref: refs/heads/main\n",
    f"{W}/trees/t/.git": f"gitdir: {W}/.git/worktrees/t\n",
    f"{W}/.git/worktrees/t/HEAD": "ref: refs/heads/t\n",
    f"{W}/.git/worktrees/t/commondir": "../..\n",
    f"{W}/.git/worktrees/t/gitdir": f"{W}/trees/t/.git\n",
    f"{HOME}/repo/.git/HEAD": "ref: refs/heads/main\n",
    f"{HOME}/repo/node_modules/x/i.js": "1\n",
}


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        (NESTED, "rm -rf vendor/lib"),
        (ALLOW, "rm -rf vendor"),
        (NESTED, "rm -rf more"),
        (NESTED, "rm -rf more/*"),
        (NESTED, "rm -rf more/a/.git"),
        (NESTED, "cd more/a && rm -rf .git"),
        (ALLOW, "rm -rf build"),
        (NESTED, "rm -rf build/fetched"),
        (ALLOW, "rm -rf module"),
        ("git.metadata-write", "rm module/.git"),
        ("git.worktree-remove-force", "rm -rf trees/t"),
        ("git.worktree-remove-force", "rm -rf trees"),
        ("git.worktree-remove-force", "rm -rf trees/*"),
        (ALLOW, "mv more others"),
        (GIT, "rm -rf ~/repo"),
        (GIT, "rm -rf ~/repo/.git"),
        (ALLOW, "rm -rf ~/repo/node_modules"),
        (ALLOW, "mv ~/repo ."),
        ("git.metadata-write", "mv more/a/.git /tmp/x"),
        ("git.metadata-write", "echo x > more/a/.git/config"),
        ("git.metadata-write", "echo x > .git/modules/module/config"),
        ("git.hooks-write", "echo x > .git/modules/module/hooks/pre-push"),
    ],
)
def test_repositories_on_the_disk_count(rule, command):
    assert deciding(command, world_with(NESTING)) == rule


@pytest.mark.parametrize(
    ("rule", "command"),
    [(ALLOW, "rm -rf build"), (GIT, f"rm -rf {W}/.git"), ("git.metadata-write", "rm .git")],
)
def test_a_linked_worktree_as_workspace_protects_the_repository_behind_it(rule, command):
    root = f"{HOME}/tree"
    world = world_with(
        {
            f"{root}/.git": f"gitdir: {W}/.git/worktrees/tree\n",
            f"{root}/build/a": "1\n",
            f"{W}/.git/worktrees/tree/HEAD": "ref: refs/heads/t\n",
            f"{W}/.git/worktrees/tree/commondir": "../..\n",
            f"{W}/.git/worktrees/tree/gitdir": f"{root}/.git\n",
        }
    )

    assert deciding(command, world, root) == rule


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        (ALLOW, "rm -rf a"),
        (GIT, "rm -rf .git"),
        (GIT, "rm -rf ."),
        (SELF, "rm -rf *"),
        (OUTSIDE, "rm -rf ../other"),
        (ALLOW, "rm -rf /tmp/z"),
        (GIT, "rm -rf /tmp/*"),
        (GIT, "rm -rf /tmp/work"),
        (SELF, "rm -rf /tmp"),
    ],
)
def test_the_entry_of_a_temp_root_that_holds_the_workspace_is_not_temporary(rule, command):
    root = "/tmp/work/proj"
    world = world_with(
        {f"{root}/.git/HEAD": "x\n", f"{root}/a": "1\n", "/tmp/work/other/a": "", "/tmp/z/a": ""}
    )

    assert deciding(command, world, root) == rule


@pytest.mark.parametrize(
    ("rule", "command", "variable"),
    [
        (ALLOW, "rm -rf $TMPDIR/x", f"{HOME}/tmp"),
        (ALLOW, f"rm -rf {HOME}/tmp/x", f"{HOME}/tmp"),
        (SYSTEM, "rm -rf $TMPDIR", f"{HOME}/tmp"),
        (OUTSIDE, f"TMPDIR=/x; rm -rf {HOME}/tmp/x", f"{HOME}/tmp"),
        (OUTSIDE, "rm -rf ~/docs", "/home"),
        (SYSTEM, "rm -rf /etc/x", "/"),
        (GIT, "rm -rf .git", W),
        (SYSTEM, "rm -rf /var/folders/ab/cdef/T", "/var/folders/ab/cdef/T/"),
        (ALLOW, "rm -rf /var/folders/ab/cdef/T/x", "/var/folders/ab/cdef/T/"),
        (ALLOW, "rm -rf /private/var/folders/ab/cdef/T/x", ""),
        (ALLOW, "rm -rf /private/tmp/x", ""),
        (SYSTEM, "rm -rf /private/etc", ""),
    ],
)
def test_temp_roots_are_the_systems_and_the_persons(rule, command, variable):
    world = workspace()
    if variable:
        world.environment = {**world.environment, "TMPDIR": variable}

    assert deciding(command, world) == rule


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        (HOMES, "docker run -v /:/h alpine rm -rf /h"),
        (SYSTEM, "docker run -v /:/h alpine rm -rf /h/etc"),
        (GIT, f"docker run -v {W}:/app alpine rm -rf /app"),
        (ALLOW, f"docker run -v {W}:/app alpine rm -rf /app/build"),
        (ALLOW, 'docker run -v "$PWD":/app -w /app alpine rm -rf build'),
        (SELF, 'docker run -v "$PWD":/app -w /app alpine sh -c "rm -rf *"'),
        (ALLOW, "docker run alpine rm -rf /"),
        (REMOTE, "docker run -v vol:/data alpine rm -rf /data/x"),
        (REMOTE, "ssh h rm -rf build"),
        (REMOTE, 'ssh h "cd /srv && rm -rf app"'),
        (REMOTE, 'ssh h "rm -rf /var/www/*"'),
        (REMOTE, "ssh h rm '/srv/*.txt'"),
        (REMOTE, 'kubectl exec -it p -- sh -c "rm -rf /data/*"'),
        (REMOTE, "docker exec c find /data -delete"),
        (ALLOW, "ssh h rm -rf /tmp/x"),
        (ALLOW, 'ssh h "cd /srv/app && rm -rf node_modules"'),
        (ALLOW, "ssh h rm /srv/a.txt"),
        (ALLOW, "docker exec c rm -rf /var/cache/apk/x"),
        (ALLOW, "docker exec c rm -rf tmp/cache"),
        ("dd.device-write", "ssh h dd if=x of=/dev/sda"),
        ("system.power", "ssh h sudo reboot"),
        (ALLOW, "docker exec c kill -HUP 1"),
    ],
)
def test_other_machines_and_boxes(rule, command):
    assert deciding(command, workspace()) == rule


def test_allowed_paths_of_the_policy_count_as_inside():
    world = workspace()
    world.add(
        f"{world.config}/policy.json",
        f'{{"version": 2, "allow_paths": ["{HOME}/other"]}}',
    )

    assert deciding("rm -rf ~/other/x", world) == ALLOW
    assert deciding("rm -rf ~/others", world) == OUTSIDE
