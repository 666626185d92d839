"""Go's implicit `implements`: a type has it when its method set, promoted methods included, covers an interface's.

Methods compare by name, number of parameters and number of results; an unexported one also by package. Interfaces are
matched through their rarest method, so the cost grows with the methods and not with types times interfaces. Interfaces of
test files are left out: nothing but the test asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .types import read_type

if TYPE_CHECKING:
    from .infer import Inference

__all__ = ["implementations"]

_TYPES = frozenset({"struct", "interface", "class"})
_Method = tuple[str, int, int, str]


def implementations(inference: Inference) -> Iterator[tuple[int, int]]:
    """Yield (type, interface) for every implicit implementation, in order."""
    world = inference.world
    interfaces: list[tuple[int, frozenset[_Method]]] = []
    types: dict[int, frozenset[_Method]] = {}
    holders: dict[_Method, list[int]] = {}
    own = (n for n, dialect in enumerate(world.dialects) if dialect.name == "go" and n not in world.inactive)
    types_ = ((d, item) for n in own for d, item in world.defined_in(n) if item.kind in _TYPES)
    for d, item in inference.settled(types_):
        methods = frozenset(_methods(inference, d))
        types[d] = methods
        for method in methods:
            holders.setdefault(method, []).append(d)
        tested = world.files[world.definition_file[d]].path.endswith("_test.go")
        if item.kind == "interface" and methods and not tested:
            interfaces.append((d, methods))
    for interface, methods in interfaces:
        rarest = min(methods, key=lambda m: (len(holders[m]), m))
        for d in holders[rarest]:
            same = world.files[world.definition_file[d]].repo == world.files[world.definition_file[interface]].repo
            if d != interface and same and methods <= types[d]:
                yield d, interface


def _methods(inference: Inference, d: int) -> Iterator[_Method]:
    """Yield the method set of a type: its own and those of what it embeds."""
    world = inference.world
    seen: set[str] = set()
    for owner in inference.order(d)[0]:
        candidates = list(inference.members_of.get(owner, {}).items())
        inner = world.inner(owner)
        if inner >= 0:
            candidates += list(world.names[inner].items())
        for name, found in candidates:
            methods = [m for m in found if m >= 0 and world.definitions[m].kind == "function"]
            if not methods or name in seen:
                continue
            seen.add(name)
            method = world.definitions[methods[0]]
            folder = "" if name[:1].isupper() else world.files[world.definition_file[methods[0]]].path.rpartition("/")[0]
            yield name, method.arity, _results(method.type), folder


def _results(text: str) -> int:
    if not text:
        return 0
    tree = read_type("go", text)
    return len(tree[1]) if tree[0] == "tuple" else 1
