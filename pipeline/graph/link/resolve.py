"""Resolve every reference of a world to edges; what stays open is counted by language and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..facts import FileReferences
from ._core import EVERYWHERE, TYPES
from .dialects import Dialect
from .infer import Inference, split
from .modules import Modules
from .overrides import overridden
from .structural import implementations
from .values import BASE, IMPORT, RULES, SHARED, TYPED, Value
from .world import LinkFile, World

__all__ = ["Edge", "Known", "Links", "Open", "link"]

_KINDS = {
    "call": "calls",
    "bare": "calls",
    "macro": "references",
    "type": "references",
    "value": "references",
    "decorator": "references",
}
_TARGETS = frozenset(
    {"function", "prototype", "class", "interface", "enum", "struct", "trait", "macro", "constructor", "method"}
)
_VARIABLES = frozenset({"variable", "field", "property", "fixed", "object"})
_MOST_CANDIDATES = 8
_CALLERS = frozenset({"function", "class"})
_CALLABLE = frozenset({"function", "lambda"})
_Ends = tuple[int, int, int, int, str]
"""Source file and source, target file and target, kind."""

_Found = tuple[float, str, int, int]
"""Confidence, rule, line of the first site, sites."""

_Answer = tuple[list[int], int, str]
"""What a reference means: definitions with the rank of that, or none with the reason."""

_EXTERNAL: tuple[_Answer, ...] = tuple(([], rank, "external") for rank in range(len(RULES)))
_NO_IMPORTS = frozenset({"package", "build"})
"""Statements that stand among imports and bring nothing in."""


class Edge(NamedTuple):
    """One resolved relation; a definition of -1 stands for the file's own row."""

    source_file: int
    source: int
    target_file: int
    target: int
    kind: str
    confidence: float
    rule: str
    line: int
    sites: int


class Open(NamedTuple):
    """References of one file that stayed open, by language, kind and reason."""

    file: int
    language: str
    kind: str
    reason: str
    sites: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of all files but the `changed` ones, as Links has it."""

    changed: frozenset[int]
    stated: Sequence[Edge]
    open: Sequence[Open]
    imports: Sequence[tuple[int, int, str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """All edges in a total order, and how many references stayed open, by (language, kind, reason).

    `stated` are those that a file's references, types and imports say by themselves, with definitions counted within their files.
    `imports` are (file, line, module as it is written, file that it leads to or -1), in the order of the files' imports.
    """

    world: World
    stated: tuple[Edge, ...]
    edges: tuple[Edge, ...]
    open: tuple[Open, ...]
    unresolved: tuple[tuple[str, str, str, int], ...]
    imports: tuple[tuple[int, int, str, int], ...]


def link(files: Sequence[LinkFile], known: Known | None = None) -> Links:
    """Resolve the references of all files against each other, only those of changed files where the rest is known."""
    world = World.of(files)
    modules = Modules(world)
    inference = Inference(world, modules)
    linker = _Linker(world, modules, inference)
    linker.learn_parameters()
    for number, file in enumerate(files):
        if file.facts is not None and (known is None or number in known.changed):
            linker.link_file(number)
    if known is not None:
        linker.adopt(known)
    stated = linker.stated()
    for number, file in enumerate(files):
        if file.facts is not None:
            linker.heritage(number)
    for d, interface in implementations(inference):
        linker.relate(d, interface, "implements")
    for method, above in overridden(inference):
        linker.relate(method, above, "overrides")
    linker.test_subjects()
    modules.ask(None)
    return linker.finish(stated)


class _Linker:
    """Collects edges; the same relation at several sites is one edge with a count."""

    def __init__(self, world: World, modules: Modules, inference: Inference) -> None:
        self._world = world
        self._modules = modules
        self._infer = inference
        self._edges: dict[_Ends, _Found] = {}
        self._open: Counter[tuple[int, str, str, str]] = Counter()
        self._imports: list[tuple[int, int, str, int]] = []

    def learn_parameters(self) -> None:
        """Learn which class a parameter name nearly always has in a repository and language: 3 annotated uses, 70 % of them."""
        world = self._world
        seen: dict[tuple[str, str, str], Counter[int]] = {}
        if not any(dialect.guesses for dialect in world.dialects):
            return
        annotated = ((d, item) for d, item in enumerate(world.definitions) if item.kind == "parameter" and item.type)
        told = (pair for pair in annotated if world.dialects[world.definition_file[pair[0]]].guesses)
        for d, item in self._infer.settled(told):
            value = self._infer.type_value(item.type, self._world.scope_of(d))
            if value is not None:
                file = world.definition_file[d]
                key = (world.files[file].repo, world.dialects[file].name, item.name)
                seen.setdefault(key, Counter())[value[1] if value[0] == "i" else -1] += 1
        for key, counts in seen.items():
            owner, uses = max(counts.items(), key=lambda c: (c[1], -c[0]))
            if owner >= 0 and uses >= 3 and uses >= 0.7 * sum(counts.values()):
                self._infer.parameter_classes[key] = owner

    def link_file(self, number: int) -> None:
        """Add the edges of one file's references, declared types and imports."""
        world = self._world
        facts = world.files[number].facts
        assert facts is not None
        base = world.scope_base[number]
        homes, local = self._places(number, facts)
        callers = self._callers(number, facts)
        definitions, file_of = world.definitions, world.definition_file
        known: dict[tuple[int, str, int], _Answer] = {}
        for scope, kind, chain, arity, line, byte, count in self._infer.settled(facts.references):
            home = homes[scope]
            if home == scope or split(chain)[0] in local or chain[:1] == "`":
                answer = self._targets(base + scope, byte, chain, arity, base + scope)
            else:
                key = (home, chain, arity)
                before = known.get(key)
                answer = before or self._targets(base + scope, byte, chain, arity, -1 - base - home)
                if before is None:
                    known[key] = answer
            targets, rank, reason = answer
            if not targets:
                if kind == "call":
                    self._open[(number, facts.language, kind, reason)] += count
                continue
            if kind == "macro":
                targets = [t for t in targets if definitions[t].kind == "macro"]
            for target in targets:
                to = definitions[target]
                named = kind == "bare" and to.kind in TYPES and chain.rpartition(".")[2] == to.name
                how = "references" if to.kind == "macro" or named else _KINDS[kind]
                self._edge(number, callers[scope], file_of[target], target, how, rank, line, len(targets), count)
        self._type_references(number, facts, callers)
        self._link_imports(number)

    def _places(self, number: int, facts: FileReferences) -> tuple[Sequence[int], set[str]]:
        """Return for each scope the nearest one that is no function, itself where names depend on the function, and all local names.

        A chain that begins with none of these means the same in all functions of such a scope.
        """
        world = self._world
        base = world.scope_base[number]
        scopes = range(len(facts.scopes))
        dialect = world.dialects[number]
        if dialect.implicit_self or dialect.receivers or dialect.space == "cpp":
            return scopes, set()
        homes: list[int] = []
        local: set[str] = set()
        for n in scopes:
            inside = facts.scopes[n].kind in _CALLABLE
            if inside:
                if base + n in world.stars:
                    return scopes, set()
                local.update(world.names[base + n])
            homes.append(homes[facts.scopes[n].parent] if inside else n)
        return homes, local

    def _type_references(self, number: int, facts: FileReferences, callers: list[int]) -> None:
        """Add what the declared types name, from the function or class that declares them."""
        base = self._world.scope_base[number]
        first = self._world.definition_base[number]
        homes, definition_file = self._world.homes, self._world.definition_file
        typed = [pair for pair in enumerate(facts.definitions, first) if pair[1].type and pair[1].kind != "class"]
        places = dict.fromkeys((d.type, homes[base + d.scope]) for _, d in typed)
        named = {place: self._infer.type_targets(*place) for place in self._infer.settled(places)}
        for position, d in typed:
            targets = named[d.type, homes[base + d.scope]]
            if targets:
                owner = position if d.kind in _TARGETS else callers[d.scope]
                for target in targets:
                    if target != owner:
                        self._edge(number, owner, definition_file[target], target, "references", TYPED, d.line)

    def _callers(self, number: int, facts: FileReferences) -> list[int]:
        """Return for each scope the named function or class around it, or -1 for the file."""
        world = self._world
        first = world.definition_base[number]
        callers: list[int] = []
        for scope in facts.scopes:
            d = scope.definition
            named = d >= 0 and scope.kind in _CALLERS and facts.definitions[d].kind not in ("anonymous", "impl")
            callers.append(first + d if named else callers[scope.parent] if scope.parent >= 0 else -1)
        return callers

    def _targets(self, scope: int, byte: int, chain: str, arity: int, place: int) -> _Answer:
        """Return the definitions a reference means: one, or all variants of one; with the rank, else the reason.

        `place` is as in Inference.target.
        """
        if not chain:
            return [], 0, "expression"
        if chain.endswith("[]") and arity >= 0:  # in Go the arguments of a generic function look like an index
            generic = self._targets(scope, byte, chain[:-2], arity, place)
            if generic[0]:
                return generic
        found, value, rank = self._infer.target(scope, byte, chain, arity >= 0, place)
        if not found and value is not None and value[0] == "e":
            return _EXTERNAL[rank]
        definitions = self._world.definitions
        named = [d for d in found if definitions[d].kind in _TARGETS]
        if named and "." not in chain and self._world.dialects[self._world.scope_file[scope]].receivers:
            named = self._applicable(scope, chain, arity, named)
            if not named:
                return [], rank, "unknown"
        if named and definitions[named[0]].kind != "function" and self._dialect(named[0]).converts and arity >= 0:
            return [], rank, "conversion"
        if (
            named
            and arity >= 0
            and definitions[named[0]].kind not in ("function", "constructor")
            and self._dialect(named[0]).constructors
        ):
            return self._chosen(self._constructors(named[0]) or named[:1], arity), rank, ""
        if named:
            return self._chosen(named, arity), rank, ""
        if found and definitions[found[0]].kind in _VARIABLES and self._dialect(found[0]).calls_variables:
            return found[:1], rank, ""
        if value is None:
            return [], rank, "unknown"
        for part in value[1] if value[0] == "u" else (value,):
            if part[0] in "fwc":
                return [part[1]], rank, ""
        plain = "." not in chain and "(" not in chain and not found
        if arity >= 0 and plain and value[0] in "si" and self._world.dialects[self._world.scope_file[scope]].super_calls:
            return self._constructor(value, arity), rank, "external"
        return [], rank, "external" if value[0] == "e" else "value"

    def _applicable(self, scope: int, name: str, arity: int, named: list[int]) -> list[int]:
        """Return the functions that a bare name with so many arguments can mean; beyond a class, what its file sees."""
        fitting = [d for d in named if self._fits(scope, d, arity)]
        if fitting or self._modules.this(scope) < 0:
            return fitting
        file = self._world.file_scope(self._world.scope_file[scope])
        beyond = self._infer.follow(self._infer.lookup(file, name, EVERYWHERE)[0])
        return [d for d in beyond if self._world.definitions[d].kind in _TARGETS and self._fits(scope, d, arity)]

    def _fits(self, scope: int, d: int, arity: int) -> bool:
        item = self._world.definitions[d]
        if item.kind == "function" and arity > item.arity >= 0 and "vararg" not in item.flags:
            return False
        if item.owner[:2] != "@:":
            return True
        receiver = self._infer.type_value(item.owner[2:], self._world.scope_of(d))
        objects = [("i", self._modules.this(scope), ())]
        at = self._world.enclosing(scope, "function")
        while at >= 0:
            around = self._world.defines(at)
            owner = self._world.definitions[around].owner if around >= 0 else ""
            if owner[:2] == "@:":
                objects.append(self._infer.type_value(owner[2:], at) or ("i", -1, ()))
            at = self._world.enclosing(self._world.parents[at], "function")
        return any(self._infer.is_a(value, receiver) for value in objects)

    def _constructor(self, value: Value, arity: int) -> list[int]:
        """Return what `super(...)` or `this(...)` runs: the constructor of the first base, or of the class itself."""
        assert value is not None
        order = self._infer.order(value[1])[0]
        owner = order[0] if value[0] == "i" else order[1] if len(order) > 1 else -1
        if owner < 0:
            return []
        return self._chosen(self._constructors(owner) or [owner], arity)

    def _constructors(self, d: int) -> list[int]:
        """Return what making an object of the class runs."""
        initializer = self._dialect(d).initializer
        if initializer:
            return [m for m in self._infer.member_of_class(d, initializer) if m >= 0]
        made = self._infer.own_member(d, self._world.definitions[d].name)
        return [m for m in made if m >= 0 and self._world.definitions[m].kind in self._dialect(d).makers]

    def _dialect(self, d: int) -> Dialect:
        return self._world.dialects[self._world.definition_file[d]]

    def _chosen(self, found: list[int], arity: int) -> list[int]:
        """Choose among definitions of one name: one of overloads, all variants that are built for different platforms."""
        if len(found) == 1:
            return found
        definitions = self._world.definitions
        fitting = [d for d in found if definitions[d].arity == arity] if arity >= 0 else []
        chosen = fitting or found
        if self._dialect(chosen[0]).name == "c":
            chosen = found
        if self._dialect(chosen[0]).variants:
            files = {self._world.definition_file[d]: d for d in reversed(chosen)}
            return sorted(files.values())[:_MOST_CANDIDATES]
        return chosen[:1]

    def relate(self, d: int, other: int, kind: str) -> None:
        """Add a relation that no single reference states; its line is that of the definition's name."""
        self._add(self._world.definition_file[d], d, other, kind, BASE, self._world.definitions[d].line)

    def test_subjects(self) -> None:
        """A test tests what it calls outside of tests."""
        tests = [
            ((file, source, other, target, "tests"), found)
            for (file, source, other, target, kind), found in self._edges.items()
            if kind == "calls" and target >= 0 and self._is_test(file, source) and not self._is_test(other, target)
        ]
        self._edges.update(tests)

    def _is_test(self, file: int, d: int) -> bool:
        return self._world.files[file].is_test or (d >= 0 and "is_test" in self._world.definitions[d].flags.split())

    def heritage(self, number: int) -> None:
        """Add the bases that a file states, of classes in whatever file they are: a body may be written beside its class."""
        world = self._world
        base = world.scope_base[number]
        facts = world.files[number].facts
        assert facts is not None
        for b in self._infer.settled(facts.bases):
            owner = self._modules.implemented.get(base + b.scope, world.defines(base + b.scope))
            if owner < 0 or world.definitions[owner].kind == "impl" or world.definitions[owner].kind == "anonymous":
                continue
            value = self._infer.named_base(b.type, world.parents[base + b.scope])
            if value and value[0] in "ic" and value[1] != owner:
                home = world.definition_file[owner]
                line = b.line if home == number else world.definitions[owner].line
                self._add(home, owner, value[1], self._relation(b.relation, owner, value[1]), BASE, line)

    def _relation(self, relation: str, owner: int, base: int) -> str:
        """Embedding a type extends it; an interface that embeds another implements it, as a class does that it extends itself by.

        Where a language does not tell them apart, a class implements an interface or trait and extends all else.
        """
        kinds = self._world.definitions
        if relation == "inherits":
            apart = kinds[base].kind in ("interface", "trait") and kinds[owner].kind not in ("interface", "trait")
            return "implements" if apart else "extends"
        if relation == "singleton":
            return "implements"
        if relation != "embeds":
            return relation
        if self._world.definitions[owner].kind == "interface":
            return "implements"
        return "extends"

    def _link_imports(self, number: int) -> None:
        """An import leads to what defines the name, else to the module's file."""
        world = self._world
        facts = world.files[number].facts
        assert facts is not None
        first = world.import_base[number]
        for offset, i in self._infer.settled(enumerate(facts.imports)):
            mark = -1 - (first + offset)
            found = self.imported(mark)
            if i.kind not in _NO_IMPORTS:
                self._imports.extend((number, i.line, i.module, file) for file, _ in found or [(-1, -1)])
            for file, target in found:
                if file == number and target < 0:
                    continue  # `use super::*` in a module of the same file
                kind = "reexports" if i.kind in ("export", "public") else "imports"
                self._edge(number, -1, file, target, kind, IMPORT, i.line)

    def imported(self, mark: int) -> list[tuple[int, int]]:
        """Return (file, definition or -1) for what an import brings."""
        world = self._world
        i = world.imports[-1 - mark]
        module = self._modules.whole(mark)
        if module and module[0] == "c":
            return [(world.definition_file[module[1]], module[1])]
        if module and module[0] == "x":
            return [(world.definition_file[module[1][0]], module[1][0])]
        if not module or module[0] not in "md":
            return []
        if i.kind == "export" and not i.module:
            return []
        if i.name and i.name != "*" and self._world.dialects[self._world.import_file[-1 - mark]].imports_definitions:
            found = tuple(d for d in self._infer.named(module, i.name) if d != mark)
            final = self._infer.follow(found[:1])
            if final:
                return [(world.definition_file[final[0]], final[0])]
            if found:
                last = self._infer.value_of_any(found)[0]
                return [(last[1], -1)] if last and last[0] == "m" else []
            module = self._modules.child(module, i.name) or (module if module[0] == "m" else None)
        return [(module[1], -1)] if module and module[0] == "m" else []

    def _add(
        self, number: int, source: int, target: int, kind: str, rank: int, line: int, among: int = 1, count: int = 1
    ) -> None:
        self._edge(number, source, self._world.definition_file[target], target, kind, rank, line, among, count)

    def _edge(
        self,
        number: int,
        source: int,
        file: int,
        target: int,
        kind: str,
        rank: int,
        line: int,
        among: int = 1,
        count: int = 1,
    ) -> None:
        key = (number, source, file, target, kind)
        rule, confidence = RULES[rank] if among == 1 else (RULES[SHARED][0], 1 / among)
        old = self._edges.get(key)
        if old is not None:
            if confidence <= old[0]:
                confidence, rule = old[:2]
            line, count = min(old[2], line), old[3] + count
        self._edges[key] = confidence, rule, line, count

    def stated(self) -> tuple[Edge, ...]:
        """Return what was found so far, with definitions counted within their files."""
        base = self._world.definition_base
        return tuple(
            Edge(file, d - base[file] if d >= 0 else -1, other, to - base[other] if to >= 0 else -1, kind, *found)
            for (file, d, other, to, kind), found in self._edges.items()
        )

    def adopt(self, known: Known) -> None:
        """Take over what is known of files that are not linked again."""
        base = self._world.definition_base
        for file, d, other, to, kind, confidence, rule, line, sites in known.stated:
            key = file, d + base[file] if d >= 0 else -1, other, to + base[other] if to >= 0 else -1, kind
            self._edges[key] = confidence, rule, line, sites
        self._imports.extend(known.imports)
        self._open.update({row[:4]: row[4] for row in known.open})

    def finish(self, stated: tuple[Edge, ...]) -> Links:
        edges = sorted(map(Edge._make, (key + found for key, found in self._edges.items())))
        total: Counter[tuple[str, str, str]] = Counter()
        for (_, language, kind, reason), count in self._open.items():
            total[language, kind, reason] += count
        return Links(
            world=self._world,
            stated=stated,
            edges=tuple(edges),
            open=tuple(Open(*key, count) for key, count in sorted(self._open.items())),
            unresolved=tuple((*key, count) for key, count in sorted(total.items())),
            imports=tuple(self._imports),
        )
