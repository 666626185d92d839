"""What earlier runs know already: the facts of the files that are as they were, wherever they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ..cache import FACTS, FactsCache, Known, file_key, fingerprint
from ..sources import Entry
from ..vectors import Model
from ..worker import FileTask
from .batches import ShardPlan
from .options import IndexOptions
from .origins import Origin

__all__ = ["facts_cache", "identified", "key_of", "look_up", "sure"]

_UNSURE = ("parse_failed", "timeout")
"""Reasons of files that another run may read better: a worker that died, a clock."""


def facts_cache(options: IndexOptions, model: Model) -> FactsCache | None:
    """Open the facts that this run could make itself, None for a run without a cache."""
    if options.cache is None:
        return None
    return FactsCache(options.cache / FACTS / fingerprint(options.extraction, model), read=not options.fresh)


def identified(origin: Origin) -> tuple[Entry, ...]:
    """Return the entries of an origin, each that will be read with the digest of its bytes.

    Files that git does not vouch for are read for it; those that cannot be read now stay without a digest.
    """
    unknown = [entry for entry in origin.entries if entry.reason is None and entry.blob is None]
    items = zip(unknown, origin.read(unknown), strict=True) if unknown else ()
    files = {entry.path: item.file for entry, item in items if isinstance(item.task, FileTask)}
    return tuple(
        replace(entry, size=file.size, blob=file.blob) if (file := files.get(entry.path)) is not None else entry
        for entry in origin.entries
    )


def look_up(plans: Sequence[ShardPlan], entries: Mapping[str, Sequence[Entry]], cache: FactsCache) -> tuple[ShardPlan, ...]:
    """Return the plans with the facts that the cache has; `entries` are those of each origin by name, identified.

    A file that has to be read keeps its entry as it was listed, so that what is read then has the digest of what was read.
    """
    streams = {name: iter(of) for name, of in entries.items()}
    return tuple(_known(plan, tuple(islice(streams[plan.origin.name], len(plan.entries))), cache) for plan in plans)


def key_of(origin: Origin, path: str, blob: str | None, *, allow_secrets: bool | None = None) -> bytes | None:
    """Return the key of a file's facts, None if the digest of its bytes is not known."""
    allowed = origin.limits.allow_secrets if allow_secrets is None else allow_secrets
    return None if blob is None else file_key(blob, path, allow_secrets=allowed)


def sure(reasons: Sequence[str | None]) -> Iterator[bool]:
    """Say of each file by its reason whether any other run would find the same facts."""
    return ((reason or "").partition(":")[0] not in _UNSURE for reason in reasons)


def _known(plan: ShardPlan, entries: tuple[Entry, ...], cache: FactsCache) -> ShardPlan:
    known = cache.find([None if e.reason else key_of(plan.origin, e.path, e.blob) for e in entries])
    if plan.origin.limits.allow_secrets:
        wanted = [
            key_of(plan.origin, e.path, e.blob, allow_secrets=False) if k is None and e.reason is None else None
            for e, k in zip(entries, known, strict=True)
        ]
        known = [k or _without_secret(other) for k, other in zip(known, cache.find(wanted), strict=True)]
    cache.release()  # each batch that is found is read as a whole, for its digest
    chosen = (e if k is not None else listed for e, k, listed in zip(entries, known, plan.entries, strict=True))
    return replace(plan, entries=tuple(chosen), known=tuple(known))


def _without_secret(known: Known | None) -> Known | None:
    """Return facts that do not depend on whether secrets are read."""
    secret = known is not None and known.batch.files["reason"][known.row].as_py() == "secret"
    return None if secret else known
