"""Types whose definition is spread over several places: reopened, partial, or an object beside its class.

The first definition stands for all of them, one outside of tests before one inside; the others' bodies are bodies of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .dialects import Dialect

if TYPE_CHECKING:
    from .modules import Modules
    from .world import World

__all__ = ["join_types"]

_Key = tuple[str, str, str]
_OPEN = frozenset({"class", "trait", "interface", "struct", "enum"})


def join_types(world: World, modules: Modules) -> None:
    """Note for each definition of an open type which one stands for it, and give that one all the bodies."""
    groups: dict[_Key, list[int]] = {}
    for d, item in enumerate(world.definitions):
        dialect = world.dialects[world.definition_file[d]]
        if dialect.opens and item.kind in _OPEN and _is_open(item.flags, dialect):
            groups.setdefault(_key(world, d, dialect), []).append(d)
    for found in groups.values():
        if len(found) > 1:
            first = min(found, key=lambda d: (_rank(world, d), d))
            for d in found:
                if d != first:
                    _join(world, modules, d, first)


def _is_open(flags: str, dialect: Dialect) -> bool:
    return dialect.opens != "partial" or "partial" in flags.split()


def _rank(world: World, d: int) -> tuple[bool, bool, bool]:
    """Order a class before its companion, code before tests, what has a body before what has none."""
    return "object" in world.definitions[d].flags.split(), world.files[world.definition_file[d]].is_test, world.inner(d) < 0


def _key(world: World, d: int, dialect: Dialect) -> _Key:
    file = world.definition_file[d]
    if dialect.opens == "companion":
        return "", str(world.scope_of(d)), world.definitions[d].name
    return world.files[file].repo, dialect.space, _qualified(world, d)


def _qualified(world: World, d: int) -> str:
    """Return the name of a type with those of all that it stands in."""
    item = world.definitions[d]
    parts = [item.name]
    if item.owner and item.owner[0] not in "@?":
        parts.append(item.owner.replace("::", "."))
    scope = world.scope_of(d)
    while scope >= 0:
        around = world.defines(scope)
        if around >= 0:
            parts.append(world.definitions[around].name)
            owner = world.definitions[around].owner
            if owner and owner[0] not in "@?":
                parts.append(owner.replace("::", "."))
        scope = world.parents[scope]
    space = world.packages.get(world.definition_file[d], "")
    return ".".join([space, *reversed(parts)]).strip(".")


def _join(world: World, modules: Modules, d: int, first: int) -> None:
    modules.joined[d] = first
    inner = world.inner(d)
    if inner >= 0:
        modules.implemented[inner] = first
        modules.bodies.setdefault(first, []).append(inner)
