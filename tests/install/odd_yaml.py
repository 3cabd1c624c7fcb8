"""Hermes' config as people have it: odd, but accepted by its program."""

from __future__ import annotations

_FULL = """# my config
model:
  provider: custom   # mine
  default: "fake-model"

plugins:
  # plugins I like
  enabled:
    - other   # o
    - 'third'
  disabled:
    - bad
  entries: {other: {allow_tool_override: true}}
tts: {provider: none}
# the end
"""
_TEXTS = {
    "full": _FULL,
    "without plugins": "# my config\nmodel:\n  a: 1   # good\n\nlist:\n- x\n-   y\n",
    "flow everything": "{model: {a: 1}, plugins: {enabled: [other], disabled: []}}\n",
    "flow list": "plugins:\n  enabled: [a, b]   # two\n",
    "flow list over lines": "plugins:\n  enabled: [\n    a,  # c\n    b,\n  ]\n",
    "flow plugins": "plugins: {enabled: [], disabled: [x]} # c\n",
    "empty plugins": "plugins: {}\n",
    "plugins without a value": "plugins:\nmodel: 1\n",
    "plugins without a value, comment": "plugins:   # none\nmodel: 1\n",
    "plugins without a value, last": "model: 1\nplugins:",
    "plugins null": "plugins: null\nmodel: 1\n",
    "plugins tilde": "plugins: ~\n",
    "enabled without a value": "plugins:\n  enabled:\n  disabled: [a]\n",
    "enabled null": "plugins:\n  enabled: null\n",
    "enabled empty": "plugins:\n  enabled: []\n",
    "enabled empty with a blank": "plugins:\n  enabled: [ ]\n",
    "no enabled": "plugins:\n  disabled: []\n  entries: {}\n",
    "no enabled, comments": "plugins: # p\n  # first\n  disabled: [] # d\n",
    "list not indented": "plugins:\n  enabled:\n  - a\n  - b\n  disabled: []\n",
    "wide dashes": "plugins:\n    enabled:\n        -   a\n        -   b\n",
    "quoted keys": "\"plugins\":\n  'enabled':\n    - a\n",
    "crlf": _FULL.replace("\n", "\r\n"),
    "mixed line ends": _FULL.replace("\n", "\r\n", 3),
    "no final newline": _FULL.rstrip("\n"),
    "no final newline, list last": "plugins:\n  enabled:\n    - a",
    "many final newlines": _FULL + "\n\n\n",
    "byte order mark": "\ufeff" + _FULL,
    "trailing blanks": _FULL.replace("\n", "  \n"),
    "blank lines": _FULL.replace("\n", "\n\n"),
    "document start": "---\n" + _FULL,
    "document start with a comment": "--- # doc\nmodel: 1\n",
    "document end": "model: 1\n...\n",
    "directive": "%YAML 1.1\n---\nmodel: 1\n",
    "empty file": "",
    "newline only": "\n",
    "comment only": "# nothing yet\n",
    "comment only, no newline": "# nothing yet",
    "empty mapping": "{}\n",
    "block text": "prompt: |\n  plugins:\n    enabled:\n      - x\n\nmodel: 1\n",
    "block text last": "model: 1\nprompt: |\n  line\n  line",
    "block text kept": "prompt: |+\n  a\n\n\n",
    "folded text": "prompt: >-\n  plugins: {enabled: []}\n  more\n",
    "anchors": "base: &b {x: 1}\nuse: *b\nmerged:\n  <<: *b\n  y: 2\n",
    "tags": "a: !!str 1\nb: !!int '2'\n",
    "unicode": '名前: "値 😀"\nplugins:\n  enabled: [é]\n',
    "long line": "a: " + "x" * 5000 + "\nplugins:\n  enabled:\n    - a\n",
    "large": "".join(f"key{n}:\n  - {n}  # c\n  - b\n" for n in range(500)),
    "complex key": "? a\n: 1\nplugins:\n  enabled:\n    - a\n",
    "indented root": "  model: 1\n  plugins:\n    enabled:\n      - a\n",
    "looks like ours": "note: cc-safety-net\nplugins:\n  enabled: [cc-safety-net-other]\n",
    "disabled is ours alone": "plugins:\n  disabled: [x]\n  enabled:\n    - a\n",
    "two anchors, an alias in a list": "a: &x one\nl: [*x, &y two, *y]\nplugins: {enabled: [z]}\n",
    "block list of mappings": "a:\n- b: 1\n  c: 2\n- d\nplugins:\n  enabled:\n    - x\n",
    "comment between items": "plugins:\n  enabled:\n    # first\n    - a\n    # second\n    - b\n",
    "comment after the list": "plugins:\n  enabled:\n    - a\n  # none\n  disabled: []\n# end\n",
    "deep flow": "a: " + "[" * 20 + "]" * 20 + "\n",
    "names twice": "plugins:\n  enabled: [a, a, b, a]\n",
    "null document": "---\n",
    "null document with an end": "---\n...\n",
    "null document with a comment": "--- # mine\n",
    "null document without newline": "---",
    "null": "~\n",
    "escapes": 'a: "\\x41\\u00e9\\n"\nplugins: {"enabled": ["\\x42"]}\n',
    "empty strings": "a: ''\n'': 1\nplugins: {enabled: ['', \"\"]}\n",
    "plugins in another place": "tts:\n  plugins:\n    enabled: [no]\n",
    "two hundred kilobytes": "a: '" + "x" * 200_000 + "'\nplugins:\n  enabled:\n    - a\n",
    "versions and times": "a: 1.10\nb: 2026-01-01\nc: 12:30:45\nd: 0o14\ne: yes\n",
}
ODD = {name: text.encode() for name, text in _TEXTS.items()}
