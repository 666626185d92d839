"""What linking needs to know of each language: one row a language, data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Dialect", "dialect_of"]

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The semantics of names in one family of languages.

    `separate`: types, functions and variables of one name
    do not hide each other, `always` or by preference (`prefer`). `accessors`: calling a member without body gives its value.
    `constructors`: making an object calls the constructor that has the class's name. `super_calls`: calling the bases themselves
    runs their constructor. `results`: of a wrapped value the first type argument comes out, as of
    `Result<T, E>`. `variants`: definitions of one name in several files are built
    for different platforms. `converts`: calling a type is a conversion and no call. `pairs`: iterating gives key and value, and a value stands for the first
    of two results. `calls_variables`: calling a constant or field is an edge to it, else to the function it holds.
    `imports_definitions`: an import edge leads to what defines the imported name, else to the file that was named.
    `binds` says what name a plain import binds: the `first` dotted part, the `last` one, or none but its alias.
    `family` is the syntax of types. `class_scope`: a method sees its class's members without a receiver, `class_body`: only
    the body itself does. `shared`: files of
    one `folder` or declared `package` share their top-level names, those of `includes` what they include, else `none`. `reexports`: an imported name is visible to
    importers too. `this` and `parent` name the object and its bases; `unwrap` are types that stand for their (last) argument,
    `union` for any of them, `klass` for the class itself; `awaited` hold what `await` gives. `element` says which
    type argument a method of an outside container returns (-1 the last, `0` the first); `pair` yields both.
    """

    name: str
    family: str = "angle"
    class_scope: bool = False
    class_body: bool = False
    shared: str = "none"
    reexports: bool = False
    first_parameter: bool = False
    this: frozenset[str] = _NONE
    parent: frozenset[str] = _NONE
    selftype: frozenset[str] = _NONE
    unwrap: frozenset[str] = _NONE
    union: frozenset[str] = _NONE
    klass: frozenset[str] = _NONE
    callables: frozenset[str] = _NONE
    awaited: frozenset[str] = _NONE
    element: Mapping[str, int] = field(default_factory=dict)
    same: frozenset[str] = _NONE
    test_fixtures: bool = False
    imports_definitions: bool = False
    calls_variables: bool = False
    converts: bool = False
    variants: bool = False
    results: bool = False
    accessors: bool = False
    separate: str = ""
    constructors: bool = False
    super_calls: bool = False
    pairs: bool = False
    binds: str = ""


_PYTHON = Dialect(
    name="python",
    family="python",
    reexports=True,
    class_body=True,
    first_parameter=True,
    selftype=frozenset({"Self"}),
    unwrap=frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"}),
    union=frozenset({"Union"}),
    klass=frozenset({"Type", "type"}),
    callables=frozenset({"Callable"}),
    parent=frozenset({"super"}),
    awaited=frozenset({"Awaitable", "Coroutine", "Future", "Task"}),
    element={"get": -1, "pop": -1, "popleft": -1, "setdefault": -1, "popitem": -1},
    same=frozenset({"values", "copy", "keys", "items"}),
    test_fixtures=True,
    imports_definitions=True,
    binds="first",
)

_ECMASCRIPT = Dialect(
    name="ecmascript",
    separate="prefer",
    calls_variables=True,
    super_calls=True,
    this=frozenset({"this"}),
    parent=frozenset({"super"}),
    selftype=frozenset({"this"}),
    unwrap=frozenset(
        "Readonly Partial Required NonNullable Awaited Promise PromiseLike DeepReadonly Exclude Extract Omit Pick "
        "Ref MaybePromise WeakRef".split()
    ),
)

_GO = Dialect(name="go", family="go", shared="folder", binds="path", converts=True, variants=True, pairs=True)

_JAVA = Dialect(
    name="java",
    class_scope=True,
    shared="package",
    binds="last",
    accessors=True,
    separate="always",
    constructors=True,
    super_calls=True,
    this=frozenset({"this"}),
    parent=frozenset({"super"}),
    unwrap=frozenset({"Optional", "Class"}),
    element={
        **dict.fromkeys(
            "get remove next getValue poll peek getOrDefault computeIfAbsent put orElse orElseThrow first last".split(), -1
        ),
        "getKey": 0,
    },
    same=frozenset("iterator listIterator stream values subList filter sorted toList collect entrySet".split()),
)

_C = Dialect(name="c", shared="includes", variants=True)

_RUST = Dialect(
    name="rust",
    reexports=True,
    first_parameter=True,
    separate="prefer",
    results=True,
    selftype=frozenset({"Self"}),
    unwrap=frozenset("Box Arc Rc Pin Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard ManuallyDrop Reverse".split()),
    element={
        **dict.fromkeys(
            "unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked get_mut_unchecked into_inner assume_init".split(), 0
        ),
    },
    same=frozenset(
        "as_ref as_mut as_deref as_deref_mut take cloned copied ok iter iter_mut into_iter clone lock read write borrow borrow_mut "
        "try_lock get get_mut first last pop pop_front pop_back push next next_back peek by_ref rev enumerate skip filter map_err "
        "ok_or ok_or_else or_else drain replace load get_or_insert_with as_slice to_vec".split()
    ),
)

_DIALECTS: dict[str, Dialect] = {
    "c": _C,
    "go": _GO,
    "java": _JAVA,
    "python": _PYTHON,
    "rust": _RUST,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
}


def dialect_of(language: str) -> Dialect:
    """Return the row of a language, or one without any rule of its own."""
    return _DIALECTS.get(language) or Dialect(name=language)
