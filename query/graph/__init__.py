"""Questions about the code graph: what a symbol is, what surrounds it, what may break, how two symbols are connected."""

from __future__ import annotations

from .naming import AmbiguousError, Place, resolve
from .related import Relation, Relations, relations

__all__ = ["TABLES", "AmbiguousError", "Place", "Relation", "Relations", "relations", "resolve"]

TABLES = ("files", "symbols", "edges", "edges_in", "sources")
"""Tables that say what a symbol is and what surrounds it."""
