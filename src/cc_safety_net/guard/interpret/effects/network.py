"""Programs that send, fetch, encrypt or take key files: curl, wget, ssh, openssl, gpg, docker."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, looks_like_path, touch
from cc_safety_net.guard.interpret.facts import Word, known
from cc_safety_net.guard.interpret.options import cut, lead, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess
    from cc_safety_net.guard.world import World

_CURL = (
    "d,data:@at data-ascii:@at data-binary:@at data-urlencode:@at json:@at url-query:@at"
    " F,form:@form"
    " form-string: T,upload-file:@read o,output:@write D,dump-header:@write c,cookie-jar:@write"
    " b,cookie:@cookie K,config:@use E,cert:@cert key:@use cacert:@use capath:@use netrc-file:@use"
    " trace:@write trace-ascii:@write stderr:@write hsts:@use alt-svc:@use output-dir: H,header:@at"
    " A,user-agent: e,referer: u,user: U,proxy-user: x,proxy: X,request: m,max-time:"
    " w,write-out:@at"
    " connect-timeout: retry: retry-delay: retry-max-time: limit-rate: C,continue-at: r,range:"
    " y,speed-time: Y,speed-limit: z,time-cond: Q,quote: P,ftp-port: t,telnet-option: resolve:"
    " connect-to: interface: dns-servers: ciphers: tls-max: proto: proto-redir: max-redirs:"
    " max-filesize: socks5: socks5-hostname: preproxy: unix-socket: abstract-unix-socket:"
    " aws-sigv4:"
    " oauth2-bearer: pinnedpubkey: cert-type: key-type: pass: proxy-header: url: variable: expand:"
    " etag-save:@write etag-compare:@use crlfile:@use create-file-mode: libcurl:@write egd-file:"
    " random-file: request-target: sasl-authzid: service-name: happy-eyeballs-timeout-ms: rate:"
    " parallel-max: keepalive-time: local-port: noproxy: krb: delegation: doh-url: dns-interface:"
    " engine: ftp-account: ftp-alternative-to-user: ftp-method: hostpubmd5: hostpubsha256:"
    " login-options: mail-auth: mail-from: mail-rcpt: pubkey:@use proxy-cacert:@use proxy-cert:@use"
    " proxy-key:@use proxy-pass: proxy-user: tls13-ciphers: tlspassword: tlsuser: curves:"
)


def _curl(execution: Execution, _world: World) -> list[FileAccess]:
    """Files that are sent (`-d @f`, `-F f=@f`, `-T f`) are read; `-o f` is written."""
    arguments = parse(execution.argv, _CURL, permute=True)
    found: list[FileAccess] = []
    directory = arguments.value("output-dir")
    for option in arguments.options:
        value, role = option.value, option.role
        if value is None or not role:
            continue
        text = lead(value)
        if role == "at":
            _sent(execution, value, option.name, found)
        elif role == "form":
            # name=@file;type=… or name=<file
            head, _, rest = text.partition("=")
            if rest[:1] in ("@", "<"):
                path = _until_semicolon(cut(value, len(head) + 2))
                found.append(touch(execution, path, "read"))
        elif role == "cookie":
            if "=" not in text:
                found.append(touch(execution, value, "use"))
        elif role == "cert":
            path = value
            if value.text is not None and ":" in value.text[1:]:
                path = known(value.text.rpartition(":")[0], value.start, value.end)
            found.append(touch(execution, path, "use"))
        elif is_path(value):
            out = role == "write" and option.name == "o"
            found.append(touch(execution, value, role, directory=directory if out else None))
    found += [
        touch(execution, cut(word, 7), "read")
        for word in arguments.operands
        if lead(word).startswith("file://")
    ]
    if arguments.has("O", "remote-name", "remote-name-all"):
        for url in arguments.operands:
            name = (url.text or "").partition("?")[0].rstrip("/").rpartition("/")[2]
            if name:
                found.append(
                    touch(execution, known(name, url.start, url.end), "write", directory=directory)
                )
    return found


def _sent(execution: Execution, value: Word, name: str, found: list[FileAccess]) -> None:
    """`@file`; `--data-urlencode` also takes `name@file`."""
    text = lead(value)
    head, at, _ = text.partition("@")
    if at and (not head or (name == "data-urlencode" and "=" not in head)):
        path = cut(value, len(head) + 1)
        if is_path(path):
            found.append(touch(execution, path, "read"))


def _until_semicolon(word: Word) -> Word:
    text = word.text
    if text is None or ";" not in text:
        return word
    return known(text.partition(";")[0], word.start, word.end)


_WGET = (
    "O,output-document:@write o,output-file:@write a,append-output:@append i,input-file:@use"
    " post-file:@read body-file:@read post-data: body-data: P,directory-prefix: load-cookies:@use"
    " save-cookies:@write ca-certificate:@use certificate:@use private-key:@use config:@use header:"
    " method: U,user-agent: referer: user: password: http-user: http-password: t,tries: T,timeout:"
    " w,wait: Q,quota: l,level: A,accept: R,reject: D,domains: I: X: e,execute: B,base: cut-dirs:"
    " limit-rate: warc-file:@write"
)


def _wget(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, _WGET, permute=True)
    found = [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None and is_path(option.value)
    ]
    if arguments.value("O") is None:
        directory = arguments.value("P")
        for url in arguments.operands:
            name = (url.text or "").partition("?")[0].rstrip("/").rpartition("/")[2]
            if name:
                word = known(name, url.start, url.end)
                found.append(touch(execution, word, "write", directory=directory))
    return found


def _aria2(execution: Execution, _world: World) -> list[FileAccess]:
    """Without `-o` a download gets the last part of its address as its name."""
    arguments = parse(
        execution.argv,
        "i,input-file:@use o,out: d,dir: l,log:@write load-cookies:@use j: s: x: k:",
        permute=True,
    )
    directory, name = arguments.value("d"), arguments.value("o")
    found = [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None
    ]
    if directory is not None:
        found.append(touch(execution, directory, "write"))
    for url in arguments.operands:
        last = (url.text or "").partition("?")[0].rstrip("/").rpartition("/")[2]
        word = name if name is not None else known(last, url.start, url.end)
        if word.text:
            found.append(touch(execution, word, "write", directory=directory))
    return found


def _httpie(execution: Execution, _world: World) -> list[FileAccess]:
    """`field@file`, `field=@file`, `field:=@file`, `@file`."""
    arguments = parse(
        execution.argv,
        "o,output:@write a,auth: s,style: p,print: verify:@use cert:@use cert-key:@use session:"
        " proxy: timeout:",
        permute=True,
    )
    found = [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None and looks_like_path(option.value)
    ]
    for word in arguments.operands:
        head, at, _ = lead(word).partition("@")
        if at and "/" not in head and (not head or head[-1] in "=:" or head.isidentifier()):
            found.append(touch(execution, _until_semicolon(cut(word, len(head) + 1)), "read"))
    return found


_OPENSSL = (
    "-in:@in -out:@write -key:@use -inkey:@use -cert:@use -CA:@use -CAfile:@use -CAkey:@use"
    " -CApath:@use"
    " -certfile:@use -signkey:@use -keyout:@write -config:@use -extfile:@use -kfile:@use -pass:"
    " -passin:"
    " -passout: -k: -K: -iv: -S: -md: -subj: -days: -newkey: -pkeyopt: -algorithm: -inform:"
    " -outform:"
    " -keyform: -connect: -servername: -name: -sign:@use -verify:@use -prverify:@use"
    " -signature:@use"
    " -hmac: -rand: -writerand:@write -paramfile:@use -engine: -iter: -untrusted:@use -peerkey:@use"
    " -sigopt: -macopt: -addext: -extensions: -reqexts: -set_serial: -CAserial:"
)
#: Sub-commands that encrypt, decrypt, encode or print the whole input.
_OPENSSL_SHOWS = frozenset(
    ("asn1parse", "base64", "cms", "enc", "pkeyutl", "rsautl", "smime", "dgst")
)


def _openssl(execution: Execution, _world: World) -> list[FileAccess]:
    words = execution.argv
    if len(words) < 2:
        return []
    verb = words[1].text or ""
    arguments = parse(words, _OPENSSL, start=2, permute=True)
    shows = verb in _OPENSSL_SHOWS or verb.startswith(("aes", "des", "camellia", "chacha"))
    names = verb in ("dgst", "sha256", "sha1", "md5", "sha512")
    found = []
    for option in arguments.options:
        if option.value is None or not option.role:
            continue
        mode = option.role
        if mode == "in":
            mode = "read" if shows or names else "use"
        found.append(touch(execution, option.value, mode, names=names and mode == "read"))
    if names:
        found += [touch(execution, w, "read", names=True) for w in arguments.operands if is_path(w)]
    return found


_GPG = (
    "o,output:@write r,recipient: u,local-user: homedir:@use passphrase: passphrase-file:@use"
    " keyring:@use"
    " secret-keyring:@use trustdb-name:@use options:@use keyserver: default-key: c,symmetric"
    " e,encrypt"
    " d,decrypt s,sign b,detach-sign clear-sign,clearsign a,armor import verify list-packets"
    " batch yes"
    " pinentry-mode: cipher-algo: digest-algo: compress-algo: status-fd: trust-model: export"
    " export-secret-keys recv-keys,receive-keys k,list-keys K,list-secret-keys fingerprint edit-key"
    " delete-keys delete-secret-keys gen-key full-gen-key store print-md"
)


def _gpg(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, _GPG, permute=True)
    found = [
        touch(execution, option.value, option.role)
        for option in arguments.options
        if option.role and option.value is not None
    ]
    if arguments.has(
        "export", "export-secret-keys", "recv-keys", "k", "K", "fingerprint", "edit-key",
        "delete-keys", "delete-secret-keys",
    ):  # fmt: skip
        return found
    shows = arguments.has("d", "c", "e", "s", "clear-sign", "store", "list-packets")
    mode = "read" if shows else "use"
    return found + [touch(execution, path, mode) for path in arguments.operands if is_path(path)]


_SSH = (
    "b: c: D: E:@append e: F:@use I: i:@use J: L: l: m: O: o: p: Q: R: S: W: w: B: P: v q N T t"
    " A a f n"
    " x X Y C 1 2 4 6 G g K k M s y"
)


def _ssh(execution: Execution, _world: World) -> list[FileAccess]:
    options = _SSH.replace(" M ", " M: ") if execution.program == "autossh" else _SSH
    arguments = parse(execution.argv, options)
    found = []
    for option in arguments.options:
        if option.value is None:
            continue
        if option.role:
            found.append(touch(execution, option.value, option.role))
        elif option.name == "o":
            name, _, _ = lead(option.value).partition("=")
            if name.lower() in ("identityfile", "certificatefile", "userknownhostsfile"):
                found.append(touch(execution, cut(option.value, len(name) + 1), "use"))
    return found


_KEYGEN = (
    "f:@use t: b: C: N: P: m: E: I: n: s:@use V: z: O: R: F: r: a: D: M: Y: S: Z: l B y e i p c"
    " L q H"
    " K: w: x: W: J: j: T: G:"
)


def _keygen(execution: Execution, _world: World) -> list[FileAccess]:
    """`-f NEW` writes a key, asking before it replaces one; other verbs look at one."""
    arguments = parse(execution.argv, _KEYGEN, permute=True)
    looks = arguments.has(*"lByeiFLQr")
    found = []
    for option in arguments.options:
        if option.role and option.value is not None:
            found.append(touch(execution, option.value, option.role))
            if option.name == "f" and not looks:
                found.append(touch(execution, option.value, "write", keeps=True))
    return found


_DOCKER_RUN = (
    "v,volume:@mount mount: env-file:@use e,env: w,workdir: u,user: name: p,publish:"
    " network,net: m,memory:"
    " l,label: label-file:@use entrypoint: h,hostname: add-host: a,attach: c,cpu-shares: cpus:"
    " cap-add:"
    " cap-drop: cidfile:@write device: dns: gpus: ip: ipc: isolation: link: log-driver: log-opt:"
    " pid:"
    " platform: privileged restart: security-opt: shm-size: stop-signal: stop-timeout: storage-opt:"
    " sysctl: tmpfs: ulimit: userns: uts: volume-driver: volumes-from: d,detach i t rm pull:"
)
_COMPOSE = (
    "f,file:@use env-file:@use p,project-name: profile: project-directory: ansi:"
    " progress: parallel:"
)


def _docker_copy(execution: Execution, _world: World) -> list[FileAccess]:
    """`docker cp c:/x .` writes, `docker cp .env c:/` takes along."""
    from cc_safety_net.guard.interpret.effects.transfers import is_remote

    words = execution.argv
    start = 3 if len(words) > 2 and words[2].text == "cp" else 2
    operands = parse(words, "a L q", start=start, permute=True).operands
    if len(operands) < 2:
        return []
    source, target = operands[0], operands[1]
    found = []
    if not is_remote(source) and is_path(source):
        found.append(touch(execution, source, "use", recursive=True, destination=target))
    if not is_remote(target):
        if is_path(target):
            found.append(touch(execution, target, "write", recursive=True, source=source))
        elif target.text == "-":
            found.append(touch(execution, source, "use"))
    return found


def _docker_run(execution: Execution, _world: World) -> list[FileAccess]:
    words = execution.argv
    start = next((i + 1 for i, w in enumerate(words) if w.text in ("run", "create", "exec")), 2)
    arguments = parse(words, _DOCKER_RUN, start=start)
    found = []
    for option in arguments.options:
        if option.value is None:
            continue
        if option.role == "mount":
            host = lead(option.value).partition(":")[0]
            if option.value.text is not None and looks_like_path(known(host)):
                path = known(host, option.value.start, option.value.end)
                found.append(touch(execution, path, "use", recursive=True))
        elif option.role:
            found.append(touch(execution, option.value, option.role))
    return found


_DOCKER: Entry = {
    "": ("H,host: config: c,context: l,log-level: tlscacert: tlscert: tlskey:", ""),
    "cp": _docker_copy,
    "run": _docker_run,
    "create": _docker_run,
    "exec": _docker_run,
    "container": {
        "cp": _docker_copy,
        "run": _docker_run,
        "create": _docker_run,
        "exec": _docker_run,
    },
    "build": (
        (
            "f,file:@use t,tag: build-arg: target: secret: ssh: iidfile:@write platform: o:"
            " progress: label: cache-from: cache-to: network: no-cache q"
        ),
        "use",
    ),
    "compose": {"": (_COMPOSE, "")},
    "save": ("o,output:@write", ""),
    "export": ("o,output:@write", ""),
    "load": ("i,input:@use", ""),
    "import": ("", "use"),
    "stack": {"deploy": ("c,compose-file:@use", "")},
}


def _cloud(execution: Execution, _world: World) -> list[FileAccess]:
    """`aws s3 cp f s3://b`: a local file goes out, or comes in."""
    operands = [w for w in parse(execution.argv, _CLOUD, permute=True).operands[1:] if w.choices[0]]
    paths = [w for w in operands if "://" in lead(w) or looks_like_path(w)]
    if len(paths) < 2 or all("://" not in lead(w) and ":" not in lead(w) for w in paths):
        return []
    recursive = any(w.text == "sync" for w in operands) or "--recursive" in {
        w.text for w in execution.argv
    }
    target = paths[-1]
    found = []
    for source in paths[:-1]:
        if "://" not in lead(source) and ":" not in lead(source):
            found.append(touch(execution, source, "read", recursive=recursive, destination=target))
        elif is_path(target):
            found.append(touch(execution, target, "write", recursive=recursive, source=source))
    return found


_CLOUD = "profile: region: endpoint-url: exclude: include: acl: content-type: sse: o: h: project:"


def _sent_operands(execution: Execution, _world: World) -> list[FileAccess]:
    """`gh gist create f`, `gh release upload tag f`: what is named is sent."""
    words = [word.text for word in execution.argv[1:3]]
    operands = parse(
        execution.argv, "d,desc: f,filename: R,repo: p,public w,web clobber", start=3, permute=True
    ).operands
    if words == ["gist", "create"]:
        return [touch(execution, path, "read") for path in operands if is_path(path)]
    if words == ["release", "upload"]:
        return [touch(execution, path, "read") for path in operands[1:] if is_path(path)]
    if words[1:] == ["download"]:
        options = "D,dir:@write O,output:@write p,pattern: n,name: A,archive: R,repo:"
        return [
            touch(execution, option.value, option.role)
            for option in parse(execution.argv, options, start=3, permute=True).options
            if option.role and option.value is not None and is_path(option.value)
        ]
    from cc_safety_net.guard.interpret.effects.unknown import uses

    return uses(execution)


def _kubectl_copy(execution: Execution, _world: World) -> list[FileAccess]:
    words = execution.argv
    if any(word.text == "create" for word in words[1:4]):
        return _kubectl_create(execution)
    if not any(word.text == "cp" for word in words[1:4]):
        from cc_safety_net.guard.interpret.effects.unknown import uses

        return uses(execution)
    return _docker_copy(execution, _world)


def _kubectl_create(execution: Execution) -> list[FileAccess]:
    """`create secret --from-file=.env -o yaml` prints what the file holds."""
    arguments = parse(
        execution.argv,
        "from-file: from-env-file: from-literal: cert:@use key:@use o,output: f,filename:@use"
        " n,namespace: context: kubeconfig:@use dry-run? type: docker-server:",
        permute=True,
    )
    output = arguments.value("o")
    mode = "use" if output is None or output.text == "name" else "read"
    found = []
    for option in arguments.options:
        if option.value is None:
            continue
        if option.role:
            found.append(touch(execution, option.value, option.role))
        elif option.name.startswith("from-") and option.name != "from-literal":
            equals = (option.value.text or "").find("=")
            found.append(touch(execution, cut(option.value, equals + 1), mode))
    return found


TABLE: dict[str, Entry] = {
    "aws": _cloud,
    "gsutil": _cloud,
    "s3cmd": _cloud,
    "gh": _sent_operands,
    "kubectl": _kubectl_copy,
    "oc": _kubectl_copy,
    "croc": ("", "skip read*"),
    "wormhole": ("", "skip read*"),
    "curl": _curl,
    "wget": _wget,
    "aria2c": _aria2,
    "http": _httpie,
    "https": _httpie,
    "xh": _httpie,
    "openssl": _openssl,
    "gpg": _gpg,
    "gpg2": _gpg,
    "age": ("o,output:@write i,identity:@use r,recipient: R,recipients-file:@use e d p a", "read"),
    "sops": (
        (
            "d,decrypt e,encrypt@only=use i,in-place@only=use"
            " output:@write config:@use age: k: p: input-type:"
            " output-type:"
        ),
        "read*",
    ),
    "ssh": _ssh,
    "autossh": _ssh,
    "mosh": ("p: ssh: predict: server:", ""),
    "ssh-copy-id": ("i:@use p: o: F:", ""),
    "ssh-keygen": _keygen,
    "ssh-add": ("t: E: e: s: S: H: d D l L x X k q", "use*"),
    "ssh-keyscan": ("f:@use p: T: t:", ""),
    "docker": _DOCKER,
    "podman": _DOCKER,
    "nerdctl": _DOCKER,
    "docker-compose": (_COMPOSE, ""),
    "nc": ("e: c: p: s: w: i: q: X: x:", ""),
    "telnet": ("", ""),
    "pastebinit": ("i:@read b: a: t: f: P:", "read*"),
    "transfer": ("", "read*"),
}
