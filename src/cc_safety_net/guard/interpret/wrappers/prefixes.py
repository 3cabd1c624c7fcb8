"""Programs whose inner command is the tail of their arguments (`sudo`, `timeout`, `strace`)."""

from __future__ import annotations

from cc_safety_net.guard.interpret.options import lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import apply
from cc_safety_net.guard.interpret.wrappers.inner import InnerArgv

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.interpret.wrappers.inner import Inner
    from cc_safety_net.guard.world import World

#: Options of bwrap with two values; all others that are listed take one.
_BWRAP_TWO = frozenset(
    (
        "--bind",
        "--bind-data",
        "--bind-fd",
        "--bind-try",
        "--chmod",
        "--dev-bind",
        "--dev-bind-try",
        "--file",
        "--ro-bind",
        "--ro-bind-data",
        "--ro-bind-fd",
        "--ro-bind-try",
        "--setenv",
        "--symlink",
    )
)
_BWRAP_NONE = frozenset(
    (
        "--as-pid-1",
        "--clearenv",
        "--die-with-parent",
        "--disable-userns",
        "--new-session",
        "--share-net",
        "--unshare-all",
        "--unshare-cgroup",
        "--unshare-cgroup-try",
        "--unshare-ipc",
        "--unshare-net",
        "--unshare-pid",
        "--unshare-user",
        "--unshare-user-try",
        "--unshare-uts",
    )
)


def _bwrap(execution: Execution, _world: World) -> list[Inner]:
    words = execution.argv
    index = 1
    directory = None
    while index < len(words):
        text = lead(words[index])
        if text == "--":
            index += 1
            break
        if not text.startswith("--"):
            break
        if text == "--chdir" and index + 1 < len(words):
            directory = words[index + 1]
        index += 1 if text in _BWRAP_NONE else 3 if text in _BWRAP_TWO else 2
    if index >= len(words):
        return []
    inner = InnerArgv("bwrap", words[index:])
    inner.directory = directory
    return [inner]


_SU = (
    (
        "c,command:@text session-command:@text s,shell: g,group: G,supp-group: l,login f m p P,pty"
        " w,whitelist-environment:"
    ),
    "stdin permute",
)
_RUNUSER = "u,user:@mode=tail g,group: G,supp-group: w,whitelist-environment: s,shell:"


def _runuser(execution: Execution, world: World) -> list[Inner]:
    """With `-u` a tail, else as su."""
    words = execution.argv
    entry = (_RUNUSER, "tail") if parse(words, _RUNUSER).has("u") else _SU
    return apply(entry, words, 1, "runuser", execution, world)


_TRACE = (
    "a: b: e: E: I: o,output: O: p: P: s: S: u: X: trace: attach: env: user: string-limit:"
    " columns: trace-path: h@query V@query"
)

TABLE: dict[str, Entry] = {
    "sudo": (
        (
            "user,u: group,g: chdir,D:@dir host,h: chroot,R: prompt,p: role,r: type,t:"
            " C,close-from:"
            " command-timeout,T: U,other-user: login,i@modifier=optional shell,s@modifier=optional"
            " l,list@query"
            " V,version@query e,edit@query K,remove-timestamp@query v,validate@query help@query"
        ),
        "tail assign",
    ),
    "doas": ("u: C: a: s@modifier=optional L@query", "tail"),
    "pkexec": ("user: version@query help@query", "tail"),
    "env": (
        (
            "unset,u: chdir,C:@dir split-string,S:@split argv0,a: i,ignore-environment@clear"
            " P: block-signal? default-signal? ignore-signal? version@query help@query"
        ),
        "tail assign hyphen",
    ),
    "command": ("v@query V@query p", "tail"),
    "builtin": ("", "tail"),
    "exec": ("a: c@clear l", "tail"),
    "noglob": ("", "tail"),
    "-": ("", "tail"),
    "repeat": ("", "tail skip=1"),
    "nocorrect": ("", "tail"),
    "nohup": ("help@query version@query", "tail"),
    "setsid": ("c f w ctty fork wait h@query V@query", "tail"),
    "nice": ("adjustment,n: 1 2 3 4 5 6 7 8 9 0 help@query", "tail"),
    "ionice": ("c,class: n,classdata: p: P: u: t ignore h@query", "tail"),
    "chrt": (
        "T,sched-runtime: P,sched-period: D,sched-deadline: p,pid@query m,max@query h@query",
        "tail skip=1",
    ),
    "taskset": ("p,pid@query c,cpu-list h@query", "tail skip=1"),
    "numactl": (
        (
            "i,interleave: p,preferred: m,membind: N,cpunodebind: C,physcpubind: H,hardware@query"
            " s,show@query length: offset: shmid: file: S,shm:"
        ),
        "tail",
    ),
    "timeout": ("signal,s: kill-after,k: f,foreground p,preserve-status v", "tail skip=1"),
    "gtimeout": ("signal,s: kill-after,k: f,foreground p,preserve-status v", "tail skip=1"),
    "time": ("f,format: o,output: a p v q V@query", "tail"),
    "gtime": ("f,format: o,output: a p v q V@query", "tail"),
    "stdbuf": ("i,input: o,output: e,error:", "tail"),
    "unbuffer": ("p", "tail"),
    "strace": (_TRACE, "tail"),
    "ltrace": (
        "A: a,align: D,debug: e: F,config: l,library: n,indent: o,output: p: s: u: w,where: x:",
        "tail",
    ),
    "dtruss": ("a b: c d e f l n: o p: s t: W:", "tail"),
    "valgrind": ("tool: log-file:", "tail"),
    "perf": {
        "": ("", ""),
        "stat": ("e,event: p: t: C,cpu: o,output: r,repeat: x: I: D,delay: a d", "tail"),
        "record": ("e,event: p: t: C,cpu: o,output: F,freq: c,count: m: call-graph: a g", "tail"),
        "trace": ("e,expr: p: t: C,cpu: o,output: m: a", "tail"),
    },
    "chroot": ("userspec: groups: u: g: G: skip-chdir help@query", "tail skip=1"),
    "unshare": (
        (
            "S,setuid: G,setgid: R,root: w,wd:@dir kill-child? propagation: setgroups: map-user:"
            " map-group: m? u? i? n? p? U? C? T?"
        ),
        "tail optional",
    ),
    "nsenter": (
        "t,target: S,setuid: G,setgid: m? u? i? n? p? U? C? T? r? w?@dir W,wdns?",
        "tail optional",
    ),
    "bwrap": _bwrap,
    "firejail": ("list@query tree@query top@query", "tail"),
    "proot": ("r,rootfs: b,bind,m,mount: q,qemu: w,pwd,cwd:@dir v,verbose: R: S: k: i:", "tail"),
    "fakeroot": ("l,lib: faked: s: i: b: u v@query", "tail optional"),
    "fakechroot": ("l,lib: e: c: b: s", "tail optional"),
    "faketime": ("f m p: date-prog: exclude-monotonic", "tail skip=1"),
    "systemd-run": (
        (
            "unit,u: p,property: description: slice: uid: gid: nice: E,setenv:@env"
            " working-directory:@dir"
            " H,host: M,machine: service-type: on-active: on-boot: on-startup: on-calendar:"
            " on-unit-active: on-unit-inactive: timer-property: path-property: socket-property:"
            " background: job-mode: S,shell@modifier=optional"
        ),
        "tail",
    ),
    "systemd-inhibit": ("what: who: why: mode: list@query", "tail"),
    "runuser": _runuser,
    "su": _SU,
    "setpriv": (
        (
            "ambient-caps: inh-caps: bounding-set: ruid: euid: rgid: egid: reuid: regid: groups:"
            " securebits: pdeathsig: selinux-label: apparmor-profile: d,dump@query"
        ),
        "tail",
    ),
    "gosu": ("", "tail skip=1"),
    "su-exec": ("", "tail skip=1"),
    "setuidgid": ("", "tail skip=1"),
    "envuidgid": ("", "tail skip=1"),
    "envdir": ("", "tail skip=1"),
    "softlimit": ("a: c: d: f: l: m: o: p: r: s: t:", "tail"),
    "chpst": ("u: U: e: /: n: l: L: m: d: o: p: f: c: t: b: C:@dir v P 0 1 2", "tail"),
    "setlock": ("n N x X", "tail skip=1"),
    "prlimit": (
        (
            "p,pid: o,output: c,core? d,data? e,nice? f,fsize? i? l? m? n,nofile? q? r? s,stack? t?"
            " u,nproc? v,as? x? y? noheadings raw verbose"
        ),
        "tail",
    ),
    "tini": ("p: e: s v g w h@query l@query version@query", "tail"),
    "dumb-init": ("r,rewrite: c,single-child v,verbose h@query", "tail"),
    "xvfb-run": (
        "n,server-num: e,error-file: f,auth-file: p,xauth-protocol: s,server-args: w,wait: a l",
        "tail",
    ),
    "dbus-run-session": ("config-file: dbus-daemon:", "tail"),
    "dbus-launch": ("config-file: autolaunch: sh-syntax csh-syntax", "tail"),
    "ssh-agent": ("a: E: O: P: t: c s k@query D d", "tail"),
    "caffeinate": ("t: w: d i m s u", "tail"),
    "sandbox-exec": ("f: n: p: D:", "tail"),
    "arch": ("arch: e:@env d: c h x86_64 arm64 i386", "tail"),
    "linux32": ("", "tail"),
    "linux64": ("", "tail"),
    "setarch": ("p,personality: R B F 3 v u", "tail skip=1 again"),
    "busybox": ("list@query list-full@query install@query help@query", "tail"),
    "toybox": ("long@query help@query version@query", "tail"),
    "k0s": ("", "tail"),
    "k3s": ("", "tail"),
    "lvm": ("", "tail"),
    "microk8s": ("", "tail"),
    "coproc": ("", "tail"),
    "catchsegv": ("", "tail"),
    "eatmydata": ("", "tail"),
    "torsocks": ("u: p: a: P: i d q", "tail"),
    "torify": ("", "tail"),
    "proxychains": ("f: q", "tail"),
    "proxychains4": ("f: q", "tail"),
    "chronic": ("e v", "tail"),
    "ifne": ("n", "tail"),
    "cpulimit": ("l,limit: p,pid: P,path: e,exe: c,cpu: f b k m z", "tail"),
    "trickle": ("u: d: w: t: l: n: L: P: s v", "tail"),
    "cgexec": ("g: sticky", "tail"),
    "schedtool": ("a: n: p: e B F I N R D", "tail"),
    "rlwrap": ("a? b: C: D: e: f: g: H: I: M: O: p? P: q: s: S: t: w: z: c i m? n N o r R", "tail"),
    "winpty": ("X: mouse showkey", "tail"),
    "with-contenv": ("", "tail"),
    "s6-setuidgid": ("", "tail skip=1"),
    "flock": (
        "w,wait,timeout: E,conflict-exit-code: c,command:@text s x e u n o F verbose",
        "tail skip=1 again",
    ),
    "watch": (
        "n,interval: q,equexit: x,exec@mode=tail c d? e g b p t w h@query v@query",
        "join",
    ),
    "entr": ("s@mode=each a c d n p r x z", "tail"),
    "start-stop-daemon": ("x,exec: a,startas: u: c: g: r: d:@dir p: n: N: P: I: k: s: S K", "tail"),
    "runcon": ("u,user: r,role: t,type: l,range: c", "tail"),
    "sg": ("c:@text", "each skip=1 again"),
    "hyperfine": (
        (
            "w,warmup: r,runs: m,min-runs: M,max-runs: prepare,p:@also setup,s:@also"
            " cleanup,c:@also"
            " conclude,C:@also S,shell: N i,ignore-failure style: sort: time-unit,u: export-json:"
            " export-csv: export-markdown: export-asciidoc: export-orgmode: output: input:"
            " n,command-name:"
            " D,parameter-step-size: L,parameter-list: P,parameter-scan:"
        ),
        "each permute",
    ),
}
