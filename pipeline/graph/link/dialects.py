"""What linking needs to know of each language: one row a language, data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

__all__ = ["Dialect", "dialect_of"]

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The semantics of names in one family of languages.

    Names: `family` is the syntax of types (`python`: with arguments in square brackets). In `class_scope` languages a method
    sees the members of its class without a receiver, with `class_body` the body itself does. Files of one `folder` or declared
    package, `space`, have their top-level names `shared`, or those of what they include (`includes`). `reexports`: importers
    see imported names too. `separate`: types, functions and variables of one name do not hide each other, `always` or by
    preference (`prefer`). `binds` is the name that a plain import binds: the `first` part, the `last`, that of a `path`, or
    only an alias. `imports_definitions`: an import leads to what defines the name, else to the file that is named.

    Objects: `this` and `parent` name the object and its bases, `first_parameter` does where that is declared, `selftype` its
    type. `accessors`: calling a field gives its value. `constructors`: making an object calls the constructor that has the
    class's name; `super_calls`: calling the bases themselves does. `converts`: calling a type is a conversion, no call.

    Types: `unwrap` stand for their first argument, `union` for any of them, `klass` for a class itself, `callables` for a
    function that gives the last one. `element` says which argument a method of an outside container returns, `same` are
    methods that return the container. `results`: the first argument comes out of a wrapped value, as of `Result<T, E>`.
    `pairs`: iterating gives key and value, and a value stands for the first of two results.

    Open types: `opens` says which definitions of one qualified name are one type: `all`, those marked `partial`, or a
    `companion` object and its class. `space` is the word of the languages that share packages or namespaces. `implicit_self`:
    a bare name in small letters is a local variable or a member of the object, `singletons` are flags of members of
    the class itself. Calling the class's member `maker` makes an object; the constructor is named `initializer`, or
    else as the class and is one of the kinds `makers`. `super_repeats`: calling `super` runs the base's method of the same
    name. `mixins_first`: members of modules and traits come before those of the superclass. `calls_bare`: a function's name
    is a call of it also without brackets. `itself` are members of every object that give it back. Several packages of a file
    are one in another, `nests`. Top-level names with a flag of `hidden` are their file's alone.
    `receivers`: an extension that is called by its bare name is one of the object at that place, and functions do not
    take more arguments than they declare.

    Definitions: `variants` of one name in several files are built for different platforms. `calls_variables`: calling a
    constant or field leads to it, else to the function it holds. `test_fixtures`: a test's parameters are fixtures. `guesses`:
    a parameter without type may be of the class that its name nearly always has; where all but those of closures
    have types, the rest are mostly of other classes.
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
    opens: str = ""
    space: str = ""
    implicit_self: bool = False
    singletons: frozenset[str] = _NONE
    maker: str = ""
    initializer: str = ""
    super_repeats: bool = False
    mixins_first: bool = False
    calls_bare: bool = False
    itself: frozenset[str] = _NONE
    nests: bool = False
    hidden: frozenset[str] = _NONE
    makers: frozenset[str] = frozenset({"constructor"})
    guesses: bool = False
    receivers: bool = False


_PYTHON = Dialect(
    name="python",
    family="python",
    guesses=True,
    reexports=True,
    class_body=True,
    first_parameter=True,
    selftype=frozenset({"Self"}),
    unwrap=frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"}),
    union=frozenset({"Union"}),
    klass=frozenset({"Type", "type"}),
    callables=frozenset({"Callable"}),
    parent=frozenset({"super"}),
    element={"get": -1, "pop": -1, "popleft": -1, "setdefault": -1, "popitem": -1},
    same=frozenset({"values", "copy", "keys", "items"}),
    test_fixtures=True,
    imports_definitions=True,
    binds="first",
)

_ECMASCRIPT = Dialect(
    name="ecmascript",
    guesses=True,
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
    shared="space",
    space="jvm",
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

_CPP = Dialect(
    name="cpp",
    class_scope=True,
    shared="includes",
    space="cpp",
    variants=True,
    binds="last",
    separate="always",
    constructors=True,
    makers=frozenset({"function", "prototype"}),
    this=frozenset({"this"}),
    unwrap=frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "scoped_refptr"}),
    element=dict.fromkeys("at front back top value get lock find".split(), -1),
    same=frozenset({"begin", "end", "rbegin", "cbegin"}),
)

_RUST = Dialect(
    name="rust",
    reexports=True,
    first_parameter=True,
    separate="prefer",
    results=True,
    selftype=frozenset({"Self"}),
    unwrap=frozenset(
        "Box Arc Rc Pin Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard ManuallyDrop Reverse".split()
    ),
    element=dict.fromkeys(
        "unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked into_inner assume_init".split(), 0
    ),
    same=frozenset(
        "as_ref as_mut as_deref as_deref_mut take cloned copied ok iter iter_mut into_iter clone lock read write borrow "
        "borrow_mut try_lock get get_mut first last pop pop_front pop_back push next next_back peek by_ref rev skip filter "
        "map_err ok_or ok_or_else or_else drain replace load get_or_insert_with as_slice to_vec".split()
    ),
)

_CSHARP = Dialect(
    name="csharp",
    class_scope=True,
    shared="space",
    space="csharp",
    opens="partial",
    separate="always",
    constructors=True,
    super_calls=True,
    this=frozenset({"this"}),
    parent=frozenset({"base"}),
    unwrap=frozenset({"Task", "ValueTask", "Nullable", "Lazy", "ref", "Expression"}),
    callables=frozenset({"Func"}),
    element=dict.fromkeys(
        "First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt Dequeue Pop Peek Find GetValueOrDefault".split(),
        -1,
    ),
    same=frozenset(
        "Where OrderBy OrderByDescending ThenBy Take Skip Distinct ToList ToArray AsEnumerable Reverse Concat Union Except "
        "Append Prepend ConfigureAwait ToImmutableArray Values".split()
    ),
)

_KOTLIN = Dialect(
    name="kotlin",
    class_scope=True,
    shared="space",
    space="jvm",
    binds="last",
    separate="prefer",
    constructors=True,
    variants=True,
    hidden=frozenset({"private"}),
    receivers=True,
    this=frozenset({"this"}),
    parent=frozenset({"super"}),
    itself=frozenset({"apply", "also", "takeIf", "takeUnless"}),
    unwrap=frozenset({"Lazy"}),
    element=dict.fromkeys(
        "get first last single firstOrNull lastOrNull singleOrNull getValue getOrNull getOrDefault getOrPut removeFirst removeLast "
        "next elementAt".split(),
        -1,
    ),
    same=frozenset(
        "filter filterNot toList toMutableList sorted sortedBy asSequence reversed values take drop distinct toSet".split()
    ),
)

_SCALA = Dialect(
    name="scala",
    family="python",
    class_scope=True,
    shared="space",
    space="jvm",
    binds="last",
    separate="prefer",
    constructors=True,
    opens="companion",
    calls_bare=True,
    nests=True,
    this=frozenset({"this"}),
    parent=frozenset({"super"}),
    unwrap=frozenset({"Option", "Some"}),
    element=dict.fromkeys("get head last getOrElse headOption lastOption apply next".split(), -1),
    same=frozenset(
        "filter filterNot toList toSeq toVector tail init reverse sorted sortBy distinct take drop values".split()
    ),
)

_PHP = Dialect(
    name="php",
    guesses=True,
    shared="space",
    space="php",
    imports_definitions=True,
    binds="last",
    constructors=True,
    initializer="__construct",
    mixins_first=True,
    this=frozenset({"$this"}),
    parent=frozenset({"parent"}),
    selftype=frozenset({"self", "static"}),
)

_RUBY = Dialect(
    name="ruby",
    class_scope=True,
    shared="space",
    space="ruby",
    opens="all",
    implicit_self=True,
    calls_bare=True,
    mixins_first=True,
    accessors=True,
    calls_variables=True,
    super_repeats=True,
    singletons=frozenset({".", "class"}),
    maker="new",
    initializer="initialize",
    this=frozenset({"self"}),
    selftype=frozenset({"Self"}),
)

_DIALECTS: dict[str, Dialect] = {
    "c": _C,
    "cpp": _CPP,
    "csharp": _CSHARP,
    "go": _GO,
    "java": _JAVA,
    "kotlin": _KOTLIN,
    "php": _PHP,
    "python": _PYTHON,
    "ruby": _RUBY,
    "rust": _RUST,
    "scala": _SCALA,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
}


@cache
def dialect_of(language: str) -> Dialect:
    """Return the row of a language, or one without any rule of its own."""
    return _DIALECTS.get(language) or Dialect(name=language)
