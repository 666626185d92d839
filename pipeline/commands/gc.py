"""`codequarry gc`: remove old snapshots, and what the cache no longer needs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ...query.console import clean, write_json, write_lines
from ...schemas import layout
from ...schemas.errors import StoreError
from ._types import Duration, Size, out_option

__all__ = ["gc"]


@click.command()
@out_option("Store to clean.")
@click.option("--keep", metavar="N", type=click.IntRange(min=1), required=True, help="Keep the N newest snapshots.")
@click.option(
    "--grace",
    metavar="DURATION",
    type=Duration(),
    default="1h",
    show_default=True,
    help="Keep what was published within this time: a reader may have it open (90s, 30m, 12h, 7d).",
)
@click.option("--cache", metavar="DIR", type=click.Path(path_type=Path), help="Prune this cache too.")
@click.option(
    "--cache-age", metavar="DURATION", type=Duration(), default="30d", show_default=True, help="Unused for longer goes."
)
@click.option(
    "--cache-size", metavar="SIZE", type=Size(), default="4GB", show_default=True, help="Above, the least used goes."
)
@click.option(
    "--wait", metavar="S", type=click.FloatRange(min=0), default=0, help="Seconds to wait for a run that writes to DIR."
)
@click.option("--dry-run", is_flag=True, help="Say what would go, and remove nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def gc(
    out: Path,
    keep: int,
    grace: float,
    cache: Path | None,
    cache_age: float,
    cache_size: int,
    wait: float,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Remove old snapshots, and what the cache no longer needs.

    The live snapshot, the newest ones and those published within the grace stay. Models that no snapshot needs any more go,
    and with --cache what the cache holds too long or too much of.
    """
    from ...query.text import count, size
    from ..cache import prune
    from ..collecting import collect
    from ..publish import open_store

    if not (out / layout.LATEST).exists():
        raise StoreError(f"{out} is not a store with a snapshot: name one with --out DIR")
    with open_store(out, wait=wait) as store:
        done = collect(store, keep=keep, grace=grace, dry_run=dry_run)
    pruned = prune(cache, most_bytes=cache_size, most_seconds=cache_age) if cache is not None and not dry_run else None
    if as_json:
        write_json({**asdict(done), "cache": pruned._asdict() if pruned else None})
        return
    verb = "would remove" if dry_run else "removed"
    stay = "1 stays" if len(done.kept) == 1 else f"{len(done.kept)} stay"
    lines = [f"{verb} {count(len(done.removed), 'snapshot')}, {size(done.bytes)}: {stay} in {clean(str(out))}"]
    lines += [f"  snapshot  {name}" for name in done.removed] + [f"  model     {name}" for name in done.encoders]
    if pruned:
        lines.append(
            f"removed {count(pruned.removed, 'file')} of the cache, {size(pruned.removed_bytes)}: {size(pruned.kept_bytes)} stay"
        )
    write_lines(lines)
