"""Calls of tools as plain functions: from checked arguments to text for a model and values for a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...schemas.errors import CodequarryError, UsageError
from ..console import clean
from ..graph.naming import AmbiguousError, Place, resolve
from ..graph.related import SHOWN, Relation, Relations, connecting_path, impact, relations
from ..results import FILE_KIND, Answer, Hit
from ..text import place_line
from .arguments import checked
from .library import Library, Shelf
from .tools import TOOLS

if TYPE_CHECKING:
    from ..status import Status

__all__ = ["Reply", "Service", "UnknownToolError"]

_LOOKED_AT = 50
"""Rows that a search looks at beside those of the page and of the pages before it, to say how many more there are."""

_OUTLINE = 60
_CANDIDATES = 20

_SYMBOL_KEYS = (
    "key",
    "repo",
    "path",
    "start_line",
    "end_line",
    "kind",
    "name",
    "qualified_name",
    "signature",
    "language",
    "is_test",
)


class Reply(NamedTuple):
    """The answer to one call: text for a model, the same as values, and whether it says that something is wrong.

    Then there may be no values: an error is a sentence.
    """

    text: str
    values: dict[str, Any]
    failed: bool = False


class UnknownToolError(UsageError):
    """There is no tool of that name."""


class Service:
    """Answers calls from a library; for any number of threads."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def call(self, name: str, arguments: Mapping[str, Any] | None) -> Reply:
        """Answer one call; what goes wrong is a reply of one sentence. Raises UnknownToolError alone."""
        tool = TOOLS.get(name)
        if tool is None:
            raise UnknownToolError(f"there is no tool {name!r}: the tools are {', '.join(TOOLS)}")
        try:
            given = checked(tool, arguments)
            if name == "status":
                return self._status(given)
            with self._library.shelf() as shelf:
                return _dated(_answer(name, shelf, given), shelf)
        except CodequarryError as error:
            return Reply(str(error), {}, failed=True)

    def waits(self, name: str) -> bool:
        """Say whether a call of this tool would wait for the index to be loaded."""
        return name != "status" and self._library.state().name == "loading"

    def manifest(self) -> str:
        """Return the live snapshot's manifest, JSON."""
        with self._library.shelf() as shelf:
            return (shelf.snapshot.folder / "manifest.json").read_text(encoding="utf-8")

    def briefing(self) -> str:
        """Return the briefing on the live snapshot, lines of text."""
        with self._library.shelf() as shelf:
            return _briefing_text(shelf.status())

    def _status(self, given: Mapping[str, Any]) -> Reply:
        state = self._library.state()
        values: dict[str, Any] = {"state": state.name, "message": state.message, "notes": []}
        if state.snapshot is None:
            return Reply(state.message, values, failed=state.name == "failed")
        with self._library.shelf() as shelf:
            status = shelf.status(given["topic"])
            text = f"{state.name}: {state.message}\n{_briefing_text(status)}"
        values |= {
            "snapshot": status.snapshot,
            "notes": list(status.notes),
            "briefing": status.briefing.to_json(),
        }
        return Reply(text, values)


def _answer(name: str, shelf: Shelf, given: Mapping[str, Any]) -> Reply:
    try:
        return _ANSWERS[name](shelf, given)
    except AmbiguousError as error:
        return _candidates(error)


def _dated(reply: Reply, shelf: Shelf) -> Reply:
    """Name the snapshot that an answer comes from."""
    return reply._replace(values={"snapshot": shelf.snapshot.id, **reply.values})


def _briefing_text(status: Status) -> str:
    """Return what a snapshot holds and its briefing, without tables and versions."""
    from ..briefing_text import briefing_lines

    lines = [f"source    {s.repo}: {f'commit {s.commit[:12]}' if s.commit else 'no commit'}" for s in status.sources]
    symbols = ", ".join(f"{row.symbols:,} {row.language}" for row in status.symbols[:6] if row.language)
    skipped = sum(row.files for row in status.files if row.status == "skipped")
    lines.append(f"files     {sum(row.files for row in status.files) - skipped:,} indexed, {skipped:,} skipped")
    lines.append(f"symbols   {symbols or 'none'}")
    lines += briefing_lines(status.briefing)
    return "\n".join([*lines, *(f"note: {note}" for note in status.notes)])


def _search(shelf: Shelf, given: Mapping[str, Any]) -> Reply:
    offset, limit = given["offset"], given["limit"]
    asked = max(offset + limit + 1, _LOOKED_AT)
    answer = shelf.index.search(
        given["query"],
        k=asked,
        match=given["match"],
        regex=bool(given["regex"]),
        repos=_some(given["repo"]),
        languages=_some(given["language"]),
        kinds=_some(given["kind"]),
        paths=_some(given["path"]),
        tests=given["tests"],
    )
    page = answer.results[offset : offset + limit]
    more = len(answer.results) > offset + limit
    notes = _page_notes(answer, offset, len(page), asked)
    lines = [line for hit in page for line in _hit_lines(hit)]
    return _reply(lines or ["nothing found"], notes, results=[_row(hit) for hit in page], more=more)


def _page_notes(answer: Answer, offset: int, shown: int, asked: int) -> list[str]:
    found = len(answer.results)
    notes = [note for note in answer.notes if "capped from" not in note]
    if found > offset + shown:
        total = f"{found:,} or more" if found >= asked else f"{found:,}"
        notes.append(f"rows {offset + 1} to {offset + shown}, capped from {total}: offset={offset + shown} gives the next")
    if found and not shown:
        notes.append(f"there are only {found:,} rows")
    return notes


def _hit_lines(hit: Hit) -> list[str]:
    several = f"{hit.rank}. {hit.path}:{hit.line or hit.start_line}"
    name = "" if hit.kind in (None, FILE_KIND) else f" {hit.qualified_name}"
    lines = [clean(f"{several}  {hit.kind or ''}{name}".rstrip())]
    if hit.line is not None and hit.snippet is not None:
        lines.append(clean(f"   {hit.snippet.lines[0].strip()}"))
    elif hit.signature:
        lines.append(clean(f"   {hit.signature}"))
    return lines


def _row(hit: Hit) -> dict[str, Any]:
    row: dict[str, Any] = {"rank": hit.rank, "repo": hit.repo, "path": hit.path}
    more = {
        "line": hit.line,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "kind": hit.kind,
        "name": hit.qualified_name or hit.name,
        "signature": hit.signature,
        "key": hit.key,
        "text": hit.snippet.lines[0] if hit.line is not None and hit.snippet is not None else None,
    }
    return row | {name: value for name, value in more.items() if value is not None}


def _relations(shelf: Shelf, given: Mapping[str, Any]) -> Reply:
    place = resolve(shelf.graph, given["symbol"])
    relation, depth, limit = given["relation"], given["depth"], given["limit"]
    if given["to"] is not None:
        answer = connecting_path(shelf.graph, place, resolve(shelf.graph, given["to"]), depth=max(depth, 6))
    elif relation == "impact":
        answer = impact(shelf.graph, place, depth=max(depth, 3), limit=limit)
    else:
        names = SHOWN if relation == "all" else (relation,)
        answer = relations(shelf.graph, place, names, depth=depth, limit=limit)
    notes = [*answer.notes, *(_group_note(name, answer) for name in answer.groups if _capped(name, answer))]
    groups = {name: [_relation_row(row) for row in rows] for name, rows in answer.groups.items() if rows}
    lines = [place_line(answer.symbol)]
    for name, rows in answer.groups.items():
        if rows:
            lines += [name, *map(_relation_line, rows)]
    if not groups:
        lines.append("nothing in the index")
    return _reply(lines, notes, symbol=_symbol(answer.symbol), groups=groups)


def _capped(name: str, answer: Relations) -> bool:
    return answer.totals[name] > len(answer.groups[name])


def _group_note(name: str, answer: Relations) -> str:
    return f"{name}: {len(answer.groups[name])} rows, capped from {answer.totals[name]:,}: a higher limit gives more"


def _relation_line(row: Relation) -> str:
    facts = [
        row.kind,
        *([f"{row.depth} steps"] if row.depth > 1 else []),
        *([f"{row.confidence:.2f} sure"] if row.confidence < 0.9 else []),
    ]
    name = row.place.qualified_name or row.place.name
    return clean(f"  {row.path}:{row.line}  {row.place.kind} {name}  ({', '.join(facts)})")


def _relation_row(row: Relation) -> dict[str, Any]:
    value = {
        "key": row.place.key,
        "kind": row.place.kind,
        "relation": row.kind,
        "at": f"{row.path}:{row.line}",
        "depth": row.depth,
        "confidence": round(row.confidence, 2),
    }
    return value | ({"score": round(row.score, 4)} if row.score is not None else {})


def _info(shelf: Shelf, given: Mapping[str, Any]) -> Reply:
    from ..graph.about import info

    about = info(shelf.graph, resolve(shelf.graph, given["symbol"]))
    notes = list(about.notes)
    outline = about.outline[:_OUTLINE]
    if len(outline) < len(about.outline):
        notes = [f"outline: {len(outline)} parts, capped from {len(about.outline)}"]
    source = (about.source or "").split("\n")
    if len(source) > given["lines"]:
        notes.append(f"source: {given['lines']} lines, capped from {len(source):,}: a higher `lines` gives more")
    shown = "\n".join(source[: given["lines"]])
    lines = [place_line(about.symbol), f"key: {about.symbol.key}"]
    lines += [f"in: {place_line(about.owner)}"] if about.owner is not None else []
    lines += [f"edges: {', '.join(f'{n} {name}' for name, n in about.counts.items())}"] if about.counts else []
    lines += [clean(line) for line in (about.doc or "").splitlines()]
    lines += [clean(f"  {part.start_line}: {part.signature or f'{part.kind} {part.name}'}") for part in outline]
    lines += ["```", *("\t".join(map(clean, line.split("\t"))) for line in shown.split("\n")), "```"] if shown else []
    return _reply(
        lines,
        notes,
        symbol=_symbol(about.symbol),
        doc=about.doc or "",
        edges=about.counts,
        outline=[{"line": p.start_line, "kind": p.kind, "name": p.name, "key": p.key} for p in outline],
        source=shown,
    )


def _context(shelf: Shelf, given: Mapping[str, Any]) -> Reply:
    pack = shelf.packs.pack(given["task"], budget=given["budget"], hops=given["hops"])
    values = {"markdown": pack.text, "tokens": pack.tokens, "complete": pack.complete, "notes": list(pack.notes)}
    if pack.omissions:
        values["notes"] = [*pack.notes, f"{len(pack.omissions)} places had no room: a higher budget shows more"]
    return Reply(pack.text, values)


def _candidates(error: AmbiguousError) -> Reply:
    shown = error.candidates[:_CANDIDATES]
    notes = [str(error)]
    if error.total > len(shown):
        notes.append(f"{len(shown)} candidates, capped from {error.total:,}")
    lines = [clean(f"{place_line(place)}  {place.key}") for place in shown]
    return _reply(lines, notes, candidates=[_symbol(place) for place in shown])


def _reply(lines: Sequence[str], notes: Sequence[str], **values: Any) -> Reply:
    text = "\n".join([*lines, *(f"note: {clean(note)}" for note in notes)])
    return Reply(text, {**values, "notes": list(notes)})


def _symbol(place: Place) -> dict[str, Any]:
    row = place.to_json()
    return {name: row[name] for name in _SYMBOL_KEYS if row[name] is not None}


def _some(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


_ANSWERS: dict[str, Callable[[Shelf, Mapping[str, Any]], Reply]] = {
    "search": _search,
    "relations": _relations,
    "info": _info,
    "context": _context,
}
