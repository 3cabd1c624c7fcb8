"""Interpreters of other languages, editors, and consoles of databases: code as option, operand,
file or standard input."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import lead, parse
from cc_safety_net.guard.interpret.wrappers.forms import apply
from cc_safety_net.guard.interpret.wrappers.inner import (
    Inner,
    InnerArgv,
    InnerCode,
    InnerFile,
    InnerText,
)
from cc_safety_net.guard.interpret.wrappers.modules import coverage, launcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.interpret.wrappers.forms import Entry
    from cc_safety_net.guard.world import World

_PYTHON = (
    "c!@code=python m!@file=python-module W: X: Q: V@query h@query version@query help@query"
    " check-hash-based-pycs:"
)
_NODE = (
    "eval,e:@code=javascript print,p:@code=javascript -pe,-ep:@code=javascript"
    " r,require:@startup=javascript"
    " import:@startup=javascript loader,experimental-loader:@startup=javascript c,check@query"
    " env-file: env-file-if-exists: C,conditions: input-type: inspect? inspect-brk? title:"
    " watch run:@file=npm max-old-space-size: stack-trace-limit: icu-data-dir:"
    " v,version@query h,help@query test i,interactive watch-path: redirect-warnings:"
    " diagnostic-dir:"
)
_PERL = (
    "e:@code=perl E:@code=perl 0# l# i? I: M? m? F? x? D? C? d? c@query v@query V?@query h@query"
    " a n p s t T u U w W X f g"
)
_RUBY = (
    "e:@code=ruby r: I: E: K? x? i? 0# F? C:@dir T? W? c@query v version@query h@query a l n p s S"
    " w y U encoding: external-encoding: internal-encoding: disable: enable: require: yjit? jit?"
)
_PHP = (
    "r,run:@code=php B,process-begin:@code=php R,process-code:@code=php E,process-end:@code=php"
    " f,file!@file=php F,process-file:@file=php d,define: c,php-ini: z,zend-extension: S,server:"
    " t,docroot: l,syntax-check@query i,info@query m,modules@query v,version@query h,help@query"
    " n a C q s w H g:"
)
_AWK = (
    "f,file:@file=awk F,field-separator: v,assign: e,source:@code=awk i,include:@startup=awk"
    " l,load:"
    " E,exec!@file=awk d,dump-variables? D,debug? o,pretty-print? p,profile? L,lint? W:"
)
_SED = (
    "e,expression:@code=sed f,file:@file=sed l,line-length: i,in-place? n,quiet,silent"
    " E,regexp-extended"
    " r s,separate u z,null-data posix debug sandbox"
)
_PSQL = (
    "c,command:@code=sql f,file:@file=sql d,dbname: h,host: p,port: U,username: o,output:"
    " v,set,variable:"
    " F,field-separator: R,record-separator: T,table-attr: L,log-file: P,pset: l,list@query"
    " V,version@query"
)
_MYSQL = (
    "e,execute:@code=sql init-command:@code=sql D,database: h,host: P,port: u,user: p? S,socket:"
    " defaults-file: defaults-extra-file: default-character-set: ssl-ca: ssl-cert: ssl-key:"
    " protocol:"
    " password? tee: prompt: V,version@query"
)
_SQLITE = (
    "-cmd:@code=sqlite -init:@startup=sqlite -separator: -newline: -nullvalue: -maxsize: -mmap:"
    " -vfs: -lookaside: -pagecache: -heap: -zip -csv -json -header -noheader -readonly -batch"
    " -bail -line -list -column -html -quote -box -table -markdown -safe -version@query -help@query"
)
_MONGO = (
    "eval:@code=mongo f,file:@file=mongo host: port: u,username: p,password:"
    " authenticationDatabase:"
    " authenticationMechanism: db: tlsCAFile: tlsCertificateKeyFile: version@query help@query"
)
_REDIS = (
    "h: p: s: a: u: n: r: i: d: D: x X: c eval:@file=lua user: pass: cacert: cacertdir: cert: key:"
    " sni: pattern: tls-ciphers: version@query help@query"
)


def _sqlite(execution: Execution, world: World) -> list[Inner]:
    """`sqlite3 [options] DATABASE [SQL…]`, options on both sides of the database."""
    entry = (_SQLITE, "console=sqlite skip=1 again")
    return apply(entry, execution.argv, 1, execution.program, execution, world)


_VIM_ENDS = (
    "c:@code=vim cmd:@code=vim S:@file=vim s:@file=vim u: U: i: T: w: W: t: q: r o# O# p# V#"
)


def _vim(execution: Execution, _world: World) -> list[Inner]:
    """`-c`, `--cmd`, `-S`, and `+command` words; `-s` in Ex mode (`-es`) is a flag."""
    words = execution.argv
    label = execution.program
    options = _VIM_ENDS + (" l!@file=lua" if label == "nvim" else "")
    ends = options
    if any(lead(word) in ("-es", "-Es", "-e", "-E") for word in words[1:]) or label in ("ex", "ed"):
        options = options.replace("s:@file=vim", "s")
    found: list[Inner] = []
    arguments = parse(words, options, permute=True)
    for option in arguments.options:
        if option.value is None:
            continue
        if option.role == "code=vim":
            found.append(InnerCode(f"{label} -c", "vim", option.value))
        elif option.role.startswith("file="):
            found.append(InnerFile(f"{label} -{option.name}", option.role[5:], option.value))
    from cc_safety_net.guard.interpret.options import cut

    found.extend(
        InnerCode(f"{label} +", "vim", cut(word, 1))
        for word in arguments.operands
        if len(lead(word)) > 1 and lead(word)[0] == "+" and not lead(word)[1:].isdigit()
    )
    if options is not ends or label in ("ex", "ed"):
        from cc_safety_net.guard.interpret.wrappers.inner import InnerStdin

        found.append(InnerStdin(label, language="ed" if label == "ed" else "vim"))
    return found


def _php(execution: Execution, world: World) -> list[Inner]:
    """`php composer.phar …` is composer."""
    words = execution.argv
    arguments = parse(words, _PHP)
    name = (arguments.operands[0].text or "") if arguments.operands else ""
    if name.rpartition("/")[2] in ("composer", "composer.phar") and not arguments.has("r"):
        return [InnerArgv("php", [known("composer"), *arguments.operands[1:]])]
    return apply((_PHP, "script=php"), words, 1, execution.program, execution, world)


def _java(execution: Execution, _world: World) -> list[Inner]:
    """`java Main.java`: a source file is run; classes are not read."""
    arguments = parse(execution.argv, "-cp: cp: -classpath: classpath: -class-path: -source: m: p:")
    operands = arguments.operands
    if not operands or not (operands[0].text or "").endswith(".java"):
        return []
    name = f"script {operands[0].text}"
    return [InnerFile(name, "java", operands[0], positionals=operands[1:])]


def _rails(execution: Execution, _world: World) -> list[Inner]:
    """`rails runner CODE`: a text or a file."""
    words = execution.argv
    arguments = parse(words, "e,environment:", permute=True)
    operands = arguments.operands
    if len(operands) < 2 or operands[0].text not in ("runner", "r"):
        return []
    if (operands[1].text or "").endswith(".rb"):
        return [InnerFile("rails runner", "ruby", operands[1], positionals=operands[2:])]
    return [InnerCode("rails runner", "ruby", operands[1])]


def _go(execution: Execution, _world: World) -> list[Inner]:
    """`go run x.go`; `go generate` and tests are builds."""
    arguments = parse(execution.argv, "")
    operands = arguments.operands
    if not operands or operands[0].text != "run":
        return []
    rest = parse(
        operands, "-exec: -C:@dir -tags: -mod: -modfile: -ldflags: -gcflags: -p: -o: -overlay:"
    ).operands
    if not rest:
        return []
    return [InnerFile(f"go run {rest[0].text or '?'}", "go", rest[0], positionals=rest[1:])]


def _redis(execution: Execution, world: World) -> list[Inner]:
    """Commands as operands are read by the rules; without operands standard input is read."""
    arguments = parse(execution.argv, _REDIS)
    form = "" if arguments.operands else "stdin=redis"
    return apply((_REDIS, form), execution.argv, 1, execution.program, execution, world)


def _gdb(execution: Execution, _world: World) -> list[Inner]:
    options = (
        "ex,-ex,eval-command,-eval-command:@code x,command,-x,-command:@file iex,-iex,"
        "init-eval-command:@code ix,-ix,init-command:@file args$ -args$ p,pid: c,core: s,symbols:"
        " e,exec: d,directory: cd: tty:"
    )
    arguments = parse(execution.argv, options, permute=True)
    found: list[Inner] = []
    for option in arguments.options:
        if option.value is None:
            continue
        if option.role == "code":
            found.append(InnerCode("gdb -ex", "gdb", option.value))
        elif option.role == "file":
            found.append(InnerFile("gdb -x", "gdb", option.value))
    if arguments.dashed and arguments.operands[arguments.before_dashes :]:
        from cc_safety_net.guard.interpret.wrappers.inner import InnerArgv

        found.append(InnerArgv("gdb --args", arguments.operands[arguments.before_dashes :]))
    return found


def _manage(execution: Execution, _world: World) -> list[Inner]:
    """`php artisan tinker --execute CODE` is read where `artisan` is itself the program."""
    arguments = parse(execution.argv, "execute:", permute=True)
    code = arguments.value("execute")
    if code is None or not arguments.operands or arguments.operands[0].text != "tinker":
        return []
    return [InnerCode("artisan tinker", "php", code)]


def _kakoune(execution: Execution, _world: World) -> list[Inner]:
    arguments = parse(execution.argv, "e: E: f:", permute=True)
    return [
        InnerText(f"kak -{option.name}", option.value)
        for option in arguments.options
        if option.value is not None
    ]


TABLE: dict[str, Entry] = {
    "python": (_PYTHON, "script=python"),
    "pypy": (_PYTHON, "script=python"),
    "py": launcher,
    "coverage": coverage,
    "ipython": ("c:@code=python m!@file=python-module profile:", "script=python"),
    "node": (_NODE, "script=javascript"),
    "nodejs": (_NODE, "script=javascript"),
    "tsx": (_NODE, "script=javascript"),
    "babel-node": (_NODE, "script=javascript"),
    "esr": (_NODE, "script=javascript"),
    "esbuild-runner": (_NODE, "script=javascript"),
    "jiti": (_NODE, "script=javascript"),
    "sucrase-node": (_NODE, "script=javascript"),
    "swc-node": (_NODE, "script=javascript"),
    "vite-node": (_NODE, "script=javascript"),
    "qjs": ("e,eval:@code=javascript I,include:@startup=javascript m s", "script=javascript"),
    "zx": (
        "e,eval:@code=javascript shell: prefix: postfix: prefer-local cwd:@dir ext: env: registry:",
        "script=javascript",
    ),
    "ts-node": (_NODE, "script=javascript"),
    "perl": (_PERL, "script=perl"),
    "ruby": (_RUBY, "script=ruby"),
    "jruby": (_RUBY, "script=ruby"),
    "irb": ("r: I: e:@code=ruby", "script=ruby"),
    "php": _php,
    "lua": ("e:@code=lua l: i v@query", "script=lua"),
    "luajit": ("e:@code=lua l: j: O? b@query i v@query", "script=lua"),
    "Rscript": ("e:@code=r default-packages: version@query", "script=r"),
    "rscript": ("e:@code=r default-packages: version@query", "script=r"),
    "R": ("e:@code=r f,file:@file=r g,gui: d,debugger:", "stdin=r"),
    "tclsh": ("encoding:", "script=tcl"),
    "wish": ("", "script=tcl"),
    "groovy": ("e:@code=groovy cp,classpath: D: c,encoding: i? l? a? n p v@query", "script=groovy"),
    "elixir": (
        (
            "e,eval:@code=elixir rpc-eval: r:@startup=elixir S: pa: pz: erl: cookie: name: sname:"
            " v,version@query"
        ),
        "script=elixir",
    ),
    "iex": ("e,eval:@code=elixir r:@startup=elixir S:", "script=elixir"),
    "julia": (
        (
            "e,eval:@code=julia E,print:@code=julia L,load:@startup=julia J,sysimage: C,cpu-target:"
            " t,threads: p,procs: project? v,version@query"
        ),
        "script=julia",
    ),
    "erl": ("-eval:@code=erlang -run: -s:", ""),
    "scala": ("e:@code=scala cp,classpath:", "script=scala"),
    "ghc": ("e:@code=haskell", ""),
    # No reader knows these: their text is only looked at for commands.
    "ghci": ("e:@code=haskell", ""),
    "scala-cli": ("e:@code=scala", ""),
    "swift": ("e:@code=swift", ""),
    "crystal": {"eval": ("", "program=crystal")},
    "clojure": ("e,eval:@code=clojure", ""),
    "clj": ("e,eval:@code=clojure", ""),
    "bb": ("e,eval:@code=clojure", ""),
    "guile": ("c:@code=scheme", ""),
    "racket": ("e,eval:@code=scheme", ""),
    "sbcl": ("eval:@code=lisp", ""),
    "ocaml": ("e:@code=ocaml", ""),
    "raku": ("e:@code=raku", ""),
    "perl6": ("e:@code=raku", ""),
    "octave": ("eval:@code=octave", ""),
    "gnuplot": ("e:@code=gnuplot", ""),
    "maxima": ("batch-string:@code=maxima r,run-string:@code=maxima", ""),
    "rdmd": ("eval:@code=d", ""),
    "dc": ("e,expression:@code=dc", ""),
    "awk": (_AWK, "program=awk"),
    "gawk": (_AWK, "program=awk"),
    "mawk": (_AWK, "program=awk"),
    "nawk": (_AWK, "program=awk"),
    "original-awk": (_AWK, "program=awk"),
    "sed": (_SED, "program=sed permute"),
    "gsed": (_SED, "program=sed permute"),
    "vim": _vim,
    "vi": _vim,
    "nvim": _vim,
    "view": _vim,
    "gvim": _vim,
    "evim": _vim,
    "gview": _vim,
    "gvimdiff": _vim,
    "nvimdiff": _vim,
    "rview": _vim,
    "rvim": _vim,
    "vimdiff": _vim,
    "ex": _vim,
    "ed": _vim,
    "kak": _kakoune,
    "emacs": (
        (
            "eval,-eval,execute,-execute:@code=elisp load,l,-load,-l:@file=elisp"
            " script,-script:@file=elisp"
            " f,funcall: u,user: d,display: batch,-batch q,Q no-init-file,-q"
        ),
        "permute",
    ),
    "emacsclient": ("e,eval@mode=program=elisp s,socket-name: a,alternate-editor:@text f: d:", ""),
    "gdb": _gdb,
    "lldb": (
        (
            "o,one-line:@code=lldb O,one-line-before-file:@code=lldb s,source:@file=lldb"
            " k,one-line-on-crash:@code=lldb c,core: p,attach-pid: n,attach-name: b,batch"
        ),
        "permute",
    ),
    "psql": (_PSQL, "stdin=sql permute"),
    "pgcli": (_PSQL, "stdin=sql permute"),
    "cockroach": {"sql": ("e,execute:@code=sql f,file:@file=sql url: host:", "stdin=sql permute")},
    "mysql": (_MYSQL, "stdin=sql permute"),
    "mariadb": (_MYSQL, "stdin=sql permute"),
    "mycli": (_MYSQL, "stdin=sql permute"),
    "sqlite3": _sqlite,
    "sqlite": _sqlite,
    "duckdb": (
        "-c:@code=sql c:@code=sql -cmd:@code=sqlite -init:@startup=sqlite",
        "console=sql skip=1 again",
    ),
    "clickhouse-client": (
        "q,query:@code=sql queries-file:@file=sql h,host: u,user: password: d,database:",
        "stdin=sql permute",
    ),
    "sqlcmd": ("Q:@code=sql q:@code=sql i:@file=sql S: U: P: d: o:", "stdin=sql permute"),
    "usql": ("c,command:@code=sql f,file:@file=sql o,out:", "stdin=sql permute"),
    "mongosh": (_MONGO, "stdin=mongo permute"),
    "mongo": (_MONGO, "stdin=mongo permute"),
    "redis-cli": _redis,
    "valkey-cli": _redis,
    "rails": _rails,
    "artisan": _manage,
    "go": _go,
    "ftp": ("", "stdin=ftp"),
    "lftp": ("e:@code=ftp c:@code=ftp f:@file=ftp u: p:", "stdin=ftp permute"),
    "sftp": ("b:@file=ftp c: D: F: i: J: l: o: P: R: S: s: B:", "stdin=ftp"),
    "jshell": ("execution:", "script=java"),
    "java": _java,
}
