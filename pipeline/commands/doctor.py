"""`codequarry doctor`: what a run needs, and what to do about what is missing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ...query.console import clean, write_json, write_lines
from ...schemas.errors import EXIT_OK, CodequarryError
from ._types import out_option

__all__ = ["doctor"]


@click.command()
@out_option("Store to look at.")
@click.option(
    "--cache", metavar="DIR", type=click.Path(path_type=Path), help="Cache to look at; the user's own if not given."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(out: Path, cache: Path | None, as_json: bool) -> int:
    """Check what codequarry needs here, and say what to do.

    Looks at the environment, grammars, workers, the model, the cache, and the store with its lock. Each line that is no `ok`
    says what to do; exit code 1 if there is a problem.
    """
    from ..doctor import examine

    findings = examine(out, cache)
    if as_json:
        write_json([asdict(finding) for finding in findings])
    else:
        write_lines(clean(f"{f.state:8} {f.about:12} {f.detail}{f': {f.remedy}' if f.remedy else ''}") for f in findings)
    return CodequarryError.exit_code if any(f.state == "problem" for f in findings) else EXIT_OK
