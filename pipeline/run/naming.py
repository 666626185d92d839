"""The name of a source that has none of its own: a plain folder, given alone, is `local`.

The base name of such a folder is an accident of the machine (a download, a temporary folder), and the same files must
give the same snapshot wherever they lie. `latest.json`, which is no part of the snapshot, remembers that base name, so
that `--update` can tell the folder that is `local` from another one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...schemas import layout
from ..sources import Source, SourceRequest
from .options import IndexOptions

__all__ = ["LOCAL", "local_folder", "settled"]

LOCAL = "local"


def settled(source: Source, request: SourceRequest, options: IndexOptions) -> Source:
    """Return a listed source under the name that it has in the snapshot."""
    if request.named or not source.plain or len(options.requests) > 1:
        return source
    if options.keep and _remembered(options.out) != request.name:
        return source
    return replace(source, name=LOCAL)


def local_folder(names: set[str], options: IndexOptions) -> str | None:
    """Return the base name of the folder that is `local` in a run whose sources are `names`, None if there is none."""
    if LOCAL not in names:
        return None
    request = options.requests[0] if len(options.requests) == 1 else None
    if request is not None and not request.named and (not options.keep or _remembered(options.out) == request.name):
        return request.name
    return _remembered(options.out) if options.keep else None


def _remembered(store: Path) -> str | None:
    try:
        return layout.parse_local((store / layout.LATEST).read_bytes())
    except OSError:
        return None
