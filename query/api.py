"""The Python API: open an artifact and search it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..schemas.errors import StoreError, UsageError
from .connection import Connection
from .filters import Filters, Selection, select
from .matching import Matching, Reply, answer, check_request
from .ranking.policy import FIELDS, Policy, policy_of
from .ranking.request import Request, describe, make_request
from .ranking.router import check_family, is_label, refine, route
from .ranking.text import QueryText, read_query
from .readers.lookup import Lookup
from .readers.values import Reader
from .results import Answer, Hit, Provenance
from .store import Snapshot, open_snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .encoder import Encoder
    from .ranking.trace import Trace
    from .readers.graph import Graph
    from .readers.vectors import Vectors
    from .why import Explanation

__all__ = ["Index", "open_index"]

SEARCH_TABLES = ("files", "symbols", "sources", "postings", "symbol_statistics", "file_statistics")
COLD_TABLES = (*SEARCH_TABLES, "edges_out", "edges_in", "vectors")


def open_index(path: str | os.PathLike[str], *, resident: bool = True) -> Index:
    """Open a store or a snapshot folder for searching.

    A `resident` index loads what it needs at its first query and answers later ones from memory; one that is not reads
    a few pages a query, which is what a single query wants. Raises a StoreError for what is not a whole artifact.
    """
    return Index(open_snapshot(path), resident=resident)


class Index:
    """A snapshot that can be searched, by several threads at once. Use it as a context manager, or close it."""

    def __init__(self, snapshot: Snapshot, *, resident: bool = True) -> None:
        self._snapshot = snapshot
        self._resident = resident
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._reader: Reader | None = None
        self._model: tuple[Encoder, Vectors] | None = None
        self._graph: Graph | None = None
        self._corpus = describe(snapshot, FIELDS)
        self._commits = {source.repo: source.commit for source in snapshot.manifest.sources}
        self._closed = False

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that is searched."""
        return self._snapshot

    @property
    def reader(self) -> Reader:
        """What reads the snapshot for the ranking, made at its first use."""
        return self._opened()

    def close(self) -> None:
        """Free what the index holds; closing twice is harmless, searching afterwards a UsageError."""
        with self._lock:
            self._closed = True
            self._reader = self._model = self._graph = None
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def vectors(self) -> NDArray[np.float32]:
        """Return the vectors of all symbols and files, a row a symbol id [symbols, dimensions], of length one or zero.

        Raises StoreError with the reason where the snapshot has none.
        """
        import numpy as np

        from .meaning import unavailable
        from .readers.vectors import LookupVectors

        reason = unavailable(self._snapshot)
        if reason is not None:
            raise StoreError(f"{self._snapshot.folder} holds no vectors: {reason}")
        with Connection(self._snapshot, ("vectors",)) as connection:
            return LookupVectors(self._snapshot, connection).rows(np.arange(self._snapshot.rows("symbols")))

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        repos: str | Iterable[str] = (),
        languages: str | Iterable[str] = (),
        kinds: str | Iterable[str] = (),
        paths: str | Iterable[str] = (),
        tests: bool | None = None,
        family: str | None = None,
        match: str = "auto",
        regex: bool = False,
        case: str = "smart",
        word: bool = False,
        multiline: bool = False,
        explain: bool = False,
        snippet_lines: int = 0,
    ) -> Answer:
        """Return the `k` best rows for a query of any text.

        `match` is `auto`, `name` (rows whose name matches), `meaning` (nearest by the model) or `content`: the lines of the
        stored texts that hold the query as it stands, or, with `regex`, match it as a regular expression of RE2. `case` is
        `smart` (exact if the query holds a capital), `exact` or `ignore`; `word` takes whole words only, `multiline` lets a
        match span lines. These four belong to `content`.

        `repos`, `languages`, `kinds` and `paths` (globs, see `filters.glob_pattern`) are a value or several, any of which
        will do; `tests` True keeps tests only, False none. `family` overrides the router. `explain` gives each row the terms
        of its score, `snippet_lines` the best lines of its source. Raises UsageError for a k below 1 and for a regular
        expression that is none, StoreError where content is to be searched and no texts are stored.
        """
        how = Matching(match=match, regex=regex, case=case, word=word, multiline=multiline)
        check_request(k, how)
        filters = _filters(repos, languages, kinds, paths, tests)
        trace = None
        if explain:
            from .ranking.trace import Trace

            trace = Trace()
        request, chosen = self._request(query, k, filters, family, trace)
        reply = answer(request, how, k, self._connected, self._meaning)
        hits = self._hits(reply, explain)
        if snippet_lines:
            from .snippets import add_snippets

            hits = add_snippets(hits, request.query.terms, self._connected(), snippet_lines)
        return Answer(
            query=request.query.text,
            family=chosen,
            mode=reply.mode,
            snapshot=self._snapshot.id,
            complete=reply.complete,
            notes=(*reply.notes, *request.selection.notes, *self._remarks(request.query, reply, request.selection, hits)),
            results=hits,
            trace=_summary(trace),
            clusters=reply.clusters,
            paths=reply.paths,
        )

    def why(
        self,
        query: str,
        symbol: str,
        k: int = 10,
        *,
        repos: str | Iterable[str] = (),
        languages: str | Iterable[str] = (),
        kinds: str | Iterable[str] = (),
        paths: str | Iterable[str] = (),
        tests: bool | None = None,
        family: str | None = None,
    ) -> Explanation:
        """Return why a symbol is where it is in the answer to a query, or not there; the other arguments are those of search.

        `symbol` is a key, a qualified name, `path:line` or a path. Raises UsageError for an ambiguous name, CodequarryError
        for one that stands for nothing.
        """
        from .graph.naming import resolve
        from .ranking.trace import Trace
        from .why import explain

        check_request(k, Matching())
        connection, trace = self._connected(), Trace()
        place = resolve(connection, symbol)
        filters = _filters(repos, languages, kinds, paths, tests)
        request, chosen = self._request(query, k, filters, family, trace)
        answer(request, Matching(), k, self._connected, self._meaning)
        return explain(trace.request or request, trace, chosen, k, place, connection)

    def _request(self, query: str, k: int, filters: Filters, family: str | None, trace: Trace | None) -> tuple[Request, str]:
        """Return a search as the stages see it, and the family of its query."""
        chosen = None if family is None else check_family(family)
        text = read_query(query, policy_of(chosen or "natural-descriptive"))
        reader, found = self._opened(), None
        if chosen is None:
            chosen = route(text)
            if is_label(text, chosen):
                found = tuple(reader.postings(text.terms))
                chosen = refine(chosen, text, found)
        request = make_request(
            query=text,
            reader=reader,
            corpus=self._corpus,
            selection=select(filters, self._snapshot.manifest, reader),
            fields=FIELDS,
            policy=self._policy(chosen, change=text.asks_for_change),
            wanted=min(k, reader.symbols),
        )
        return request._replace(graph=self._opened_graph, texts=self._connected, trace=trace, found=found), chosen

    def _policy(self, family: str, *, change: bool) -> Policy:
        """Return the policy of a query; meaning has no say in an index that was made without a model on purpose."""
        policy = policy_of(family, change=change)
        return policy._replace(meaning=0.0) if self._snapshot.manifest.model.name == "none" else policy

    def _hits(self, reply: Reply, explain: bool) -> tuple[Hit, ...]:
        return tuple(
            Hit(
                rank=i,
                score=match.score,
                repo=match.row.repo,
                path=match.row.path,
                start_line=match.row.start_line if match.inside else None,
                end_line=match.row.end_line if match.inside else None,
                name=match.row.name if match.inside else None,
                qualified_name=match.row.qualified_name,
                kind=match.row.kind if match.inside else None,
                language=match.row.language,
                signature=match.row.signature if match.inside else None,
                key=match.row.key if match.inside else None,
                matched_by=match.matched_by,
                symbol=match.row.symbol,
                provenance=Provenance(
                    snapshot=self._snapshot.id,
                    commit=self._commits.get(match.row.repo),
                    evidence=match.evidence,
                ),
                terms=match.terms if explain else None,
                snippet=match.snippet,
                line=match.line,
            )
            for i, match in enumerate(reply.matches, 1)
        )

    def _remarks(self, query: QueryText, reply: Reply, selection: Selection, hits: Sequence[Hit]) -> tuple[str, ...]:
        """Say why there is nothing to see, where there is nothing."""
        if self._corpus.files == 0:
            return ("the index is empty: it holds no files",)
        if hits:
            return ()
        if reply.mode != "lexical" and reply.notes:
            return ()
        if not (query.text if reply.mode == "content" else query.text.strip()):
            return ("the query is blank",)
        if not query.terms and reply.mode != "content":
            return ("the query holds no word that could be looked up",)
        if selection.notes:
            return ()
        return ("nothing in the index matches" if selection.all else "nothing that the filters allow matches",)

    def _opened(self) -> Reader:
        """Return the reader, made at the first query."""
        reader = self._reader
        if reader is not None:
            return reader
        with self._lock:
            self._check_open()
            if self._reader is None:
                self._reader = self._read()
            return self._reader

    def _read(self) -> Reader:
        if not self._resident:
            return Lookup(self._snapshot, self._cold(), FIELDS)
        from .readers.resident import Resident

        with Connection(self._snapshot, SEARCH_TABLES) as connection:
            return Resident(self._snapshot, connection, FIELDS)

    def _meaning(self) -> tuple[Encoder, Vectors]:
        """Return the model of the snapshot and its vectors, loaded at the first query; StoreError where there are none."""
        model = self._model
        if model is not None:
            return model
        from .meaning import load_encoder
        from .readers.vectors import LookupVectors, ResidentVectors

        with self._lock:
            self._check_open()
            if self._model is None:
                encoder = load_encoder(self._snapshot)
                if self._resident:
                    with Connection(self._snapshot, ("vectors",)) as connection:
                        self._model = encoder, ResidentVectors(self._snapshot, connection)
                else:
                    self._model = encoder, LookupVectors(self._snapshot, self._cold())
            return self._model

    def _opened_graph(self) -> Graph:
        """Return the code graph; what a search wants of it is read when it is wanted."""
        graph = self._graph
        if graph is not None:
            return graph
        from .readers.graph import LookupGraph, ResidentGraph

        files = self._opened().files
        with self._lock:
            self._check_open()
            if self._graph is None and self._resident:
                self._graph = ResidentGraph(self._snapshot, partial(Connection, self._snapshot), files)
            elif self._graph is None:
                self._graph = LookupGraph(self._snapshot, self._cold(), files)
            return self._graph

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the index is closed: open it again to search it")

    def _connected(self) -> Connection:
        with self._lock:
            self._check_open()
            return self._cold()

    def _cold(self) -> Connection:
        """Return the connection that is asked for single values, made when it is first wanted; the caller holds the lock."""
        if self._connection is None:
            self._connection = Connection(self._snapshot, COLD_TABLES)
        return self._connection


def _summary(trace: Trace | None) -> dict[str, Any] | None:
    """Return what a trace says of the whole query, None where no ranking was asked for."""
    if trace is None or trace.request is None:
        return None
    from .why import summary

    return summary(trace.request, trace)


def _filters(
    repos: str | Iterable[str],
    languages: str | Iterable[str],
    kinds: str | Iterable[str],
    paths: str | Iterable[str],
    tests: bool | None,
) -> Filters:
    return Filters(
        repos=_several(repos), languages=_several(languages), kinds=_several(kinds), paths=_several(paths), tests=tests
    )


def _several(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
