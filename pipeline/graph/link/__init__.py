"""Linking: what the references of all files mean together."""

from __future__ import annotations

from .ends import SymbolEdge, symbol_edges
from .resolve import Edge, Links, link
from .world import LinkFile, is_configuration

__all__ = ["Edge", "LinkFile", "Links", "SymbolEdge", "is_configuration", "link", "symbol_edges"]
