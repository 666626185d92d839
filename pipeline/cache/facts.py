"""The facts of files that earlier runs extracted, found by content whatever repository and path they had."""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..batch import FactsBatch, concatenate, cut, dump
from ._files import touch
from .keys import KEY_BYTES
from .packs import SUFFIX, DamagedPackError, Pack, Segment, write_pack

__all__ = ["FACTS", "FactsCache", "Known", "runs"]

log = logging.getLogger(__name__)

FACTS = "facts"
"""The folder of packs, a folder for each fingerprint below it."""

PACK_BYTES = 8 << 20
"""Of batches that wait for their pack: as much is lost by a kill, a second or two of work."""

_SMALL_BYTES = 1 << 18
_MOST_SMALL = 16
"""So many batches below _SMALL_BYTES may serve a run; more are put together, or a year of nights would read hundreds."""


class Known(NamedTuple):
    """The facts of one file: row `row` of the files of `batch`."""

    batch: FactsBatch
    row: int


class FactsCache:
    """The packs of one fingerprint; any number of processes may use them at the same time.

    Nothing that goes wrong with the cache fails a run: what cannot be read is extracted, what cannot be written is not kept.
    """

    def __init__(self, folder: Path, *, read: bool = True) -> None:
        """Open the packs in `folder` (which need not exist); it is named by the fingerprint of what decides the facts.

        Without `read` nothing is found, and what is added is found by others.
        """
        self._folder = folder
        self._packs = _opened(folder) if read else []
        self._batches: dict[tuple[int, int], FactsBatch | None] = {}
        self._small: dict[tuple[int, int], dict[int, bytes]] = defaultdict(dict)
        self._waiting: list[Segment] = []
        self._full = False
        self._keys, self._places = _index(self._packs)

    def __len__(self) -> int:
        """Return how many files there are facts of."""
        return len(self._keys)

    def find(self, keys: Sequence[bytes | None]) -> list[Known | None]:
        """Return the facts of each key, None where there are none or they are damaged."""
        wanted = np.frombuffer(b"".join(key or bytes(KEY_BYTES) for key in keys), f"V{KEY_BYTES}")
        at = np.minimum(np.searchsorted(_words(self._keys), _words(wanted)), max(len(self._keys) - 1, 0))
        hits = self._keys[at] == wanted if len(self._keys) else np.zeros(len(wanted), bool)
        found: list[Known | None] = [None] * len(keys)
        for i in np.flatnonzero(hits).tolist():
            pack, number, row = self._places[at[i]].tolist()
            batch, key = self._batch(pack, number), keys[i]
            if batch is not None and key is not None:
                found[i] = Known(batch, row)
                self._note_small(pack, number, row, key)
        return found

    def release(self) -> None:
        """Give back the memory that facts found so far took; they can be read all the same."""
        for pack in self._packs:
            pack.release()

    def add(self, keys: Sequence[bytes | None], facts: bytes | pa.Buffer) -> None:
        """Keep a batch of facts as a worker gave it; a None in `keys` for rows that are not to be found again."""
        if any(key is not None for key in keys):
            self._waiting.append(Segment(facts, keys))
        if sum(len(segment.data) for segment in self._waiting) >= PACK_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what was added."""
        waiting, self._waiting = self._waiting, []
        if not waiting or self._full:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_pack(self._folder, waiting)
        except OSError as error:
            self._full = True
            log.warning("the cache keeps nothing more: %s cannot be written (%s)", self._folder, error.strerror)

    def close(self) -> None:
        """Write what was added, and put the small batches that served this run together if there are many."""
        if len(self._small) > _MOST_SMALL:
            rows = [(self._batches[place], row, key) for place, of in self._small.items() for row, key in sorted(of.items())]
            known = [(Known(batch, row), key) for batch, row, key in rows if batch is not None]
            self._waiting.append(Segment(dump(concatenate(runs(k for k, _ in known))), [key for _, key in known]))
        self.flush()

    def _batch(self, pack: int, number: int) -> FactsBatch | None:
        place = (pack, number)
        if place not in self._batches:
            try:
                self._batches[place] = self._packs[pack].batch(number)
                touch(self._packs[pack].path)
            except DamagedPackError:
                self._batches[place] = None
                self._salvage(self._packs[pack])
        return self._batches[place]

    def _salvage(self, pack: Pack) -> None:
        """Replace a pack by one of its batches that are whole."""
        _drop(pack.path)
        with suppress(OSError):
            write_pack(self._folder, pack.whole())

    def _note_small(self, pack: int, number: int, row: int, key: bytes) -> None:
        if self._packs[pack].sizes[number] < _SMALL_BYTES:
            self._small[pack, number][row] = key


def runs(known: Iterable[Known]) -> list[FactsBatch]:
    """Return the facts of some files, in order, as few pieces of batches as there can be."""
    rows = list(known)
    starts = [i for i, (a, b) in enumerate(pairwise(rows), 1) if a.batch is not b.batch or a.row + 1 != b.row]
    bounds = [0, *starts, len(rows)] if rows else []
    return [cut(rows[a].batch, rows[a].row, rows[b - 1].row + 1) for a, b in pairwise(bounds)]


def _opened(folder: Path) -> list[Pack]:
    """Open the packs of a folder, the largest first, in an order that does not depend on the file system."""
    packs = []
    with suppress(OSError):
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            try:
                packs.append(Pack(path))
            except DamagedPackError:
                _drop(path)
            except OSError:
                log.info("%s cannot be opened", path, exc_info=True)
    return sorted(packs, key=lambda pack: -int(pack.sizes.sum()))


def _index(packs: Sequence[Pack]) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Return the keys of all packs in order, and for each its pack, batch and row; of equal keys the first pack's."""
    keys = np.concatenate([np.zeros(0, f"V{KEY_BYTES}"), *(pack.keys for pack in packs)])
    numbers = np.repeat(np.arange(len(packs)), [len(pack.keys) for pack in packs])
    none = np.zeros(0, np.int64)
    batches = np.concatenate([none, *(pack.batches for pack in packs)])
    rows = np.concatenate([none, *(pack.rows for pack in packs)])
    order = np.argsort(_words(keys), kind="stable")
    return keys[order], np.stack([numbers, batches, rows], axis=1)[order]


def _words(keys: NDArray[np.void]) -> NDArray[np.uint64]:
    """Return the first half of each key as a number: keys are digests, so no two have equal halves and other ends."""
    return keys.view("<u8")[::2]


def _drop(path: Path) -> None:
    log.warning("%s is damaged: what it held is extracted again", path)
    with suppress(OSError):
        os.unlink(path)
