"""Generated config files: JSON and JSONC with every freedom of layout, and TOML."""

from __future__ import annotations

import json

from hypothesis import strategies as st

#: Names among which our own containers stand, so that these are met often.
NAMES = st.sampled_from(["a", "b", "é", "x y", "version", "hooks", "preToolUse", "stop", ""])
TEXTS = st.text(max_size=8)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
FOREIGN_ENTRY = st.fixed_dictionaries({"command": TEXTS}, optional={"timeout": st.integers()})


@st.composite
def documents(draw: st.DrawFn) -> dict[str, object]:
    """What a hooks file may say: our containers are missing, empty, or hold others' entries."""
    model = draw(st.dictionaries(NAMES.filter(lambda n: n not in {"version", "hooks"}), VALUES))
    if draw(st.booleans()):
        model["version"] = 1
    if draw(st.booleans()):
        events = st.sampled_from(["preToolUse", "stop", "PreToolUse"])
        model["hooks"] = draw(
            st.dictionaries(events, st.lists(FOREIGN_ENTRY, max_size=3), max_size=3)
        )
    keys = draw(st.permutations(list(model)))
    return {key: model[key] for key in keys}


class Layout:
    """Prints JSON with blanks, comments and trailing commas wherever they may stand."""

    def __init__(self, draw: st.DrawFn, *, comments: bool) -> None:
        self.draw = draw
        self.comments = comments
        newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
        gaps = ["", "", " ", newline, newline + "  ", newline + "\t", " " + newline * 2]
        if comments:
            gaps += [
                f' // c , }} ] " {newline}',
                "/* , } */",
                f"/* {newline} */ ",
                f"//{newline}  ",
            ]
        self.gaps = st.sampled_from(gaps)

    def gap(self) -> str:
        return self.draw(self.gaps)

    def comma(self) -> str:
        return "," + self.gap() if self.comments and self.draw(st.booleans()) else ""

    def printed(self, value: object) -> str:
        if isinstance(value, dict):
            pieces = [
                f"{self.gap()}{json.dumps(key, ensure_ascii=False)}{self.gap()}:{self.gap()}"
                f"{self.printed(inner)}{self.gap()}"
                for key, inner in value.items()
            ]
            return "{" + self._joined(pieces) + "}"
        if isinstance(value, list):
            pieces = [f"{self.gap()}{self.printed(inner)}{self.gap()}" for inner in value]
            return "[" + self._joined(pieces) + "]"
        return json.dumps(value, ensure_ascii=self.draw(st.booleans()))

    def _joined(self, pieces: list[str]) -> str:
        return ",".join(pieces) + self.comma() if pieces else self.gap()


@st.composite
def json_texts(draw: st.DrawFn, *, comments: bool) -> str:
    layout = Layout(draw, comments=comments)
    return layout.gap() + layout.printed(draw(documents())) + layout.gap()


_TOML_KEYS = st.sampled_from(["a", "b-c", '"x y"', "'q'", "d.e", "f"])
_TOML_VALUES = st.sampled_from(
    [
        "1",
        "-2.5",
        "true",
        '"s"',
        "'l # ]'",
        '"""m\n[[hooks]]\n"""',
        "'''n\n'''",
        "1979-05-27",
        "[1, 2]",
        "[\n  1, # c ]\n  2,\n]",
        "{ x = 1, y = [] }",
        '"\\"]"',
        '""',
        "[]",
    ]
)
_TOML_HOOK = st.sampled_from(
    ['event = "Stop"\ncommand = "x"', "event='Stop'\ncommand = '''y\n'''\ntimeout=5 # c"]
)


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """Keys, then our array in one of its forms, then tables."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = draw(st.lists(st.sampled_from(["", "# c", "   ", "#[[hooks]]"]), max_size=2))
    keys = draw(st.lists(_TOML_KEYS, unique=True, max_size=3))
    lines += [
        f"{key} = {draw(_TOML_VALUES)}{draw(st.sampled_from(['', ' # c', '  ']))}" for key in keys
    ]
    form = draw(st.sampled_from(["none", "inline", "tables"]))
    if form == "inline":
        lines.append(_inline(draw))
    tables = draw(
        st.lists(st.sampled_from(["[t]\nk = 1", "[u.v]", "[[w]]\nk = 'z'\n# c"]), unique=True)
    )
    if form == "tables":
        hooks = [f"[[hooks]]\n{draw(_TOML_HOOK)}" for _ in range(draw(st.integers(1, 3)))]
        tables = draw(st.permutations([*tables, *hooks]))
    text = "\n".join([*lines, *tables]) + draw(st.sampled_from(["", "\n", "\n\n", "\n# end"]))
    return text.replace("\n", newline)


def _inline(draw: st.DrawFn) -> str:
    entries = ['{ event = "Stop", command = "]," }'] * draw(st.integers(0, 3))
    gap = draw(st.sampled_from(["", " ", "\n  ", " # c ]\n "]))
    comma = draw(st.sampled_from(["", ",", " ,"])) if entries else ""
    return "hooks = [" + gap + ("," + gap).join(entries) + comma + gap.replace("  ", "") + "]"


_YAML_VALUES = st.sampled_from(
    ["1", "x # c", "'q: ['", '"d\\"#"', "[1, {a: b}]", "{}", "|\n  text\n  - x", ">-\n  t", "~", ""]
)
_YAML_NAMES = st.sampled_from(["a", "'b c'", '"d"', "e # c"])


@st.composite
def yaml_texts(draw: st.DrawFn) -> str:
    """Keys, comments, and our list missing, empty, or with others' names in it."""
    keys = draw(st.lists(st.sampled_from(["k", "'l m'", '"n"']), unique=True, max_size=3))
    parts = [f"{key}: {draw(_YAML_VALUES)}" for key in keys]
    names = draw(st.lists(_YAML_NAMES, max_size=3))
    indent = draw(st.sampled_from(["", "  ", "    "]))
    block = "".join(f"\n  {indent}- {name}" for name in names)
    flow = "[" + ", ".join(name.partition(" #")[0] for name in names) + "]"
    lists = [f" {flow}", f" {flow} # c", block or " []", " ~" if not names else block]
    enabled = "enabled:" + draw(st.sampled_from(lists))
    other = draw(st.sampled_from(["", "\n  disabled: [z]", "\n  entries:\n    z: {o: 1}"]))
    forms = [
        "",
        "plugins:",
        "plugins: {}",
        f"plugins:\n  {enabled}{other}",
        f"plugins: # p\n  {enabled}",
    ]
    if other:
        forms.append("plugins:" + other)
    parts.append(draw(st.sampled_from(forms)))
    parts += draw(st.lists(st.sampled_from(["", "# c", "  # plugins:"]), max_size=2))
    text = "\n".join(draw(st.permutations(parts))) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
