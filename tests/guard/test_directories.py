"""Stage 2: execution directory, workspace roots, containment."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, FakeWorld, Link

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.directories import Unfit, find_place, plain_cd

ROOT = f"{HOME}/proj"


def _world(files=(), **options):
    tree = {
        f"{ROOT}/.git/HEAD": "ref: refs/heads/main\n",
        f"{ROOT}/src/a.ts": "",
        f"{HOME}/plain/sub/a": "",
        "/opt/app/a": "",
        "/srv/app/a": "",
        "/usr/local/src/x/a": "",
        "/usr/share/x/a": "",
        "/home/other/proj/.git/HEAD": "",
        "/data/proj/a": "",
        f"{HOME}/link": Link("/data/proj"),
        f"{HOME}/away": Link("/etc"),
        "/var/www/site/a": "",
        "/tmp/t/a": "",
        "/Users/x": None,
    }
    tree.update(files)
    return FakeWorld(tree, directory=options.pop("directory", ROOT), **options)


def _call(command="ls", **options):
    return ToolCall(
        "claude-code", "Bash", "shell", {"command": command}, command=command, **options
    )


def _place(world=None, **options):
    return find_place(_call(**options), world or _world())


@pytest.mark.parametrize(
    ("options", "directory", "roots"),
    [
        ({}, ROOT, (ROOT,)),
        ({"session_directory": f"{ROOT}/src"}, f"{ROOT}/src", (ROOT,)),
        ({"session_directory": ROOT, "directory": "src"}, f"{ROOT}/src", (ROOT,)),
        ({"session_directory": ROOT, "directory": "src/.."}, ROOT, (ROOT,)),
        ({"session_directory": ROOT, "directory": " "}, ROOT, (ROOT,)),
        ({"session_directory": f"{HOME}/plain/sub"}, f"{HOME}/plain/sub", (f"{HOME}/plain/sub",)),
        ({"workspaces": (ROOT + "/",), "rooted": True}, ROOT, (ROOT,)),
        (
            {"workspaces": (ROOT, "/data/proj"), "rooted": True, "directory": "/tmp"},
            "/tmp",
            (ROOT, "/data/proj"),
        ),
        # The agent's variable counts only if the directory lies in it.
        (
            {"workspaces": (ROOT,), "session_directory": f"{HOME}/plain/sub"},
            f"{HOME}/plain/sub",
            (f"{HOME}/plain/sub",),
        ),
        ({"workspaces": (f"{HOME}/plain",)}, f"{HOME}/plain", (f"{HOME}/plain",)),
        ({"session_directory": f"{HOME}/link"}, f"{HOME}/link", (f"{HOME}/link", "/data/proj")),
        ({"session_directory": "/opt/app"}, "/opt/app", ("/opt/app",)),
        ({"session_directory": "/srv/app"}, "/srv/app", ("/srv/app",)),
        ({"session_directory": "/var/www/site"}, "/var/www/site", ("/var/www/site",)),
        ({"session_directory": "/usr/local/src/x"}, "/usr/local/src/x", ("/usr/local/src/x",)),
        ({"session_directory": "/tmp/t"}, "/tmp/t", ("/tmp/t",)),
        ({"session_directory": "/home/other/proj"}, "/home/other/proj", ("/home/other/proj",)),
    ],
)
def test_the_directory_and_the_roots_of_a_call(options, directory, roots):
    place = _place(**options)

    assert (place.directory, place.roots) == (directory, roots)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/etc",
        "/usr/share/x",
        "/usr",
        "/opt",
        HOME,
        "/home",
        "/home/other",
        "/Users/x",
        "/tmp",
        f"{HOME}/away",
        f"{HOME}/.config/cc-safety-net",
        f"{HOME}/.local/state/cc-safety-net",
    ],
)
def test_some_places_are_never_a_workspace(path):
    world = _world(
        {f"{HOME}/.config/cc-safety-net": None, f"{HOME}/.local/state/cc-safety-net": None}
    )

    assert _place(world, session_directory=path).roots == ()
    assert _place(world, workspaces=(path,), rooted=True, directory=ROOT).roots == (ROOT,)


def test_a_home_that_is_a_repository_hides_no_project_below_it():
    world = _world({f"{HOME}/.git/HEAD": ""})

    assert _place(world, session_directory=f"{HOME}/plain/sub").roots == (f"{HOME}/plain/sub",)


def test_a_home_below_a_system_directory_holds_projects():
    world = FakeWorld({"/root/proj/.git/HEAD": ""}, home="/root", directory="/root/proj")

    assert find_place(_call(), world).roots == ("/root/proj",)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"directory": f"{ROOT}/gone"}, "does not exist"),
        ({"directory": "gone"}, "does not exist"),
        ({"directory": "src/a.ts"}, "is no directory"),
        ({"directory": "\\\\?\\C:\\x"}, "Windows"),
        ({"session_directory": "\\\\?\\C:\\x"}, "Windows"),
        ({"directory": "/locked"}, "can't be read"),
        ({"directory": "a\0b"}, "does not exist"),
    ],
)
def test_an_unusable_directory_is_refused(options, why):
    world = _world({"/locked/x": ""}, unreadable=["/locked"])
    with pytest.raises(Unfit) as caught:
        _place(world, **options)

    assert caught.value.rule == "guard.directory-unusable"
    assert why in caught.value.why


def test_the_way_out_of_a_deleted_directory_stays_open():
    gone = f"{ROOT}/gone"

    assert _place(command=f"cd {ROOT} && ls", session_directory=gone).directory == ROOT
    assert _place(command=f"cd '{ROOT}'; ls", session_directory=gone).directory == ROOT
    for command in ("ls", f"cd {ROOT}/nowhere", "cd ..", f"ls && cd {ROOT}", f"cd {ROOT} | ls"):
        with pytest.raises(Unfit) as caught:
            _place(command=command, session_directory=gone)
        assert caught.value.instead == f"cd {ROOT}"


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cd /a/b", "/a/b"),
        ("  cd /a/b ;x", "/a/b"),
        ('cd "/a b" && x', "/a b"),
        ("cd /a b", ""),
        ("cd $X", ""),
        ("cd /a$X", ""),
        ("cd /a*", ""),
        ("cd", ""),
        ("cd -P /a", ""),
        ("xcd /a", ""),
    ],
)
def test_only_a_plain_cd_is_taken(command, path):
    assert plain_cd(command) == path


@pytest.mark.parametrize(
    ("options", "inside"),
    [
        ({"directory": "src", "session_directory": ROOT}, True),
        ({"session_directory": ROOT}, True),
        ({"directory": "/tmp", "session_directory": ROOT}, False),
        ({"directory": "..", "session_directory": ROOT}, False),
        ({"directory": f"{HOME}/away", "session_directory": HOME}, False),
        ({"session_directory": f"{ROOT}/src", "workspaces": (ROOT + "/",), "rooted": True}, True),
        ({"session_directory": HOME, "workspaces": (ROOT,), "rooted": True}, False),
        ({"session_directory": ROOT, "workspaces": ("/nowhere",), "rooted": True}, False),
        ({"workspaces": (ROOT,), "rooted": True}, True),
        (
            {
                "session_directory": "/data/proj",
                "workspaces": (f"{HOME}/link",),
                "rooted": True,
            },
            True,
        ),
    ],
)
def test_a_contained_call_stays_in_its_workspace(options, inside):
    if inside:
        _place(contained=True, **options)
    else:
        with pytest.raises(Unfit) as caught:
            _place(contained=True, **options)
        assert caught.value.rule == "guard.directory-outside-root"


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        ("/var/folders/ab/T", True),
        (f"{HOME}/tmp", True),
        ("/scratch", True),
        ("/", False),
        (HOME, False),
        ("/home", False),
        ("/etc", False),
        ("/usr/lib/x", False),
        ("relative", False),
        ("/var", False),
    ],
)
def test_tmpdir_is_a_temp_root_unless_it_names_what_must_be_kept(value, counts):
    temps = _place(_world(environment={"TMPDIR": value})).temps

    assert (value in temps) is counts
