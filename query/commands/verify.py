"""`codequarry verify`: every byte of a snapshot against its manifest."""

from __future__ import annotations

import click

from ..console import write_lines
from ..text import count, size
from ._options import store_option

__all__ = ["verify"]


@click.command()
@store_option
def verify(index: str) -> None:
    """Check every file of a snapshot.

    Names, sizes and sha256 are compared with the manifest, the manifest with the name of the snapshot; then rows and ids
    are looked at. Exit code 4 names every file that is wrong.
    """
    from ..verify import verify as check

    report = check(index)
    report.raise_if_damaged()
    checked = f"{count(report.files, 'file')}, {size(report.bytes)}, {count(report.rows, 'row')}"
    write_lines([f"snapshot {report.snapshot} is whole: {checked}"])
