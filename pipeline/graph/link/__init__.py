"""Linking: what the references of all files mean together."""

from __future__ import annotations

from .ends import SymbolEdge, symbol_edges
from .reach import Reach, components, family_of, reach_of
from .resolve import Edge, Links, link
from .values import RULES
from .world import LinkFile, is_configuration

__all__ = [
    "RULE_NAMES",
    "Edge",
    "LinkFile",
    "Links",
    "Reach",
    "SymbolEdge",
    "components",
    "family_of",
    "is_configuration",
    "link",
    "reach_of",
    "symbol_edges",
]

RULE_NAMES = tuple(sorted({name for name, _ in RULES}))
"""All rules by which linking finds an edge."""
