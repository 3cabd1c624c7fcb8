"""Commands that run elsewhere: on another machine, in a container, a pod, a virtual machine."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Scope, Word, known
from cc_safety_net.guard.interpret.options import cut, joined, lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import UNKNOWN_DIRECTORY, apply
from cc_safety_net.guard.interpret.wrappers.inner import Inner, InnerText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_SSH = (
    "b: c: D: E: e: F: I: i: J: L: l: m: O: o: p: Q:@query R: S: W:@query w: B: P: v q N@query T"
    " t A a f n x X Y C G g"
    " K k M s y 1 2 4 6 V@query"
)
#: Client settings that run a command on this machine.
_SSH_COMMANDS = frozenset(("knownhostscommand", "localcommand", "proxycommand"))
_EXEC = (
    "e,env: env-file: u,user: w,workdir:@dir d,detach i,interactive t,tty privileged detach-keys:"
    " l,latest preserve-fds:"
)
_RUN = (
    "v,volume:@mount mount:@bind w,workdir:@dir e,env: env-file: u,user: name: p,publish:"
    " network,net: m,memory: l,label: label-file: entrypoint: h,hostname: add-host: a,attach:"
    " c,cpu-shares: cpus: cap-add: cap-drop: cidfile: device: dns: dns-search: dns-option: expose:"
    " gpus: group-add: health-cmd: health-interval: health-timeout: ip: ip6: ipc: isolation: link:"
    " log-driver: log-opt: mac-address: network-alias: oom-score-adj: pid: pids-limit: platform:"
    " pull: restart: runtime: security-opt: shm-size: stop-signal: stop-timeout: storage-opt:"
    " sysctl: tmpfs: ulimit: userns: uts: volume-driver: volumes-from: annotation: arch: authfile:"
    " cgroups: conmon-pidfile: env-host hooks-dir: http-proxy? image-volume: init-path: os: pod:"
    " requires: rootfs seccomp-policy: secret: subgidname: subuidname: systemd? timeout: tz: umask:"
    " variant: i,interactive t,tty d,detach rm init privileged read-only P,publish-all q,quiet"
    " blkio-weight: cpu-period: cpu-quota: cpuset-cpus: cpuset-mems: memory-swap:"
    " memory-reservation:"
    " memory-swappiness: kernel-memory: cgroup-parent: cgroupns: device-cgroup-rule: domainname:"
)
_COMPOSE_GLOBAL = (
    "f,file: env-file: p,project-name: profile: project-directory: ansi: progress: parallel:"
    " c,context:"
)
_COMPOSE_EXEC = "e,env: u,user: w,workdir:@dir index: T,no-TTY d,detach i,interactive privileged"
_COMPOSE_RUN = (
    _COMPOSE_EXEC + " v,volume:@mount name: p,publish: l,label: entrypoint: cap-add: cap-drop:"
    " env-from-file: pull: rm no-deps service-ports use-aliases build quiet-pull"
)
_COMPOSE: Entry = {
    "": (_COMPOSE_GLOBAL, ""),
    "exec": (_COMPOSE_EXEC, "tail skip=1 box"),
    "run": (_COMPOSE_RUN, "tail skip=1 box"),
}
_KUBE_GLOBAL = (
    "n,namespace: context: kubeconfig: cluster: user: s,server: token: as: as-group: as-uid: v:"
    " cache-dir: certificate-authority: client-certificate: client-key: request-timeout:"
    " tls-server-name: password: username: log-flush-frequency: profile: profile-output:"
)
_KUBE_EXEC = _KUBE_GLOBAL + " c,container: f,filename: i,stdin t,tty q,quiet pod-running-timeout:"
_KUBE_DEBUG = (
    _KUBE_EXEC + " image: target: copy-to: env: profile: custom: image-pull-policy: set-image:"
)
_KUBE_RUN = (
    _KUBE_EXEC + " image: restart: env: port: labels,l: overrides: override-type: limits: requests:"
)


def _ssh(execution: Execution, world: World) -> list[Inner]:
    """The words behind the host are joined to a text; `-o ProxyCommand=…` runs here."""
    words = execution.argv
    label = execution.program
    found: list[Inner] = []
    # Its own port for watching; to ssh it is a switch.
    options = _SSH.replace(" M ", " M: ") if label == "autossh" else _SSH
    arguments = parse(words, options)
    for option in arguments.options:
        if option.name == "o" and option.value is not None:
            text = lead(option.value)
            name = text.replace(" ", "=", 1).partition("=")[0].strip().lower()
            if name in _SSH_COMMANDS:
                found.append(InnerText(f"{label} -o {name}", cut(option.value, len(name) + 1)))
    return found + apply(
        (options, "join skip=1 again optional remote"), words, 1, label, execution, world
    )


def _container(execution: Execution, world: World) -> list[Inner]:
    """docker and its like. `--entrypoint` is the program of `run`, the words its arguments."""
    words = execution.argv
    for index, word in enumerate(words[1:4], 1):
        if word.text in ("run", "create"):
            arguments = parse(words, _RUN, start=index + 1)
            program = arguments.value("entrypoint")
            operands = arguments.operands
            if program is not None and program.choices[0] and operands:
                rest = (*words[: arguments.rest], operands[0], program, *operands[1:])
                return apply(_DOCKER, rest, 1, execution.program, execution, world)
            break
    return apply(_DOCKER, words, 1, execution.program, execution, world)


def _adb(execution: Execution, world: World) -> list[Inner]:
    entry: Entry = {
        "": ("s: t: H: P: L: d e a", ""),
        "shell": ("e: n T t x", "join optional remote"),
        "exec-out": ("", "join remote"),
    }
    return apply(entry, execution.argv, 1, "adb", execution, world)


def _wsl(execution: Execution, world: World) -> list[Inner]:
    """The drives of Windows are mounted below `/mnt`."""
    options = (
        "d,distribution: u,user: cd:@dir shell-type: e,exec$ l,list@query v,verbose status@query"
        " version@query help@query shutdown@query t,terminate:@query export:@query import:@query"
        " unregister:@query install@query update@query mount@query unmount@query set-default:@query"
        " system"
    )
    found = apply((options, "tail optional"), execution.argv, 1, "wsl", execution, world)
    for inner in found:
        inner.scope = Scope("box", "wsl", (("/mnt/c", "/mnt/c"), ("/mnt/d", "/mnt/d")))
        if inner.directory is None:
            inner.directory = UNKNOWN_DIRECTORY
    return found


def _aws(execution: Execution, _world: World) -> list[Inner]:
    """`aws ssm send-command --parameters commands=…`."""
    words = execution.argv
    if not {"ssm", "send-command"} <= {word.text for word in words}:
        return []
    value = parse(words, "parameters: instance-ids: document-name: targets:", permute=True).value(
        "parameters"
    )
    if value is None:
        return []
    text = value.text
    if text is None:
        return [_remote("aws ssm send-command", cut(value, len("commands=")))]
    if text.startswith("{"):
        from json import loads

        try:
            commands = loads(text).get("commands", [])
        except (ValueError, AttributeError):
            commands = []
        lines = commands if isinstance(commands, list) else [commands]
    else:
        lines = [text.partition("=")[2].strip("[]").strip("\"'")]
    return [
        _remote("aws ssm send-command", known(str(line), value.start, value.end)) for line in lines
    ]


def _az(execution: Execution, _world: World) -> list[Inner]:
    words = execution.argv
    texts = [word.text for word in words]
    if "run-command" in texts:
        values = _all_of(words, "--scripts")
        return [_remote("az run-command", value) for value in values]
    if "exec" in texts:
        values = _all_of(words, "--exec-command") or _all_of(words, "--command")
        return [_remote("az exec", value) for value in values]
    return []


def _all_of(words: tuple[Word, ...], name: str) -> list[Word]:
    """The values of an option that takes all words up to the next one."""
    found: list[Word] = []
    inside = False
    for word in words:
        text = lead(word)
        if text.startswith("--"):
            inside = text.partition("=")[0] == name
            if inside and "=" in text:
                found.append(cut(word, len(name) + 1))
        elif inside:
            found.append(word)
    return found


def _remote(label: str, text: Word) -> Inner:
    inner = InnerText(label, text)
    inner.scope = Scope("remote")
    inner.directory = UNKNOWN_DIRECTORY
    return inner


def _heroku(execution: Execution, _world: World) -> list[Inner]:
    words = execution.argv
    arguments = parse(words, "a,app: r,remote: s,size: type: e,env: exit-code no-tty x")
    operands = arguments.operands
    if not operands or operands[0].text not in ("run", "run:detached", "run:inside", "ps:exec"):
        return []
    rest = parse(operands, "a,app: r,remote: s,size: type: e,env: exit-code no-tty x").operands
    return [_remote("heroku run", joined(rest))] if rest else []


_DOCKER: Entry = {
    "": ("H,host: config: c,context: l,log-level: tlscacert: tlscert: tlskey: url: identity:", ""),
    "exec": (_EXEC, "tail skip=1 box"),
    "run": (_RUN, "tail skip=1 fresh"),
    "container": {"exec": (_EXEC, "tail skip=1 box"), "run": (_RUN, "tail skip=1 fresh")},
    "compose": _COMPOSE,
    "machine": {"ssh": ("", "join skip=1 remote")},
}
_KUBECTL: Entry = {
    "": (_KUBE_GLOBAL, ""),
    "exec": (_KUBE_EXEC, "tail dashes=1 permute box"),
    "debug": (_KUBE_DEBUG, "tail dashes permute box"),
    "run": (_KUBE_RUN, "tail dashes permute box"),
}

TABLE: dict[str, Entry] = {
    "ssh": _ssh,
    "autossh": _ssh,
    "slogin": _ssh,
    "mosh": ("p,port: ssh:@also predict: server: family: a n 4 6", "tail skip=1 remote"),
    "sshpass": ("f: d: p: P: v e", "tail"),
    "rsh": ("l: n d", "join skip=1 remote"),
    "vagrant": {"ssh": ("c,command:@text p,plain t,tty", "remote")},
    "docker": _container,
    "podman": _container,
    "nerdctl": _container,
    "docker-compose": _COMPOSE,
    "podman-compose": _COMPOSE,
    "lxc": {"exec": ("cwd:@dir env: user: group: mode: T t n", "tail dashes=1 permute box")},
    "incus": {"exec": ("cwd:@dir env: user: group: mode: T t n", "tail dashes=1 permute box")},
    "lxc-attach": ("n,name: u,uid: g,gid: v,set-var:", "tail box"),
    "machinectl": {"shell": ("uid: E,setenv:", "tail skip=1 box")},
    "kubectl": _KUBECTL,
    "oc": {
        "": (_KUBE_GLOBAL, ""),
        "exec": (_KUBE_EXEC, "tail dashes=1 permute box"),
        "rsh": (_KUBE_EXEC, "tail skip=1 box"),
        "debug": (_KUBE_DEBUG, "tail dashes permute box"),
    },
    "sail": ("", "tail box"),
    "devcontainer": {
        "exec": (
            (
                "workspace-folder: container-id: docker-path: config: remote-env: id-label:"
                " override-config: log-level:"
            ),
            "tail box",
        )
    },
    "devpod": {"ssh": ("command:@text workdir: user:", "remote permute")},
    "distrobox": {
        "": ("", ""),
        "enter": ("n,name: e,exec$ a,additional-flags: T", "tail dashes permute box"),
    },
    "distrobox-enter": ("n,name: e,exec$ a,additional-flags: T", "tail dashes permute box"),
    "toolbox": {"run": ("c,container: d,distro: r,release:", "tail box")},
    "gcloud": {
        "": ("project: account: q,quiet format: verbosity: configuration:", ""),
        "compute": {
            "ssh": (
                (
                    "command:@text zone: project: ssh-flag: ssh-key-file: internal-ip"
                    " tunnel-through-iap"
                ),
                "remote permute",
            )
        },
        "cloud-shell": {"ssh": ("command:@text", "remote permute")},
    },
    "aws": _aws,
    "az": _az,
    "fly": {
        "ssh": {
            "console": ("C,command:@text a,app: c,config: s r,region: u,user:", "remote permute")
        }
    },
    "flyctl": {
        "ssh": {"console": ("C,command:@text a,app: c,config: s u,user:", "remote permute")}
    },
    "heroku": _heroku,
    "railway": {"ssh": ("s,service: e,environment: p,project:", "join remote")},
    "adb": _adb,
    "wsl": _wsl,
    "multipass": {"exec": ("d,working-directory:@dir n", "tail dashes=1 permute box")},
    "limactl": {"shell": ("shell: workdir:@dir", "tail skip=1 box")},
    "lima": ("", "tail box"),
    "colima": {"ssh": ("p,profile:", "tail dashes=0 permute box")},
    "orb": ("m,machine: u,user: w,workdir:@dir p,path", "tail box"),
}
