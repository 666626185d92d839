"""List what a run is about: the named sources, and those of the last snapshot that it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...query.store import Snapshot, open_snapshot
from ...schemas import layout
from ...schemas.errors import CodequarryError, UsageError
from ..sources import check_names, open_source
from .kept import check_digests, kept_origin
from .naming import settled
from .options import IndexOptions
from .origins import Origin, from_source

__all__ = ["check_removals", "last_snapshot", "list_named", "with_kept"]


def last_snapshot(store: Path, *, needed: bool) -> Snapshot | None:
    """Open the live snapshot of a store, None if there is none; one that cannot be opened is an error only if `needed`."""
    if not (store / layout.LATEST).exists():
        return None
    try:
        return open_snapshot(store)
    except CodequarryError:
        if needed:
            raise
        return None


def check_removals(options: IndexOptions, last: Snapshot | None) -> None:
    """Raise UsageError for a name to remove that is not in the last snapshot, or is to be indexed."""
    there = sorted(source.repo for source in last.manifest.sources) if last else []
    named = {request.name for request in options.requests}
    for name in options.remove:
        if name in named:
            raise UsageError(f"{name} is to be indexed and to be removed: name it once")
        if name not in there:
            known = ", ".join(there) or "none"
            raise UsageError(f"there is no source {name} to remove: the sources of the last snapshot are {known}")


def list_named(options: IndexOptions) -> list[Origin]:
    """List the sources that a run names; raises what listing raises, and UsageError for two of one name."""
    check_names(options.requests)
    listed = ((request, open_source(request, options.listing)) for request in options.requests)
    limits = replace(options.extraction, allow_secrets=options.listing.allow_secrets)
    return [from_source(settled(source, request, options), limits) for request, source in listed]


def with_kept(named: Sequence[Origin], options: IndexOptions, last: Snapshot | None) -> list[Origin]:
    """Return all sources of a run, in the order of the bytes of their names: those named and those that it keeps."""
    kept: list[Origin] = []
    gone = {origin.name for origin in named} | {*options.remove}
    staying = [source for source in last.manifest.sources if source.repo not in gone] if last and options.keep else []
    if last is not None and staying:
        check_digests(last)
        # What was let in once stays, whatever this run says of secrets.
        limits = replace(options.extraction, allow_secrets=True)
        kept = [kept_origin(last, source, limits) for source in staying]
    return sorted([*named, *kept], key=lambda origin: origin.name.encode())
