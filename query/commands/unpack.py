"""`codequarry unpack`: a store from one file."""

from __future__ import annotations

from pathlib import Path

import click

from ..console import clean, write_lines

__all__ = ["unpack"]


@click.command()
@click.argument("file", metavar="FILE.tar", type=click.Path(path_type=Path))
@click.option(
    "--out",
    metavar="DIR",
    default="artifacts",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder to make the store in; it must not exist yet, or be empty.",
)
def unpack(file: Path, out: Path) -> None:
    """Make a store of a packed snapshot.

    Nothing is written before its name has been checked, and the store appears only when every file has the sha256 that
    the manifest records.
    """
    from .. import archive

    snapshot = archive.unpack(file, out)
    write_lines([f"{clean(str(out))}: snapshot {snapshot.id}"])
