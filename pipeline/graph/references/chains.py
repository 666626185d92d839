"""Reduce an expression node to its chain, without recursion and at most a fixed number of steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tree_sitter import Language, Node

__all__ = ["ALTERNATIVE", "LAST", "ChainSpec", "Chains", "extend", "field_name", "plain_path"]

LAST = "<last>"
"""In place of a field: the last named child."""

ALTERNATIVE = "¦"
"""Stands between chains of which any may be the value, as in `a or b`."""

_SIMPLE = re.compile(rb"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_PATH = re.compile(r"::|[<>]|~?\w+|[^\s\w<>:]+")
_DOTTED = re.compile(r"[A-Za-z_~]\w*(?:\.~?\w+)*")
_LONGEST = 64  # steps of one chain; generated fluent code beyond it is not worth a quadratic cost
_LONGEST_TYPE = 400  # bytes of a type inside a chain; an inline object type names nothing
_MOST_ALTERNATIVES = 4
_SHORT = 96
"""Bytes of a text that is looked up before it is decoded: names come again and again, long texts do not."""

_ADDED = {"call": "()", "index": "[]"}
_LAST_CHILD = -1
_GENERIC = "<"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSpec:
    """How a grammar writes expressions: node kind to the fields that matter; an empty field is the first named child.

    `member` gives (object, name), `call` the callee, `method` (object or nothing, name) of a call
    written as one node, `index` the object, `wrap` (inside, step to add), `typed` the field
    of a type whose value the node is, `literal` the type itself, `either` the fields of its alternatives, `own` are fields of
    the object that the language writes without it, `paths` qualified names, `heads` the
    body of a function whose text before it is its type. A call of `requires` gives the module that its
    argument names, `` `require ./x` ``. A call of `makers` gives a value of the type that is its first argument, one of
    `echoes` the first argument itself.
    """

    names: frozenset[str]
    member: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    call: Mapping[str, str] = field(default_factory=dict)
    method: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    index: Mapping[str, str] = field(default_factory=dict)
    wrap: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)
    literal: Mapping[str, str] = field(default_factory=dict)
    either: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)
    makers: frozenset[str] = frozenset()
    requires: frozenset[str] = frozenset()
    echoes: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()


class _Compiled:
    """A spec with grammar numbers in place of names: `steps[kind_id]` is (what, field ids, text)."""

    def __init__(self, spec: ChainSpec, language: Language) -> None:
        self.steps: dict[int, tuple[str, tuple[int, ...], str]] = {}
        tables: tuple[tuple[str, Mapping[str, object]], ...] = (
            ("name", dict.fromkeys(spec.names, ())),
            ("member", spec.member),
            ("call", spec.call),
            ("method", spec.method),
            ("index", spec.index),
            ("wrap", spec.wrap),
            ("typed", spec.typed),
            ("literal", spec.literal),
            ("either", spec.either),
            ("head", spec.heads),
            ("own", dict.fromkeys(spec.own, ())),
            ("path", dict.fromkeys(spec.paths, ())),
        )
        for what, table in tables:
            for kind, value in table.items():
                self._add(what, kind, value, language)

    def _add(self, what: str, kind: str, value: object, language: Language) -> None:
        fields: tuple[str, ...] = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
        text = ""
        if what in ("wrap", "literal"):
            *inner, text = fields
            fields = tuple(inner)
        ids = tuple(_LAST_CHILD if f == LAST else (language.field_id_for_name(f) or 0) if f else 0 for f in fields)
        for named in (True, False):
            number = language.id_for_node_kind(kind, named)
            if number:
                self.steps[number] = (what, ids, text)


_compiled: dict[str, _Compiled] = {}


class Chains:
    """Chains of one file's nodes; calls are remembered, so a fluent line costs linear time."""

    def __init__(self, source: bytes, spec: ChainSpec, grammar: str, language: Language) -> None:
        self._source = source
        if grammar not in _compiled:
            _compiled[grammar] = _Compiled(spec, language)
        self._steps = _compiled[grammar].steps
        self.made = spec.makers | spec.echoes | spec.requires
        self._requires = spec.requires
        self._echoes = spec.echoes
        self._known: dict[int, str] = {}
        self._texts: dict[bytes, str] = {}
        self._plain: dict[bytes, str] = {}

    def text(self, node: Node) -> str:
        """Return the node's source text."""
        return self.cut(node.start_byte, node.end_byte)

    def cut(self, start: int, end: int) -> str:
        """Return the text between two offsets; equal short texts are one object."""
        raw = self._source[start:end]
        known = self._texts.get(raw)
        if known is None:
            known = raw.decode("utf-8", "replace")
            if end - start < _SHORT:
                self._texts[raw] = known
        return known

    def of(self, node: Node) -> str:
        """Return the chain of an expression, empty when nothing is known of its type."""
        return self.between(node, node.start_byte, node.end_byte)

    def between(self, node: Node, start: int, end: int) -> str:
        """Return the same for a node whose offsets are known."""
        step = self._steps.get(node.kind_id)
        if step is None:
            return ""
        if step[0] == "literal":
            return f"`{step[2]}`"
        if end - start < _SHORT and step[0] != "method":
            raw = self._source[start:end]
            plain = self._plain.get(raw)
            if plain is None:
                self._plain[raw] = plain = raw.decode() if _SIMPLE.fullmatch(raw) else ""
            if plain:
                return plain
        return self._reduce(node)

    def _reduce(self, node: Node) -> str:
        steps: list[str] = []
        visited: list[tuple[int, int]] = []
        current: Node | None = node
        base = ""
        while current is not None and len(visited) < _LONGEST:
            known = self._known.get(current.id)
            if known is not None:
                base = known
                break
            visited.append((current.id, len(steps)))
            step = self._steps.get(current.kind_id)
            if step is None:
                break
            current, base = self._step(current, step, steps)
        if _GENERIC in base:
            base = base.split(_GENERIC)[0].strip()
        return self._remember(base, steps, visited)

    def _step(self, node: Node, step: tuple[str, tuple[int, ...], str], steps: list[str]) -> tuple[Node | None, str]:
        """Add what the node stands for to `steps`; return the node to go on with, or None and the base."""
        what, fields, text = step
        if what == "name":
            text = self.text(node)
            return None, text if "@" not in text else ""
        if what == "literal":
            return None, f"`{text}`"
        if what == "typed":
            inner = _child(node, fields[0])
            if inner is None or inner.end_byte - inner.start_byte > _LONGEST_TYPE:
                return None, ""
            return None, "`" + self.text(inner).replace("`", "") + "`"
        if what == "either":
            return None, self._alternatives(node, fields)
        if what == "head":
            body = _child(node, fields[0])
            text = self._source[node.start_byte : body.start_byte if body else node.start_byte].decode("utf-8", "replace")
            return None, f"`{text.strip()}`" if text and "`" not in text else ""
        if what == "own":
            return None, "self." + field_name(self.text(node))
        if what == "path":
            return None, plain_path(self.text(node))
        if what == "call" and self.made:
            made = self._make(node, fields[0])
            if made is not None:
                return made
        if what == "method":
            steps.append("()")
            name = node.child_by_field_id(fields[1])
            text = self.text(name) if name is not None else ""
            inside = node.child_by_field_id(fields[0])
            if inside is None:
                return None, text
            steps.append("." + text)
            return inside, ""
        if what == "member":
            name = _child(node, fields[1])
            text = self.text(name) if name is not None else ""
            if _child(node, fields[0]) is None:
                return None, text
            if not text.isidentifier():
                text = text.split(_GENERIC)[0].lstrip(".?!")
                if "(" in text:
                    return None, ""
            steps.append("." + text)
        else:
            steps.append(_ADDED.get(what, text))
        return _child(node, fields[0]), ""

    def _make(self, node: Node, callee: int) -> tuple[Node | None, str] | None:
        """Return what `new(T)`, `make(T, n)` or `append(xs, x)` stand for, or None for any other call."""
        function = _child(node, callee)
        name = self.text(function) if function is not None and function.end_byte - function.start_byte < 12 else ""
        if name not in self.made:
            return None
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_child(0) if arguments is not None else None
        if first is None:
            return None, ""
        if name in self._requires:
            return None, "`require " + self.text(first).strip("\"'`") + "`"
        return (first, "") if name in self._echoes else (None, "`" + self.text(first).replace("`", "") + "`")

    def _alternatives(self, node: Node, fields: tuple[int, ...]) -> str:
        parts = []
        for f in fields:
            inner = _child(node, f)
            known = "" if inner is None or self._steps.get(inner.kind_id, ("either",))[0] == "either" else self.of(inner)
            parts.extend(known.split(ALTERNATIVE) if known else [])
        return ALTERNATIVE.join(parts[:_MOST_ALTERNATIVES])

    def _remember(self, base: str, steps: list[str], visited: list[tuple[int, int]]) -> str:
        if not base:
            for node, _ in visited:
                self._known[node] = ""
            return ""
        result = base
        if not steps:
            for node, _ in visited:
                self._known[node] = result
            return result
        pending = len(visited) - 1
        for position in range(len(steps), -1, -1):
            if position < len(steps):
                result = extend(result, steps[position])
                if result.endswith("~()"):  # `await f<T>()` is parsed as a call of `await f`
                    result = result[:-3] + "()~"
            while pending >= 0 and visited[pending][1] == position:
                self._known[visited[pending][0]] = result
                pending -= 1
        return result


def field_name(text: str) -> str:
    """Return the name under which a field written with marks, as in `@x`, is known: no mark of a chain is in it."""
    return text.replace("@", "$")


@lru_cache(maxsize=1 << 14)
def plain_path(text: str) -> str:
    """Return a qualified name, `::a::b<C>::d`, as the steps of a chain, `a.b.d`; empty when it is none."""
    parts, level = [], 0
    for token in _PATH.findall(text):
        level += (token == "<") - (token == ">")
        if level == 0 and token != ">":
            parts.append(token)
    path = "".join(parts).replace("::", ".").strip(".")
    return path if _DOTTED.fullmatch(path) else ""


def extend(chain: str, step: str) -> str:
    """Return the chain with one more step on each of its alternatives."""
    if ALTERNATIVE in chain:
        return ALTERNATIVE.join(part + step for part in chain.split(ALTERNATIVE))
    return chain + step


def _child(node: Node, field_id: int) -> Node | None:
    if field_id == _LAST_CHILD:
        return node.named_child(node.named_child_count - 1) if node.named_child_count > 1 else None
    return node.child_by_field_id(field_id) if field_id else node.named_child(0)
