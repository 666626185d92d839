"""Members that replace one of a base, and tests that call what they test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .infer import Inference

__all__ = ["overridden"]

_METHODS = frozenset({"function", "constructor"})
_CLASSES = frozenset({"class", "interface", "struct", "trait", "enum"})


def overridden(inference: Inference) -> Iterator[tuple[int, int]]:
    """Yield (method, method of the nearest base with that name), for declared bases; constructors override nothing."""
    world = inference.world
    classes = (d for d, item in enumerate(world.definitions) if item.kind in _CLASSES)
    for d in inference.settled(d for d in classes if not world.dialects[world.definition_file[d]].pairs):
        bases = inference.order(d)[0][1:]
        if not bases:
            continue
        for scope in inference.modules.scopes_of(d):
            for name, found in world.names[scope].items():
                method = next((f for f in found if f >= 0 and world.definitions[f].kind == "function"), -1)
                if method >= 0 and name not in ("constructor", world.dialects[world.definition_file[d]].initializer):
                    above = _inherited(inference, bases, name)
                    if above >= 0:
                        yield method, above


def _inherited(inference: Inference, bases: tuple[int, ...], name: str) -> int:
    for base in bases:
        for found in inference.own_member(base, name):
            if found >= 0 and inference.world.definitions[found].kind in _METHODS:
                return found
    return -1
