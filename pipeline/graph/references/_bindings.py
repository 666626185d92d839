"""Bindings: what assignments, parameters, patterns and imports say of a name."""

from __future__ import annotations

from bisect import bisect_left

from tree_sitter import Node

from ..facts import Import
from ._patterns import Pattern
from ._scopes import Scopes
from ._state import Captures
from ._uses import imported_names, used_names
from .chains import extend, field_name

__all__ = ["Bindings"]

_CALLABLE = frozenset({"function", "lambda"})


class Bindings(Scopes):
    """Adds definitions and imports to the scope of the sweep."""

    def _bind(self, pattern: Pattern, captures: Captures) -> None:
        values = captures.get("value")
        value, after = "", 0
        if values:
            node = values[0]
            after = node.end_byte
            value = self._chains.between(node, node.start_byte, after)
            if value and pattern.suffix:
                value = extend(value, pattern.suffix)
        type_ = self._type_text(captures) if "type" in captures else ""
        if type_ and pattern.wrap:
            type_ = _wrapped(pattern.wrap, type_)
        if pattern.is_plain and len(captures["name"]) == 1 and captures["name"][0].kind_id not in self._composed:
            self._bind_plainly(captures["name"][0], pattern.kind, type_, value, after)
            return
        if not values and pattern.after:
            after = captures["type"][0].end_byte
        parts = values[0].named_children if values and values[0].kind_id in self._patterned else []
        for node in captures["name"]:
            if len(parts) > 1 and node.named_child_count == len(parts):
                for name, part in zip(node.named_children, parts, strict=True):
                    self._bind_name(name, pattern.kind, "", self._chains.of(part), after)
            else:
                self._bind_name(node, pattern.kind, type_, value, after)

    def _bind_plainly(self, node: Node, kind: str, type_: str, value: str, after: int) -> None:
        """Bind one name in the scope of the sweep; any other target of an assignment goes the long way."""
        start = node.start_byte
        if start in self._taken:
            return
        scope = self._scope
        inside = self._scopes[scope].kind
        if kind == "parameter" and inside not in _CALLABLE:
            return
        text = self._chains.cut(start, node.end_byte)
        if not text.isidentifier():
            self._bind_name(node, kind, type_, value, after)
            return
        if self._outer and (scope, text) in self._outer:
            scope, inside = 0, "file"
        if kind == "variable" and inside == "class":
            kind = "field"
        self._define_plainly(start, scope, kind, text, type_, value, after)

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
        if kind == "parameter" and self._scopes[self._scope].kind not in _CALLABLE:
            return
        text = self._chains.text(node)
        if kind in ("own", "exported"):
            owner = max(0, self._enclosing_class(self._scope)) if kind == "own" else 0
            where = f"@{self._scope}" if value and kind == "own" else ""
            self._define(
                node, scope=owner, kind="field", name=field_name(text), type_=type_, value=value, after=after, owner=where
            )
            return
        if kind in ("attribute", "alias"):
            self._bind_symbol(node, kind, value)
            return
        if kind == "assigned":
            if "." not in text:
                return
            kind = "variable"
        if text.isidentifier() or node.named_child_count == 0 or (text[0] == "$" and text[1:].isidentifier()):
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

    def _bind_symbol(self, node: Node, kind: str, value: str) -> None:
        """Define what `attr_reader :x` and `alias x y` do: a field that holds an own one, or another method of the object."""
        name = self._chains.text(node).lstrip(":")
        value = f"`Self`.${name}" if kind == "attribute" else f"`Self`.{value.lstrip(':')}"
        self._define(node, scope=self._scope, kind="field", name=name, value=value)

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
        """Add the names of an import that has several, one each; a public one of Rust hands them on."""
        node = captures["module"][0]
        line = bisect_left(self._newlines, node.start_byte) + 1
        kind = pattern.kind or ("public" if "public" in captures else "from")
        names = imported_names if pattern.kind else used_names
        for module, name, alias in names(self._chains.text(node)):
            self._imports.append(Import(self._scope, kind, module, name, alias, line, node.start_byte))


def _wrapped(wrapper: str, text: str) -> str:
    """Return the type of a parameter that takes several values."""
    if wrapper in ("[]", "..."):
        return f"[]{text}" if wrapper == "[]" else f"{text}[]"
    return f"{wrapper}[{text}]"
