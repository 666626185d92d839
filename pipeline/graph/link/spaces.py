"""Names of the namespaces that scopes stand in, written with dots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .world import World

__all__ = ["outward", "space_of", "spellings"]


def space_of(world: World, scope: int) -> str:
    """Return the namespace that a scope is in or is: the file's, then those around it."""
    inside: list[str] = []
    file = world.scope_file[scope]
    while scope >= 0:
        if world.scopes[scope].kind == "namespace":
            inside.insert(0, world.definitions[world.defines(scope)].name.replace("::", "."))
        scope = world.parents[scope]
    return ".".join(part for part in (world.packages.get(file, ""), *inside) if part)


def outward(space: str) -> Iterator[str]:
    """Yield the namespace, those around it, and the global one."""
    while space:
        yield space
        space = space.rpartition(".")[0]
    yield ""


def spellings(world: World, scope: int, name: str) -> Iterator[str]:
    """Yield what a name may be in full where a scope stands: in its namespace, in those around it, in the global one."""
    for space in outward(space_of(world, scope)):
        yield f"{space}.{name}" if space else name
