"""Programs that show, search, convert or count what is in files."""

from __future__ import annotations

from cc_safety_net.guard.interpret.effects.forms import is_path, touch
from cc_safety_net.guard.interpret.facts import known
from cc_safety_net.guard.interpret.options import cut, lead, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.effects.forms import Entry
    from cc_safety_net.guard.interpret.facts import Execution, FileAccess, Word
    from cc_safety_net.guard.interpret.options import Arguments
    from cc_safety_net.guard.world import World

_READ = "read*"
_GREP = (
    "e,regexp:@supplied f,file:@supplied r,recursive@recursive R,dereference-recursive@recursive"
    " l,files-with-matches@names L,files-without-match@names c,count@names q,quiet,silent@names"
    " A,after-context: B,before-context: C,context: m,max-count: d,directories: D,devices:"
    " include: exclude: exclude-dir: exclude-from: label: color? colour? binary-files:"
    " i,ignore-case"
    " v,invert-match n,line-number h,no-filename H,with-filename o,only-matching w,word-regexp"
    " x,line-regexp s,no-messages E,extended-regexp F,fixed-strings P,perl-regexp z,null-data"
    " V,version@query help@query"
)
_RG = (
    "e,regexp:@supplied f,file:@supplied files@supplied l,files-with-matches@names"
    " files-without-match@names c,count@names count-matches@names q,quiet@names g,glob: iglob:"
    " t,type: T,type-not: type-add: A,after-context: B,before-context: C,context: m,max-count:"
    " M,max-columns: r,replace: d,max-depth: j,threads: E,encoding: sort: sortr: color: colors:"
    " ignore-file: pre: pre-glob: max-filesize: path-separator: context-separator:"
    " field-match-separator: dfa-size-limit: regex-size-limit: engine: hyperlink-format:"
    " type-list@query V,version@query h,help@query"
)
_AG = (
    "l,files-with-matches@names L@names c,count@names g@supplied A,after: B,before: C,context:"
    " m,max-count: G,file-search-regex: p,path-to-ignore: ignore: ignore-dir: depth: t,type:"
    " W,width:"
)
_GREP_PROGRAMS = {
    "rg": (_RG, True),
    "ag": (_AG, True),
    "ack": (_AG, True),
    "pt": (_AG, True),
    "ugrep": (_GREP, False),
    "ug": (_GREP, True),
    "rgrep": (_GREP, True),
    "zgrep": (_GREP, False),
}
_AWK = "f,file:@use F,field-separator: v,assign: e,source: i,include: l,load: E,exec: o? d? p?"
_SED = (
    "e,expression: f,file:@use i,in-place? I? l,line-length: n,quiet,silent E,regexp-extended r"
    " s,separate u,unbuffered z,null-data posix debug sandbox"
)
_CUT = (
    "d,delimiter: f,fields: c,characters: b,bytes: output-delimiter: s,only-delimited n"
    " z complement"
)


def names_only(execution: Execution) -> bool:
    """Only names, counts or checksums of the input come out of this program."""
    program = execution.program
    if program in _COUNTS:
        return True
    entry = TABLE.get(program)
    if isinstance(entry, tuple):
        options = parse(execution.argv, entry[0], permute=True).options
        return any(option.role == "names" for option in options)
    if program == "cut":
        arguments = parse(execution.argv, _CUT, permute=True)
        delimiter, fields = arguments.value("d"), arguments.value("f")
        if delimiter is None or fields is None or arguments.has("complement"):
            return False
        return delimiter.text in ("=", ":") and fields.text in ("1", "-1")
    if program in _AWKS:
        arguments = parse(execution.argv, _AWK)
        separator = arguments.value("F")
        script = arguments.operands[0].text if arguments.operands else None
        if arguments.has("f", "e", "i", "E") or script is None:
            return False
        from cc_safety_net.guard.interpret.effects.line_names import awk_prints_names

        return awk_prints_names(script, (separator.text or "") if separator is not None else None)
    if program in ("sed", "gsed"):
        from cc_safety_net.guard.interpret.effects.line_names import sed_leaves_names

        arguments = parse(execution.argv, _SED, permute=True)
        texts = [word.text or "" for word in _sed_scripts(execution)]
        return not arguments.has("f", "i", "I") and sed_leaves_names(
            texts, quiet=arguments.has("n")
        )
    if program in ("grep", "egrep", "fgrep", *_GREP_PROGRAMS):
        options = parse(
            execution.argv, _GREP_PROGRAMS.get(program, (_GREP, False))[0], permute=True
        ).options
        if any(option.role == "names" for option in options):
            return True
        # `grep -o '^[A-Z_]*'` prints names alone.
        only = any(option.name == "o" for option in options)
        operands = parse(execution.argv, _GREP, permute=True).operands
        pattern = operands[0].text or "" if operands else ""
        return (
            only
            and pattern.startswith("^[")
            and "=" not in pattern.rstrip("=")
            and "." not in pattern
        )
    return False


_COUNTS = frozenset(
    (
        "b2sum", "cksum", "md5", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum",
        "sha512sum", "shasum", "sum", "wc", "xxhsum", "b3sum",
    )
)  # fmt: skip
_AWKS = frozenset(("awk", "gawk", "mawk", "nawk", "original-awk"))


def _reads(execution: Execution, paths: list[Word], *, recursive: bool = False) -> list[FileAccess]:
    names = names_only(execution)
    return [
        touch(execution, path, "read", recursive=recursive, names=names)
        for path in paths
        if is_path(path)
    ]


def _grep(execution: Execution, _world: World) -> list[FileAccess]:
    """The pattern is no path. Recursive ones read the directory where none is named."""
    options, always = _GREP_PROGRAMS.get(execution.program, (_GREP, False))
    arguments = parse(execution.argv, options, permute=True)
    roles = {option.role for option in arguments.options}
    if "query" in roles:
        return []
    paths = list(arguments.operands)
    if "supplied" not in roles:
        paths = paths[1:]
    recursive = always or "recursive" in roles or _skips_nothing(arguments.value("d"))
    if not paths and recursive and not (always and (execution.feeds or execution.stdin)):
        paths = [known(".", execution.start, execution.end)]
    found = _reads(execution, paths, recursive=recursive)
    if arguments.has("files"):
        for access in found:
            access.mode = "metadata"
    found += [
        touch(execution, option.value, "use")
        for option in arguments.options
        if option.name in ("f", "file", "ignore-file", "exclude-from") and option.value is not None
    ]
    return found


def search_arguments(execution: Execution) -> Arguments:
    """The words of a content search, as its program reads them."""
    options, _ = _GREP_PROGRAMS.get(execution.program, (_GREP, False))
    return parse(execution.argv, options, permute=True)


def _skips_nothing(directories: Word | None) -> bool:
    return directories is not None and directories.text == "recurse"


def _cut(execution: Execution, _world: World) -> list[FileAccess]:
    return _reads(execution, parse(execution.argv, _CUT, permute=True).operands)


def _awk(execution: Execution, _world: World) -> list[FileAccess]:
    """The program text is no path, nor are `name=value` operands. `-i inplace` writes."""
    arguments = parse(execution.argv, _AWK)
    paths = list(arguments.operands)
    if not arguments.has("f", "e", "E"):
        paths = paths[1:]
    paths = [p for p in paths if not lead(p).partition("=")[0].isidentifier() or "=" not in lead(p)]
    include = arguments.value("i")
    if include is not None and include.text == "inplace":
        return [touch(execution, path, "write") for path in paths if is_path(path)]
    found = _reads(execution, paths)
    script = arguments.value("f")
    if script is not None:
        found.append(touch(execution, script, "use"))
    return found


def _sed_scripts(execution: Execution) -> list[Word]:
    arguments = parse(execution.argv, _SED, permute=True)
    scripts = [o.value for o in arguments.options if o.name == "e" and o.value is not None]
    if not scripts and not arguments.has("f"):
        scripts = [word for word in arguments.operands if word.choices[0]][:1]
    return scripts


def _shuf(execution: Execution, _world: World) -> list[FileAccess]:
    """With `-e` or `-i` there is no file: it shuffles its words, or numbers."""
    arguments = parse(
        execution.argv,
        "e,echo i,input-range: n,head-count: o,output: random-source: r,repeat z,zero-terminated",
        permute=True,
    )
    output = arguments.value("o")
    found = [touch(execution, output, "write")] if output is not None and is_path(output) else []
    if arguments.has("e", "i"):
        return found
    return found + [touch(execution, path, "read") for path in arguments.operands if is_path(path)]


def _sed(execution: Execution, _world: World) -> list[FileAccess]:
    arguments = parse(execution.argv, _SED, permute=True)
    operands = list(arguments.operands)
    in_place = arguments.has("i", "I")
    scripts = [o.value for o in arguments.options if o.name == "e" and o.value is not None]
    given = arguments.has("e", "f")
    if in_place and operands and not operands[0].choices[0] and (given or len(operands) > 2):
        del operands[0]  # the empty suffix of BSD's `-i ''`
    if not given:
        scripts = operands[:1]
        del operands[:1]
    if in_place:
        mode = "truncate" if _sed_empties(scripts, quiet=arguments.has("n")) else "write"
        return [touch(execution, path, mode) for path in operands if is_path(path)]
    found = _reads(execution, operands)
    script = arguments.value("f")
    if script is not None:
        found.append(touch(execution, script, "use"))
    return found


#: Commands of sed that print nothing by themselves.
_SILENT = frozenset("0123456789,$ ;\nd{}!")


def _sed_empties(words: list[Word], *, quiet: bool) -> bool:
    """Nothing is left of a file that is edited in place (`sed -n '' -i f`, `sed -i d f`)."""
    scripts = [word.text for word in words]
    if not scripts or any(script is None for script in scripts):
        return False
    if quiet:
        return all(_SILENT.issuperset(script or "") for script in scripts)
    return any((script or "").replace(" ", "") in ("d", "1,$d") for script in scripts)


def _find(execution: Execution, _world: World) -> list[FileAccess]:
    """The starts are looked at; `-delete` deletes what is found below them, `-fprint` writes."""
    from cc_safety_net.guard.interpret.wrappers.searches import find_starts

    words = execution.argv
    starts, first = find_starts(words)
    deletes = any(word.text == "-delete" for word in words[first:])
    mode = "delete" if deletes else "metadata"
    found = [
        touch(execution, start, mode, recursive=True, found=deletes)
        for start in starts
        if is_path(start)
    ]
    found += [
        touch(execution, words[index + 1], "write")
        for index in range(first, len(words) - 1)
        if words[index].text in ("-fprint", "-fprint0", "-fls", "-fprintf")
    ]
    return found


def _dd(execution: Execution, _world: World) -> list[FileAccess]:
    found = []
    empty = False
    source = target = None
    for word in execution.argv[1:]:
        name, _, rest = lead(word).partition("=")
        value = cut(word, len(name) + 1)
        if name == "if":
            empty = rest == "/dev/null"
            found.append(touch(execution, value, "read"))
            source = value
        elif name == "of":
            target = value
    if target is not None:
        written = touch(execution, target, "truncate" if empty else "write")
        written.source = None if empty else source
        found.append(written)
    return found


def _ed(execution: Execution, _world: World) -> list[FileAccess]:
    """The file is written unless the commands are known, and `w` is not among them."""
    texts = execution.stdin.texts if execution.stdin is not None else None
    writes = texts is None or any(
        line.lstrip(" ,.%$0123456789").lower().startswith("w")
        for text in texts
        for line in text.splitlines()
    )
    found = []
    for path in parse(execution.argv, "p: s v r", permute=True).operands:
        if is_path(path) and not lead(path).startswith("!"):
            found.append(touch(execution, path, "read"))
            if writes:
                found.append(touch(execution, path, "write"))
    return found


def _test(execution: Execution, _world: World) -> list[FileAccess]:
    """`[ -f PATH ]`: looked at."""
    words = execution.argv
    return [
        touch(execution, words[index + 1], "metadata")
        for index in range(1, len(words) - 1)
        if words[index].text in _FILE_TESTS and is_path(words[index + 1])
    ]


_FILE_TESTS = frozenset(
    (
        "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-L", "-N", "-O", "-p", "-r", "-S",
        "-s", "-u", "-w", "-x", "-G", "-ef", "-nt", "-ot",
    )
)  # fmt: skip

_HASH = ("a,algorithm: c,check t b tag quiet status strict w", _READ)

TABLE: dict[str, Entry] = {
    "cat": ("", _READ),
    "tac": ("s,separator:", _READ),
    "zcat": ("", _READ),
    "gzcat": ("", _READ),
    "bzcat": ("", _READ),
    "xzcat": ("", _READ),
    "zstdcat": ("", _READ),
    "less": ("p: P: k: t: x: y: j: b: o:@write O:@write", _READ),
    "more": ("n:", _READ),
    "most": ("", _READ),
    "zless": ("", _READ),
    "head": ("n,lines: c,bytes: q v", _READ),
    "tail": ("n,lines: c,bytes: s,sleep-interval: pid: f,follow? F q v", _READ),
    "bat": (
        (
            "l,language: r,line-range: H,highlight-line: m,map-syntax: theme: style: pager: paging:"
            " color: decorations: tabs: wrap: terminal-width: file-name:"
        ),
        _READ,
    ),
    "batcat": ("l,language: r,line-range: H,highlight-line: theme: style: pager: paging:", _READ),
    "nl": ("b: d: f: h: i: l: n: s: v: w:", _READ),
    "pr": ("D: e? h: i? l: n? N: o: s? S? w: W:", _READ),
    "shuf": _shuf,
    "fold": ("w,width:", _READ),
    "fmt": ("w,width: p,prefix: g,goal:", _READ),
    "od": ("A: j: N: S? t: w? v", _READ),
    "xxd": ("c,cols: g,groupsize: l,len: n: o: s,seek: b e i p r u", "read write"),
    "hexdump": ("n: s: e: f: C c b d o v x", _READ),
    "hd": ("n: s:", _READ),
    "hexyl": ("n,length: c,bytes: s,skip: block-size: color: border:", _READ),
    "strings": ("n,bytes: t,radix: e,encoding: T,target: s: o: a d f", _READ),
    "base64": ("w,wrap: d,decode,D i,input:@read o,output:@write b: A", _READ),
    "base32": ("w,wrap: d,decode", _READ),
    "basenc": ("w,wrap: d,decode", _READ),
    "uuencode": ("m o:", "read skip"),
    "sort": (
        (
            "k,key: t,field-separator: o,output:@write S,buffer-size: T,temporary-directory:"
            " batch-size:"
            " parallel: files0-from: compress-program: random-source:"
        ),
        _READ,
    ),
    "uniq": ("f,skip-fields: s,skip-chars: w,check-chars: c,count d i u", "read write"),
    "cut": _cut,
    "paste": ("d,delimiters: s z", _READ),
    "column": ("t s,separator: c,output-width: N: n: o: R: E: W: H: O:", _READ),
    "rev": ("", _READ),
    "expand": ("t,tabs:", _READ),
    "unexpand": ("t,tabs:", _READ),
    "tr": ("", ""),
    "iconv": ("f,from-code: t,to-code: o,output:@write", _READ),
    "join": ("1: 2: a: e: j: o: t: v:", _READ),
    "diff": (
        (
            "q,brief@names U,unified: C,context: F: I: L,label: W,width: x,exclude: X,exclude-from:"
            " S,starting-file: from-file:@read to-file:@read r,recursive@recursive color? s y N u c"
        ),
        _READ,
    ),
    "colordiff": ("U: q,brief@names r@recursive", _READ),
    "sdiff": ("o,output:@write w,width: s", _READ),
    "vimdiff": ("c: cmd: S:@use u: o O", _READ),
    "nvimdiff": ("c: cmd: S:@use u: o O", _READ),
    "look": ("b d f t,terminate:", "skip read"),
    "pv": ("i: L: B: N: s,size: o,output:@write d: R: P: w: H: F: n q p t e r b a", _READ),
    "tsort": ("", _READ),
    "ptx": ("g: i:@use o:@use S: W: w: b:@use f A r", _READ),
    "glow": ("s,style: w,width: p a l", _READ),
    "mdcat": ("columns: p", _READ),
    "gist": ("d: f: t: u: s p c o P l r: delete:", _READ),
    "diff3": ("L:", _READ),
    "cmp": ("s,quiet,silent@names i,ignore-initial: n,bytes: l b", _READ),
    "comm": ("1 2 3 output-delimiter:", _READ),
    "delta": ("", _READ),
    "difft": ("", _READ),
    "wc": ("files0-from: l w c m L", _READ),
    "md5sum": _HASH,
    "md5": ("s: q r", _READ),
    "sha1sum": _HASH,
    "sha224sum": _HASH,
    "sha256sum": _HASH,
    "sha384sum": _HASH,
    "sha512sum": _HASH,
    "shasum": _HASH,
    "b2sum": _HASH,
    "cksum": _HASH,
    "sum": _HASH,
    "grep": _grep,
    "egrep": _grep,
    "fgrep": _grep,
    "rgrep": _grep,
    "zgrep": _grep,
    "rg": _grep,
    "ag": _grep,
    "ack": _grep,
    "pt": _grep,
    "ugrep": _grep,
    "ug": _grep,
    "jq": (
        (
            "f,from-file:@use L: arg; argjson; slurpfile;@read rawfile;@read args$ jsonargs$"
            " indent: e,exit-status"
            " n,null-input r,raw-output s,slurp R,raw-input c,compact-output S,sort-keys C M j a"
        ),
        "skip read*",
    ),
    "yq": (
        (
            "f,from-file:@use p,input-format: o,output-format: i,inplace@only=write s,split-exp:"
            " I,indent:"
        ),
        "skip read*",
    ),
    "gron": ("", _READ),
    "fx": ("", "read skip*"),
    "xmllint": ("xpath: o,output:@write schema:@use dtdvalid:", _READ),
    "awk": _awk,
    "original-awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "nawk": _awk,
    "sed": _sed,
    "gsed": _sed,
    "find": _find,
    "gfind": _find,
    "bfs": _find,
    "dd": _dd,
    "test": _test,
    "[": _test,
    "stat": ("c,format: f,file-system t,terse printf:", "metadata*"),
    "ls": (
        "I,ignore: w,width: T,tabsize: hide: block-size: color? sort: time: format:",
        "metadata*",
    ),
    "ll": ("", "metadata*"),
    "eza": ("I,ignore-glob: L,level: s,sort: t,time:", "metadata*"),
    "exa": ("I,ignore-glob: L,level: s,sort: t,time:", "metadata*"),
    "tree": ("I: P: L: o:@write H: T: filelimit: charset:", "metadata*"),
    "file": ("m,magic-file: f,files-from: F,separator: P: e,exclude:", "metadata*"),
    "du": ("d,max-depth: B,block-size: exclude: t,threshold: files0-from: X: time?", "metadata*"),
    "realpath": ("relative-to: relative-base:", "metadata*"),
    "readlink": ("", "metadata*"),
    "namei": ("", "metadata*"),
    "lsattr": ("", "metadata*"),
    "getfacl": ("", "metadata*"),
    "pathchk": ("", "metadata*"),
    "sqlite3": ("-cmd: -init:@use -separator: -newline: -nullvalue: -header -csv -json", "read"),
    "vim": ("c: cmd: S:@use s: u: U: i: T: w:@write W:@write t: q: r", _READ),
    "vi": ("c: S:@use u: i: T: w: t: r", _READ),
    "ex": ("c: S:@use u: T: w: t: r s", _READ),
    "nvim": ("c: cmd: S:@use s: u: i: w: W: t: q: r", _READ),
    "view": ("c: cmd: S:@use u:", _READ),
    "nano": ("T: r: s: o: f: Y: J:", _READ),
    "pico": ("T: r: s:", _READ),
    "micro": ("config-dir:", _READ),
    "emacs": ("eval,execute: l,load:@use script:@use f,funcall:", _READ),
    "emacsclient": ("e,eval: s: a: f:", _READ),
    "code": ("g,goto d,diff install-extension: user-data-dir: extensions-dir:", _READ),
    "cursor": ("g,goto d,diff install-extension:", _READ),
    "subl": ("", _READ),
    "kate": ("", _READ),
    "gedit": ("", _READ),
    "open": ("a: b: e t R", _READ),
    "xdg-open": ("", _READ),
    "ed": _ed,
    "pbcopy": ("", ""),
    "xclip": ("i,in o,out selection:", _READ),
    "pandoc": ("f,from: t,to: o,output:@write c,css: template: M: V:", _READ),
    "mapfile": ("d: n: O: s: u: C: c:", ""),
    "qrencode": ("o:@write r:@read s: l: v: m: d: t:", ""),
    "split": (
        "a,suffix-length: b,bytes: C: l,lines: n,number: t: additional-suffix: filter:",
        "read write",
    ),
    "mail": ("s: a:@read A,attach:@read c: b: r:", ""),
    "mutt": ("s: a:@read c: b: i:@read H:@read F:@use", ""),
}
