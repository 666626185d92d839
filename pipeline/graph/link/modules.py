"""How each language's imports, packages and outside types behave: one object that answers for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from .c_modules import CModules
from .csharp_modules import CsharpModules
from .ecmascript_modules import EcmascriptModules
from .go_modules import GoModules
from .java_modules import JavaModules
from .open_types import join_types
from .php_modules import PhpModules
from .python_modules import PythonModules
from .ruby_modules import RubyModules
from .rust_modules import RustModules
from .spaces import space_of
from .values import EXTERNAL, SCOPE, Value

if TYPE_CHECKING:
    from .dialects import Dialect
    from .infer import Inference
    from .world import World

__all__ = ["Modules"]

_SPACES = {"": "go", "jvm": "java", "csharp": "csharp", "php": "php", "cpp": "c"}
"""The finder of each kind of package key."""

_HAVE_PACKAGES = (RustModules, CsharpModules, JavaModules, CModules)


class Finder(Protocol):
    """The imports of one family of languages."""

    def module(self, file: int, text: str, kind: str, scope: int) -> Value:
        """Return what the module text of an import in `file`, at `scope`, names."""

    def child(self, module: Value, name: str) -> Value:
        """Return the submodule `name` of a module or package, or None."""


class Modules:
    """Answers that depend on the language, by file."""

    plain_decorators = frozenset(
        "property classmethod staticmethod overload abstractmethod cached_property wraps setter getter override "
        "final fixture contextmanager asynccontextmanager parametrize lru_cache cache deprecated".split()
    )
    properties = frozenset({"property", "cached_property", "setter", "getter", "get", "abstractproperty"})

    def __init__(self, world: World) -> None:
        self.world = world
        self._rust = RustModules(world)
        self.bodies: dict[int, list[int]] = {}
        self.implemented: dict[int, int] = {}
        self.joined: dict[int, int] = {}
        self.attached: dict[int, int] = {}
        join_types(world, self)
        self._included = CModules(world)
        self._php = PhpModules(world)
        self._csharp = CsharpModules(world)
        self._finders: dict[str, Finder] = {
            "python": PythonModules(world),
            "ecmascript": EcmascriptModules(world),
            "c": self._included,
            "go": GoModules(world),
            "java": JavaModules(world),
            "csharp": self._csharp,
            "php": self._php,
            "ruby": RubyModules(world),
            "rust": self._rust,
        }
        self._finders["cpp"] = self._included
        self._finders["kotlin"] = self._finders["scala"] = self._finders["java"]
        self._packages_built = False
        self._shared: dict[tuple[str, str, str], dict[str, list[int]]] = {}
        self._by_folder: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
        self._of_import: dict[int, Value] = {}
        self._finding: set[int] = set()
        self.cut = False
        """Whether an answer was cut short by a cycle since it was last looked at (Core.settled)."""

    @property
    def answers(self) -> dict[int, Value]:
        """What is remembered of imports."""
        return self._of_import

    def ask(self, inference: Inference | None) -> None:
        """Let module paths be resolved through names, as Rust's need; None at the end, so that no cycle is left."""
        self._rust.inference = inference

    def _finder(self, file: int) -> Finder | None:
        return self._finders.get(self.world.dialects[file].name)

    def of_import(self, mark: int) -> Value:
        """Return the module that an import (negative) names."""
        if mark in self._finding:
            self.cut = True
            return None
        if mark not in self._of_import:
            self._finding.add(mark)
            i = self.world.imports[-1 - mark]
            file = self.world.import_file[-1 - mark]
            finder = self._finder(file)
            text = i.module
            if i.kind == "import" and not i.alias and not i.name and self.world.dialects[file].binds == "first":
                text = text.partition(".")[0]
            scope = self.world.scope_base[file] + i.scope
            self._of_import[mark] = finder.module(file, text, i.kind, scope) if finder else None
            self._finding.discard(mark)
        return self._of_import[mark]

    def whole(self, mark: int) -> Value:
        """Return the module that the import runs, where it binds only the first part of its name."""
        i = self.world.imports[-1 - mark]
        file = self.world.import_file[-1 - mark]
        finder = self._finder(file)
        if finder and i.kind == "import" and not i.alias and not i.name and self.world.dialects[file].binds == "first":
            return finder.module(file, i.module, i.kind, self.world.scope_base[file] + i.scope)
        return self.of_import(mark)

    def find(self, scope: int, text: str) -> Value:
        """Return the module that a text names at a scope."""
        file = self.world.scope_file[scope]
        finder = self._finder(file)
        return finder.module(file, text, "require", scope) if finder else None

    def child(self, module: Value, name: str) -> Value:
        """Return the submodule of that name; of something outside, something outside; else None."""
        if module and module[0] == "e":
            return ("e", name, ())
        if module and module[0] == "m":
            finder = self._finder(module[1]) or self._finders["python"]  # an empty `__init__.py` has no facts
            return finder.child(module, name)
        if module and module[0] == "d":
            for finder in self._holders(module[1]):
                found = finder.child(module, name)
                if found is not None:
                    return found
        return None

    def _holders(self, key: object) -> Iterable[Finder]:
        """Return the finders that a package or folder may be of."""
        assert isinstance(key, tuple)
        if len(key) >= 3:
            return (self._finders[_SPACES[key[2]]],)
        return (self._finders["python"], self._finders["ecmascript"])

    def shared(self, file: int, name: str) -> tuple[tuple[int, ...], int]:
        """Return top-level names that the files of one package share, or that are included; and the rank of that."""
        how = self.world.dialects[file].shared
        if how == "none":
            return (), SCOPE
        if how == "includes":
            return self._included.visible(file, name)
        if self.world.dialects[file].name == "php":
            return self._untested(file, self._php.visible(file, name)), SCOPE
        if self.world.dialects[file].name == "csharp":
            return self._untested(file, self._around(self.world.file_scope(file), name)), SCOPE
        found = self._untested(file, self._shared_names(self._package_key(file)).get(name, ()))
        if len(found) > 1:
            repo = self.world.files[file].repo
            return tuple(sorted(found, key=lambda d: self.world.files[self.world.definition_file[d]].repo != repo)), SCOPE
        return found, SCOPE

    def _untested(self, file: int, found: Sequence[int]) -> tuple[int, ...]:
        """Leave out what a test defines where code outside of tests would see it: tests share its package, not the reverse."""
        if found and not self.world.files[file].is_test:
            return tuple(d for d in found if not self.world.files[self.world.definition_file[d]].is_test)
        return tuple(found)

    def _around(self, scope: int, name: str) -> tuple[int, ...]:
        """Return what a name means in the namespaces around a scope of C#, or by the imports of its whole project."""
        file = self.world.scope_file[scope]
        found = self._csharp.around(scope, name)
        for mark in self._csharp.everywhere(file) if not found else ():
            module = self.of_import(mark)
            if module and module[0] == "d":
                found = found or self._csharp.member(file, module[1][1], name)
        return found

    def in_namespace(self, scope: int, name: str) -> tuple[tuple[int, ...], int]:
        """Return what a name means in the other parts of the namespace that a scope is a part of, and the rank."""
        file = self.world.scope_file[scope]
        space = self.world.dialects[file].space
        if space == "cpp":
            return self._included.around(file, space_of(self.world, scope), name)
        return (self._csharp.around(scope, name) if space == "csharp" else ()), SCOPE

    def namespace(self, d: int) -> Value:
        """Return the namespace that a definition opens, all its parts together, where a language has such."""
        file = self.world.definition_file[d]
        space = self.world.dialects[file].space
        if space not in ("cpp", "csharp"):
            return None
        name = space_of(self.world, self.world.inner(d))
        return ("d", ("", name, space)) if space == "csharp" else ("d", (self.world.files[file].repo, name, space, file))

    def _package_key(self, file: int) -> tuple[str, str, str]:
        """Return the package of a file: repository, folder and declared name."""
        source = self.world.files[file]
        space = self.world.dialects[file].space
        if space:
            package = self.world.packages.get(file, "")
            return "", package if package or space != "jvm" else f"({source.repo})", space
        return source.repo, source.path.rpartition("/")[0], self.world.packages.get(file, "")

    def _shared_names(self, key: tuple[str, str, str]) -> dict[str, list[int]]:
        if not self._packages_built:
            self._packages_built = True
            order = sorted(range(len(self.world.files)), key=lambda n: n in self.world.inactive)
            for file in order:
                if self.world.dialects[file].shared not in ("none", "includes") and self.world.files[file].facts is not None:
                    names = self._shared.setdefault(self._package_key(file), {})
                    for name, found in self.world.names[self.world.file_scope(file)].items():
                        if file not in self.world.inactive or name not in names:
                            names.setdefault(name, []).extend(d for d in found if d >= 0 and not self._is_private(d))
        return self._shared.get(key, {})

    def _is_private(self, d: int) -> bool:
        """Return whether a name of a package's file is for that file alone."""
        flags = self.world.definitions[d].flags
        return bool(flags) and not self.world.dialects[self.world.definition_file[d]].hidden.isdisjoint(flags.split())

    def package(self, scope: int, name: str) -> Value:
        """Return the package or module that a free name stands for at a scope, or None."""
        finder = self._finder(self.world.scope_file[scope])
        return finder.free(scope, name) if isinstance(finder, _HAVE_PACKAGES) else None

    def in_package(self, key: object, name: str) -> tuple[int, ...]:
        """Return what a package hands out under `name`; test packages of a folder hand out nothing."""
        assert isinstance(key, tuple)
        if len(key) == 4:
            return self._included.visible(key[3], name, key[1])[0]
        if len(key) != 3:
            return ()
        if key[2] == "csharp":
            return self._csharp.member(-1, key[1], name)
        if key[2] == "php":
            module = self._php.child(("d", key), name)
            return (module[1],) if module and module[0] == "c" else ()
        if not key[0]:
            return tuple(self._shared_names(key).get(name, ()))
        self._shared_names(("", "", ""))
        if not self._by_folder:
            for repo, folder, package in sorted(self._shared):
                if not package.endswith("_test"):
                    self._by_folder.setdefault((repo, folder), []).append((repo, folder, package))
        for place in self._by_folder.get(key[:2], ()):
            found = self._shared[place].get(name)
            if found:
                return tuple(found)
        return ()

    def exported(self, file: int, name: str) -> tuple[int, ...]:
        """Return what the file's own top level hands out under `name`."""
        found = self.world.names[self.world.file_scope(file)].get(name, ())
        if self.world.dialects[file].reexports:
            return tuple(found)[::-1]
        return tuple(self.world.exports.get((file, name), ())) or tuple(d for d in found if d >= 0)[::-1]

    def own_name(self, mark: int) -> tuple[int, ...]:
        """Return what a local `export {a}` hands on: the name `a` of the file itself."""
        i = self.world.imports[-1 - mark]
        scope = self.world.scope_base[self.world.import_file[-1 - mark]]
        return tuple(self.world.names[scope].get(i.name, ()))[::-1]

    def required(self, file: int) -> tuple[int, ...]:
        """Return what `module.exports` of a file is set to, if anything."""
        return tuple(d for d in self.world.names[self.world.file_scope(file)].get("exports", ()) if d >= 0)

    def open_module(self, file: int) -> bool:
        """Return whether a missing name of the module may come from outside through a star import."""
        return bool(self.world.stars.get(self.world.file_scope(file)))

    def scopes_of(self, d: int) -> tuple[int, ...]:
        """Return all bodies of a class."""
        inner = self.world.inner(d)
        bodies = self.bodies.get(d, ())
        return (inner, *bodies) if inner >= 0 else tuple(bodies)

    def this(self, scope: int) -> int:
        """Return the class of the object that `this` is at a scope, or -1."""
        at = scope
        while at >= 0 and self.world.scopes[at].kind not in ("class", "object"):
            if at in self.attached:
                return self.attached[at]
            at = self.world.parents[at]
        return self.implemented.get(at, self.world.defines(at)) if at >= 0 else -1

    def owner(self, scope: int) -> int:
        """Return the definition that a class scope is a body of."""
        return self.implemented.get(scope, self.world.defines(scope))

    def is_static(self, scope: int) -> bool:
        """Return whether the object at a scope is a class itself: in its body, or in a member of the class."""
        world = self.world
        while scope >= 0 and world.scopes[scope].kind == "lambda":
            scope = world.parents[scope]
        d = world.defines(scope)
        if d < 0 or world.scopes[scope].kind != "function":
            return True
        singletons = world.dialects[world.definition_file[d]].singletons
        return any(flag in singletons for flag in world.definitions[d].flags.split())

    def fixture(self, file: int, name: str, function: int) -> int:
        """Return the test fixture that a parameter of `function` takes its value from, or -1."""
        finder = self._finder(file)
        return finder.fixture(file, name, function) if isinstance(finder, PythonModules) else -1

    def operate(self, inference: Inference, value: Value, step: str) -> Value:
        """Return what indexing, iterating, awaiting or entering a value gives."""
        assert value is not None
        what: str = value[0]
        if what == "e":
            return self._operate_outside(value, step, inference.dialect)
        if what == "u":
            return inference.first([self.operate(inference, part, step) for part in value[1]])
        if what == "t":
            return value[1][0] if value[1] and step in "[]@" else None
        if what == "i":
            underlying = inference.underlying(value[1])
            if underlying is not None:
                return self.operate(inference, underlying, step)
            if step == "~":
                return value
            special = {"[]": "__getitem__", "@": "__iter__", "%": "__enter__"}[step]
            result = inference.result(inference.member(value, special, 0)[0], "")
            if result is None and step == "%":
                result = inference.result(inference.member(value, "__aenter__", 0)[0], "") or value
            first: Value = result[2][0] if step == "@" and result and result[0] == "e" and result[2] else result
            return first
        return None

    def _operate_outside(self, value: Value, step: str, dialect: Dialect) -> Value:
        assert value is not None
        name: str = value[1].rpartition(".")[2]
        arguments: tuple[Value, ...] = value[2]
        if not arguments or name == "":
            return EXTERNAL
        if step == "@" and name in ("[]", "map", "chan"):
            return ("t", (EXTERNAL, *arguments) if name == "[]" else arguments) if dialect.pairs else arguments[-1]
        if step == "~":
            return arguments[0 if dialect.results else -1]
        if step == "%":
            return arguments[0] if name == "contextmanager" else EXTERNAL
        if name in ("items", "entries", "enumerate") or value[1].startswith(".items"):
            return EXTERNAL
        if step == "@":
            return arguments[0]
        return arguments[-1] or EXTERNAL

    def outside_result(self, value: Value, dialect: Dialect) -> Value:
        """Return what calling something outside gives: `.get` of a container its element, else something outside."""
        assert value is not None
        if value[1].startswith(".") and value[2]:
            container = value[2][0]
            if container and container[0] == "e" and container[2]:
                inner: tuple[Value, ...] = container[2]
                method: str = value[1][1:]
                if method in dialect.element:
                    return _or_outside(inner[dialect.element[method]])
                if method == "values":
                    return ("e", "list", (inner[-1],))
                if method == "items":
                    return ("e", "list", (("t", inner),))
                if method in dialect.same:
                    return _or_outside(container)
        return EXTERNAL

    def wrapped_result(self, flags: str, value: Value) -> Value:
        """Return a function's result as its decorators leave it."""
        if "contextmanager" in flags:
            inner = value[2][0] if value and value[0] == "e" and value[2] else None
            return ("e", "contextmanager", (inner or EXTERNAL,))
        return value


def _or_outside(value: Value) -> Value:
    return value or EXTERNAL
