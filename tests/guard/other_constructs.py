"""Long inputs that are no shell text of POSIX, a construct each, and the call that carries them.

PowerShell and cmd.exe, code in other languages, the files that a command makes run, the arguments
of tools. `№` in a piece is its number, so that thousands of names differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.guard.worlds import HOME, workspace

from cc_safety_net.guard.call import ToolCall
from cc_safety_net.guard.tool_names import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tests.guard.worlds import FakeWorld

    Pieces = tuple[str, str, str]

ROOT = f"{HOME}/proj"
#: Dialect -> construct -> (what stands before, what is repeated, what stands behind).
SHELLS: Mapping[str, Mapping[str, Pieces]] = {
    "powershell": {
        "commands": ("", "gci -Force\n", ""),
        "semicolons": ("", ";", ""),
        "deletions": ("", "ri a№;", ""),
        "operands": ("ri ", "a№,", "b"),
        "words": ("ri ", "a ", ""),
        "pipes": ("gci", " | select Name", ""),
        "assignments": ("", "$a№ = 'b'\n", ""),
        "one variable that grows": ("", "$a += 'x';", ""),
        "one list that grows": ("$a = @()\n", "$a += 'x'\n", "ri $a"),
        "properties": ("$h = @{}\n", "$h.a№ = 1;", ""),
        "sums": ("$a = ", "'a' + ", "'b'"),
        "arrays": ("$a = @(", "'x', ", "'y')"),
        "hash tables": ("$a = @{", "k№ = 'v'; ", "}"),
        "strings with variables": ('echo "', "$x and ", '"'),
        "strings with expressions": ('echo "', "$(1) ", '"'),
        "a here-string": ("@'\n", "some text\n", "'@"),
        "here-strings": ("", "@'\nx\n'@\n", ""),
        "a long word": ("echo ", "a", ""),
        "a long string": ("echo '", "a b ", "'"),
        "comments": ("", "# a comment\n", ""),
        "block comments": ("", "<# a #> ", ""),
        "conditions": ("", "if ($x) { ri a } ", ""),
        "an else-if chain": ("if ($x) { ls } ", "elseif ($y) { ls } ", ""),
        "a long switch": ("switch ($x) { ", "'a№' { ls } ", "}"),
        "loops": ("", "foreach ($i in 1..3) { echo $i }\n", ""),
        "loops in loops": ("", "foreach ($i in 1..9) { ", ""),
        "ranges": ("", "1..9999 | % { $_ }\n", ""),
        "functions": ("", "function f№ { ls }\nf№\n", ""),
        "one function called often": ("function f { ls; ls }\n", "f\n", ""),
        "script blocks": ("", "& { ls }\n", ""),
        "casts": ("", "[int]", "1"),
        "members": ("$a", ".b", ""),
        "indexes": ("$a", "[0]", ""),
        "method calls": ("$a", ".b('c')", ""),
        "static calls": ("", "[IO.File]::Delete('a№')\n", ""),
        "replacements": ("'a'", ".Replace('a','b')", ""),
        "directory changes": ("", "cd a№\n", ""),
        "redirections": ("", "echo a > f№\n", ""),
        "environment": ("", "$env:A№ = 'b'\n", ""),
        "iex": ("", "iex 'ls'\n", ""),
        "nested iex": ("", "iex '", ""),
        "cmd /c": ("", "cmd /c dir\n", ""),
        "encoded commands": ("", "powershell -EncodedCommand bABzAA==\n", ""),
        "here cmdlets with paths": ("", "Copy-Item src\\a№.txt build\\b№.txt\n", ""),
        "try": ("", "try { ls } catch { ls }\n", ""),
        "splatting": ("$a = @{Path='x'}\n", "ri @a\n", ""),
        "joins": ("", "('a','b' -join '')\n", ""),
        "formats": ("", "('{0}{1}' -f 'a','b')\n", ""),
        "backquotes": ("echo ", "`a", ""),
        "line continuations": ("echo ", "a `\n", ""),
        "params": ("param(", "$a№ = 1, ", "$z)"),
        "aliases": ("", "Set-Alias a№ ri\n", ""),
        "objects": ("", "New-Object PSObject -Property @{a=1}\n", ""),
        "negations": ("$a = ", "!", "1"),
        "comparisons": ("$a = 1", " -eq 1", ""),
        "ands": ("if ($a", " -and $a", ") { ls }"),
        "open parentheses": ("", "(", ""),
        "open braces": ("", "{", ""),
        "open subexpressions": ("", "$(", ""),
        "open arrays": ("", "@(1, ", ""),
        "open tables": ("", "@{a=", ""),
        "open strings": ("", '"$(', ""),
        "open blocks": ("", "%{", ""),
    },
    "cmd": {
        "commands": ("", "dir /b\n", ""),
        "ands": ("", "dir & ", "dir"),
        "deletions": ("", "del a№.txt\n", ""),
        "operands": ("del ", "a№.txt ", ""),
        "pipes": ("type x", " | more", ""),
        "sets": ("", "set A№=b\n", ""),
        "a variable that grows": ("", "set A=%A%b\n", ""),
        "a variable that doubles": ("set A=b\n", "set A=%A%%A%\n", ""),
        "variables": ("echo ", "%A% ", ""),
        "delayed variables": ("setlocal enabledelayedexpansion\necho ", "!A! ", ""),
        "substrings": ("set A=abc\necho ", "%A:~0,1% ", ""),
        "replacements in variables": ("set A=abc\necho ", "%A:a=b% ", ""),
        "conditions": ("", "if a==b del a\n", ""),
        "an else chain": ("if a==b (dir)", " else if a==c (dir)", ""),
        "for": ("", "for %i in (a b) do dir %i\n", ""),
        "for in for": ("", "for %i in (a b c) do ", "dir"),
        "for with many items": ("for %i in (", "a№ ", ") do echo %i"),
        "for /l": ("", "for /l %i in (1,1,9999) do echo %i\n", ""),
        "for /f": ("", "for /f %i in ('dir') do echo %i\n", ""),
        "labels": ("", ":a№\ndir\n", ""),
        "gotos": ("", "goto a№\n:a№\n", ""),
        "calls": ("", "call dir\n", ""),
        "starts": ("", "start dir\n", ""),
        "nested calls": ("", "call ", "dir"),
        "nested cmd /c": ("", "cmd /c ", "dir"),
        "blocks": ("", "(dir)\n", ""),
        "open blocks": ("", "(", ""),
        "carets": ("echo ", "^a", ""),
        "continuations": ("echo ", "a^\n", ""),
        "quotes": ("echo ", '"a" ', ""),
        "a long word": ("echo ", "a", ""),
        "remarks": ("", "rem a remark\n", ""),
        "redirections": ("", "echo a>f№\n", ""),
        "directory changes": ("", "cd a№\n", ""),
        "pushd": ("", "pushd a\n", ""),
        "percents": ("echo ", "%", ""),
        "exclamation marks": ("echo ", "!", ""),
        "powershell": ("", "powershell -c dir\n", ""),
        "at signs": ("", "@", "dir"),
        "set /a": ("", "set /a X=1+1\n", ""),
        "a set /a": ("set /a X=", "1+", "1"),
    },
}
#: Language -> construct -> pieces. `_PROGRAMS` runs them.
CODE: Mapping[str, Mapping[str, Pieces]] = {
    "python": {
        "statements": ("", "a = 1\n", ""),
        "calls": ("", "f()\n", ""),
        "prints": ("", "print('abc')\n", ""),
        "names": ("", "a№ = №\n", ""),
        "lambdas": ("", "f№ = lambda x: x\n", ""),
        "functions": ("", "def f№(a): return a\nf№(1)\n", ""),
        "one function called often": ("def f(a):\n    return a\n", "f(1)\n", ""),
        "functions that call": ("def f0(): pass\n", "def f№(): f0(); f0()\nf№()\n", ""),
        "classes": ("", "class C№:\n    a = 1\n", ""),
        "a list": ("a = [", "1, ", "]"),
        "a list of texts": ("a = [", "'abc', ", "]"),
        "a table": ("a = {", "'k№': 1, ", "}"),
        "a text": ("a = '''", "some text ", "'''"),
        "joined texts": ("a = (", "'abc' ", ")"),
        "a sum of texts": ("a = ", "'a' + ", "'b'"),
        "a text that grows": ("a = ''\n", "a += 'abc'\n", ""),
        "a text that doubles": ("a = 'abc'\n", "a += a\n", ""),
        "a list that grows": ("a = []\n", "a.append('abc')\n", ""),
        "a list that doubles": ("a = [1]\n", "a += a\n", ""),
        "a huge number": ("a = ", "1234567890", ""),
        "powers": ("a = 2", " ** 9", ""),
        "repeated texts": ("", "a = 'abc' * 1000000\n", ""),
        "repeated growth": ("a = 'a'\n", "a = a * 1000\n", ""),
        "format strings": ("a = 1\n", "b = f'{a} and {a}'\n", ""),
        "one format string": ("b = f'", "{a} ", "'"),
        "a sum of numbers": ("a = ", "1 + ", "1"),
        "ands": ("a = ", "b and ", "c"),
        "comparisons": ("a = b", " < b", ""),
        "minus": ("a = ", "-", "1"),
        "nots": ("a = ", "not ", "1"),
        "parentheses": ("a = ", "(", ""),
        "lists in lists": ("a = ", "[", ""),
        "nested calls": ("", "f(", ""),
        "closed brackets": ("a = " + "[" * 150, "", "]" * 150),
        "attributes": ("a", ".b", ""),
        "indexes": ("a", "[0]", ""),
        "method calls": ("a", ".b()", ""),
        "replacements": ("a = 'abc'", ".replace('a', 'b')", ""),
        "paths": ("from pathlib import Path\na = Path('a')", " / 'b'", ""),
        "conditions": ("", "if a: b = 1\n", ""),
        "conditions that bind": ("", "if a: b№ = 1\nelse: b№ = 2\n", ""),
        "a chain of elif": ("if a: b = 0\n", "elif a: b = №\n", ""),
        "conditional expressions": ("a = ", "1 if b else ", "2"),
        "loops": ("", "for i in range(9): print(i)\n", ""),
        "loops over lists": ("", "for i in ['a', 'b', 'c']: print(i)\n", ""),
        "a loop over a long list": ("for i in [", "'a№', ", "]: print(i)"),
        "while": ("", "while a: b = 1\n", ""),
        "tries": ("", "try: f()\nexcept E: g()\n", ""),
        "withs": ("", "with open('f№') as f: f.read()\n", ""),
        "imports": ("", "import os\n", ""),
        "many imports": ("", "import m№\n", ""),
        "deletions": ("import os\n", "os.remove('a№')\n", ""),
        "shell texts": ("import os\n", "os.system('ls')\n", ""),
        "programs": ("import subprocess\n", "subprocess.run(['ls', '-l'])\n", ""),
        "writes": ("", "open('f№', 'w').write('abc')\n", ""),
        "exec": ("", "exec('a = 1')\n", ""),
        "decoded texts": ("import base64\n", "base64.b64decode('YWJj')\n", ""),
        "comprehensions": ("", "a = [x for x in b]\n", ""),
        "comprehensions in one": ("a = [x ", "for x in b ", "]"),
        "decorators": ("", "@d\n", "def f(): pass"),
        "arguments": ("f(", "a, ", ")"),
        "named arguments": ("f(", "a№=1, ", ")"),
        "parameters": ("def f(", "a№, ", "): pass"),
        "stars": ("f(", "*a, ", ")"),
        "walrus": ("", "(a := 1)\n", ""),
        "unpacking": ("", "a, b = b, a\n", ""),
        "many targets": ("", "a = ", "1"),
        "match": ("match a:\n", "    case №: b = 1\n", ""),
        "alternatives of match": ("match a:\n    case ", "1 | ", "2: pass"),
        "semicolons": ("a = 1", "; a = 1", ""),
        "comments": ("", "# a comment\n", ""),
        "blank lines": ("", "\n", ""),
        "backslashes": ("a = 1 + ", "\\\n", "1"),
        "broken": ("", "a = = 1\n", ""),
        "bytes": ("a = b'", "\\x00", "'"),
        "escapes": ("a = '", "\\u0041", "'"),
        "yields": ("def f():\n", "    yield 1\n", ""),
        "squares": ("a = 9\n", "a = a * a\n", ""),
        "a long format": ("a = '", "{} ", "'.format(*b)"),
        "a long percent format": ("a = '", "%s ", "' % b"),
        "an open percent format": ("a = 'aaa%(b' % c\nd = '", "%(", "' % b"),
        "appended lists": ("a = []\nb = [1]\n", "b.extend(b)\n", ""),
        "starred lists": ("b = [1]\n", "b = [*b, *b]\n", ""),
        "starred tables": ("b = {'a': 1}\n", "b = {**b, 'k№': 1}\n", ""),
        "starred arguments": ("def f(*a): return a\nb = [1]\n", "b = f(*b, *b)\n", ""),
        "globals": ("", "globals()['a№'] = 1\n", ""),
        "getattr": ("import os\n", "getattr(os, 'sys' + 'tem')('ls')\n", ""),
    },
    "javascript": {
        "statements": ("", "a = 1;\n", ""),
        "variables": ("", "const a№ = №;\n", ""),
        "calls": ("", "f();\n", ""),
        "prints": ("", "console.log('abc');\n", ""),
        "functions": ("", "function f№(a) { return a }\nf№(1)\n", ""),
        "arrows": ("", "const f№ = (x) => x;\n", ""),
        "nested arrows": ("", "() => ", "1"),
        "a list": ("a = [", "1, ", "1]"),
        "a table": ("a = {", "k№: 1, ", "}"),
        "a text": ("a = '", "some text ", "'"),
        "a template": ("a = `", "${b} ", "`"),
        "nested templates": ("", "`${", ""),
        "sums": ("a = ", "'a' + ", "'b'"),
        "a text that grows": ("a = '';\n", "a += 'abc';\n", ""),
        "regular expressions": ("", "a = /b[/]c/g;\n", ""),
        "slashes": ("", "a / ", "b"),
        "parentheses": ("", "(", ""),
        "brackets": ("", "[", ""),
        "braces": ("", "{", ""),
        "members": ("a", ".b", ""),
        "indexes": ("a", "[0]", ""),
        "method calls": ("a", ".b(1)", ""),
        "then": ("p", ".then(x => x)", ""),
        "conditions": ("", "if (a) { b = 1 }\n", ""),
        "else": ("if (a) {}", " else if (a) {}", ""),
        "ternaries": ("a = ", "b ? 1 : ", "2"),
        "commas": ("a", ", a", ""),
        "nots": ("", "!", "a"),
        "loops": ("", "for (const x of ['a', 'b']) { f(x) }\n", ""),
        "loops in loops": ("", "for (const x of ['a', 'b', 'c']) ", "f(x)"),
        "requires": ("", "require('fs').rmSync('a№');\n", ""),
        "shell texts": ("", "require('child_process').execSync('ls');\n", ""),
        "writes": ("const fs = require('fs');\n", "fs.writeFileSync('f№', 'abc');\n", ""),
        "comments": ("", "// a comment\n", ""),
        "block comments": ("", "/* a */ ", ""),
        "classes": ("", "class C№ { m() { return 1 } }\n", ""),
        "replace": ("'a'", ".replace('a', 'b')", ""),
        "eval": ("", "eval('a = 1');\n", ""),
        "open text": ("a = '", "b", ""),
        "switch": ("switch (a) {", "case №: f(); break;\n", "}"),
        "tries": ("", "try { f() } catch (e) { g() }\n", ""),
        "awaits": ("", "await ", "f()"),
        "news": ("", "new ", "f()"),
        "typeofs": ("a = ", "typeof ", "b"),
        "a list that doubles": ("a = [1];\n", "a = a.concat(a);\n", ""),
        "spreads": ("a = [1];\n", "a = [...a, ...a];\n", ""),
        "texts that double": ("a = 'abc';\n", "a = a + a;\n", ""),
        "squares": ("a = 9;\n", "a = a * a;\n", ""),
    },
    "perl": {
        "statements": ("", "$a = 1;\n", ""),
        "prints": ("", 'print "abc\\n";\n', ""),
        "variables": ("", "my $a№ = №;\n", ""),
        "interpolations": ('print "', "$a ", '"'),
        "joins": ("$a = ", '"a" . ', '"b"'),
        "growth": ("", '$a .= "abc";\n', ""),
        "unlinks": ("", 'unlink "a№";\n', ""),
        "systems": ("", 'system "ls";\n', ""),
        "backquotes": ("", "`ls`;\n", ""),
        "substitutions": ("", "s/a/b/g;\n", ""),
        "open pattern": ("", "s/a", ""),
        "lists": ("@a = (", "1, ", "1)"),
        "qw": ("@a = qw(", "a ", ")"),
        "nested q": ("", "q(", ""),
        "subs": ("", "sub f№ { return 1 }\nf№();\n", ""),
        "conditions": ("", "if ($a) { $b = 1 }\n", ""),
        "loops": ("", "for my $x (1, 2) { print $x }\n", ""),
        "parentheses": ("", "(", ""),
        "braces": ("", "{", ""),
        "arrows": ("$a", "->b", ""),
        "here-documents": ("", "print <<E;\nab\nE\n", ""),
        "comments": ("", "# a\n", ""),
        "pod": ("=pod\n", "text\n", "=cut\n"),
        "commas": ("f ", "a, ", "b"),
    },
    "ruby": {
        "statements": ("", "a = 1\n", ""),
        "prints": ("", 'puts "abc"\n', ""),
        "variables": ("", "a№ = №\n", ""),
        "interpolations": ('puts "', "#{a} ", '"'),
        "nested interpolations": ("", '"#{', ""),
        "sums": ("a = ", '"a" + ', '"b"'),
        "deletions": ("", 'File.delete("a№")\n', ""),
        "systems": ("", 'system("ls")\n', ""),
        "backquotes": ("", "`ls`\n", ""),
        "lists": ("a = [", "1, ", "1]"),
        "words": ("a = %w[", "a ", "]"),
        "nested percent": ("", "%w[", ""),
        "methods": ("", "def f№(a)\n  a\nend\nf№(1)\n", ""),
        "blocks": ("", "[1, 2].each { |x| puts x }\n", ""),
        "conditions": ("", "if a then b end\n", ""),
        "members": ("a", ".b", ""),
        "parentheses": ("", "(", ""),
        "here-documents": ("", "puts <<~E\nab\nE\n", ""),
        "many here-documents": ("f(", "<<A, ", "1)"),
        "comments": ("", "# a\n", ""),
        "symbols": ("a = [", ":a, ", ":b]"),
        "slashes": ("", "a / ", "b"),
        "dos": ("", "a do ", ""),
        "ends": ("", "end\n", ""),
        "a list that doubles": ("a = [1]\n", "a = a + a\n", ""),
        "nots": ("a = ", "not ", "b"),
    },
    "php": {
        "statements": ("", "$a = 1;\n", ""),
        "prints": ("", 'echo "abc";\n', ""),
        "variables": ("", "$a№ = №;\n", ""),
        "interpolations": ('echo "', "$a ", '";'),
        "joins": ("$a = ", '"a" . ', '"b";'),
        "unlinks": ("", 'unlink("a№");\n', ""),
        "systems": ("", 'system("ls");\n', ""),
        "lists": ("$a = [", "1, ", "1];"),
        "functions": ("", "function f№($a) { return $a; } f№(1);\n", ""),
        "conditions": ("", "if ($a) { $b = 1; }\n", ""),
        "parentheses": ("", "(", ""),
        "arrows": ("$a", "->b", ";"),
        "here-documents": ("", "echo <<<E\nab\nE;\n", ""),
        "tags": ("", "?> a <?php ", ""),
    },
    "lua": {
        "statements": ("", "a = 1\n", ""),
        "prints": ("", 'print("abc")\n', ""),
        "joins": ("a = ", '"a" .. ', '"b"'),
        "deletions": ("", 'os.remove("a№")\n', ""),
        "systems": ("", 'os.execute("ls")\n', ""),
        "functions": ("", "function f№(a) return a end f№(1)\n", ""),
        "long strings": ("", "a = [==[ b ]==]\n", ""),
        "open long strings": ("", "[=", ""),
        "tables": ("a = {", "1, ", "1}"),
        "parentheses": ("", "(", ""),
    },
    "applescript": {
        "statements": ("", "set a to 1\n", ""),
        "shells": ("", 'do shell script "ls"\n', ""),
        "tells": ("", 'tell application "Finder"\n', ""),
        "joins": ("set a to ", '"a" & ', '"b"'),
        "comments": ("", "(* a *) ", ""),
        "open comments": ("", "(*", ""),
    },
    "awk": {
        "rules": ("", "{ print $1 }\n", ""),
        "statements": ("BEGIN {", "a = 1; ", "}"),
        "systems": ("BEGIN {", 'system("ls"); ', "}"),
        "writes": ("BEGIN {", 'print "a" > "f№"; ', "}"),
        "pipes": ("BEGIN {", 'print "a" | "cat"; ', "}"),
        "joins": ('BEGIN { a = "a"', ' "b"', "}"),
        "patterns": ("", "/a/ { next }\n", ""),
        "functions": ("", "function f№(a) { return a }\n", ""),
        "parentheses": ("BEGIN {", "(", ""),
        "braces": ("BEGIN ", "{", ""),
    },
    "sed": {
        "substitutions": ("", "s/a/b/\n", ""),
        "semicolons": ("", "s/a/b/;", ""),
        "deletions": ("", "/a№/d\n", ""),
        "writes": ("", "w f№\n", ""),
        "commands": ("", "1e ls\n", ""),
        "blocks": ("", "{", ""),
        "labels": ("", ":a№\nb a№\n", ""),
        "texts": ("", "a\\\ntext\n", ""),
        "a class": ("s/[", "a", ""),
    },
    "sql": {
        "selects": ("", "select 1;\n", ""),
        "drops": ("", "drop table t№;\n", ""),
        "deletes": ("", "delete from t№ where id = 1;\n", ""),
        "values": ("insert into t values ", "(№, 'abc'), ", "(1, 'b');"),
        "comments": ("", "-- a\n", ""),
        "block comments": ("", "/* a */ ", ""),
        "open block comments": ("", "/* ", ""),
        "a text": ("select '", "abc ", "';"),
        "parentheses": ("select ", "(", ""),
        "dollars": ("", "$a$ b $a$ ", ""),
        "open dollars": ("", "$a№$ ", ""),
        "blocks": ("", "do $$ begin perform 1; end $$;\n", ""),
        "shells": ("", "\\! ls\n", ""),
        "unions": ("select 1", " union select 1", ";"),
    },
    "vim": {
        "commands": ("", "normal x\n", ""),
        "shells": ("", "!ls\n", ""),
        "substitutions": ("", "%s/a/b/\n", ""),
        "bars": ("", "x|", ""),
        "globals": ("", "g/a/", "d"),
        "executes": ("", "execute '!ls'\n", ""),
    },
    "tcl": {
        "commands": ("", "set a 1\n", ""),
        "execs": ("", "exec ls\n", ""),
        "brackets": ("", "[", ""),
        "braces": ("", "{", ""),
        "deletions": ("", "file delete a№\n", ""),
        "joins": ("set a ", "$b", ""),
    },
    "r": {
        "calls": ("", "f(1)\n", ""),
        "deletions": ("", "unlink('a№')\n", ""),
        "systems": ("", "system('ls')\n", ""),
        "parentheses": ("", "(", ""),
    },
}
#: How code comes to its interpreter: by a here-document, which any text can stand in.
_PROGRAMS = {
    "python": "python3 -",
    "javascript": "node -",
    "perl": "perl -",
    "ruby": "ruby -",
    "php": "php",
    "lua": "lua -",
    "applescript": "osascript -",
    "awk": "awk -f -",
    "sed": "sed -f - file",
    "sql": "psql",
    "vim": "ex file",
    "tcl": "tclsh",
    "r": "Rscript -",
}
_PHP = "<?php "
#: What is denied wherever it stands: behind a long text it is not overlooked.
HARM: Mapping[str, str] = {
    "powershell": "\nRemove-Item -Recurse -Force ~",
    "cmd": "\nrd /s /q %USERPROFILE%",
    "python": "\nimport shutil\nshutil.rmtree('/etc')",
    "javascript": "\nrequire('fs').rmSync('/etc', {recursive: true});",
    "perl": "\nsystem 'rm -rf /etc';",
    "ruby": "\nsystem('rm -rf /etc')",
    "php": "\nsystem('rm -rf /etc');",
    "lua": "\nos.execute('rm -rf /etc')",
    "awk": '\nEND { system("rm -rf /etc") }',
    "sed": "\n1e rm -rf /etc",
    "sql": "\n\\! rm -rf /etc",
    "tcl": "\nexec rm -rf /etc",
    "r": "\nsystem('rm -rf /etc')",
    "vim": "\n!rm -rf /etc",
    "applescript": '\ndo shell script "rm -rf /etc"',
}
#: What runs -> construct -> (file, pieces).
FILES: Mapping[str, Mapping[str, tuple[str, Pieces]]] = {
    "make": {
        "targets": ("Makefile", ("all:\n\techo\n", "t№:\n\techo №\n", "")),
        "prerequisites": ("Makefile", ("all: ", "t№ ", "\n\techo\n")),
        "targets that are needed": ("Makefile", ("", "t№: t0\n\techo №\nall: t№\n", "")),
        "a chain of targets": ("Makefile", ("", "t№: u№\nu№: ;\nall: t№\n", "")),
        "variables": ("Makefile", ("all:\n\techo\n", "V№ = a b c\n", "")),
        "variables that are used": ("Makefile", ("", "V№ = a$(W)\n", "all:\n\techo $(V1)\n")),
        "a variable that grows": ("Makefile", ("", "V += a\n", "all:\n\techo $(V)\n")),
        "a variable that doubles": ("Makefile", ("V := a\n", "V := $(V)$(V)\n", "all: ;echo $V\n")),
        "uses": ("Makefile", ("V = a\nall:\n", "\techo $(V)\n", "")),
        "uses in a line": ("Makefile", ("V = a\nall:\n\techo ", "$(V) ", "\n")),
        "recipe lines": ("Makefile", ("all:\n", "\techo a\n", "")),
        "conditions": ("Makefile", ("", "ifeq (a,b)\nV = 1\nendif\n", "all:\n\techo\n")),
        "open conditions": ("Makefile", ("", "ifdef A\n", "")),
        "patterns": ("Makefile", ("all: a.o\n", "%.o№: %.c\n\techo $<\n", "")),
        "functions": ("Makefile", ("all:\n\techo ", "$(subst a,b,abc) ", "\n")),
        "nested functions": ("Makefile", ("all:\n\techo ", "$(subst a,b,", "\n")),
        "includes": ("Makefile", ("", "include f№.mk\n", "all:\n\techo\n")),
        "defines": ("Makefile", ("", "define D№\na\nendef\n", "all:\n\techo\n")),
        "phony": ("Makefile", ("", ".PHONY: t№\n", "all:\n\techo\n")),
        "continuations": ("Makefile", ("V = ", "a \\\n", "\nall:\n\techo\n")),
        "comments": ("Makefile", ("", "# a comment\n", "all:\n\techo\n")),
        "foreach": ("Makefile", ("", "A№ := $(foreach x,a b c,$(x).o)\n", "all:\n\techo\n")),
        "variables of targets": ("Makefile", ("", "all: V№ = a\n", "all:\n\techo $(V1)\n")),
    },
    "npm run x": {
        "scripts": ("package.json", ('{"scripts": {', '"s№": "ls", ', '"x": "ls"}}')),
        "scripts that run each other": (
            "package.json",
            ('{"scripts": {', '"s№": "npm run x", ', '"x": "npm run s1"}}'),
        ),
        "one long script": ("package.json", ('{"scripts": {"x": "', "ls; ", '"}}')),
        "dependencies": (
            "package.json",
            ('{"dependencies": {', '"d№": "^1.0.0", ', '"a": "1"}, "scripts": {"x": "ls"}}'),
        ),
        "brackets": ("package.json", ("", "[", "")),
        "duplicate keys": ("package.json", ('{"scripts": {', '"x": "ls", ', '"x": "ls"}}')),
    },
    "just x": {
        "recipes": ("justfile", ("x:\n  echo\n", "r№:\n  echo №\n", "")),
        "dependencies": ("justfile", ("", "r№:\n  echo №\n", "x: r1 r2 r3\n  echo\n")),
        "variables": ("justfile", ("", "v№ := 'a'\n", "x:\n  echo {{v1}}\n")),
        "sums": ("justfile", ("v := ", "'a' + ", "'b'\nx:\n  echo {{v}}\n")),
        "lines": ("justfile", ("x:\n", "  echo a\n", "")),
        "uses": ("justfile", ("v := 'a'\nx:\n  echo ", "{{v}} ", "\n")),
        "aliases": ("justfile", ("", "alias a№ := x\n", "x:\n  echo\n")),
        "parentheses": ("justfile", ("v := ", "(", "\nx:\n  echo\n")),
    },
    "docker build .": {
        "runs": ("Dockerfile", ("FROM a\n", "RUN ls\n", "")),
    },
    "git a1": {
        "aliases": (".git/config", ("[core]\n\tbare = false\n[alias]\n", "\ta№ = status\n", "")),
        "aliases of shells": (".git/config", ("[alias]\n", "\ta№ = !ls\n", "")),
        "sections": (".git/config", ("[alias]\n\ta1 = status\n", '[remote "r№"]\n\turl = u\n', "")),
        "a long alias": (".git/config", ('[alias]\n\ta1 = "!', "ls; ", '"\n')),
        "includes": (".git/config", ("[alias]\n\ta1 = status\n", "[include]\n\tpath = f№\n", "")),
        "continuations": (".git/config", ("[alias]\n\ta1 = status ", "\\\n", "\n")),
    },
    "crontab cron.txt": {
        "lines": ("cron.txt", ("", "0 0 * * * ls\n", "")),
        "variables": ("cron.txt", ("", "A№=b\n", "0 0 * * * ls\n")),
        "percents": ("cron.txt", ("0 0 * * * cat", "%a", "\n")),
    },
    "bash x.sh": {
        "commands": ("x.sh", ("", "ls -l\n", "")),
        "functions": ("x.sh", ("", "f№() { ls; }\n", "")),
        "deletions": ("x.sh", ("", "rm a№\n", "")),
    },
    "python3 x.py": {
        "functions": ("x.py", ("", "def f№(a): return a\n", "")),
        "calls": ("x.py", ("", "f№(1)\n", "")),
    },
    "node x.js": {"calls": ("x.js", ("", "f№(1);\n", ""))},
    "task x": {
        "tasks": (
            "Taskfile.yml",
            ("version: '3'\ntasks:\n  x:\n    cmds: [ls]\n", "  t№:\n    cmds:\n      - ls\n", ""),
        ),
        "brackets": ("Taskfile.yml", ("tasks: ", "[", "")),
    },
    "composer run x": {
        "scripts": ("composer.json", ('{"scripts": {', '"s№": "ls", ', '"x": "ls"}}')),
    },
}


def _text(pieces: Pieces, size: int) -> str:
    before, unit, behind = pieces
    room = size - len(before) - len(behind)
    if not unit or room <= 0:
        return before + behind
    if "№" not in unit:
        return before + unit * (room // len(unit)) + behind
    found = []
    number = 0
    while room > 0:
        piece = unit.replace("№", str(number))
        found.append(piece)
        room -= len(piece)
        number += 1
    return before + "".join(found) + behind


def _names(size: int, length: int = 10) -> list[str]:
    return [f"src/a{number:0{length - 5}}" for number in range(max(size // length, 1))]


def _patch(size: int, unit: str, before: str = "", behind: str = "") -> str:
    return _text((before, unit, behind), size)


def _nested(size: int, depth: int) -> Any:
    value: Any = "a" * max(size - 4 * depth, 1)
    for _ in range(depth):
        value = {"a": value}
    return value


def _tool(name: str, size: int) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments, of about `size` characters."""
    names = _names(size)
    path = {"path": f"{ROOT}/f.txt"}
    tools: dict[str, tuple[str, dict[str, Any]]] = {
        "an envelope that updates": (
            "apply_patch",
            {
                "input": _patch(
                    size,
                    "*** Update File: a№\n@@\n-b\n+c\n",
                    "*** Begin Patch\n",
                    "*** End Patch\n",
                )
            },
        ),
        "an envelope that adds": ("apply_patch", {"input": _patch(size, "*** Add File: a№\n+b\n")}),
        "an envelope that deletes": (
            "apply_patch",
            {"input": _patch(size, "*** Delete File: a№\n")},
        ),
        "an envelope that moves": (
            "apply_patch",
            {"input": _patch(size, "*** Update File: a№\n*** Move to: b№\n")},
        ),
        "an envelope of one file": (
            "apply_patch",
            {"input": _patch(size, "+some text\n", "*** Add File: a\n")},
        ),
        "a unified diff": (
            "apply_patch",
            {"patch": _patch(size, "--- a/f№\n+++ b/f№\n@@ -1 +1 @@\n-a\n+b\n")},
        ),
        "a git diff": (
            "apply_patch",
            {
                "patch": _patch(
                    size, "diff --git a/f№ b/f№\n--- a/f№\n+++ b/f№\n@@ -1 +1 @@\n-a\n+b\n"
                )
            },
        ),
        "a git diff that renames": (
            "apply_patch",
            {"patch": _patch(size, "diff --git a/f№ b/g№\nrename from f№\nrename to g№\n")},
        ),
        "a diff of one file": (
            "apply_patch",
            {"patch": _patch(size, "+a line\n", "--- a/f\n+++ b/f\n@@ -1,1 +1,99999999 @@\n")},
        ),
        "paths that are read": ("read_many_files", {"paths": names}),
        "paths that are written": ("write_file", {"paths": names, "content": "a"}),
        "paths that are edited": ("multi_edit_file", {"files": [{"path": n} for n in names]}),
        "paths that are deleted": ("delete_file", {"paths": names}),
        "paths that are moved": ("move_file", {"sources": names, "destination": "d"}),
        "paths that are listed": ("list_dir", {"paths": names}),
        "paths of an unknown tool": ("mcp__x__frob", {"paths": names}),
        "paths by their form": ("mcp__x__frob", {"things": ["./" + n for n in names]}),
        "paths of a search": ("grep", {"pattern": "x", "paths": names}),
        "filters of a search": ("grep", {"pattern": "x", "path": ".", "glob": names}),
        "paths and filters of a search": (
            "grep",
            {"pattern": "x", "paths": names[::2], "glob": names[::2]},
        ),
        "starts and patterns of a glob": ("glob", {"pattern": names[::2], "paths": names[::2]}),
        "braces in a glob": ("glob", {"pattern": "{a,b}" * (size // 5)}),
        "nested braces in a glob": ("glob", {"pattern": "{a," * (size // 3)}),
        "closed nested braces": ("glob", {"pattern": "{a," * (size // 4) + "}" * (size // 4)}),
        "open braces in a glob": ("glob", {"pattern": "{" * size}),
        "closed braces in a glob": ("glob", {"pattern": "{a}" * (size // 3)}),
        "choices in a glob": ("glob", {"pattern": "{" + "a," * (size // 2) + "}"}),
        "stars in a glob": ("glob", {"pattern": "*a" * (size // 2)}),
        "double stars in a glob": ("glob", {"pattern": "**/" * (size // 3)}),
        "brackets in a glob": ("glob", {"pattern": "[" * size}),
        "classes in a glob": ("glob", {"pattern": "[a]" * (size // 3)}),
        "a long path": ("read_file", {"path": "a/" * (size // 2)}),
        "a path of dots": ("read_file", {"path": "../" * (size // 3)}),
        "a long name": ("read_file", {"path": "a" * size}),
        "a path of an address": ("read_file", {"path": "file://" + "%61" * (size // 3)}),
        "commands of an unknown tool": ("mcp__x__frob", {"commands": ["ls -l"] * (size // 10)}),
        "a command of an unknown tool": ("mcp__x__frob", {"command": "ls; " * (size // 4)}),
        "words of an unknown tool": (
            "mcp__x__frob",
            {"command": "ls", "args": ["a"] * (size // 6)},
        ),
        "objects with commands": ("mcp__x__frob", {"a": [{"command": "ls"}] * (size // 20)}),
        "objects that share words": (
            "mcp__x__frob",
            {
                **{f"{number}command": "ls" for number in range(size // 20)},
                "args": ["a"] * (size // 12),
            },
        ),
        "an unknown key that is long": ("mcp__x__frob", {"a" * size: "b"}),
        "a long text of an unknown tool": ("mcp__x__frob", {"prompt": "rm -rf / " * (size // 9)}),
        "deep arguments": ("mcp__x__frob", _nested(size, 60)),
        "many keys": ("mcp__x__frob", {f"key{number}": "a" for number in range(size // 14)}),
        "empty objects": ("mcp__x__frob", {"a": [{}] * (size // 3)}),
        "a query": ("mcp__db__query", {"sql": "select 1;\n" * (size // 10)}),
        "queries": ("mcp__db__query", {"queries": ["select 1"] * (size // 12)}),
        "typed text": ("write_stdin", {"chars": "ls\n" * (size // 3)}),
        "typed keys": ("send_keys", {"keys": ["ls", "Enter"] * (size // 16)}),
        "cells": ("execute_code", {"language": "python", "code": ["print(1)"] * (size // 12)}),
        "a tool in a tool": ("use_tool", {"tool_name": "Read", "tool_input": {"paths": names}}),
        "a write": ("Write", {"file_path": f"{ROOT}/f.txt", "content": "text\n" * (size // 5)}),
        "a write of shell text": (
            "Write",
            {"file_path": f"{ROOT}/f.sh", "content": "ls; " * (size // 4)},
        ),
        "a write of secrets": (
            "Write",
            {"file_path": f"{ROOT}/f.txt", "content": "KEY=abc\n" * (size // 8)},
        ),
        "a write of settings": (
            "Write",
            {"file_path": f"{HOME}/.claude/settings.json", "content": '{"a":' * (size // 5)},
        ),
        "a long list in settings": (
            "Write",
            {
                "file_path": f"{HOME}/.claude/settings.json",
                "content": "[" + "1," * (size // 2) + "1]",
            },
        ),
        "a notebook's cell": (
            "NotebookEdit",
            {"notebook_path": f"{ROOT}/a.ipynb", "new_source": "a = 1\n" * (size // 6)},
        ),
        "an edit": (
            "Edit",
            {**path, "old_string": "a" * (size // 2), "new_string": "b" * (size // 2)},
        ),
        "edits": (
            "MultiEdit",
            {**path, "edits": [{"old_string": "a", "new_string": "b"}] * (size // 40)},
        ),
        "an edit of settings": (
            "Edit",
            {
                "file_path": f"{HOME}/.claude/settings.json",
                "old_string": "a" * (size // 2),
                "new_string": "b" * (size // 2),
            },
        ),
        "an edit of every place in settings": (
            "Edit",
            {
                "file_path": f"{HOME}/.claude/settings.json",
                "old_string": "a",
                "new_string": "b" * size,
                "replace_all": True,
            },
        ),
        "edits of settings": (
            "MultiEdit",
            {
                "file_path": f"{HOME}/.claude/settings.json",
                "edits": [{"old_string": "a", "new_string": "ab"}] * (size // 40),
            },
        ),
    }
    return tools[name]


TOOLS = (
    "an envelope that updates", "an envelope that adds", "an envelope that deletes",
    "an envelope that moves", "an envelope of one file", "a unified diff", "a git diff",
    "a git diff that renames", "a diff of one file", "paths that are read",
    "paths that are written", "paths that are edited", "paths that are deleted",
    "paths that are moved", "paths that are listed", "paths of an unknown tool",
    "paths by their form", "paths of a search", "filters of a search",
    "paths and filters of a search", "starts and patterns of a glob", "braces in a glob",
    "nested braces in a glob", "closed nested braces", "open braces in a glob",
    "closed braces in a glob", "choices in a glob", "stars in a glob", "double stars in a glob",
    "brackets in a glob", "classes in a glob", "a long path", "a path of dots", "a long name",
    "a path of an address", "commands of an unknown tool", "a command of an unknown tool",
    "words of an unknown tool", "objects with commands", "objects that share words",
    "an unknown key that is long", "a long text of an unknown tool", "deep arguments", "many keys",
    "empty objects", "a query", "queries", "typed text", "typed keys", "cells",
    "a tool in a tool", "a write", "a write of shell text", "a write of secrets",
    "a write of settings", "a long list in settings", "a notebook's cell", "an edit", "edits",
    "an edit of settings", "an edit of every place in settings", "edits of settings",
)  # fmt: skip
#: `family: construct` of every row.
ROWS = (
    *(f"{dialect}: {name}" for dialect, rows in SHELLS.items() for name in rows),
    *(f"{language}: {name}" for language, rows in CODE.items() for name in rows),
    *(f"{command}: {name}" for command, rows in FILES.items() for name in rows),
    *(f"tools: {name}" for name in TOOLS),
)


def call_of(row: str, size: int, *, behind: str = "") -> tuple[ToolCall, FakeWorld]:
    """The call that carries about `size` characters full of a row's construct.

    behind: stands at the end, for shells and code.
    """
    family, _, name = row.partition(": ")
    world = workspace()
    if family in SHELLS:
        return _shell(_text(SHELLS[family][name], size) + behind, family), world
    if family in CODE:
        code = _text(CODE[family][name], size) + behind
        head = _PHP if family == "php" else ""
        return _shell(f"{_PROGRAMS[family]} <<'END'\n{head}{code}\nEND\n"), world
    if family in FILES:
        file, pieces = FILES[family][name]
        world.add(f"{ROOT}/{file}", _text(pieces, size))
        return _shell(family), world
    tool, arguments = _tool(name, size)
    world.add(f"{HOME}/.claude/settings.json", '{"a": "' + "a" * 20_000 + '"}')
    call = ToolCall(
        "claude-code",
        tool,
        kind_of(tool),
        arguments,
        directory=ROOT,
        session_directory=ROOT,
        workspaces=(ROOT,),
    )
    return call, world


def _shell(text: str, dialect: str = "posix") -> ToolCall:
    return ToolCall(
        "claude-code",
        "Bash",
        "shell",
        {"command": text},
        command=text,
        dialect=dialect,
        directory=ROOT,
        session_directory=ROOT,
        workspaces=(ROOT,),
    )
