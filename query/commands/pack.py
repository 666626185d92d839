"""`codequarry pack`: a snapshot as one file."""

from __future__ import annotations

from pathlib import Path

import click

from ..console import clean, write_lines
from ._options import store_option

__all__ = ["pack"]


@click.command()
@click.argument("file", metavar="FILE.tar", type=click.Path(path_type=Path))
@store_option
@click.option("--force", is_flag=True, help="Replace FILE.tar if it exists.")
def pack(file: Path, index: str, force: bool) -> None:
    """Write a snapshot into one tar file.

    It is the live one of the store, and opens as a store of its own. Prints the sha256 of the file; equal snapshots make
    equal files. Every part is checked on the way.
    """
    from .. import archive
    from ..store import open_snapshot

    digest = archive.pack(open_snapshot(index), file, force=force)
    write_lines([f"{digest}  {clean(str(file))}"])
