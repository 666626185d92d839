"""Every file's facts side by side, with global numbers for definitions and scopes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..facts import Base, Definition, FileReferences, Import, Scope
from .conditions import may_build
from .dialects import Dialect, dialect_of

__all__ = ["LinkFile", "World", "is_configuration"]

_VERSION = re.compile(r"v\d+")
_TYPES = frozenset({"class", "interface", "enum", "namespace", "type", "struct", "trait", "object", "impl"})
_CONFIGURATIONS = frozenset(
    {"go.mod", "Cargo.toml", "package.json", "tsconfig.json", "tsconfig.base.json", "jsconfig.json", "deno.json"}
)
_FILE_OWNERS = frozenset({"exports", "module", "module.exports"})
"""Objects whose members are the file's own names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFile:
    """One file as linking sees it; one without facts (a JSON file, say) can still be imported.

    `is_test`: its path says that it holds tests. `text` is that of a configuration file, see `is_configuration`.
    """

    repo: str
    path: str
    facts: FileReferences | None = None
    is_test: bool = False
    text: str | None = None


def is_configuration(path: str) -> bool:
    """Return whether linking reads the text of the file."""
    return path.rpartition("/")[2] in _CONFIGURATIONS


@dataclass(slots=True)
class World:
    """Flat tables over all files; a definition's or scope's number is its file's offset plus its position.

    `homes[scope]` is the nearest scope, itself or around it, that can name types: declared types mean the same from there
    on. `names[scope]` maps a name to its definitions in order, with a dot before that of a member of the class
    itself where those are apart; an imported name is `-1 - number of the import`. `exports`
    has what a file hands on by a statement, `extensions` functions that can be called as members, `owned` the definitions
    whose owner is written out, as in Go's receivers.
    """

    files: Sequence[LinkFile]
    definitions: list[Definition] = field(default_factory=list)
    definition_file: list[int] = field(default_factory=list)
    definition_base: list[int] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    scope_file: list[int] = field(default_factory=list)
    scope_base: list[int] = field(default_factory=list)
    homes: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    import_base: list[int] = field(default_factory=list)
    import_file: list[int] = field(default_factory=list)
    names: list[dict[str, list[int]]] = field(default_factory=list)
    stars: dict[int, list[int]] = field(default_factory=dict)
    bases: dict[int, list[Base]] = field(default_factory=dict)
    dialects: list[Dialect] = field(default_factory=list)
    impls: list[int] = field(default_factory=list)
    includes: dict[int, list[int]] = field(default_factory=dict)
    prototypes: dict[str, list[int]] = field(default_factory=dict)
    inactive: set[int] = field(default_factory=set)
    packages: dict[int, str] = field(default_factory=dict)
    exports: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    owned: list[int] = field(default_factory=list)
    extensions: dict[str, list[int]] = field(default_factory=dict)
    first_parameter: dict[int, int] = field(default_factory=dict)
    by_path: dict[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Sequence[LinkFile]) -> World:
        """Lay the files' facts side by side."""
        world = cls(files)
        for number, file in enumerate(files):
            world._add(number, file)
        return world

    def _add(self, number: int, file: LinkFile) -> None:
        self.by_path[(file.repo, file.path)] = number
        self.definition_base.append(len(self.definitions))
        self.scope_base.append(len(self.scopes))
        self.import_base.append(len(self.imports))
        facts = file.facts
        self.dialects.append(dialect_of(facts.language if facts else ""))
        if facts is None:
            return
        base = len(self.scopes)
        first = len(self.definitions)
        self.scopes.extend(facts.scopes)
        self.scope_file.extend([number] * len(facts.scopes))
        self.parents.extend(s.parent + base if s.parent >= 0 else -1 for s in facts.scopes)
        names: list[dict[str, list[int]]] = [{} for _ in facts.scopes]
        typed = [s.kind not in ("function", "lambda") for s in facts.scopes]
        self.definitions.extend(facts.definitions)
        singletons = self.dialects[number].singletons
        self.definition_file.extend([number] * len(facts.definitions))
        for position, (scope, name, kind, _, _, _, _, _, flags, _, owner, _) in enumerate(facts.definitions, first):
            if kind == "prototype" and facts.scopes[scope].kind != "class":
                self.prototypes.setdefault(name, []).append(position)
                continue
            if kind == "impl":
                self.impls.append(position)
                continue
            if owner:
                if owner[:2] == "@:":
                    self.extensions.setdefault(name, []).append(position)
                if owner[0] != "@" and owner not in _FILE_OWNERS:
                    self.owned.append(position)
                    continue
            if singletons and kind == "function" and not singletons.isdisjoint(flags.split()):
                name = "." + name
            names[scope].setdefault(name, []).append(position)
            if kind in _TYPES:
                typed[scope] = True
            elif kind == "parameter":
                self.first_parameter.setdefault(base + scope, position)
        self._add_imports(number, facts, names, base)
        for b in facts.bases:
            self.bases.setdefault(base + b.scope, []).append(b)
        self.names.extend(names)
        for n, around in enumerate(facts.scopes):
            own = typed[n] or any(marks[-1] < 0 for marks in names[n].values())
            self.homes.append(base + n if own else self.homes[base + around.parent])

    def _add_imports(self, number: int, facts: FileReferences, names: list[dict[str, list[int]]], base: int) -> None:
        for i in facts.imports:
            mark = -1 - len(self.imports)
            self.imports.append(i)
            self.import_file.append(number)
            if i.kind == "package":
                outer = self.packages.get(number, "") if self.dialects[number].nests else ""
                self.packages[number] = f"{outer}.{i.module}" if outer else i.module
                continue
            if i.kind == "include":
                self.includes.setdefault(number, []).append(mark)
                continue
            if i.kind == "build":
                if not may_build(i.module):
                    self.inactive.add(number)
                continue
            if i.kind == "module":
                names[i.scope].setdefault(i.module, []).append(mark)
                continue
            bound = i.alias or i.name or _bound(self.dialects[number].binds, i.module)
            if i.kind == "export" and i.name != "*":
                self.exports.setdefault((number, i.alias or i.name), []).append(mark)
            elif i.name == "*" and not i.alias:
                self.stars.setdefault(base + i.scope, []).append(mark)
            elif bound:
                names[i.scope].setdefault(bound, []).append(mark)

    def defined_in(self, file: int) -> Iterator[tuple[int, Definition]]:
        """Yield the definitions of a file with their numbers."""
        facts = self.files[file].facts
        return enumerate(facts.definitions if facts is not None else (), self.definition_base[file])

    def file_scope(self, file: int) -> int:
        """Return the scope of the file's top level."""
        return self.scope_base[file]

    def scope_of(self, definition: int) -> int:
        """Return the global scope that the definition's name is bound in."""
        return self.scope_base[self.definition_file[definition]] + self.definitions[definition].scope

    def inner(self, definition: int) -> int:
        """Return the global scope that the definition opens, or -1."""
        inner = self.definitions[definition].inner
        return self.scope_base[self.definition_file[definition]] + inner if inner >= 0 else -1

    def defines(self, scope: int) -> int:
        """Return the global definition that opens the scope, or -1."""
        local = self.scopes[scope].definition
        return self.definition_base[self.scope_file[scope]] + local if local >= 0 else -1

    def nearest(self, found: Sequence[int], repo: str) -> tuple[int, ...]:
        """Return the definitions of a repository, all of them if it has none."""
        own = tuple(d for d in found if self.files[self.definition_file[d]].repo == repo)
        return own or tuple(found)

    def enclosing(self, scope: int, kind: str) -> int:
        """Return the nearest scope of the kind at or above `scope`, or -1."""
        while scope >= 0 and self.scopes[scope].kind != kind:
            scope = self.parents[scope]
        return scope


def _bound(rule: str, module: str) -> str:
    """Return the name that an import without alias or names binds."""
    if rule == "first":
        return module.partition(".")[0]
    if rule == "path":
        parts = module.split("/")
        versioned = len(parts) > 1 and _VERSION.fullmatch(parts[-1])
        return re.sub(r"^go-|\.v\d+$|\.go$", "", parts[-2 if versioned else -1])
    return re.split(r"::|[./\\]", module)[-1] if rule == "last" else ""
