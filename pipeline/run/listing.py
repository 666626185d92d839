"""List what a run is about: the named sources, and those of the last snapshot that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...query.store import Snapshot, open_snapshot
from ...schemas import layout
from ...schemas.errors import CodequarryError, UsageError
from ...schemas.manifest import SourceInfo
from ..sources import open_source
from .kept import check_digests, kept_origin
from .options import IndexOptions
from .origins import Origin, from_source

__all__ = ["last_snapshot", "list_origins"]


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


def list_origins(options: IndexOptions, last: Snapshot | None) -> list[Origin]:
    """List every source of a run, in the order of the bytes of their names.

    Raises UsageError for a name to remove that is not there, and whatever listing and opening raise.
    """
    there = {source.repo: source for source in last.manifest.sources} if last else {}
    named = {request.name for request in options.requests}
    _check_removals(options.remove, named, there)
    origins = [from_source(open_source(request, options.listing), options.extraction) for request in options.requests]
    staying = [info for name, info in there.items() if options.keep and name not in {*named, *options.remove}]
    if last is not None and staying:
        check_digests(last)
        origins += [kept_origin(last, info, options.extraction) for info in staying]
    return sorted(origins, key=lambda origin: origin.name.encode())


def _check_removals(remove: tuple[str, ...], named: set[str], there: Mapping[str, SourceInfo]) -> None:
    for name in remove:
        if name in named:
            raise UsageError(f"{name} is to be indexed and to be removed: name it once")
        if name not in there:
            known = ", ".join(sorted(there)) or "none"
            raise UsageError(f"there is no source {name} to remove: the sources of the last snapshot are {known}")
