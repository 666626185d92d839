"""`codequarry status`: what a snapshot holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ...schemas.manifest import SourceInfo
from ..briefing_text import block as _block
from ..briefing_text import briefing_lines
from ..console import clean, write_json, write_lines
from ..text import count, size
from ._options import json_option, store_option

if TYPE_CHECKING:
    from ..freshness import Freshness
    from ..status import CallCount, Status

__all__ = ["status"]


@click.command()
@click.argument("topic", metavar="[TOPIC]", required=False)
@click.option(
    "--checkout", metavar="DIR", type=click.Path(), help="Say whether the files in DIR are those that were indexed."
)
@store_option
@json_option
def status(topic: str | None, checkout: str | None, index: str, as_json: bool) -> None:
    """Show what a snapshot holds.

    Sources, files by status and reason, symbols by language, edges by kind, calls by what they lead to; a briefing: sub-systems,
    entry points, hubs, public surface, shared constants; then tables, versions and options. With a TOPIC, the sub-systems that
    it, or a word that stands for the same, is about.
    """
    from ..provenance import check_checkout
    from ..status import status as measure
    from ..store import open_snapshot

    measured = measure(open_snapshot(index), topic, check_checkout(checkout))
    if as_json:
        write_json(measured.to_json())
    else:
        write_lines(_lines(measured))


def _lines(found: Status) -> Iterator[str]:
    yield f"snapshot  {found.snapshot} (format {found.format_version}), {size(found.bytes)}"
    yield from _block("sources", [_source(source) for source in found.sources])
    yield from _block("files", list(_files(found)))
    total = sum(row.symbols for row in found.symbols)
    yield from _block("symbols", [count(total, "symbol"), *(f"  {r.symbols:,} {r.language or '-'}" for r in found.symbols)])
    yield from _block("edges", [f"{row.edges:,} {row.kind}" for row in found.edges])
    yield from _block("calls", list(map(_calls, found.calls)))
    yield from briefing_lines(found.briefing)
    if found.freshness is not None:
        yield from _block("checkout", _freshness(found.freshness))
    yield from _block("tables", [f"{t.table}: {count(t.rows, 'row')}, {size(t.bytes)}" for t in found.tables])
    yield from _block("versions", [f"{name} {version}" for name, version in sorted(found.versions.items())])
    if found.model.sha256 is not None:
        yield from _block("model", [f"{found.model.name}, {found.model.dimensions} dimensions, {found.model.sha256[:12]}"])
    yield from _block("options", [f"{name} {value}" for name, value in sorted(found.options.items())])
    yield from (f"note: {clean(note)}" for note in found.notes)


def _source(source: SourceInfo) -> str:
    commit = f"commit {source.commit[:12]}" if source.commit else "no commit"
    branch = f" on {source.branch}" if source.branch else ""
    state = {True: ", with uncommitted changes", False: "", None: ""}[source.dirty]
    return f"{source.repo}: {commit}{branch}{state}"


def _freshness(found: Freshness) -> list[str]:
    parts = {"the same": found.matches, "changed": found.differs, "missing": found.missing, "not known": found.unknown}
    line = ", ".join(f"{number:,} {word}" for word, number in parts.items() if number) or "no files"
    more = found.differs + found.missing - len(found.changed)
    return [line, *(f"  {path}" for path in found.changed), *([f"  and {more:,} more"] if more else [])]


def _calls(row: CallCount) -> str:
    parts = [f"{row.resolved:,} resolved", *(f"{n:,} {reason}" for reason, n in sorted(row.unresolved.items()))]
    return f"{row.language}: {', '.join(parts)}"


def _files(found: Status) -> Iterator[str]:
    by_status: dict[str, int] = defaultdict(int)
    by_reason: dict[tuple[str, str], int] = defaultdict(int)
    for row in found.files:
        by_status[row.status] += row.files
        if row.reason:
            by_reason[row.status, row.reason] += row.files
    for name, files in sorted(by_status.items()):
        yield f"{files:,} {name}"
        reasons = sorted((-n, reason) for (status, reason), n in by_reason.items() if status == name)
        yield from (f"  {-n:,} {reason}" for n, reason in reasons)
