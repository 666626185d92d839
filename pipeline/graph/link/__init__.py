"""Linking: what the references of all files mean together."""

from __future__ import annotations

from .configurations import told
from .ends import symbols_around
from .outline import RELINKED, Change, change, unseen
from .reach import Reach, components, family_of, reach_of
from .resolve import Edge, Known, Links, Open, link
from .values import RULES
from .world import LinkFile, is_configuration

__all__ = [
    "RELINKED",
    "RULE_NAMES",
    "Change",
    "Edge",
    "Known",
    "LinkFile",
    "Links",
    "Open",
    "Reach",
    "change",
    "components",
    "family_of",
    "is_configuration",
    "link",
    "reach_of",
    "symbols_around",
    "told",
    "unseen",
]

RULE_NAMES = tuple(sorted({name for name, _ in RULES}))
"""All rules by which linking finds an edge."""
