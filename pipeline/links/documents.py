"""The documents whose links are read, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from . import _markdown, _rst
from .marks import Mark

if TYPE_CHECKING:
    from ..facts import SymbolFact

__all__ = ["DOCUMENTS", "marks_of"]

_READERS: dict[str, Callable[[bytes, Sequence[SymbolFact]], list[Mark]]] = {
    "markdown": _markdown.marks,
    "restructuredtext": _rst.marks,
}

DOCUMENTS = frozenset(_READERS)
"""Languages whose links are read and whose anchors are known."""


def marks_of(language: str | None, text: str, symbols: Sequence[SymbolFact]) -> tuple[Mark, ...]:
    """Return the links of a document and the places in it that links may lead to; none for other languages."""
    reader = _READERS.get(language or "")
    return tuple(reader(text.encode("utf-8", "replace"), symbols)) if reader else ()
