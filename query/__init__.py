"""Read-only search over a published snapshot: `open_index(path).search("query")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import Index, open_index
    from .context import Pack, Packs
    from .results import Answer, Hit, Provenance, Snippet

__all__ = ["Answer", "Hit", "Index", "Pack", "Packs", "Provenance", "Snippet", "open_index"]

_HOMES = {
    "Index": "api",
    "open_index": "api",
    "Pack": "context",
    "Packs": "context",
    "Answer": "results",
    "Hit": "results",
    "Provenance": "results",
    "Snippet": "results",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: `codequarry --help` needs neither duckdb nor numpy."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
