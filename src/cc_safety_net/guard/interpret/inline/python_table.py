"""Python's modules: what a call does, and names that stand for others."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.inline.calls import Action

#: Modules that are another by its own name.
MODULES = {
    "posix": "os",
    "nt": "os",
    "posixpath": "os.path",
    "ntpath": "os.path",
    "builtins": "",
    "__builtin__": "",
    "__builtins__": "",
    "os.posix": "os",
    "os.path.os": "os",
    "_posixsubprocess": "subprocess",
    "distutils.file_util": "shutil",
    "setuptools._distutils.dir_util": "distutils.dir_util",
    "aiofiles.os": "os",
    "aioshutil": "shutil",
    "plumbum.cmd": "plumbum.cmd",
    "anyio.to_thread": "asyncio",
    "commands": "subprocess",
    "pathlib2": "pathlib",
    "popen2": "subprocess",
    "subprocess32": "subprocess",
    "io": "io",
    "codecs": "codecs",
}

EFFECTS: dict[str, Action] = {
    # Deletions.
    "shutil.rmtree": ("delete-tree", 0),
    "os.remove": ("delete", 0),
    "os.unlink": ("delete", 0),
    "os.rmdir": ("delete", 0),
    "os.removedirs": ("delete", 0),
    "send2trash.send2trash": ("delete-tree", 0),
    "distutils.dir_util.remove_tree": ("delete-tree", 0),
    "setuptools.distutils.dir_util.remove_tree": ("delete-tree", 0),
    "test.support.os_helper.rmtree": ("delete-tree", 0),
    # Moves, copies, links.
    "os.rename": ("move", 0, 1),
    "os.replace": ("move", 0, 1),
    "os.renames": ("move", 0, 1),
    "shutil.move": ("move", 0, 1),
    "shutil.copy": ("copy", 0, 1),
    "shutil.copy2": ("copy", 0, 1),
    "shutil.copyfile": ("copy", 0, 1),
    "shutil.copytree": ("copy", 0, 1),
    "os.symlink": ("link", 0, 1),
    "os.link": ("link", 0, 1),
    "os.truncate": ("truncate", 0, 1),
    # Permissions.
    "os.chmod": ("permissions", 0),
    "os.lchmod": ("permissions", 0),
    "os.chown": ("permissions", 0),
    "os.lchown": ("permissions", 0),
    "shutil.chown": ("permissions", 0),
    "shutil.copymode": ("permissions", 1),
    "os.mkdir": ("create", 0),
    "os.mknod": ("create", 0),
    # Programs.
    "os.system": ("shell", 0),
    "os.popen": ("shell", 0),
    "os.popen2": ("shell", 0),
    "os.popen3": ("shell", 0),
    "subprocess.getoutput": ("shell", 0),
    "subprocess.getstatusoutput": ("shell", 0),
    "asyncio.create_subprocess_shell": ("shell", 0),
    "asyncio.subprocess.create_subprocess_shell": ("shell", 0),
    "subprocess.run": ("program", 0),
    "subprocess.call": ("program", 0),
    "subprocess.check_call": ("program", 0),
    "subprocess.check_output": ("program", 0),
    "subprocess.Popen": ("program", 0),
    "pty.spawn": ("program", 0),
    "pexpect.spawn": ("shell", 0),
    "pexpect.run": ("shell", 0),
    "pexpect.runu": ("shell", 0),
    "invoke.run": ("shell", 0),
    "__invoke_context__.run": ("shell", 0),
    "__invoke_context__.sudo": ("shell", 0),
    "__invoke_context__.local": ("shell", 0),
    "__nox_session__.run": ("argv",),
    "__nox_session__.run_always": ("argv",),
    "__nox_session__.run_install": ("argv",),
    "anyio.run_process": ("program", 0),
    "anyio.open_process": ("program", 0),
    "trio.run_process": ("program", 0),
    "trio.lowlevel.open_process": ("program", 0),
    "fabric.local": ("shell", 0),
    "fabric.api.local": ("shell", 0),
    "delegator.run": ("shell", 0),
    "IPython.system": ("shell", 0),
    "asyncio.create_subprocess_exec": ("argv",),
    "asyncio.subprocess.create_subprocess_exec": ("argv",),
    "os.execv": ("exec-list", 0, 1),
    "os.execve": ("exec-list", 0, 1),
    "os.execvp": ("exec-list", 0, 1),
    "os.execvpe": ("exec-list", 0, 1),
    "os.posix_spawn": ("exec-list", 0, 1),
    "os.posix_spawnp": ("exec-list", 0, 1),
    "os.spawnv": ("exec-list", 1, 2),
    "os.spawnve": ("exec-list", 1, 2),
    "os.spawnvp": ("exec-list", 1, 2),
    "os.spawnvpe": ("exec-list", 1, 2),
    "os.execl": ("exec-rest", 0),
    "os.execle": ("exec-rest", 0),
    "os.execlp": ("exec-rest", 0),
    "os.execlpe": ("exec-rest", 0),
    "os.spawnl": ("exec-rest", 1),
    "os.spawnle": ("exec-rest", 1),
    "os.spawnlp": ("exec-rest", 1),
    "os.spawnlpe": ("exec-rest", 1),
    "os.kill": ("kill", 0, "one"),
    "os.killpg": ("kill", 0, "one"),
    # Elsewhere in the process.
    "os.chdir": ("chdir", 0),
    "contextlib.chdir": ("chdir", 0),
    # Reading.
    "linecache.getlines": ("read", 0),
    "linecache.getline": ("read", 0),
    "fileinput.input": ("read", 0),
    "pandas.read_csv": ("read", 0),
    "numpy.loadtxt": ("read", 0),
}

#: Methods of an object that stands for a path.
PATH_METHODS: dict[str, Action] = {
    "unlink": ("delete", "self"),
    "rmdir": ("delete", "self"),
    "rmtree": ("delete-tree", "self"),
    "remove": ("delete", "self"),
    "rename": ("move", "self", 0),
    "replace": ("move", "self", 0),
    "move": ("move", "self", 0),
    "move_into": ("move", "self", 0),
    "copy": ("copy", "self", 0),
    "write_text": ("write", "self", 0),
    "write_bytes": ("write", "self", 0),
    "read_text": ("read", "self"),
    "read_bytes": ("read", "self"),
    "chmod": ("permissions", "self"),
    "lchmod": ("permissions", "self"),
    "touch": ("create", "self"),
    "symlink_to": ("link", 0, "self"),
    "hardlink_to": ("link", 0, "self"),
    "link_to": ("link", "self", 0),
}

#: Results of calls that only say where something is.
PATH_CLASSES = frozenset(
    (
        "pathlib.Path",
        "pathlib.PosixPath",
        "pathlib.PurePath",
        "pathlib.PurePosixPath",
        "pathlib.WindowsPath",
        "anyio.Path",
        "path.Path",
        "py.path.local",
    )
)
OPENERS = frozenset(
    ("open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "file")
)
#: Calls that fetch what an address names; text run after one of them may be what came.
FETCHERS = frozenset(
    (
        "httpx.get", "httpx.post", "httpx.stream", "requests.get", "requests.post",
        "requests.request", "urllib.request.urlopen", "urllib.request.urlretrieve",
        "urllib2.urlopen", "urllib3.request",
    )
)  # fmt: skip
#: Ways to say "the process ends here".
EXITS = frozenset(("sys.exit", "exit", "quit", "os._exit", "os.abort"))
