"""Cmdlets: their aliases, their parameters, and how words are bound to them."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import literal
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value, both, known
from cc_safety_net.guard.shell.powershell.nodes import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cc_safety_net.guard.interpret.values import Choices

ALIASES = {
    "%": "foreach-object", "?": "where-object", "ac": "add-content", "cat": "get-content",
    "cd": "set-location", "chdir": "set-location", "clc": "clear-content",
    "cli": "clear-item", "copy": "copy-item", "cp": "copy-item", "cpi": "copy-item",
    "ci": "copy-item", "cvpa": "convert-path", "del": "remove-item", "dir": "get-childitem",
    "echo": "write-output", "epcsv": "export-csv", "erase": "remove-item",
    "foreach": "foreach-object", "fl": "format-list", "ft": "format-table",
    "fw": "format-wide", "gc": "get-content", "gci": "get-childitem", "gi": "get-item",
    "gal": "get-alias", "gcim": "get-ciminstance",
    "gcm": "get-command", "gl": "get-location", "gp": "get-itemproperty",
    "group": "group-object", "gwmi": "get-wmiobject", "icim": "invoke-cimmethod",
    "iwmi": "invoke-wmimethod", "rcim": "remove-ciminstance", "rwmi": "remove-wmiobject",
    "icm": "invoke-command", "iex": "invoke-expression", "ii": "invoke-item",
    "ipcsv": "import-csv", "irm": "invoke-restmethod", "iwr": "invoke-webrequest",
    "ls": "get-childitem", "measure": "measure-object", "mi": "move-item",
    "move": "move-item", "mv": "move-item", "ni": "new-item", "md": "mkdir", "nal": "new-alias",
    "ogv": "out-gridview", "oh": "out-host", "popd": "pop-location",
    "pushd": "push-location", "pwd": "get-location", "rd": "remove-item",
    "ren": "rename-item", "ri": "remove-item", "rm": "remove-item", "rmdir": "remove-item",
    "rni": "rename-item", "rp": "remove-itemproperty", "rvpa": "resolve-path",
    "sajb": "start-job", "sal": "set-alias", "saps": "start-process", "sc": "set-content",
    "select": "select-object", "set": "set-variable", "si": "set-item", "sl": "set-location",
    "sls": "select-string", "sort": "sort-object", "start": "start-process",
    "sv": "set-variable", "tee": "tee-object", "type": "get-content",
    "where": "where-object", "write": "write-output", "nv": "new-variable",
    "clear-recyclebin": "clear-recyclebin", "kill": "stop-process", "spps": "stop-process",
    "compare": "compare-object", "diff": "compare-object", "gdr": "get-psdrive",
    "ipmo": "import-module", "rjb": "remove-job", "rv": "remove-variable", "sleep": "start-sleep",
}  # fmt: skip

#: Names of `Invoke-WebRequest` in Windows PowerShell, elsewhere of programs.
WEB_ALIASES = frozenset(("curl", "wget"))
WEB_PARAMETERS = frozenset(
    ("body", "headers", "infile", "method", "outfile", "uri", "usebasicparsing", "useb")
)
#: Aliases that are programs of their own on other systems.
NATIVE_TOO = frozenset(
    ("cat", "cp", "diff", "kill", "ls", "mkdir", "mv", "rm", "rmdir", "sleep", "sort", "tee")
)

_PATHS = "path@0 literalpath,pspath,lp filter include exclude credential"
#: Cmdlet -> parameters: `name,alias`; `!` a switch; `@n` its position.
PARAMETERS = {
    "remove-item": _PATHS + " recurse! force! stream",
    "clear-content": _PATHS + " force! stream",
    "clear-item": _PATHS + " force!",
    "clear-recyclebin": "driveletter@0 force!",
    "set-content": _PATHS + " value@1 passthru! force! encoding nonewline! asbytestream! stream",
    "add-content": _PATHS + " value@1 passthru! force! encoding nonewline! asbytestream! stream",
    "out-file": (
        "filepath,path@0 literalpath,pspath,lp encoding@1 append! force! noclobber,nooverwrite!"
        " width nonewline! inputobject"
    ),
    "tee-object": "filepath,path@0 literalpath,pspath,lp variable append! inputobject encoding",
    "get-content": _PATHS + (
        " readcount totalcount,first,head tail,last force! delimiter wait! raw! encoding"
        " asbytestream! stream"
    ),
    "get-childitem": (
        "path@0 literalpath,pspath,lp filter@1 include exclude recurse,s! depth force! name!"
        " directory,ad! file,af! hidden,ah,h! readonly,ar! system,as! attributes followsymlink!"
    ),
    "get-item": _PATHS + " force! stream",
    "get-itemproperty": "path@0 name@1 literalpath,pspath,lp filter include exclude",
    "resolve-path": "path@0 literalpath,pspath,lp relative! force! relativebasepath",
    "convert-path": "path@0 literalpath,pspath,lp force!",
    "join-path": "path,pspath@0 childpath@1 additionalchildpath resolve!",
    "split-path": (
        "path@0 literalpath,pspath,lp parent! leaf! leafbase! extension! qualifier! noqualifier!"
        " resolve! isabsolute!"
    ),
    "test-path": _PATHS + " pathtype,type isvalid! olderthan newerthan",
    "set-location": "path@0 literalpath,pspath,lp passthru! stackname",
    "push-location": "path@0 literalpath,pspath,lp passthru! stackname",
    "pop-location": "passthru! stackname",
    "get-location": "psprovider psdrive stack! stackname",
    "new-item": "path@0 name itemtype,type value,target force! credential",
    "mkdir": "path@0 name value force! credential",
    "copy-item": _PATHS + " destination@1 force! recurse! passthru! container! tosession",
    "move-item": _PATHS + " destination@1 force! passthru!",
    "rename-item": "path@0 newname@1 literalpath,pspath,lp force! passthru!",
    "set-item": _PATHS + " value@1 force! passthru!",
    "select-string": (
        "pattern@0 path@1 literalpath,pspath,lp inputobject simplematch! casesensitive! quiet!"
        " list! noemphasis! include exclude notmatch! allmatches! encoding context raw! culture"
    ),
    "invoke-expression": "command@0",
    "invoke-command": (
        "scriptblock,command@0 computername,cn credential port usessl! configurationname"
        " applicationname throttlelimit asjob! indisconnectedsession! sessionname hidecomputername!"
        " jobname filepath,pspath session vmid vmname containerid hostname username keyfilepath"
        " inputobject argumentlist,args nonewscope! enablenetworkaccess!"
    ),
    "start-process": (
        "filepath,pspath,path@0 argumentlist,args@1 credential workingdirectory"
        " loaduserprofile,lup! nonewwindow,nnw! passthru! redirectstandarderror,rse"
        " redirectstandardinput,rsi redirectstandardoutput,rso verb windowstyle wait!"
        " usenewenvironment! environment"
    ),
    "start-job": (
        "scriptblock,command@0 name definitionname filepath literalpath initializationscript"
        " runas32! inputobject argumentlist,args workingdirectory psversion credential"
    ),
    "start-threadjob": (
        "scriptblock@0 name filepath initializationscript inputobject argumentlist,args"
        " throttlelimit streaminghost"
    ),
    "register-scheduledjob": (
        "scriptblock@0 name filepath argumentlist,args trigger initializationscript credential"
        " authentication scheduledjoboption runas32! maxresultcount runevery runnow!"
    ),
    "register-engineevent": "sourceidentifier@0 action@1 messagedata supportevent! forward!",
    "register-objectevent": (
        "inputobject@0 eventname@1 sourceidentifier@2 action@3 messagedata supportevent! forward!"
    ),
    "new-scheduledtaskaction": "execute,filepath@0 argument@1 workingdirectory@2 id",
    "invoke-wmimethod": (
        "class@0 name@1 argumentlist,args path inputobject namespace computername credential"
        " enableallprivileges! impersonation authentication asjob! throttlelimit"
    ),
    "invoke-cimmethod": (
        "classname@0 methodname@1 arguments inputobject query computername,cn namespace cimsession"
        " querydialect resourceuri operationtimeoutsec"
    ),
    "get-command": (
        "name@0 argumentlist,args@1 verb noun module commandtype,type totalcount syntax! all!"
        " listimported! parametername parametertype fullyqualifiedmodule"
    ),
    "get-alias": "name@0 definition exclude scope",
    "format-hex": "path@0 literalpath,pspath,lp inputobject encoding count offset raw!",
    "import-clixml": "path@0 literalpath,pspath,lp includetotalcount! skip first",
    "foreach-object": (
        "process@0 begin end remainingscripts membername argumentlist,args parallel"
        " throttlelimit timeoutseconds asjob! inputobject usenewrunspace!"
    ),
    "where-object": "filterscript,property@0 value@1 inputobject",
    "select-object": (
        "property@0 inputobject excludeproperty expandproperty unique! first last skip skiplast"
        " skipindex wait! index caseinsensitive!"
    ),
    "sort-object": (
        "property@0 descending! unique! inputobject culture casesensitive! stable! top bottom"
    ),
    "write-output": "inputobject@0 noenumerate!",
    "write-host": (
        "object,msg,message@0 nonewline! separator foregroundcolor backgroundcolor"
    ),
    "invoke-webrequest": (
        "uri@0 usebasicparsing! websession,session sessionvariable,sv credential headers method"
        " custommethod,cm body form contenttype infile outfile passthru! useragent proxy"
        " maximumredirection timeoutsec certificate skipcertificatecheck! resume! token"
        " authentication allowunencryptedauthentication! skipheadervalidation! disablekeepalive!"
        " usedefaultcredentials! skiphttperrorcheck! maximumretrycount retryintervalsec"
    ),
    "invoke-restmethod": (
        "uri@0 usebasicparsing! websession,session sessionvariable,sv credential headers method"
        " custommethod,cm body form contenttype infile outfile passthru! useragent proxy"
        " maximumredirection timeoutsec certificate skipcertificatecheck! resume! token"
        " authentication allowunencryptedauthentication! statuscodevariable skipheadervalidation!"
        " followrellink! usedefaultcredentials! skiphttperrorcheck! maximumretrycount"
    ),
    "start-bitstransfer": "source@0 destination@1 asynchronous! credential description priority",
    "set-variable": "name@0 value@1 include exclude description option force! visibility scope",
    "new-variable": "name@0 value@1 description option force! visibility scope",
    "set-alias": "name@0 value@1 description option passthru! scope force!",
    "new-alias": "name@0 value@1 description option passthru! scope force!",
    "new-object": "typename@0 argumentlist,args@1 comobject strict! property",
    "get-variable": "name@0 valueonly! include exclude scope",
    "expand-archive": "path@0 destinationpath@1 literalpath,pspath force! passthru!",
    "compress-archive": (
        "path@0 destinationpath@1 literalpath,pspath compressionlevel update! force! passthru!"
    ),
    "export-csv": (
        "path,filepath@0 delimiter@1 literalpath,pspath inputobject force! noclobber! encoding"
        " append! notypeinformation,nti! useculture!"
    ),
    "export-clixml": "path@0 literalpath,pspath inputobject force! noclobber! encoding depth",
    "import-csv": "path@0 delimiter@1 literalpath,pspath header encoding useculture!",
    "get-filehash": "path@0 literalpath,pspath,lp algorithm@1 inputstream",
    "set-acl": _PATHS + " aclobject@1 passthru!",
    "invoke-item": _PATHS,
    "get-credential": "credential@0 message username",
    "out-string": "stream! width nonewline! inputobject",
    "get-process": "name@0 id computername module! fileversioninfo! inputobject includeusername!",
    "stop-process": "id@0 name inputobject passthru! force!",
}  # fmt: skip
_COMMON = (
    "verbose,vb! debug,db! erroraction,ea warningaction,wa informationaction,infa errorvariable,ev"
    " warningvariable,wv informationvariable,iv outvariable,ov outbuffer,ob pipelinevariable,pv"
    " progressaction,proga whatif,wi! confirm,cf!"
)


class Argument:
    """One word: a value, or a parameter by name. raw: as written. node: where it stands."""

    __slots__ = ("name", "node", "raw", "value")

    def __init__(self, value: Value | None, node: Node, *, name: str = "", raw: str = "") -> None:
        self.value = value
        self.node = node
        self.name = name
        self.raw = raw


class Bound:
    """values: by the parameter's full name. on: switches. rest: what no parameter takes.
    strange: names that are no parameters."""

    __slots__ = ("on", "rest", "strange", "values")

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.on: set[str] = set()
        self.rest: list[Value] = []
        self.strange: list[str] = []

    def get(self, *names: str) -> Value:
        """The value of the first of these parameters that was given."""
        for name in names:
            found = self.values.get(name)
            if found is not None:
                return found
        return NOTHING

    def has(self, name: str) -> bool:
        return name in self.on or name in self.values


class _Parameter:
    __slots__ = ("name", "names", "position", "switch")

    def __init__(self, text: str) -> None:
        text, _, position = text.partition("@")
        self.switch = text.endswith("!")
        self.names = tuple(text.rstrip("!").split(","))
        self.name = self.names[0]
        self.position = int(position) if position else -1


def bind(cmdlet: str, arguments: Sequence[Argument]) -> Bound:
    """Bind words to the parameters of a cmdlet; one that no table knows takes them in order."""
    return bind_to(_parameters(cmdlet), _parameters(""), arguments)


_read: dict[str, list[_Parameter]] = {}


def _parameters(cmdlet: str) -> list[_Parameter]:
    """The row of the table, cut once; "" for what all cmdlets have."""
    found = _read.get(cmdlet)
    if found is None:
        text = PARAMETERS.get(cmdlet, "") if cmdlet else _COMMON
        found = [_Parameter(each) for each in text.split()]
        if cmdlet in PARAMETERS or not cmdlet:
            _read[cmdlet] = found
    return found


def bind_to(
    own: list[_Parameter], common: list[_Parameter], arguments: Sequence[Argument]
) -> Bound:
    found = Bound()
    loose: list[Value] = []
    waiting = ""
    for argument in arguments:
        if argument.name:
            waiting = ""
            parameter = _find(own, argument.name) or _find(common, argument.name)
            if parameter is None:
                found.strange.append(argument.name)
            elif parameter.switch:
                if argument.value is None or argument.value.text != "False":
                    found.on.add(parameter.name)
                elif parameter.name in found.on:
                    found.on.discard(parameter.name)
            elif argument.value is not None:
                found.values[parameter.name] = argument.value
            else:
                waiting = parameter.name
        elif argument.value is not None:
            if waiting:
                found.values[waiting] = argument.value
                waiting = ""
            else:
                loose.append(argument.value)
    places = sorted(
        (p for p in own if p.position >= 0 and p.name not in found.values), key=_position
    )
    for value in loose:
        if places:
            found.values[places.pop(0).name] = value
        else:
            found.rest.append(value)
    return found


def _position(parameter: _Parameter) -> int:
    return parameter.position


def _find(parameters: list[_Parameter], name: str) -> _Parameter | None:
    """By name or alias, else by a prefix that only one has."""
    for parameter in parameters:
        if name in parameter.names:
            return parameter
    found = [p for p in parameters if any(each.startswith(name) for each in p.names)]
    return found[0] if len(found) == 1 else None


def named_parameters(names: Sequence[tuple[str, bool]]) -> list[_Parameter]:
    """Parameters of a function: (name, is a switch), in the order of their positions."""
    out = []
    for position, (name, switch) in enumerate(names):
        parameter = _Parameter(name + ("!" if switch else ""))
        parameter.position = -1 if switch else position
        out.append(parameter)
    return out


def all_paths(bound: Bound) -> Value:
    """What `-Path` and `-LiteralPath` name."""
    return both(bound.get("path"), bound.get("literalpath"))


def as_argument(word: Choices) -> Argument:
    """A word of a command line that starts a script: a value, or `-Name`, `-Name:value`."""
    node = Node(0, 0)
    text = literal(word[0]) if len(word) == 1 else None
    if text is None or text[:1] != "-" or not text[1:2].isalpha():
        return Argument(Value((word,)), node)
    name, colon, value = text[1:].partition(":")
    return Argument(known(value) if colon else None, node, name=name.lower(), raw=text)


def splatted(value: Value, node: Node) -> list[Argument]:
    """`@name`: each key of a table, or each object of a row, is an argument."""
    if value.table is not None:
        return [
            Argument(each, node, name=name, raw="-" + name) for name, each in value.table.items()
        ]
    return [Argument(Value((item,)), node) for item in value.items]
