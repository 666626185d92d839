"""The product as a system: as it is, by meaning alone, and with one signal off."""

from __future__ import annotations

from ...query import Index, open_index
from ...query.results import FILE_KIND, Hit
from .rows import Found
from .signals import Change, changed

__all__ = ["OURS", "Meaning", "Product", "Without"]

OURS = "codequarry"


class Product:
    """The shipped ranking."""

    name = OURS

    def __init__(self, index: Index) -> None:
        self._index = index

    def search(self, query: str, k: int) -> list[Found]:
        """See System."""
        return [_found(hit) for hit in self._index.search(query, k).results]

    def family(self, query: str) -> str:
        """Return the family that the router takes a query for."""
        return self._index.search(query, 1).family


class Meaning:
    """What is nearest by the vectors."""

    name = "meaning"

    def __init__(self, index: Index) -> None:
        self._index = index

    def search(self, query: str, k: int) -> list[Found]:
        """See System."""
        return [_found(hit) for hit in self._index.search(query, k, match="meaning").results]


class Without:
    """The shipped ranking with one signal off; `index` is shared unless the change is one of how postings are read."""

    def __init__(self, signal: str, change: Change, index: Index) -> None:
        self.name = f"without {signal}"
        self._change = change
        self._index = index
        if change.fields:
            with changed(change):
                self._index = open_index(index.snapshot.folder)

    def search(self, query: str, k: int) -> list[Found]:
        """See System."""
        with changed(self._change):
            return [_found(hit) for hit in self._index.search(query, k).results]

    def close(self) -> None:
        """Free an index that was opened for this alone."""
        if self._change.fields:
            self._index.close()


def _found(hit: Hit) -> Found:
    if hit.kind == FILE_KIND or hit.key is None:
        return Found(hit.repo, hit.path)
    return Found(hit.repo, hit.path, hit.key, hit.qualified_name, hit.name)
