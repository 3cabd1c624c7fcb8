"""Expressions of PowerShell: what a value is, as far as the text tells."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import Unknown, literal
from cc_safety_net.guard.interpret.powershell import values
from cc_safety_net.guard.interpret.powershell.values import NOTHING, Value
from cc_safety_net.guard.interpret.powershell.variables import environment_value, read_variable
from cc_safety_net.guard.interpret.values import concat, merge, text_choice, unite
from cc_safety_net.guard.limits import LOOP_VALUES, WORD_VALUES
from cc_safety_net.guard.shell.powershell import nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cc_safety_net.guard.interpret.machine import Machine
    from cc_safety_net.guard.interpret.state import State
    from cc_safety_net.guard.interpret.values import Choices

_COMPARISONS = frozenset(("-eq", "-ne", "-gt", "-ge", "-lt", "-le"))
_REGEX_MARKS = frozenset("\\^$.|?*+()[]{}")


class Expressions:
    """What evaluates; statements and commands are added by the classes above."""

    def __init__(self, m: Machine, state: State) -> None:
        self.m = m
        self.state = state
        #: `$_`.
        self.current = NOTHING

    def statements(self, script: nodes.Script) -> Value:
        """Run statements; what they print."""
        raise NotImplementedError

    def call_member(self, node: nodes.Member) -> Value:
        """A method of an object or of a type."""
        raise NotImplementedError

    def evaluate(self, node: nodes.Node) -> Value:
        """The value of any expression."""
        self.m.enter("an expression")
        found: Value = getattr(self, _METHODS.get(type(node).__name__, "_other"))(node)
        self.m.depth -= 1
        return found

    def _other(self, node: nodes.Node) -> Value:
        return self.statements(nodes.Script((node,), node.start, node.end))

    def _text(self, node: nodes.Text) -> Value:
        return Value((self.choices_of_text(node.value),))

    def choices_of_text(self, text: str) -> Choices:
        """A text of the source; characters that stand for unknown parts become those."""
        m = self.m
        if not m.holes or text.isascii():
            return text_choice(text)
        return (merge(m.piece(character) or character for character in text),)

    def _expandable(self, node: nodes.Expandable) -> Value:
        out: Choices = ((),)
        origin: list[object] = []
        for part in node.parts:
            value = self.evaluate(part)
            if isinstance(part, nodes.Sub) and value.more and len(value.items) == 1:
                value = Value(value.items)
            out = concat(out, value.joined())
            origin.extend(value.origin)
        return Value((out,), origin=origin)  # type: ignore[arg-type]  # all are executions

    def _variable(self, node: nodes.Variable) -> Value:
        if node.name in ("_", "psitem") and not node.scope:
            return self.current
        if node.scope == "env":
            return environment_value(self.m, self.state, node.name)
        return read_variable(self.m, self.state, node.name)

    def _array(self, node: nodes.Array) -> Value:
        found = NOTHING
        for item in node.items:
            found = values.both(found, self.evaluate(item))
        return Value(found.items, more=found.more, kind="array", origin=found.origin)

    def _sub(self, node: nodes.Sub) -> Value:
        m = self.m
        saved, m.captured = m.captured, True
        found = self.statements(node.body)
        m.captured = saved
        if node.opening == "@(" and not found.kind and found.table is None:
            found = Value(
                found.items, more=found.more, kind="array", origin=found.origin, found=found.found
            )
        return found

    def _hash(self, node: nodes.Hash) -> Value:
        table: dict[str, Value] = {}
        for key, body in node.pairs:
            name = self.evaluate(key).text
            value = self.statements(body)
            if name is not None:
                table[name.lower()] = value
        return Value(table=table)

    def _block(self, node: nodes.Block) -> Value:
        return Value(block=node)

    def _type(self, node: nodes.Type) -> Value:
        return Value((text_choice(node.name),), kind="type")

    # --- operators -------------------------------------------------------------------------------

    def _binary(self, node: nodes.Binary) -> Value:
        op = node.op
        left = self.evaluate(node.left)
        right = self.evaluate(node.right)
        if op in ("?:", "??"):
            return values.either([left, right])
        if op == "+":
            if isinstance(node.left, nodes.Text) and not node.left.bare:
                return Value((concat(left.joined(), right.joined()),), origin=right.origin)
            return _plus(left, right)
        if op == "-join":
            text = right.text
            return Value((left.joined(text if text is not None else " "),), origin=left.origin)
        if op == "-f":
            return Value((_formatted(left, right),), origin=left.origin + right.origin)
        if op == "..":
            return _range(left, right)
        if op == "-split":
            return _split(left, right)
        if op == "-replace":
            return _replaced(left, right)
        if op in _COMPARISONS:
            return _compared(op, left, right)
        if op in ("-and", "-or"):
            first, second = values.truthiness(left), values.truthiness(right)
            if op == "-and" and False in (first, second):
                return values.truth(False)
            if op == "-or" and True in (first, second):
                return values.truth(True)
            if first is not None and second is not None:
                return values.truth(first and second if op == "-and" else first or second)
        if op == "*" and left.text is not None and (right.text or "").isdigit():
            count = int((right.text or "0")[:4])
            if not left.text.isdigit() and count * len(left.text) < 4096:
                return values.known(left.text * count)
        if op == "-as":
            return left
        return values.unknown("arithmetic", may_be_empty=False)

    def _unary(self, node: nodes.Unary) -> Value:
        op = node.op
        value = self.evaluate(node.operand)
        if op in ("!", "-not"):
            known = values.truthiness(value)
            return (
                values.unknown("arithmetic", may_be_empty=False)
                if known is None
                else (values.truth(not known))
            )
        if op == "-join":
            return Value((value.joined(""),), origin=value.origin)
        if op.endswith("split"):
            return _split(value, values.known(" "))
        if op.startswith("["):
            return _cast(op[1:-1], value)
        if op in ("post++", "post--", "++", "--", "post+", "post-"):
            self.assign(node.operand, values.unknown("arithmetic", may_be_empty=False))
            return value
        if op == "-" and value.text is not None:
            return values.known("-" + value.text)
        return value

    def assign(self, target: nodes.Node, value: Value, op: str = "=") -> None:
        raise NotImplementedError

    # --- parts of values -------------------------------------------------------------------------

    def _index(self, node: nodes.Index) -> Value:
        target = self.evaluate(node.target)
        index = self.evaluate(node.index)
        if target.table is not None and index.text is not None:
            return target.table.get(index.text.lower(), NOTHING)
        numbers = [_integer(literal(item[0])) for item in index.items if len(item) == 1]
        if index.more or None in numbers or not numbers:
            return Value((_any_of(target),), origin=target.origin, found=target.found)
        text = target.text
        if text is not None and target.kind != "array":
            picked = [text[n] for n in numbers if n is not None and -len(text) <= n < len(text)]
            return Value([text_choice(c) for c in picked[: WORD_VALUES * 4]])
        if target.more:
            return Value((_any_of(target),), origin=target.origin, found=target.found)
        count = len(target.items)
        chosen = [target.items[n] for n in numbers if n is not None and -count <= n < count]
        return Value(chosen, origin=target.origin, kind=target.kind, found=target.found)

    def _member(self, node: nodes.Member) -> Value:
        if node.arguments is not None or node.static:
            return self.call_member(node)
        target = self.evaluate(node.target)
        name = (self.evaluate(node.name).text or "").lower()
        if target.table is not None:
            return target.table.get(name, NOTHING)
        if name in ("count", "length"):
            if target.text is not None and target.kind != "array":
                return values.known(str(len(target.text)))
            return values.unknown("arithmetic", may_be_empty=False)
        if name in ("parent", "directory", "directoryname", "psparentpath"):
            from cc_safety_net.guard.interpret.powershell.paths import parent_of

            return parent_of(target)
        if name == "definition" or name in _SAME:
            return target
        return Value(
            [((Unknown("variable", name, origin=target.origin),),) for _ in target.items[:1]],
            more=target.more or len(target.items) > 1,
            origin=target.origin,
            kind=target.kind if target.kind == "client" else "",
        )


_SAME = frozenset(
    ("fullname", "name", "path", "pspath", "value", "providerpath", "basename", "content", "source",
     "psiscontainer", "line", "root", "rawcontent", "text", "string")
)  # fmt: skip
_METHODS = {
    "Text": "_text",
    "Expandable": "_expandable",
    "Variable": "_variable",
    "Array": "_array",
    "Sub": "_sub",
    "Hash": "_hash",
    "Block": "_block",
    "Type": "_type",
    "Binary": "_binary",
    "Unary": "_unary",
    "Index": "_index",
    "Member": "_member",
}


def _any_of(value: Value) -> Choices:
    return unite([choice for item in value.items for choice in item]) if value.items else ((),)


def _integer(text: str | None) -> int | None:
    if text is None or len(text) > 9:
        return None
    digits = text.lstrip("-")
    return int(text) if digits.isdigit() and digits.isascii() else None


def _number(text: str | None) -> int | None:
    if text is not None and text.lower().startswith("0x") and len(text) < 10:
        try:
            return int(text, 16)
        except ValueError:
            return None
    return _integer(text)


def _plus(left: Value, right: Value) -> Value:
    if left.table is not None and right.table is not None:
        return Value(table={**left.table, **right.table})
    if left.is_nothing:
        return right
    if left.kind == "array" or len(left.items) > 1 or left.more:
        found = values.both(left, right)
        return Value(found.items, more=found.more, kind="array", origin=found.origin)
    one, two = _integer(left.text), _integer(right.text)
    if one is not None and two is not None:
        return values.known(str(one + two))
    return Value((concat(left.joined(), right.joined()),), origin=left.origin + right.origin)


def _formatted(left: Value, right: Value) -> Choices:
    """`'{0}\\{1}' -f a, b`."""
    text = left.text
    if text is None:
        return ((Unknown("variable", origin=left.origin + right.origin),),)
    out: Choices = ((),)
    at = 0
    while True:
        start = text.find("{", at)
        end = text.find("}", start)
        if start < 0 or end < 0:
            break
        number = _integer(text[start + 1 : end].partition(":")[0].partition(",")[0])
        out = concat(out, text_choice(text[at:start]))
        if number is not None and 0 <= number < len(right.items):
            out = concat(out, right.items[number])
        else:
            out = concat(out, ((Unknown("variable"),),))
        at = end + 1
    return concat(out, text_choice(text[at:]))


def _range(left: Value, right: Value) -> Value:
    first, last = _integer(left.text), _integer(right.text)
    if first is None or last is None or abs(last - first) >= LOOP_VALUES:
        piece = Unknown("arithmetic", may_be_empty=False)
        return Value((((piece,),),), more=True)
    step = 1 if last >= first else -1
    return Value([text_choice(str(n)) for n in range(first, last + step, step)], kind="array")


def _split(left: Value, right: Value) -> Value:
    text, separator = left.text, right.items[0] if right.items else ((",",),)
    sign = literal(separator[0]) if len(separator) == 1 else None
    plain = None if sign is None else sign.replace("\\", "", 1) if len(sign) == 2 else sign
    if text is not None and plain and (len(plain) == 1 or not set(plain) & _REGEX_MARKS):
        parts = text.split() if plain == " " else text.split(plain)
        if len(parts) <= WORD_VALUES * 8:
            return Value([text_choice(part) for part in parts], kind="array")
    origin = left.origin
    return Value((((Unknown("variable", origin=origin),),),), more=True, origin=origin)


def _replaced(left: Value, right: Value) -> Value:
    texts = [literal(item[0]) if len(item) == 1 else None for item in right.items]
    old = texts[0] if texts else None
    new = texts[1] if len(texts) > 1 else ""
    if left.text is not None and old and new is not None:
        plain = old.replace("\\\\", "\0").replace("\\", "") if "\\" in old else old
        plain = plain.replace("\0", "\\")
        bare = old.replace("\\\\", "")
        marks = {c for i, c in enumerate(bare) if c in _REGEX_MARKS and bare[i - 1 : i] != "\\"}
        if not marks - {"\\"} and "$" not in new:
            return values.known(without_case(left.text, plain, new))
    items = [((Unknown("variable", origin=left.origin),),) for _ in left.items]
    return Value(items, more=left.more, origin=left.origin, found=left.found)


def without_case(text: str, old: str, new: str) -> str:
    """Replace regardless of case."""
    lower, wanted = text.lower(), old.lower()
    if len(lower) != len(text):
        return text.replace(old, new)
    out: list[str] = []
    at = 0
    while True:
        found = lower.find(wanted, at)
        if found < 0:
            return "".join((*out, text[at:]))
        out.append(text[at:found] + new)
        at = found + len(old)


def _compared(op: str, left: Value, right: Value) -> Value:
    one, two = left.text, right.text
    if one is None or two is None:
        return values.unknown("arithmetic", may_be_empty=False)
    if op in ("-eq", "-ne"):
        return values.truth((one.lower() == two.lower()) is (op == "-eq"))
    first, second = _integer(one), _integer(two)
    if first is None or second is None:
        return values.unknown("arithmetic", may_be_empty=False)
    return values.truth(
        {"-gt": first > second, "-ge": first >= second, "-lt": first < second,
         "-le": first <= second}[op]
    )  # fmt: skip


def _cast(kind: str, value: Value) -> Value:
    kind = kind.removeprefix("system.")
    if kind in ("char", "char[]"):
        out: list[Choices] = []
        for item in value.items:
            text = literal(item[0]) if len(item) == 1 else None
            number = _number(text)
            if number is not None and 0 <= number < 0x110000:
                out.append(text_choice(chr(number)))
            elif kind == "char[]" and text is not None:
                out.extend(text_choice(character) for character in text[:512])
            else:
                out.append(item)
        return Value(out, more=value.more, kind="array" if kind == "char[]" else "")
    if kind == "void":
        return NOTHING
    if kind in ("bool", "boolean") and value.text is None:
        return values.unknown("variable", may_be_empty=False)
    if kind == "string" and len(value.items) != 1:
        return Value((value.joined(),), origin=value.origin)
    return value
