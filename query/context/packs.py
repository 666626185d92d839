"""From a task to a pack: search, walk one edge, follow links, fill the budget."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...schemas.errors import StoreError, UsageError
from ..connection import Connection
from ..ranking.policy import policy_of
from ..ranking.text import read_query
from ..readers.values import Row
from ..results import FILE_KIND, Answer, Hit
from ..snippets import word_pattern
from .documents import DOCUMENT_LANGUAGES, MOST_HOPS, Links, follow
from .fill import fill
from .markdown import differing, opening
from .related import Neighbour, neighbours
from .values import BUDGET, CHARACTERS, LEAST_BUDGET, Candidate, EdgeOfItem, Item, LinkOfItem, Pack

if TYPE_CHECKING:
    from ..api import Index

__all__ = ["Packs"]

_TABLES = ("files", "symbols", "sources", "edges", "edges_in", "doc_links")

_ROWS = 60
"""Rows of the search that a pack begins from; more are named at best."""

_DOCUMENTS, _STARTS = 40, 10
"""Rows of the search for documents, and documents whose links are followed."""

_FIRST, _LATER, _STEP = 0.12, 0.03, 0.25
"""Share of the budget that the best definition may take, the least of any later one, and how fast it falls with the rank."""

_SECOND = 4
"""Files that come before the second definition of a file: breadth first, but the best file in depth."""

_AROUND = 8
"""Definitions whose neighbours in the graph are looked at."""

_RELATED, _RELATED_SHARE = 24, 0.02
"""Neighbours that are candidates, and the share of the budget that one may take."""

_DOCUMENT_SHARE = 0.03


class Packs:
    """Makes context packs from one open index; for several threads at once. Close it when the index is closed."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._links: Links | None = None
        self._several = len(index.snapshot.manifest.sources) > 1

    def close(self) -> None:
        """Free what was read; closing twice is harmless."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = self._links = None

    def pack(self, task: str, *, budget: int = BUDGET, hops: int = 0, checkout: Path | None = None) -> Pack:
        """Return what says most about a task within `budget` tokens.

        With `hops` of 1 or 2, documents that those which match link to are candidates too. With a `checkout`, a note names
        the files shown that differ there. Raises UsageError for a budget
        below LEAST_BUDGET and for other hops, StoreError where the snapshot holds no texts.
        """
        _check(budget, hops)
        if not self.connection.has("sources"):
            raise StoreError(
                f"{self._index.snapshot.folder} holds no texts, so there is nothing to put into a pack: "
                "index again without --no-sources"
            )
        answer = self._index.search(task, k=_ROWS)
        shown = [hit for hit in answer.results if hit.language not in DOCUMENT_LANGUAGES]
        candidates = [*self._definitions(shown), *self._related(shown), *self.documents(task, hops)]
        pattern = word_pattern(read_query(task, policy_of(answer.family)).terms)
        pack = fill(self._empty(answer, budget), candidates, self._texts, pattern, several_repos=self._several)
        return pack if checkout is None else self._compared(pack, checkout)

    def _compared(self, pack: Pack, checkout: Path) -> Pack:
        """Note which files with lines in the pack are not the same in a checkout."""
        from ..provenance import DIFFERS, MISSING, validate

        paths = {item.file: item.path for item in pack.items if item.blocks and item.file is not None}
        checks = validate(self.connection, paths, checkout)
        changed = [paths[file] for file in sorted(paths) if checks[file].checkout in (DIFFERS, MISSING)]
        if not changed:
            return pack
        text = pack.text + differing(changed, pack.budget * CHARACTERS - len(pack.text))
        note = f"not the same in the checkout: {', '.join(changed)}"
        return replace(pack, text=text, notes=(*pack.notes, note))

    def _empty(self, answer: Answer, budget: int) -> Pack:
        text = opening(answer.query, answer.snapshot, answer.notes, budget * CHARACTERS // 5)
        words = Item(
            section="opening",
            source="generated_explanation",
            file=None,
            repo="",
            path="",
            start_line=0,
            end_line=0,
            kind="",
            name="",
            key="",
            language=None,
            blocks=(),
            text=text,
        )
        return Pack(
            task=answer.query,
            snapshot=answer.snapshot,
            budget=budget,
            text=text,
            items=(words,),
            omissions=(),
            notes=answer.notes,
        )

    def _definitions(self, hits: Sequence[Hit]) -> list[Candidate]:
        """Return the rows of the search, the second of a file after some other files."""
        rows = self._rows([hit.symbol for hit in hits])
        ranks: dict[int, int] = {}
        within: Counter[int] = Counter()
        order = []
        for at, row in enumerate(rows):
            order.append((ranks.setdefault(row.file, len(ranks)) + _SECOND * within[row.file], at))
            within[row.file] += 1
        return [
            _candidate("definitions", rows[at], max(_FIRST / (1 + _STEP * i), _LATER))
            for i, (_, at) in enumerate(sorted(order))
        ]

    def _rows(self, symbols: Sequence[int]) -> list[Row]:
        return self._index.reader.rows(np.array(symbols, np.int32))

    def _related(self, hits: Sequence[Hit]) -> list[Candidate]:
        chosen = [hit for hit in hits if hit.kind != FILE_KIND][:_AROUND]
        if not chosen:
            return []
        rows = self._rows([hit.symbol for hit in chosen])
        shares = [max(hit.score, 0.0) / (1 + i) ** 0.5 for i, hit in enumerate(chosen)]
        found = neighbours(self.connection, rows, shares)[:_RELATED]
        places = self._rows([neighbour.symbol for neighbour in found])
        return [_neighbour(n, row, rows[n.at]) for n, row in zip(found, places, strict=True) if row.kind != FILE_KIND]

    def documents(self, task: str, hops: int = 0) -> list[Candidate]:
        """Return the documents that match, and those that they link to, by one score."""
        known = [language for language in DOCUMENT_LANGUAGES if language in self._index.snapshot.manifest.languages]
        if not known:
            return []
        hits = self._index.search(task, k=_DOCUMENTS, languages=known).results
        best: dict[int, tuple[float, Row]] = {}
        for hit, row in zip(hits, self._rows([hit.symbol for hit in hits]), strict=True):
            best.setdefault(row.file, (max(hit.score, 0.0), row))
        found = {file: (score, _candidate("documents", row, _DOCUMENT_SHARE)) for file, (score, row) in best.items()}
        if hops:
            found |= self._linked(best, list(best)[:_STARTS], hops)
        order = sorted(found, key=lambda file: (-found[file][0], file)) if hops else list(found)
        return [found[file][1] for file in order]

    def _linked(
        self, best: Mapping[int, tuple[float, Row]], starts: Sequence[int], hops: int
    ) -> dict[int, tuple[float, Candidate]]:
        """Return the documents that links lead to: their part that matches, all of one that does not."""
        own = {file: score for file, (score, _) in best.items()}
        reached = follow(self._links_of(), own, starts, hops)
        first = self._index.reader.files.first_symbol
        unmatched = [linked.file for linked in reached if linked.file not in best]
        whole = dict(zip(unmatched, self._rows([int(first[file]) for file in unmatched]), strict=True))
        out = {}
        for linked in reached:
            row = best[linked.file][1] if linked.file in best else whole[linked.file]
            candidate = _candidate("documents", row, _DOCUMENT_SHARE)
            if linked.score > 2 * own.get(linked.file, 0.0):  # there for the link more than for its words
                at = linked.link
                link = LinkOfItem(path=at.path, line=at.line, destination=at.destination, hops=linked.hops)
                candidate = replace(candidate, link=link)
            out[linked.file] = linked.score, candidate
        return out

    def _links_of(self) -> Links:
        connection = self.connection
        with self._lock:
            if self._links is None:
                self._links = Links(connection)
            return self._links

    @property
    def connection(self) -> Connection:
        """The tables that packs are made from, opened at the first use."""
        with self._lock:
            if self._connection is None:
                self._connection = Connection(self._index.snapshot, _TABLES)
            return self._connection

    def _texts(self, files: Iterable[int]) -> dict[int, str]:
        wanted = ",".join(map(str, sorted(files)))
        return dict(self.connection.rows(f"SELECT file, text FROM sources WHERE file IN ({wanted})"))


def _check(budget: int, hops: int) -> None:
    if budget < LEAST_BUDGET:
        raise UsageError(f"a budget of {budget} tokens holds nothing: give {LEAST_BUDGET} or more")
    if not 0 <= hops <= MOST_HOPS:
        raise UsageError(f"{hops} hops cannot be followed: give 0, 1 or {MOST_HOPS}")


def _candidate(section: str, row: Row, most: float) -> Candidate:
    return Candidate(
        section=section,
        file=row.file,
        repo=row.repo,
        path=row.path,
        start_line=row.start_line,
        end_line=row.end_line,
        kind=row.kind,
        name=row.qualified_name or row.name,
        key=row.key,
        language=row.language,
        most=most,
    )


def _neighbour(found: Neighbour, row: Row, definition: Row) -> Candidate:
    """Return the part of a neighbour that matters: of what uses the definition the place, of what it uses the declaration."""
    edge = EdgeOfItem(
        relation=found.relation,
        via=definition.key,
        via_name=definition.qualified_name or definition.name,
        kind=found.kind,
        path=definition.path if found.outward else row.path,
        line=found.line,
        confidence=found.confidence,
        evidence=found.evidence,
        rule=found.rule,
    )
    candidate = replace(_candidate("related", row, _RELATED_SHARE), edge=edge)
    if found.outward:
        return candidate
    focus = tuple(dict.fromkeys(line for line in (row.start_line, found.line) if row.start_line <= line <= row.end_line))
    return replace(candidate, focus=focus, only_focus=True)
