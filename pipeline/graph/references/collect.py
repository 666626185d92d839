"""Turn the matches of a language's query into the facts of one file: scopes first, then all else in one sweep."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tree_sitter import Language, Node, Query, QueryCursor, Tree

from ...facts import SymbolFact
from ..facts import Base, Definition, FileReferences, Import, Reference, Scope
from ._spec import LanguageSpec
from ._uses import used_names
from .chains import Chains, extend
from .languages import LANGUAGES

__all__ = ["collect", "supported"]

Captures = dict[str, list[Node]]
_BODIES = frozenset({"namespace", "object"})
_FUNCTIONS = frozenset({"function", "method", "constructor"})
_CLASSES = frozenset({"class", "struct", "interface", "trait", "enum", "record", "union", "object", "protocol"})
_NAMING = frozenset({"value", "type"})
_PATH = re.compile(rb"(?:[A-Za-z_]\w*\s*(?:\.|::)\s*)+\Z")
_BASE = re.compile(r"[.(\[~@%^]")
_LOCAL = frozenset({"parameter", "variable"})
_CALLABLE = frozenset({"function", "lambda"})
_LONGEST_NAME = 120
_INFERRED = frozenset({"var", "auto", "val", "let"})
_LONGEST_HEADER = 8192
_LONGEST_CHAIN = 400
_REST = re.compile(rb"\s*!?\??\.\s*(#?[A-Za-z_$][\w$]*)")
_SCOPES = frozenset({"function", "lambda", "class"})
_LONGEST_FLAG = 40
_LONGEST_TYPE = 400  # bytes of a declared type; longer ones are inline structures that name no class


def supported(language: str) -> bool:
    """Return whether references are known for the language."""
    return language in LANGUAGES


@lru_cache(maxsize=64)
def _grammar(name: str) -> Language:
    from tree_sitter_language_pack import get_language  # at its use: the linker needs no grammar

    return get_language(name)  # type: ignore[arg-type]


class Pattern(NamedTuple):
    """The settings of one pattern of a query, and the capture that says where it is."""

    role: str
    kind: str
    suffix: str
    wrap: str
    name: str
    alias: str
    after: str
    first: str


@lru_cache(maxsize=64)
def _kinds(language: str) -> tuple[frozenset[int], ...]:
    """Return the numbers of the node kinds that bind several names by position, by name, and one name inside."""
    spec = LANGUAGES[language]
    grammar = _grammar(spec.grammar)
    every = (spec.patterns, spec.records, spec.inside)
    return tuple(frozenset(grammar.id_for_node_kind(kind, True) or -1 for kind in kinds) for kinds in every)


_RECOVERED = {role: Pattern(role, "", "", "", "", "", "", "") for role in ("function", "class")}


@lru_cache(maxsize=64)
def _query(language: str) -> tuple[Query, tuple[Pattern, ...]]:
    spec = LANGUAGES[language]
    text = "\n".join(files(__package__).joinpath(f"{q}.scm").read_text("utf-8") for q in spec.queries)
    query = Query(_grammar(spec.grammar), text)
    return query, tuple(_pattern(query, text, number) for number in range(query.pattern_count))


def _pattern(query: Query, text: str, number: int) -> Pattern:
    """Read a pattern's `#set!` settings; its place is its name, its first value, or its module."""
    settings = query.pattern_settings(number)
    source = text.encode()[query.start_byte_for_pattern(number) : query.end_byte_for_pattern(number)].decode()
    first = next((c for c in ("name", "value", "module") if f"@{c}" in source), "")
    values = [settings.get(key) or "" for key in ("role", "kind", "suffix", "wrap", "name", "alias", "after")]
    return Pattern(*values, first)


def collect(tree: Tree, source: bytes, language: str, symbols: Sequence[SymbolFact] = ()) -> FileReferences:
    """Return what the file says about names; `source` is the UTF-8 whose offsets `tree` has.

    Definitions point to the `symbols` that they are; a symbol that no pattern found, as after a parse error, becomes a definition.
    """
    return _Collector(source, language, symbols).run(tree.root_node)


class _Collector:
    """The state of one file's sweep."""

    def __init__(self, source: bytes, language: str, symbols: Sequence[SymbolFact]) -> None:
        self._symbols = symbols
        self._places = {(s.name_line, s.name): n for n, s in reversed(list(enumerate(symbols)))}
        spec = LANGUAGES[language]
        self._query, self._patterns = _query(language)
        self._source = source
        self._spec = spec
        self._language = language
        self._chains = Chains(source, spec.chains, spec.grammar, _grammar(spec.grammar))
        self._newlines = _newlines(source)
        self._patterned, self._recorded, self._inside = _kinds(language)
        self._scopes: list[Scope] = []
        self._definitions: list[Definition] = []
        self._imports: list[Import] = []
        self._references: list[Reference] = []
        self._bases: list[Base] = []
        self._declared: set[int] = set()
        self._taken: set[int] = set()
        self._ends: dict[int, tuple[int, str]] = {}
        self._outer: set[tuple[int, str]] = set()
        self._scope = 0
        self._handlers: dict[str, Callable[[Pattern, Captures], None]] = {
            "bind": self._bind,
            "import": self._import,
            "use": self._use,
            "return": self._return,
            "decorator": self._decorator,
            "base": self._base,
            "outer": self._declare_outer,
        }

    def run(self, root: Node) -> FileReferences:
        scopes: list[tuple[Pattern, Captures]] = []
        others: list[tuple[Pattern, Captures]] = []
        calls: list[tuple[int, int, str, int]] = []
        patterns = self._patterns
        for number, captures in QueryCursor(self._query).matches(root):
            pattern = patterns[number]
            role = pattern.role
            if role == "call":
                calls.append(self._call(captures))
            elif role == "tokens":
                called = self._token_call(captures)
                if called:
                    calls.append(called)
            elif role in _SCOPES:
                scopes.append((pattern, captures))
            else:
                others.append((pattern, captures))
                if pattern.kind == "prototype":
                    self._declared.add(bisect_left(self._newlines, captures["name"][0].start_byte) + 1)
                if role == "import":
                    self._taken.update(c[0].start_byte for name, c in captures.items() if name in ("name", "alias"))
        if self._spec.header:
            self._read_header()
        self._open_scopes(root, scopes)
        starts, inside = _regions(self._scopes)
        values: list[tuple[Pattern, Captures]] = []
        for pattern, captures in others:
            if pattern.role in _NAMING:
                values.append((pattern, captures))
                continue
            self._scope = inside[bisect_right(starts, captures[pattern.first][0].start_byte) - 1]
            self._handlers[pattern.role](pattern, captures)
        self._values(values, starts, inside)
        self._add_calls(calls, starts, inside)
        return self._facts()

    def _add_calls(self, calls: list[tuple[int, int, str, int]], starts: list[int], inside: list[int]) -> None:
        """Add the calls, equal ones of a scope once; not where a name is bound anew in between."""
        counts: dict[tuple[int, str], int] = {}
        for d in self._definitions:
            counts[(d.scope, d.name)] = counts.get((d.scope, d.name), 0) + 1
        rebound = {key for key, n in counts.items() if n > 1}
        first: dict[tuple[int, str, int], list[int]] = {}
        for start, end, chain, arity in calls:
            scope = inside[bisect_right(starts, start) - 1]
            key = (scope, chain, arity)
            known = first.get(key)
            if known is not None and (not rebound or (scope, _BASE.split(chain, 1)[0]) not in rebound):
                known[2] += 1
            elif known is None:
                first[key] = [start, end, 1]
            else:
                self._references.append(
                    Reference(scope, "call", chain, arity, bisect_left(self._newlines, end) + 1, start)
                )
        for (scope, chain, arity), (start, end, count) in first.items():
            line = bisect_left(self._newlines, end) + 1
            self._references.append(Reference(scope, "call", chain, arity, line, start, count))

    def _read_header(self) -> None:
        head = self._source[:_LONGEST_HEADER]
        found = re.search(self._spec.header, head)
        if found:
            condition = found.group(1).decode("utf-8", "replace").strip()
            self._imports.append(
                Import(0, "build", condition, "", "", head.count(b"\n", 0, found.start()) + 1, found.start())
            )

    def _facts(self) -> FileReferences:
        return FileReferences(
            language=self._language,
            scopes=tuple(self._scopes),
            definitions=tuple(self._definitions),
            imports=tuple(self._imports),
            references=tuple(self._references),
            bases=tuple(self._bases),
        )

    def _call(self, captures: Captures) -> tuple[int, int, str, int]:
        """Return (start, end, chain, arguments); matches come innermost first, so a fluent line extends its last chain."""
        arguments = captures.get("args")
        if "method" in captures:
            return self._method_call(captures, arguments)
        callee = captures["callee"][0]
        start, end = callee.start_byte, callee.end_byte
        known = self._ends.get(start)
        chain = ""
        if known is not None and known[0] < end:
            rest = _REST.fullmatch(self._source[known[0] : end])
            if rest:
                chain = known[1] and f"{known[1]}.{rest.group(1).decode('utf-8', 'replace')}"
            elif self._source[known[0] : end] != b"":
                chain = self._chains.of(callee)
        else:
            chain = self._chains.of(callee)
        if chain[-1:] == "~":
            chain = chain[:-1]
        if not arguments:
            return start, end, chain, -1
        if len(chain) < _LONGEST_CHAIN:
            self._ends[start] = (arguments[0].end_byte, chain and extend(chain, "()"))
        return start, end, chain, arguments[0].named_child_count

    def _token_call(self, captures: Captures) -> tuple[int, int, str, int] | None:
        """Return the call that a name and brackets are inside of a macro's arguments; its path is the text before it."""
        callee, arguments = captures["callee"][0], captures["args"][0]
        source = self._source
        if source[arguments.start_byte : arguments.start_byte + 1] != b"(" or callee.end_byte != arguments.start_byte:
            return None
        before = _PATH.search(source, max(0, callee.start_byte - _LONGEST_NAME), callee.start_byte)
        start = before.start() if before else callee.start_byte
        if start and source[start - 1 : start] in (b")", b"]", b"?", b".", b":"):
            return start, callee.end_byte, "", -1
        text = source[start : callee.end_byte].decode("utf-8", "replace").replace("::", ".")
        return start, callee.end_byte, text, -1

    def _method_call(self, captures: Captures, arguments: list[Node] | None) -> tuple[int, int, str, int]:
        """Return the same for a grammar that writes object and method apart."""
        method = captures["method"][0]
        name = self._chains.text(method)
        start, end = method.start_byte, method.end_byte
        if "target" in captures:
            target = captures["target"][0]
            start = target.start_byte
            known = self._ends.get(start)
            chain = known[1] if known is not None and known[0] == target.end_byte else self._chains.of(target)
            name = extend(chain, "." + name) if chain else ""
        if not arguments:
            return start, end, name, -1
        if len(name) < _LONGEST_CHAIN:
            self._ends[start] = (arguments[0].end_byte, name and extend(name, "()"))
        return start, end, name, arguments[0].named_child_count

    # scopes ---------------------------------------------------------------------------------------------------------------

    def _open_scopes(self, root: Node, found: list[tuple[Pattern, Captures]]) -> None:
        """Make the scopes in the order of their bytes, and a definition for each that has a name."""
        merged: dict[tuple[int, int], tuple[Pattern, Captures]] = {}
        for pattern, captures in found:
            node = captures["node"][0]
            key = (node.start_byte, -node.end_byte)
            old = merged.get(key)
            if old is None:
                merged[key] = (pattern, captures)
            else:
                named = "name" not in old[1] and "name" in captures
                merged[key] = (pattern if named else old[0], _merge(old[1], captures))
        recovered = self._unseen(merged) if root.has_error else []
        self._scopes.append(Scope("file", -1, -1, 0, max(root.end_byte, len(self._source)) + 1))
        stack = [0]
        for (start, negative_end), (pattern, captures) in sorted((*merged.items(), *recovered), key=lambda item: item[0]):
            while self._scopes[stack[-1]].end <= start:
                stack.pop()
            position = len(self._scopes)
            if isinstance(captures, int):
                definition = self._recover(captures, stack[-1], position)
            else:
                definition = self._name_scope(pattern, captures, stack[-1], position)
            kind = pattern.kind if pattern.kind in _BODIES else pattern.role
            self._scopes.append(Scope(kind, stack[-1], definition, start, -negative_end))
            stack.append(position)

    def _unseen(self, merged: dict[tuple[int, int], tuple[Pattern, Captures]]) -> list[tuple[tuple[int, int], tuple[Pattern, int]]]:
        """Return the callable and class symbols that no scope has: those found by the light scan after a parse error."""
        known = {bisect_left(self._newlines, c["name"][0].start_byte) + 1 for _, c in merged.values() if "name" in c}
        known |= self._declared
        found: list[tuple[tuple[int, int], tuple[Pattern, int]]] = []
        for number, symbol in enumerate(self._symbols):
            role = "function" if symbol.kind in _FUNCTIONS else "class" if symbol.kind in _CLASSES else ""
            if role and symbol.name_line not in known:
                found.append(((symbol.start_byte, -symbol.end_byte), (_RECOVERED[role], number)))
        return found

    def _name_scope(self, pattern: Pattern, captures: Captures, parent: int, position: int) -> int:
        names = captures.get("name")
        if not names:
            if pattern.kind == "anonymous":
                self._define(
                    captures["node"][0], scope=parent, kind="anonymous", name="<anonymous>", inner=position, owner="?"
                )
                return len(self._definitions) - 1
            return -1
        owner = captures.get("owner")
        flags = captures.get("flag", [])
        node = names[0]
        if pattern.kind == "impl":
            self._define(node, scope=parent, kind="impl", inner=position, owner="?")
            return len(self._definitions) - 1
        self._taken.add(node.start_byte)
        loose = pattern.kind == "member" and self._scopes[parent].kind in ("function", "lambda", "file")
        self._define(
            node,
            scope=parent,
            kind=pattern.role if pattern.kind in ("", "member") else pattern.kind,
            type_=self._type_text(captures),
            inner=position,
            flags=" ".join(dict.fromkeys(filter(None, map(self._flag, flags)))),
            arity=self._arity(captures["params"][0]) if "params" in captures else -1,
            owner=self._chains.text(owner[0]) if owner else "?" if loose else "",
        )
        return len(self._definitions) - 1

    def _recover(self, number: int, parent: int, position: int) -> int:
        symbol = self._symbols[number]
        kind = "function" if symbol.kind in _FUNCTIONS else "class"
        self._definitions.append(
            Definition(parent, symbol.name, kind, symbol.name_line, symbol.start_byte, "", "", position, "", -1, "", number)
        )
        return len(self._definitions) - 1

    def _arity(self, parameters: Node) -> int:
        if not self._spec.grouped:
            return parameters.named_child_count
        return sum(max(1, len(p.children_by_field_name("name"))) for p in parameters.named_children)

    def _flag(self, node: Node) -> str:
        """A decorator becomes `@` and its chain, any other modifier stays as it is written."""
        if node.type != "decorator":
            return self._chains.text(node)[:_LONGEST_FLAG] if not node.is_named or node.named_child_count == 0 else ""
        inner = node.named_child(0)
        chain = self._chains.of(inner) if inner is not None else ""
        return "@" + chain.replace(" ", "") if chain else ""

    # definitions ----------------------------------------------------------------------------------------------------------

    def _define(
        self,
        node: Node,
        *,
        scope: int,
        kind: str,
        name: str = "",
        type_: str = "",
        value: str = "",
        inner: int = -1,
        flags: str = "",
        arity: int = -1,
        owner: str = "",
        after: int = 0,
    ) -> None:
        """Add a definition; it counts from byte `after` on: in `x = x.next()` the name on the right is the older one."""
        text = name or self._chains.text(node).strip("\"'")
        line = bisect_left(self._newlines, node.start_byte) + 1
        symbol = self._places.get((line, text), -1)
        if symbol >= 0 and self._symbols[symbol].is_test:
            flags = f"{flags} is_test".strip()
        self._definitions.append(
            Definition(scope, text, kind, line, max(node.start_byte, after), type_, value, inner, flags, arity, owner, symbol)
        )

    def _type_text(self, captures: Captures) -> str:
        nodes = captures.get("type")
        if not nodes or nodes[0].end_byte - nodes[0].start_byte > _LONGEST_TYPE:
            return ""
        text = self._chains.text(nodes[0])
        return "" if text in _INFERRED else text

    def _bind(self, pattern: Pattern, captures: Captures) -> None:
        values = captures.get("value")
        value = self._chains.of(values[0]) if values else ""
        if value and pattern.suffix:
            value = extend(value, pattern.suffix)
        type_ = self._type_text(captures)
        if type_ and pattern.wrap:
            type_ = _wrapped(pattern.wrap, type_)
        after = values[0].end_byte if values else captures["type"][0].end_byte if pattern.after else 0
        parts = values[0].named_children if values and values[0].kind_id in self._patterned else []
        for node in captures["name"]:
            if len(parts) > 1 and node.named_child_count == len(parts):
                for name, part in zip(node.named_children, parts, strict=True):
                    self._bind_name(name, pattern.kind, "", self._chains.of(part), after)
            else:
                self._bind_name(node, pattern.kind, type_, value, after)

    def _bind_name(self, node: Node, kind: str, type_: str, value: str, after: int) -> None:
        if node.start_byte in self._taken and kind not in ("property", "assigned"):
            return
        kind_id = node.kind_id
        if kind_id in self._patterned:
            for position, part in enumerate(node.named_children):
                self._bind_name(part, kind, "", extend(value, f"^{position}") if value else "", after)
            return
        if kind_id in self._inside:
            if node.named_child_count:
                inner = node.named_children[-1]
                self._bind_name(inner, kind, type_, value, after)
            return
        if kind_id in self._recorded:
            self._bind_members(node, kind, value or (f"`{type_}`" if type_ else ""), after)
            return
        if kind == "parameter" and self._scopes[self._scope].kind not in ("function", "lambda"):
            return
        text = self._chains.text(node)
        if kind in ("own", "exported"):
            owner = max(0, self._enclosing_class(self._scope)) if kind == "own" else 0
            self._define(node, scope=owner, kind="field", name=text, type_=type_, value=value, after=after)
            return
        if kind == "assigned":
            if "." not in text:
                return
            kind = "variable"
        if text.isidentifier() or node.named_child_count == 0:
            scope = 0 if (self._scope, text) in self._outer else self._scope
            at_class = self._scopes[scope].kind == "class" and kind == "variable"
            self._define(
                node, scope=scope, kind="field" if at_class else kind, name=text, type_=type_, value=value, after=after
            )
            return
        head, _, name = text.rpartition(".")
        if head in self._spec.exports and name.isidentifier():
            self._define(node, scope=0, kind="field", name=name, type_=type_, value=value, after=after)
            return
        if head in self._spec.self_names and name.isidentifier():
            owner = self._enclosing_class(self._scope)
            if owner > 0:
                self._scope, inside = owner, self._scope
                self._define(
                    node, scope=owner, kind="field", name=name, type_=type_, value=value, owner=f"@{inside}", after=after
                )
                self._scope = inside

    def _bind_members(self, node: Node, kind: str, value: str, after: int) -> None:
        """Bind `{a, b: c, ...rest}` to the members of the value."""
        for part in node.named_children:
            key = part.child_by_field_name("key") or part.child_by_field_name("left") or part
            bound = part.child_by_field_name("value") or key
            inner = bound.child_by_field_name("left") or bound
            if part.type == "rest_pattern":
                self._bind_name(part.named_child(0) or part, kind, "", "", after)
            else:
                member = self._chains.text(key)
                self._bind_name(
                    inner, kind, "", extend(value, "." + member) if value and member.isidentifier() else "", after
                )

    def _enclosing_class(self, scope: int) -> int:
        while scope > 0 and self._scopes[scope].kind not in ("class", "object"):
            scope = self._scopes[scope].parent
        return scope

    def _return(self, pattern: Pattern, captures: Captures) -> None:
        function = self._scopes[self._scope].definition
        if function >= 0 and self._definitions[function].type:
            return
        chain = self._chains.of(captures["value"][0])
        if chain:
            how = pattern.kind or "return"
            self._define(captures["value"][0], scope=self._scope, kind="return", name=how, value=chain)

    def _declare_outer(self, pattern: Pattern, captures: Captures) -> None:
        for node in captures["name"]:
            self._outer.add((self._scope, self._chains.text(node)))

    # imports and references -----------------------------------------------------------------------------------------------

    def _import(self, pattern: Pattern, captures: Captures) -> None:
        node = (captures.get("alias") or captures.get("name") or captures["module"])[0]
        module = self._chains.text(captures["module"][0]).strip("\"'`<>") if "module" in captures else ""
        line = bisect_left(self._newlines, (captures.get("module") or [node])[0].start_byte) + 1
        name = self._chains.text(captures["name"][0]) if "name" in captures else pattern.name
        alias = self._chains.text(captures["alias"][0]) if "alias" in captures else pattern.alias
        if "star" in captures:
            name = "*"
        if alias == ".":
            name, alias = "*", ""
        kind = pattern.kind or ("from" if name else "import")
        self._imports.append(Import(self._scope, kind, module, name, alias, line, node.start_byte))

    def _use(self, pattern: Pattern, captures: Captures) -> None:
        """Add the names of a Rust `use`, one import each; a public one hands them on."""
        node = captures["module"][0]
        line = bisect_left(self._newlines, node.start_byte) + 1
        kind = "public" if "public" in captures else "from"
        for module, name, alias in used_names(self._chains.text(node)):
            self._imports.append(Import(self._scope, kind, module, name, alias, line, node.start_byte))

    def _refer(self, kind: str, node: Node, chain: str, arity: int) -> None:
        line = bisect_left(self._newlines, node.start_byte) + 1
        self._references.append(Reference(self._scope, kind, chain, arity, line, node.start_byte))

    def _values(self, found: list[tuple[Pattern, Captures]], starts: list[int], inside: list[int]) -> None:
        """Keep the types that are named and the names that are handed on, once a scope; not parameters and local variables."""
        scopes = self._scopes
        local = {d.name for d in self._definitions if d.kind in _LOCAL and scopes[d.scope].kind in _CALLABLE}
        seen: set[tuple[int, str]] = set()
        for pattern, captures in found:
            for node in captures["value"]:
                text = self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")
                if text in local or len(text) > _LONGEST_NAME:
                    continue
                scope = inside[bisect_right(starts, node.start_byte) - 1]
                if (scope, text) not in seen:
                    seen.add((scope, text))
                    chain = text if text.isidentifier() or pattern.role == "type" else self._chains.of(node)
                    if chain:
                        line = bisect_left(self._newlines, node.start_byte) + 1
                        self._references.append(Reference(scope, pattern.role, chain, -1, line, node.start_byte))

    def _decorator(self, pattern: Pattern, captures: Captures) -> None:
        node = captures["value"][0]
        chain = self._chains.of(node)
        if chain:
            self._refer("decorator", node, chain.removesuffix("()"), -1)

    def _base(self, pattern: Pattern, captures: Captures) -> None:
        relation = pattern.kind or "extends"
        for node in captures["value"]:
            line = bisect_left(self._newlines, node.start_byte) + 1
            self._bases.append(Base(self._enclosing_class(self._scope), relation, self._chains.text(node), line))


def _merge(into: Captures, more: Captures) -> Captures:
    for name, nodes in more.items():
        into[name] = into[name] + nodes if name == "flag" and name in into else into.get(name) or nodes
    return into


def _newlines(source: bytes) -> list[int]:
    """Return the offsets of all newlines, in order."""
    found = []
    at = source.find(b"\n")
    while at >= 0:
        found.append(at)
        at = source.find(b"\n", at + 1)
    return found


def _regions(scopes: list[Scope]) -> tuple[list[int], list[int]]:
    """Return ascending offsets, and the innermost scope from each on."""
    starts, inside, stack = [0], [0], [0]
    for number in range(1, len(scopes)):
        while scopes[stack[-1]].end <= scopes[number].start:
            starts.append(scopes[stack.pop()].end)
            inside.append(stack[-1])
        starts.append(scopes[number].start)
        inside.append(number)
        stack.append(number)
    while len(stack) > 1:
        starts.append(scopes[stack.pop()].end)
        inside.append(stack[-1])
    return starts, inside


def _wrapped(wrapper: str, text: str) -> str:
    """Return the type of a parameter that takes several values."""
    if wrapper in ("[]", "..."):
        return f"[]{text}" if wrapper == "[]" else f"{text}[]"
    return f"{wrapper}[{text}]"
