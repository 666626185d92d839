"""An index run from sources to a published snapshot: list, extract, merge, publish."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ...query.text import count, size
from ...schemas.errors import CodequarryError
from ...schemas.manifest import Manifest, SourceInfo
from ..merge import Merged, MergeSource, merge
from ..pool import WorkerPool
from ..progress import Progress
from ..publish import open_store
from ..shards import read
from ..summary import Summary
from ..vectors import Model, choose_model
from ..worker import blank, extract
from .batches import ShardPlan, languages, plan
from .gathering import Tally, gather, shard_path
from .listing import check_removals, last_snapshot, list_named, with_kept
from .naming import local_folder
from .options import IndexOptions
from .origins import Origin
from .reporting import Ending, summarize
from .versions import versions

__all__ = ["run"]


def run(options: IndexOptions, progress: Progress) -> Summary:
    """Index what `options` ask for and publish it.

    Raises UsageError, SourceError or StoreError as its parts do, and CodequarryError when there were files and every
    one of them had to be set aside.
    """
    start = time.monotonic()
    # Whatever is wrong with the request is found before anything is written.
    check_removals(options, last_snapshot(options.out, needed=options.keep) if options.keep else None)
    progress.phase("list", count(len(options.requests), "source"))
    named = list_named(options)
    with open_store(options.out, wait=options.wait) as store:
        folder = store.staging("shards")
        last = None if options.fresh else last_snapshot(store.root, needed=options.keep)
        origins = with_kept(named, options, last)
        plans = plan(origins, options.cut)
        model = choose_model(options.model)
        tally = _extract(plans, model, folder, options, progress)
        _check_outcome(tally)
        progress.phase("merge", f"{count(tally.total, 'file')}, {count(tally.symbols, 'symbol')}")
        staged = store.staging("snapshot")
        merged = merge(_merge_sources(origins, plans, folder), staged, model, with_sources=options.with_sources)
        progress.phase("publish")
        manifest = _manifest(options, origins, merged, tally, model)
        if model.folder is not None and model.info.sha256 is not None:
            store.keep_encoder(model.folder, model.info.sha256)
        snapshot = store.publish(staged, manifest, local_folder({origin.name for origin in origins}, options))
    ending = Ending(snapshot=snapshot, manifest=manifest, last=last, seconds=time.monotonic() - start)
    return summarize(options, origins, tally, ending)


def _extract(plans: Sequence[ShardPlan], model: Model, folder: Path, options: IndexOptions, progress: Progress) -> Tally:
    total = sum(shard.size for shard in plans)
    files = sum(len(shard.entries) for shard in plans)
    progress.phase("extract", f"{count(files, 'file')}, {size(total)}", total)
    with WorkerPool(options.pool) as pool:
        pool.prepare(extract, list(map(blank, languages(plans))), options.extraction, model)
        return gather(plans, pool, model, folder, progress, jobs=options.jobs)


def _check_outcome(tally: Tally) -> None:
    if tally.total and len(tally.set_aside) == tally.total:
        first = tally.set_aside[0]
        what = f"{first.repo}:{first.path} is {first.reason}" + (", for example" if tally.total > 1 else "")
        raise CodequarryError(
            f"nothing was published, because not one of {count(tally.total, 'file')} could be read ({what})"
        )


def _merge_sources(origins: Sequence[Origin], plans: Sequence[ShardPlan], folder: Path) -> list[MergeSource]:
    shards = {origin.name: [read(shard_path(folder, p)) for p in plans if p.origin is origin] for origin in origins}
    return [MergeSource(repo=repo, shards=tuple(parts)) for repo, parts in shards.items()]


def _manifest(options: IndexOptions, origins: Sequence[Origin], merged: Merged, tally: Tally, model: Model) -> Manifest:
    return Manifest(
        versions=versions(),
        options=options.recorded(),
        sources=tuple(SourceInfo(repo=o.name, commit=o.commit, branch=o.branch, dirty=o.dirty) for o in origins),
        tables=merged.tables,
        statistics=merged.statistics,
        kinds=merged.kinds,
        languages=merged.languages,
        model=model.info,
        reproducible="timeout" not in tally.skipped,
    )
