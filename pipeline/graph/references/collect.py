"""Turn the matches of a language's query into the facts of one file: scopes first, then all else in one sweep."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files

from tree_sitter import Language, Node, Query, QueryCursor, Tree

from ..facts import Base, Definition, FileReferences, Import, Reference, Scope
from ._spec import LanguageSpec
from .chains import Chains, extend
from .languages import LANGUAGES

__all__ = ["collect", "supported"]

Captures = dict[str, list[Node]]
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


@lru_cache(maxsize=64)
def _query(language: str) -> tuple[Query, tuple[dict[str, str], ...]]:
    spec = LANGUAGES[language]
    text = "\n".join(files(__package__).joinpath(f"{q}.scm").read_text("utf-8") for q in spec.queries)
    query = Query(_grammar(spec.grammar), text)
    settings = tuple({k: v or "" for k, v in query.pattern_settings(i).items()} for i in range(query.pattern_count))
    return query, settings


def collect(tree: Tree, source: bytes, language: str) -> FileReferences:
    """Return what the file says about names; `source` is the UTF-8 that `tree` was parsed from."""
    query, settings = _query(language)
    return _Collector(source, LANGUAGES[language], query, settings, language).run(tree.root_node)


class _Collector:
    """The state of one file's sweep."""

    def __init__(
        self, source: bytes, spec: LanguageSpec, query: Query, settings: tuple[dict[str, str], ...], language: str
    ) -> None:
        self._source = source
        self._spec = spec
        self._query = query
        self._settings = settings
        self._language = language
        self._chains = Chains(source, spec.chains, spec.grammar, _grammar(spec.grammar))
        self._scopes: list[Scope] = []
        self._definitions: list[Definition] = []
        self._imports: list[Import] = []
        self._references: list[Reference] = []
        self._bases: list[Base] = []
        self._taken: set[int] = set()
        self._outer: set[tuple[int, str]] = set()
        self._scope = 0

    def run(self, root: Node) -> FileReferences:
        found = [(self._settings[i], m) for i, m in QueryCursor(self._query).matches(root)]
        self._open_scopes(root, [f for f in found if f[0]["role"] in _SCOPES])
        for settings, captures in found:
            if settings["role"] == "import":
                self._taken.update(c[0].start_byte for name, c in captures.items() if name in ("name", "alias"))
        events = [(_first_byte(m), i, s, m) for i, (s, m) in enumerate(found) if s["role"] not in _SCOPES]
        events.sort(key=lambda e: (e[0], e[1]))
        handlers: dict[str, Callable[[dict[str, str], Captures], None]] = {
            "bind": self._bind,
            "call": self._call,
            "import": self._import,
            "return": self._return,
            "value": self._value,
            "type": self._type,
            "decorator": self._decorator,
            "base": self._base,
            "outer": self._declare_outer,
        }
        stack = [0]
        following = 1
        scopes = self._scopes
        for byte, _, settings, captures in events:
            while following < len(scopes) and scopes[following].start <= byte:
                stack.append(following)
                following += 1
            while scopes[stack[-1]].end <= byte and len(stack) > 1:
                stack.pop()
            self._scope = stack[-1]
            handlers[settings["role"]](settings, captures)
        return FileReferences(
            language=self._language,
            scopes=tuple(self._scopes),
            definitions=tuple(self._definitions),
            imports=tuple(self._imports),
            references=tuple(self._references),
            bases=tuple(self._bases),
        )

    # scopes ---------------------------------------------------------------------------------------------------------------

    def _open_scopes(self, root: Node, found: list[tuple[dict[str, str], Captures]]) -> None:
        """Make the scopes in the order of their bytes, and a definition for each that has a name."""
        merged: dict[tuple[int, int], tuple[dict[str, str], Captures]] = {}
        for settings, captures in found:
            node = captures["node"][0]
            key = (node.start_byte, -node.end_byte)
            if key in merged:
                _merge(merged[key][1], captures)
                if settings["role"] == "lambda":
                    continue
                merged[key] = (settings, merged[key][1])
            else:
                merged[key] = (settings, dict(captures))
        self._scopes.append(Scope("file", -1, -1, 0, max(root.end_byte, len(self._source)) + 1))
        stack = [0]
        for (start, negative_end), (settings, captures) in sorted(merged.items(), key=lambda item: item[0]):
            while self._scopes[stack[-1]].end <= start:
                stack.pop()
            position = len(self._scopes)
            definition = self._name_scope(settings, captures, stack[-1], position)
            kind = settings.get("kind", "")
            role = kind if kind in ("namespace", "object") else settings["role"]
            self._scopes.append(Scope(role, stack[-1], definition, start, -negative_end))
            stack.append(position)

    def _name_scope(self, settings: dict[str, str], captures: Captures, parent: int, position: int) -> int:
        names = captures.get("name")
        if not names:
            return -1
        owner = captures.get("owner")
        flags = captures.get("flag", [])
        node = names[0]
        self._taken.add(node.start_byte)
        self._define(
            node,
            scope=parent,
            kind=settings.get("kind") or settings["role"],
            type_=self._type_text(captures),
            inner=position,
            flags=" ".join(dict.fromkeys(filter(None, map(self._flag, flags)))),
            arity=captures["params"][0].named_child_count if "params" in captures else -1,
            owner=self._chains.text(owner[0]) if owner else "",
        )
        return len(self._definitions) - 1

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
        line = node.start_point[0] + 1
        self._definitions.append(
            Definition(scope, text, kind, line, max(node.start_byte, after), type_, value, inner, flags, arity, owner, -1)
        )

    def _type_text(self, captures: Captures) -> str:
        nodes = captures.get("type")
        if not nodes or nodes[0].end_byte - nodes[0].start_byte > _LONGEST_TYPE:
            return ""
        return self._chains.text(nodes[0])

    def _bind(self, settings: dict[str, str], captures: Captures) -> None:
        values = captures.get("value")
        value = self._chains.of(values[0]) if values else ""
        if value and "suffix" in settings:
            value = extend(value, settings["suffix"])
        type_ = self._type_text(captures)
        if type_ and "wrap" in settings:
            type_ = f"{settings['wrap']}[{type_}]"
        after = values[0].end_byte if values else 0
        for node in captures["name"]:
            self._bind_name(node, settings["kind"], type_, value, after)

    def _bind_name(self, node: Node, kind: str, type_: str, value: str, after: int) -> None:
        if node.start_byte in self._taken and kind not in ("property", "assigned"):
            return
        if node.type in self._spec.patterns:
            for position, part in enumerate(node.named_children):
                self._bind_name(part, kind, "", extend(value, f"^{position}") if value else "", after)
            return
        if node.type in self._spec.records:
            self._bind_members(node, kind, value or (f"`{type_}`" if type_ else ""), after)
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
            self._define(node, scope=scope, kind="field" if at_class else kind, name=text, type_=type_, value=value, after=after)
            return
        head, _, name = text.rpartition(".")
        if head in self._spec.exports and name.isidentifier():
            self._define(node, scope=0, kind="field", name=name, type_=type_, value=value, after=after)
            return
        if head in self._spec.self_names and name.isidentifier():
            owner = self._enclosing_class(self._scope)
            if owner > 0:
                self._scope, inside = owner, self._scope
                self._define(node, scope=owner, kind="field", name=name, type_=type_, value=value, owner=f"@{inside}", after=after)
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
                self._bind_name(inner, kind, "", extend(value, "." + member) if value and member.isidentifier() else "", after)

    def _enclosing_class(self, scope: int) -> int:
        while scope > 0 and self._scopes[scope].kind not in ("class", "object"):
            scope = self._scopes[scope].parent
        return scope

    def _return(self, settings: dict[str, str], captures: Captures) -> None:
        chain = self._chains.of(captures["value"][0])
        if chain:
            how = settings.get("kind") or "return"
            self._define(captures["value"][0], scope=self._scope, kind="return", name=how, value=chain)

    def _declare_outer(self, settings: dict[str, str], captures: Captures) -> None:
        for node in captures["name"]:
            self._outer.add((self._scope, self._chains.text(node)))

    # imports and references -----------------------------------------------------------------------------------------------

    def _import(self, settings: dict[str, str], captures: Captures) -> None:
        node = (captures.get("alias") or captures.get("name") or captures["module"])[0]
        module = self._chains.text(captures["module"][0]).strip("\"'`<>") if "module" in captures else ""
        line = (captures.get("module") or [node])[0].start_point[0] + 1
        name = self._chains.text(captures["name"][0]) if "name" in captures else settings.get("name", "")
        alias = self._chains.text(captures["alias"][0]) if "alias" in captures else settings.get("alias", "")
        kind = settings.get("kind") or ("from" if name else "import")
        self._imports.append(Import(self._scope, kind, module, name, alias, line, node.start_byte))

    def _refer(self, kind: str, node: Node, chain: str, arity: int) -> None:
        line = node.end_point[0] + 1 if kind == "call" else node.start_point[0] + 1
        self._references.append(Reference(self._scope, kind, chain, arity, line, node.start_byte))

    def _call(self, settings: dict[str, str], captures: Captures) -> None:
        callee = captures["callee"][0]
        arguments = captures.get("args")
        arity = arguments[0].named_child_count if arguments else -1
        self._refer("call", callee, self._chains.of(callee).removesuffix("~"), arity)

    def _value(self, settings: dict[str, str], captures: Captures) -> None:
        for node in captures["value"]:
            chain = self._chains.of(node)
            if chain:
                self._refer("value", node, chain, -1)

    def _type(self, settings: dict[str, str], captures: Captures) -> None:
        for node in captures["value"]:
            self._refer("type", node, self._chains.text(node), -1)

    def _decorator(self, settings: dict[str, str], captures: Captures) -> None:
        node = captures["value"][0]
        chain = self._chains.of(node)
        if chain:
            self._refer("decorator", node, chain.removesuffix("()"), -1)

    def _base(self, settings: dict[str, str], captures: Captures) -> None:
        relation = settings.get("kind") or "extends"
        for node in captures["value"]:
            line = node.start_point[0] + 1
            self._bases.append(Base(self._enclosing_class(self._scope), relation, self._chains.text(node), line))


def _first_byte(captures: Captures) -> int:
    return min(nodes[0].start_byte for nodes in captures.values())


def _merge(into: Captures, more: Captures) -> None:
    for name, nodes in more.items():
        into[name] = into[name] + nodes if name == "flag" and name in into else into.get(name) or nodes
