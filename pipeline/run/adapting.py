"""Between extraction and merge: adapt the model to all that is indexed, and give the shards their vectors by it.

Facts are extracted without a model, so they serve whatever the model becomes. One child learns from all shards, and ends with
the memory that it took; then several give shards their vectors.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...schemas.errors import UsageError
from ..adapt import Subject, adapt, embed, subjects
from ..pool import PoolLimits, WorkerLostError, WorkerPool
from ..vectors import Model
from .options import IndexOptions
from .origins import Origin

__all__ = ["History", "adapted_model", "history_digest", "read_history"]

_CPU_SECONDS = 24 * 3600.0

History = Mapping[str, Sequence[Subject]]
"""What the commits of each source say, by its name."""


def read_history(origins: Sequence[Origin]) -> History:
    """Return what the commits of each source say that are in the indexed one: of a source that is kept, or without git, nothing."""
    return {o.name: subjects(o.place, o.commit) if o.place and o.commit else () for o in origins}


def history_digest(history: History) -> str:
    """Return a hex digest of what commits say."""
    return hashlib.sha256(json.dumps(sorted(history.items())).encode()).hexdigest()


def adapted_model(shards: Mapping[str, Sequence[Path]], history: History, folder: Path, options: IndexOptions) -> Model:
    """Make the model in `folder` from the shards of each source, whose files then have vectors by it.

    Raises UsageError where the memory of the run is too little for it.
    """
    workers = max(1, min(options.workers, sum(map(len, shards.values()))))
    limits = PoolLimits(workers=workers, cpu_seconds=_CPU_SECONDS, memory_bytes=options.memory.linking)
    sources = [(paths, history.get(repo, ())) for repo, paths in shards.items()]
    with WorkerPool(limits) as pool:
        try:
            model = pool.submit(adapt, sources, folder).result()
            for done in [pool.submit(embed, path, folder) for paths in shards.values() for path in paths]:
                done.result()
        except WorkerLostError as loss:
            raise UsageError(
                f"the model cannot be adapted within the memory of this run ({loss}): give a larger --memory-limit, "
                "or index without --adapt"
            ) from None
    return model
