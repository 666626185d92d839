"""What a repository says of itself: pairs of a text that someone might ask with and the code that it is about.

First sentences of documentation stand beside the declaration, names beside the body, subjects of commits beside the files
that they changed. Fields have the weights that they have in the index (vectors.fields).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...query.encoder import Encoder
from ..evaluation.summaries import LEAST_WORDS, summary
from ..facts import FileFacts, SymbolFact
from ..shards import Shard
from ..terms.counting import container
from ..terms.lexicon import PartLexicon, joined
from ..vectors.fields import WEIGHTS, body_text
from .facts import shard_facts
from .history import Subject

__all__ = ["FIELDS", "Counts", "Examples", "Pair", "TokenCounter", "examples", "pairs"]

MOST_SYMBOLS = 20_000
"""Declarations that are learned from, spread evenly over all: as many as 300 steps see three times."""

MOST_SUBJECTS = 20_000
"""Pairs of a subject and a file, spread evenly over all."""

FIELDS = 4
"""Fields of a pair, at most."""

_NAME, _CONTAINER, _SIGNATURE, _DOC, _BODY = WEIGHTS
_FILE_BYTES = 20_000
"""Of the text of a file: the first 500 lines tell what it is about."""


class Pair(NamedTuple):
    """A text, the fields of what it is about, each with its weight, and a number that is equal where the latter is."""

    query: str
    fields: tuple[tuple[float, str], ...]
    about: int


class Counts(NamedTuple):
    """Tokens of texts, row after row: `starts` int64 [rows + 1] into `tokens` int32 and `numbers` float32."""

    starts: NDArray[np.int64]
    tokens: NDArray[np.int32]
    numbers: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Pairs as counts: of distinct texts; a pair has a query, FIELDS of them with weights, and what it is about."""

    counts: Counts
    queries: NDArray[np.int64]
    fields: NDArray[np.int64]
    weights: NDArray[np.float32]
    about: NDArray[np.int64]


class TokenCounter:
    """Turns texts into counts of a model's tokens; a word is segmented once."""

    def __init__(self, encoder: Encoder) -> None:
        self._segment = encoder.segment
        self._known: dict[str, list[int]] = {}

    def count(self, texts: Sequence[str]) -> Counts:
        """Return the counts of each text's tokens, in the order of the tokens."""
        lexicon = PartLexicon()
        found = lexicon.read(joined(texts)) if texts else lexicon.read(b"")
        new = [part for part in lexicon.parts if part not in self._known]
        self._known.update(zip(new, self._segment(new), strict=True))
        ids = [self._known[part] for part in lexicon.parts]
        sizes = np.array([len(one) for one in ids], np.int64)
        flat = np.fromiter(chain.from_iterable(ids), np.int64, int(sizes.sum()))
        of_codes = sizes[found.codes]
        places = np.repeat((np.cumsum(sizes) - sizes)[found.codes] - (np.cumsum(of_codes) - of_codes), of_codes)
        tokens = flat[places + np.arange(len(places))]
        keys, numbers = np.unique(np.repeat(found.segments.astype(np.int64), of_codes) << 32 | tokens, return_counts=True)
        starts = np.searchsorted(keys, np.arange(len(texts) + 1, dtype=np.int64) << 32)
        return Counts(starts, (keys & 0xFFFFFFFF).astype(np.int32), numbers.astype(np.float32))


def pairs(sources: Sequence[tuple[Sequence[Shard], Sequence[Subject]]]) -> Iterator[Pair]:
    """Yield the pairs of all repositories: each one's shards in order, and what its commits say.

    Which ones do not depend on how repositories were cut into shards.
    """
    symbols = sum(shard.symbols.num_rows for shards, _ in sources for shard in shards)
    told = sum(len(subject.paths) for _, history in sources for subject in history)
    yield from _of_symbols([shard for shards, _ in sources for shard in shards], -(-symbols // MOST_SYMBOLS))
    about = symbols
    for shards, history in sources:
        yield from _of_subjects(shards, history, max(1, -(-told // MOST_SUBJECTS)), about)
        about += sum(shard.files.num_rows for shard in shards)


def _of_symbols(shards: Sequence[Shard], step: int) -> Iterator[Pair]:
    number = 0
    for shard in shards:
        for at in range(shard.files.num_rows):
            for file in shard_facts(shard, at, at + 1):
                number += 1
                source = (file.text or "").encode("utf-8", "replace")
                for symbol in file.symbols:
                    if number % step == 0:
                        yield from _of_symbol(source, symbol, number)
                    number += 1
        shard.release()


def _of_symbol(source: bytes, symbol: SymbolFact, number: int) -> Iterator[Pair]:
    owner, body = container(symbol.qualified_name, symbol.name), body_text(source, symbol)
    sentence = summary(symbol.doc)
    if len(sentence.split()) >= LEAST_WORDS:
        yield Pair(
            sentence, ((_NAME, symbol.name), (_CONTAINER, owner), (_SIGNATURE, symbol.signature), (_BODY, body)), number
        )
    if len(body) > 2 * len(symbol.name):
        yield Pair(symbol.name, ((_CONTAINER, owner), (_DOC, symbol.doc), (_BODY, body)), number)


def _of_subjects(shards: Sequence[Shard], history: Sequence[Subject], step: int, about: int) -> Iterator[Pair]:
    wanted = [(subject.text, path) for subject in history for path in subject.paths][::step]
    files = dict(_files(shards, {path for _, path in wanted}))
    for text, path in wanted:
        if path in files:
            number, fields = files[path]
            yield Pair(text, fields, about + number)


def _files(shards: Sequence[Shard], wanted: set[str]) -> Iterator[tuple[str, tuple[int, tuple[tuple[float, str], ...]]]]:
    number = 0
    for shard in shards:
        for at, path in enumerate(shard.files["path"].to_pylist()):
            if path in wanted:
                (file,) = shard_facts(shard, at, at + 1)
                if file.text is not None:
                    yield path, (number, _of_file(path, file))
            number += 1
        shard.release()


def _of_file(path: str, file: FileFacts) -> tuple[tuple[float, str], ...]:
    docs = "\n".join([file.doc, *(s.doc for s in file.symbols)])
    names = " ".join(s.name for s in file.symbols)
    return ((1.0, path), (1.0, (file.text or "")[:_FILE_BYTES]), (1.0, docs), (1.0, names))


def examples(found: Sequence[Pair], counter: TokenCounter) -> Examples:
    """Return pairs as counts; a text that stands in several is counted once."""
    texts: dict[str, int] = {"": 0}
    queries = np.array([texts.setdefault(pair.query, len(texts)) for pair in found], np.int64)
    fields, weights = np.zeros((len(found), FIELDS), np.int64), np.zeros((len(found), FIELDS), np.float32)
    for row, pair in enumerate(found):
        for place, (weight, text) in enumerate(pair.fields):
            fields[row, place] = texts.setdefault(text, len(texts))
            weights[row, place] = weight
    return Examples(
        counts=counter.count(list(texts)),
        queries=queries,
        fields=fields,
        weights=weights,
        about=np.array([pair.about for pair in found], np.int64),
    )
