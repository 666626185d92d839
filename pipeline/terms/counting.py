"""Counts the terms of a batch of files, by symbol and field and by file and field, in numpy from the token on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schemas.tables import SYMBOL_FIELDS
from ..facts import FileFacts, SymbolFact
from .lexicon import SEPARATOR, Lexicon, Terms, blank, joined
from .segments import Extents, changes, cut

__all__ = ["Counts", "FilePostings", "SymbolPostings", "container", "count"]

NAME, BODY = SYMBOL_FIELDS.index("name"), SYMBOL_FIELDS.index("body")
JOINED_NAME = len(SYMBOL_FIELDS)
"""Marks joined forms in names while counting: they count as terms of the name, not as its parts."""

_FIELD_BITS = 3
_CODES = 1 << _FIELD_BITS


class SymbolPostings(NamedTuple):
    """Postings in the order (owner, term): `counts` int32 an owner, `terms` int32, `planes` uint8 [fields, postings]."""

    counts: NDArray[np.int32]
    terms: NDArray[np.int32]
    planes: NDArray[np.uint8]


class FilePostings(NamedTuple):
    """Postings in the order (file, term): `counts` int32 a file, `planes` uint8 [2, postings] of names and text.

    `holders` int32: how many of the file's symbols have the term.
    """

    counts: NDArray[np.int32]
    terms: NDArray[np.int32]
    planes: NDArray[np.uint8]
    holders: NDArray[np.int32]


class Counts(NamedTuple):
    """All that a batch's terms give; lengths are int32 [fields, rows], `name_parts` uint8 an owner.

    Owners are files and symbols, each file before its symbols (see segments.py); a file has no symbol postings and no
    symbol lengths.
    """

    vocabulary: list[str]
    symbols: SymbolPostings
    symbol_lengths: NDArray[np.int32]
    name_parts: NDArray[np.uint8]
    files: FilePostings
    file_lengths: NDArray[np.int32]


class _Unique(NamedTuple):
    """Distinct (owner, term, field code) in that order, with how often each occurs."""

    owners: NDArray[np.int64]
    terms: NDArray[np.int64]
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]


def count(facts: Sequence[FileFacts], lexicon: Lexicon) -> Counts:
    """Count the terms of a batch; the result depends on the facts alone, not on what the lexicon has seen before."""
    symbols = [symbol for file in facts for symbol in file.symbols]
    extents, file_starts, text = _layout(facts, symbols)
    segments = cut(extents, file_starts)
    pieces = [text[start:end] for start, end in pairwise([*segments.starts.tolist(), len(text)])]
    fields = joined(_fields(symbols))
    own = np.arange(len(symbols)) + extents.files + 1
    found = lexicon.read(SEPARATOR.encode().join([*pieces, fields]))
    owners = np.concatenate([segments.owners, np.tile(own, BODY)])
    codes = np.concatenate([np.full(len(pieces), BODY), np.repeat(np.arange(BODY), len(symbols))])
    vocabulary, terms = _vocabulary(found, lexicon)
    unique = _unique(found, terms, owners, codes, len(vocabulary))
    return _counts(vocabulary, unique, extents.files, len(facts))


def _layout(facts: Sequence[FileFacts], symbols: list[SymbolFact]) -> tuple[Extents, NDArray[np.int64], bytes]:
    """Return the symbols' places in the joined, blanked text of all files, where each file starts there, and the text."""
    texts = [(file.text or "").encode().replace(b"\0", b" ") for file in facts]
    sizes = np.array([len(text) + 1 for text in texts], np.int64)
    file_starts = np.cumsum(sizes) - sizes
    counts = np.array([len(file.symbols) for file in facts], np.int64)
    files = np.repeat(np.arange(len(facts)), counts)
    bases = file_starts[files]
    first = np.repeat(np.cumsum(counts) - counts, counts)
    places = np.array([(s.start_byte, s.end_byte, s.body_start, s.parent) for s in symbols], np.int64).reshape(-1, 4).T
    parents = np.where(places[3] >= 0, places[3] + first, -1)
    extents = Extents(places[0] + bases, places[1] + bases, places[2] + bases, parents, files)
    return extents, file_starts, blank(b"\n".join(texts))


def _fields(symbols: list[SymbolFact]) -> list[str]:
    """Return all names, then all containers, signatures and docs."""
    return [
        *(s.name for s in symbols),
        *(container(s.qualified_name, s.name) for s in symbols),
        *(s.signature for s in symbols),
        *(s.doc for s in symbols),
    ]


def container(qualified_name: str, name: str) -> str:
    """Return the owners' part of a qualified name; `A.B.f` gives `A.B.`."""
    if qualified_name.endswith(name):
        return qualified_name[: len(qualified_name) - len(name)]
    return qualified_name.rpartition(".")[0]


def _vocabulary(found: Terms, lexicon: Lexicon) -> tuple[list[str], NDArray[np.int64]]:
    """Return the terms that occur, sorted, and each occurrence as a place among them."""
    numbers = found.codes >> 1
    present = np.zeros(len(lexicon), bool)
    present[numbers] = True
    used = np.flatnonzero(present).astype(np.int32)
    spelled = lexicon.spell(used)
    order = sorted(range(len(used)), key=spelled.__getitem__)
    ranks = np.zeros(len(lexicon), np.int64)
    ranks[used[order]] = np.arange(len(used))
    return [spelled[i] for i in order], ranks[numbers]


def _unique(
    found: Terms, terms: NDArray[np.int64], owners: NDArray[np.int64], codes: NDArray[np.int64], size: int
) -> _Unique:
    """Sort all occurrences by (owner, term, field code) and count equal ones."""
    bits = size.bit_length()
    segment_keys = owners << (bits + _FIELD_BITS) | codes
    keys = segment_keys[found.segments] | terms << _FIELD_BITS
    keys += ((codes == NAME)[found.segments] & (found.codes & 1)) * (JOINED_NAME - NAME)
    keys.sort()
    first = np.flatnonzero(changes(keys))
    keys, counts = keys[first], np.diff(first, append=len(keys))
    return _Unique(keys >> (bits + _FIELD_BITS), keys >> _FIELD_BITS & ((1 << bits) - 1), keys & (_CODES - 1), counts)


def _counts(vocabulary: list[str], unique: _Unique, files: NDArray[np.int64], file_count: int) -> Counts:
    """Turn counted occurrences into postings and lengths; `files` is the file of each symbol."""
    owner_count = len(files) + file_count
    is_symbol = np.zeros(owner_count, bool)
    is_symbol[np.arange(len(files)) + files + 1] = True
    owner_files = np.cumsum(~is_symbol) - 1
    cells = np.bincount(unique.owners * _CODES + unique.codes, unique.counts, owner_count * _CODES).astype(np.int64)
    lengths = cells.reshape(owner_count, _CODES).T
    lengths[NAME] += lengths[JOINED_NAME]
    file_lengths = [np.bincount(owner_files, lengths[field], file_count) for field in (NAME, BODY)]
    parts = np.bincount(unique.owners[unique.codes == NAME], minlength=owner_count)
    planes, owners, terms = _planes(unique)
    held = is_symbol[owners]
    kept = np.flatnonzero(held)
    return Counts(
        vocabulary=vocabulary,
        symbols=SymbolPostings(
            counts=np.bincount(owners[kept], minlength=owner_count).astype(np.int32),
            terms=terms[kept].astype(np.int32),
            planes=np.minimum(planes.take(kept, axis=1), 255).astype(np.uint8),
        ),
        symbol_lengths=(lengths[: len(SYMBOL_FIELDS)] * is_symbol).astype(np.int32),
        name_parts=np.minimum(parts, 255).astype(np.uint8),
        files=_file_postings(owner_files[owners], terms, planes[NAME], planes[BODY], held, file_count),
        file_lengths=np.array(file_lengths, np.int64).reshape(2, file_count).astype(np.int32),
    )


def _planes(unique: _Unique) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return counts [fields, (owner, term) pairs] with the owner and term of each pair."""
    starts = changes(unique.owners) | changes(unique.terms)
    pairs = np.cumsum(starts) - 1
    planes = np.zeros((_CODES, int(starts.sum())), np.int32)
    planes[unique.codes, pairs] = unique.counts
    planes[NAME] += planes[JOINED_NAME]
    return planes[: len(SYMBOL_FIELDS)], unique.owners[starts], unique.terms[starts]


def _file_postings(
    files: NDArray[np.int64],
    terms: NDArray[np.int64],
    names: NDArray[np.int32],
    texts: NDArray[np.int32],
    held: NDArray[np.bool_],
    file_count: int,
) -> FilePostings:
    """Sum the (owner, term) pairs of each file."""
    keys = files << 32 | terms
    order = np.argsort(keys)
    keys = keys[order]
    first = np.flatnonzero(changes(keys))
    columns = (names, texts, held.astype(np.int32))
    sums = [np.add.reduceat(column[order], first) if len(first) else column for column in columns]
    keys = keys[first]
    return FilePostings(
        counts=np.bincount(keys >> 32, minlength=file_count).astype(np.int32),
        terms=(keys & 0xFFFFFFFF).astype(np.int32),
        planes=np.minimum(np.array(sums[:2]), 255).astype(np.uint8),
        holders=sums[2],
    )
