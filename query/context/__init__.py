"""Context packs: the parts of code and documents that say most about a task, within a budget of tokens."""

from __future__ import annotations

from .packs import Packs
from .values import BUDGET, Item, Omission, Pack, tokens

__all__ = ["BUDGET", "Item", "Omission", "Pack", "Packs", "tokens"]
