"""An index run from sources to a published snapshot: list, extract, merge, publish."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ...query.text import count, size
from ...schemas import layout
from ...schemas.errors import CodequarryError
from ...schemas.manifest import Manifest, SourceInfo
from ..cache import VALUES, FactsCache, Values, prune
from ..merge import Apart, Merged, MergeSource, merge
from ..pool import WorkerPool
from ..progress import Progress
from ..publish import Store, open_store
from ..receipts import Parts
from ..shards import read
from ..summary import Summary
from ..vectors import NO_MODEL, Model, choose_model
from ..worker import blank, extract
from .adapting import History, adapted_model, history_digest, read_history
from .batches import ShardPlan, languages, plan
from .changes import Files
from .gathering import Work, gather, shard_path
from .inputs import inputs_digest, listed
from .listing import check_removals, last_snapshot, list_named, with_kept
from .naming import local_folder
from .options import IndexOptions
from .origins import Origin
from .reporting import Ending, summarize
from .reuse import facts_cache, identified, look_up
from .stopping import Stop
from .tally import Tally
from .versions import versions

__all__ = ["run"]


def run(options: IndexOptions, progress: Progress, stop: Stop | None = None) -> Summary:
    """Index what `options` ask for and publish it, unless what is live was made from the same.

    Raises UsageError, SourceError or StoreError as its parts do, CodequarryError when there were files and every one of
    them had to be set aside, and InterruptedRunError when `stop` is requested.
    """
    start, stop = time.monotonic(), stop or Stop()
    # Whatever is wrong with the request is found before anything is written.
    check_removals(options, last_snapshot(options.out, needed=options.keep) if options.keep else None)
    progress.phase("list", count(len(options.requests), "source"))
    named = list_named(options)
    model = choose_model(options.model)
    if options.extract_only:
        tally = _extract(_prepared(named, options, model), None, options, progress, stop)
        _check_outcome(tally)
        return summarize(options, named, tally, Ending(seconds=time.monotonic() - start))
    with open_store(options.out, wait=options.wait) as store:
        last = None if options.fresh else last_snapshot(store.root, needed=options.keep)
        job = _prepared(with_kept(named, options, last), options, model)
        local = local_folder({origin.name for origin in job.origins}, options)
        if last is not None and store.is_made_from(job.inputs) and _has_model(store, job, last.manifest):
            tally = Tally([origin.name for origin in job.origins])
            tally.add_snapshot(last)
            store.point_to(last.id, local, job.inputs)
            ending = Ending(snapshot=last.id, manifest=last.manifest, last=last, seconds=time.monotonic() - start)
        else:
            tally, snapshot, manifest = _published(store, job, local, options, progress, stop)
            ending = Ending(
                snapshot=snapshot, manifest=manifest, last=last, published=True, seconds=time.monotonic() - start
            )
    if options.cache is not None:
        prune(options.cache)
    return summarize(options, job.origins, tally, ending)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What a run has before it: the origins cut into shards, the model, the cache, and the digest of its inputs.

    With a `history`, the model is adapted before it makes vectors, and facts are extracted without one.
    """

    origins: Sequence[Origin]
    plans: Sequence[ShardPlan]
    model: Model
    cache: FactsCache | None
    inputs: str | None
    history: History | None

    @property
    def extracting(self) -> Model:
        """The model of the workers that extract."""
        return self.model if self.history is None else NO_MODEL

    def digest(self, options: IndexOptions, files: Files) -> str | None:
        """Return the digest of the inputs with `files` in these states."""
        history = None if self.history is None else history_digest(self.history)
        return inputs_digest(options, self.origins, files, self.model, history)


def _prepared(origins: Sequence[Origin], options: IndexOptions, model: Model) -> _Job:
    here = options.workers if options.scheduler is None else 0
    plans = plan(origins, options.memory.cut(options.cut, max(here, 1), here))
    adapting = options.adapt and model.folder is not None
    history = read_history(() if options.extract_only else origins) if adapting else None
    job = _Job(origins=origins, plans=plans, model=model, cache=None, inputs=None, history=history)
    cache = facts_cache(options, job.extracting)
    live = not options.fresh and (options.out / layout.LATEST).exists()
    if live or cache:  # else nothing is known of any file, and none is read before its turn
        entries = {origin.name: identified(origin) for origin in origins}
        inputs = job.digest(options, {name: listed(of) for name, of in entries.items()})
        job = replace(job, inputs=inputs, plans=look_up(plans, entries, cache) if cache else plans)
    return replace(job, cache=cache)


def _published(
    store: Store, job: _Job, local: str | None, options: IndexOptions, progress: Progress, stop: Stop
) -> tuple[Tally, str, Manifest]:
    folder = store.staging("shards")
    tally = _extract(job, folder, options, progress, stop, Parts.at(store.staging("parts")))
    _check_outcome(tally)
    model = _made(store, job, folder, options, progress)
    progress.phase("merge", f"{count(tally.total, 'file')}, {count(tally.symbols, 'symbol')}")
    staged = store.staging("snapshot")
    links = Values(options.cache / VALUES) if options.cache is not None and not options.fresh else None
    apart = Apart(folder=store.staging("links"), workers=options.workers, memory=options.memory.linking)
    sources = _merge_sources(job, folder)
    merged = merge(sources, staged, model, with_sources=options.with_sources, kept=links, apart=apart)
    with stop.deferred():
        progress.phase("publish")
        manifest = _manifest(options, job.origins, merged, tally, model)
        _keep_model(store, model)
        return tally, store.publish(staged, manifest, local, job.digest(options, tally.files)), manifest


def _made(store: Store, job: _Job, folder: Path, options: IndexOptions, progress: Progress) -> Model:
    """Return the model that the vectors of the shards are by, or are given by now."""
    if job.history is None:
        return job.model
    progress.phase("adapt", f"the model, with {count(sum(map(len, job.history.values())), 'commit')}")
    shards = {o.name: [shard_path(folder, p) for p in job.plans if p.origin is o] for o in job.origins}
    return adapted_model(shards, job.history, store.staging("model"), options)


def _has_model(store: Store, job: _Job, manifest: Manifest) -> bool:
    """Say whether the store holds the model of its live snapshot; one that needs no training is put there."""
    if job.history is None:
        _keep_model(store, job.model)
        return True
    return manifest.model.sha256 is not None and store.holds_encoder(manifest.model.sha256)


def _keep_model(store: Store, model: Model) -> None:
    if model.folder is not None and model.info.sha256 is not None:
        store.keep_encoder(model.folder, model.info.sha256)


def _extract(
    job: _Job, folder: Path | None, options: IndexOptions, progress: Progress, stop: Stop, parts: Parts | None = None
) -> Tally:
    total = sum(shard.size for shard in job.plans)
    files = sum(len(shard.entries) for shard in job.plans)
    known = sum(one is not None for shard in job.plans for one in shard.known)
    again = f"{known:,} of them known from earlier runs, {size(total)} to read" if known else size(total)
    progress.phase("extract", f"{count(files, 'file')}, {again}", total)
    with stop.deferred(), _workers(job, options) as (pool, jobs):
        ahead = options.memory.ahead(jobs, 0 if options.scheduler is not None else jobs)
        work = Work(
            model=job.extracting,
            folder=folder,
            jobs=jobs,
            ahead=ahead,
            parts=parts,
            cache=job.cache,
            progress=progress,
            stop=stop,
        )
        return gather(job.plans, pool, work)


@contextmanager
def _workers(job: _Job, options: IndexOptions) -> Iterator[tuple[Executor, int]]:
    """Start workers, or find those of a cluster, and say how many; if nothing must be parsed, no process is started."""
    if all(shard.entries[i].reason for shard in job.plans for i in shard.missing):
        yield Executor(), options.workers  # which runs nothing
        return
    if options.scheduler is not None:
        from ..dask_pool import DaskPool

        with DaskPool(options.scheduler, options.pool) as cluster:
            yield cluster, cluster.workers
        return
    with WorkerPool(options.pool) as pool:
        pool.prepare(extract, list(map(blank, languages(job.plans))), options.extraction, job.extracting)
        yield pool, options.workers


def _check_outcome(tally: Tally) -> None:
    if tally.total and len(tally.set_aside) == tally.total:
        first = tally.set_aside[0]
        what = f"{first.repo}:{first.path} is {first.reason}" + (", for example" if tally.total > 1 else "")
        raise CodequarryError(
            f"nothing was published, because not one of {count(tally.total, 'file')} could be read ({what})"
        )


def _merge_sources(job: _Job, folder: Path) -> list[MergeSource]:
    shards = {o.name: [read(shard_path(folder, p)) for p in job.plans if p.origin is o] for o in job.origins}
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
