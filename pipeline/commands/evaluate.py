"""`codequarry evaluate`: quality and cost of retrieval on repositories of the user's own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...query.commands._options import json_option, store_option
from ...query.console import write_json, write_lines

if TYPE_CHECKING:
    from ..evaluation.results import Evaluation

__all__ = ["evaluate"]

_ablations = click.option(
    "--ablations/--no-ablations", default=True, help="Measure the ranking with each of its signals off, too."
)


@click.group()
def evaluate() -> None:
    """Measure retrieval on your own code.

    Every figure is that of the shipped ranking beside those of substring grep, plain BM25, BM25 with a walk over the graph,
    meaning alone, and the ranking with one signal off, with 95 % bootstrap intervals over the queries.
    """
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is loaded: CPU times are compared


@evaluate.command()
@click.argument("repo", metavar="REPO", type=click.Path(path_type=Path))
@click.option("--rev", default="HEAD", show_default=True, metavar="REV", help="The history ends here.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=120, show_default=True, metavar="N", help="Newest commits to ask."
)
@click.option(
    "--subjects",
    type=click.Choice(["auto", "conventional", "any"]),
    default="auto",
    show_default=True,
    help="Which subjects are queries; auto takes any where less than 30 % are conventional (`fix: ...`).",
)
@_ablations
@json_option
def commits(repo: Path, rev: str, limit: int, subjects: str, ablations: bool, as_json: bool) -> int:
    """Ask the subjects of past commits, and look for the files they changed.

    The usable commits of REPO are taken in the order of time and the latest third is held out; the state before the
    earliest of them is indexed, in a temporary folder. A subject is asked without its type, scope and issue numbers.
    """
    from ..evaluation.building import build
    from ..evaluation.history import Rule, hold_out, open_history
    from ..evaluation.running import evaluate as run

    place = open_history(repo)
    held = hold_out(place, rev, Rule(style=subjects, limit=limit))
    with tempfile.TemporaryDirectory(prefix="codequarry-evaluate-") as folder:
        store = Path(folder, "store")
        spent = build([str(repo), "--rev", held.base], store)
        about = {"commit": held.base, **held.counts}
        result = run("commits", store, held.questions, ablations=ablations, index_cost=spent, about=about)
    return _present(result, as_json)


@evaluate.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@store_option
@_ablations
@json_option
def queries(file: Path, index: str, ablations: bool, as_json: bool) -> int:
    """Ask the queries of a file, whose answers are judged there.

    FILE is a JSON array, or one object a line, of {"query", and "files" or "symbols": names with grades from 1}, and perhaps
    "id", "category" and "difficulty". The index that is asked is --index.
    """
    from ..evaluation.questions import read_questions
    from ..evaluation.running import evaluate as run

    return _present(run("queries", Path(index), read_questions(file), ablations=ablations), as_json)


@evaluate.command()
@store_option
@click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True, metavar="N", help="Symbols to ask for.")
@_ablations
@json_option
def docs(index: str, limit: int, ablations: bool, as_json: bool) -> int:
    """Ask for symbols by the first sentence of their documentation.

    The texts in --index are indexed again, in a temporary folder and without the documentation of symbols, so that the code
    has to answer. Symbols are chosen by the hash of their keys.
    """
    from ...query.store import open_snapshot
    from ...schemas.errors import StoreError
    from ..evaluation.building import build
    from ..evaluation.running import evaluate as run
    from ..evaluation.summaries import ask_summaries, documented, write_sources

    snapshot = open_snapshot(index)
    symbols, sources = documented(snapshot)
    questions = ask_summaries(symbols, limit)
    if not questions:
        raise StoreError(f"{index} has no symbol with a sentence of documentation to ask: evaluate another index")
    with tempfile.TemporaryDirectory(prefix="codequarry-evaluate-") as folder:
        store = Path(folder, "store")
        spent = build(["--repos", str(write_sources(symbols, sources, Path(folder, "texts")))], store)
        about = {"documented": len(symbols), "of": snapshot.id}
        result = run("docs", store, questions, ablations=ablations, index_cost=spent, about=about)
    return _present(result, as_json)


def _present(result: Evaluation, as_json: bool) -> int:
    from ..evaluation.telling import evaluation_lines

    if as_json:
        write_json(result.to_json())
    else:
        write_lines(evaluation_lines(result))
    return 0
