"""`codequarry index`: from repositories to a published snapshot."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...query.console import clean, write_json, write_lines
from ...schemas.errors import EXIT_OK, StoreError, UsageError
from ._types import Size, out_option

if TYPE_CHECKING:
    from ..run import IndexOptions
    from ..sources import SourceRequest

__all__ = ["index"]

_MOST_BYTES = 1 << 30
"""Positions in a text are 32-bit numbers."""


_NO_THREADS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""Settings that keep OpenBLAS and Arrow from starting threads when they are loaded: workers are forks, and need none."""

_SELDOM = (50_000, 20, 20)
"""When the collector of cycles runs: as often as by default it would walk through all modules and columns again and again."""


@click.command()
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@out_option("Store to write to.")
@click.option(
    "--repos",
    metavar="FILE.toml",
    type=click.Path(path_type=Path),
    help="List of sources: [[repos]] tables with path, name, rev, include, exclude.",
)
@click.option("--rev", metavar="REV", help="Revision to index instead of the work tree.")
@click.option("--name", metavar="NAME", help="Name of the source in the index; the base name of SOURCE if not given.")
@click.option("--update", is_flag=True, help="Keep the sources of the last snapshot that are not given.")
@click.option("--remove", metavar="NAME", multiple=True, help="Drop this source of the last snapshot, and keep the others.")
@click.option(
    "--include", metavar="GLOB", multiple=True, help="Index only what matches, by the rules of .gitignore; may be repeated."
)
@click.option(
    "--exclude", metavar="GLOB", multiple=True, help="Leave out what matches, by the rules of .gitignore; may be repeated."
)
@click.option(
    "--max-file-size",
    metavar="SIZE",
    type=Size(_MOST_BYTES, "1 GB"),
    default="1MB",
    show_default=True,
    help="Skip larger files.",
)
@click.option("--tracked-only", is_flag=True, help="Leave out untracked files of git work trees.")
@click.option("--allow-secrets", is_flag=True, help="Index files that look like secrets.")
@click.option("--jobs", metavar="N", type=click.IntRange(1, 256), help="Worker processes; one a processor if not given.")
@click.option(
    "--memory-limit",
    metavar="SIZE",
    type=Size(),
    envvar="CODEQUARRY_MEMORY_LIMIT",
    help="Memory of all processes together, such as 2GB; three quarters of the machine's if not given.",
)
@click.option(
    "--executor",
    type=click.Choice(["local", "dask"]),
    help="What extracts: processes of this machine, or the workers of a Dask cluster; dask if --scheduler is given.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler, such as tcp://10.0.0.5:8786; $DASK_SCHEDULER_ADDRESS.")
@click.option(
    "--model",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Makes the vectors: auto (the embedded model), none, a model2vec folder, or the id of a hub's model.",
)
@click.option(
    "--adapt",
    is_flag=True,
    help="Fine-tune the embedded model on what is indexed and on the subjects of its commits; some seconds a repository.",
)
@click.option("--no-sources", is_flag=True, help="Store no texts: no snippets, and --update cannot keep these sources.")
@click.option(
    "--cache",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where facts of files are kept for later runs; $CODEQUARRY_CACHE or the user's cache folder if not given.",
)
@click.option("--extract-only", is_flag=True, help="Fill the cache, and publish nothing.")
@click.option("--fresh", is_flag=True, help="Take nothing from earlier runs.")
@click.option(
    "--wait",
    metavar="S",
    type=click.FloatRange(min=0),
    default=0,
    help="Seconds to wait for another run that writes to DIR.",
)
@click.option("--dry-run", is_flag=True, help="List what would be indexed and skipped, and write nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 instead of 3 when files were set aside.")
@click.option("--quiet", "-q", is_flag=True, help="Report neither progress nor the summary.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def index(**given: Any) -> int:
    """Index repositories into a published snapshot.

    SOURCE is a git work tree, a plain folder, a bare repository, or PATH@REV. The snapshot holds exactly the sources
    given, and with --update those of the last snapshot too. Nothing is published until all is done.
    """
    os.environ.update(_NO_THREADS)
    gc.set_threshold(*_SELDOM)
    options = _options(given)
    return _list(options, given) if given["dry_run"] else _run(options, given)


def _options(given: dict[str, Any]) -> IndexOptions:
    """Merge what was given with the list of repositories and the defaults."""
    from ..run import IndexOptions, Memory, default_jobs, default_memory
    from ..sources import ListingOptions

    _check(given)
    return IndexOptions(
        requests=tuple(_requests(given)),
        out=given["out"],
        listing=ListingOptions(
            max_file_size=given["max_file_size"],
            tracked_only=given["tracked_only"],
            allow_secrets=given["allow_secrets"],
            leave_out=(given["out"],),
        ),
        jobs=given["jobs"] or default_jobs(),
        memory=Memory(limit=given["memory_limit"]) if given["memory_limit"] else default_memory(),
        keep=given["update"] or bool(given["remove"]),
        remove=given["remove"],
        with_sources=not given["no_sources"],
        fresh=given["fresh"],
        wait=given["wait"],
        model=given["model"],
        adapt=given["adapt"],
        cache=None if given["dry_run"] else _cache(given["cache"], needed=given["extract_only"]),
        extract_only=given["extract_only"],
        scheduler=_scheduler(given["executor"], given["scheduler"]),
    )


def _check(given: dict[str, Any]) -> None:
    keeps = given["update"] or given["remove"]
    if given["fresh"] and keeps:
        raise UsageError("--fresh takes nothing from earlier runs, so --update and --remove cannot be given with it")
    if given["extract_only"] and keeps:
        raise UsageError("--extract-only touches no store, so --update and --remove cannot be given with it")
    if given["adapt"] and given["model"] != "auto":
        raise UsageError(f"--adapt fine-tunes the embedded model, so --model {given['model']} cannot be given with it")


def _scheduler(executor: str | None, address: str | None) -> str | None:
    """Return the address of a Dask scheduler, None to extract on this machine."""
    if executor == "local" and address is not None:
        raise UsageError("--executor local uses no scheduler: leave --scheduler out, or write --executor dask")
    if executor != "dask":
        return address
    address = address or os.environ.get("DASK_SCHEDULER_ADDRESS")
    if not address:
        raise UsageError("--executor dask needs --scheduler ADDRESS, or $DASK_SCHEDULER_ADDRESS")
    return address


def _cache(given: Path | None, *, needed: bool) -> Path | None:
    """Return the folder of the cache; one that nobody named is done without where it cannot be written."""
    from ..cache import cache_folder, open_folder

    try:
        return open_folder(cache_folder(given))
    except StoreError as error:
        if given is not None or needed:
            raise
        click.echo(f"warning: {clean(str(error))}", err=True)
        return None


def _requests(given: dict[str, Any]) -> Iterator[SourceRequest]:
    from ..sources import load_repos, parse_source

    sources: Sequence[str] = given["sources"]
    if not (sources or given["repos"] or given["remove"]):
        raise UsageError("nothing to index was given: name a folder or a git repository, or a list of them with --repos")
    if given["name"] is not None and len(sources) != 1:
        raise UsageError(f"--name names one source, and {len(sources)} are given: use --repos FILE.toml to name several")
    if given["rev"] is not None and not sources:
        raise UsageError("--rev is for a SOURCE on the command line: write rev in the list of repositories")
    for source in sources:
        yield parse_source(source, given["rev"], given["name"], given["include"], given["exclude"])
    for request in load_repos(given["repos"]) if given["repos"] else ():
        include = given["include"] or request.include
        yield replace(request, include=include, exclude=(*request.exclude, *given["exclude"]))


def _run(options: IndexOptions, given: dict[str, Any]) -> int:
    from ..progress import progress_for
    from ..run import run, stopped_by_signal

    with stopped_by_signal() as stop, progress_for(sys.stderr, quiet=given["quiet"]) as progress:
        summary = run(options, progress, stop)
    for warning in summary.warnings:
        click.echo(f"warning: {clean(warning)}", err=True)
    if given["as_json"]:
        write_json(summary.to_json())
    elif not given["quiet"]:
        write_lines(summary.lines())
    return EXIT_OK if given["exit_zero"] else summary.exit_code


def _list(options: IndexOptions, given: dict[str, Any]) -> int:
    from ..run import plan_only

    planned = plan_only(options)
    if given["as_json"]:
        write_json(planned.to_json())
    else:
        write_lines(planned.lines())
    return EXIT_OK
