"""`codequarry evaluate`: quality and cost of retrieval on repositories of the user's own."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...query.commands._options import json_option, store_option
from ...query.console import clean, write_json, write_lines

if TYPE_CHECKING:
    from ..evaluation.results import Evaluation

__all__ = ["evaluate"]

Command = TypeVar("Command", bound=Callable[..., Any])

_ablations = click.option(
    "--ablations/--no-ablations", default=True, help="Measure the ranking with each of its signals off, too."
)


def _read_gate(_: click.Context, __: click.Parameter, file: Path | None) -> dict[str, Any] | None:
    """Read the baseline while options are read: what is wrong with it is said before anything is measured."""
    from ..evaluation.gate import read_baseline

    return None if file is None else read_baseline(file)


def _gate(command: Command) -> Command:
    """Add --gate and --margin, which are handed on to `_present`."""
    margin = click.option(
        "--margin",
        type=click.FloatRange(min=0, min_open=True),
        default=10,
        show_default=True,
        metavar="PERCENT",
        help="How much a figure may fall before the gate says so.",
    )
    gate = click.option(
        "--gate",
        metavar="BASELINE.json",
        type=click.Path(path_type=Path),
        callback=_read_gate,
        help="Compare with the --json output of an earlier run; exit 1 if anything fell, and say what.",
    )
    return gate(margin(command))


@click.group()
def evaluate() -> None:
    """Measure retrieval on your own repositories.

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
@_gate
@json_option
def commits(repo: Path, rev: str, limit: int, subjects: str, ablations: bool, **present: Any) -> int:
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
        about = {"commit": held.base, "subjects": held.style, **held.counts}
        result = run("commits", store, held.questions, ablations=ablations, index_cost=spent, about=about, tell=_teller())
    return _present(result, **present)


@evaluate.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@store_option
@_ablations
@_gate
@json_option
def queries(file: Path, index: str, ablations: bool, **present: Any) -> int:
    """Ask the queries of a file, whose answers are judged there.

    FILE is a JSON array, or one object a line, of {"query", and "files" or "symbols": names with grades from 1}, and perhaps
    "id", "category" and "difficulty". The index that is asked is --index.
    """
    from ..evaluation.questions import read_questions
    from ..evaluation.running import evaluate as run

    return _present(run("queries", Path(index), read_questions(file), ablations=ablations, tell=_teller()), **present)


@evaluate.command()
@store_option
@click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True, metavar="N", help="Symbols to ask for.")
@_ablations
@_gate
@json_option
def docs(index: str, limit: int, ablations: bool, **present: Any) -> int:
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
        result = run("docs", store, questions, ablations=ablations, index_cost=spent, about=about, tell=_teller())
    return _present(result, **present)


@evaluate.command()
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option(
    "--symbols",
    type=click.IntRange(min=100),
    multiple=True,
    metavar="N",
    help="Measure made-up code with so many symbols; repeatable. Without SOURCE 1000, 4000 and 16000.",
)
@click.option(
    "--queries", type=click.IntRange(min=1), default=200, show_default=True, metavar="N", help="Warm queries, all different."
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Searches in a process of their own.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N", help="Worker processes of an index."
)
@json_option
def speed(sources: tuple[str, ...], symbols: tuple[int, ...], queries: int, runs: int, jobs: int, as_json: bool) -> None:
    """Measure what indexing and searching cost, and how that grows.

    Each SOURCE is indexed whole and in parts, chosen by the hash of paths; made-up code shows sizes that are not at hand.
    A cold search is a process of its own; warm ones are different queries, each asked once, after one that loads.
    """
    from itertools import chain

    from ..evaluation.speed import growth, measure, speed_lines, write_and_measure

    made_up = symbols or (() if sources else (1000, 4000, 16000))
    how = {"queries": queries, "runs": runs, "jobs": jobs}
    of_sources = (measure([source], Path(source).name or source, made_up=False, **how) for source in sources)
    points = list(chain.from_iterable(chain(of_sources, (write_and_measure(size, **how) for size in made_up))))
    if as_json:
        grown = {kind: {cost: found._asdict() for cost, found in costs.items()} for kind, costs in growth(points).items()}
        write_json({"format": 1, "suite": "speed", "points": [point.to_json() for point in points], "growth": grown})
    else:
        write_lines(map(clean, speed_lines(points)))


@evaluate.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    metavar="FILE.html",
    default="report.html",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Page to write.",
)
def report(files: tuple[Path, ...], out: Path) -> None:
    """Write one HTML page with plots from the --json output of earlier runs.

    FILE is what commits, queries, docs or speed printed with --json. The page needs no network.
    """
    from ..evaluation.page import load, page

    out.write_text(page(load(files)), "utf-8")
    write_lines([f"wrote {clean(str(out))}"])


def _teller() -> Callable[[str], None]:
    """Return what writes a plain line to stderr when another system is asked, one for all without a signal. No bar that
    moves: drawing it would count as CPU of the searches."""
    from ..progress import Lines, Quiet

    progress = Quiet() if sys.stderr is None else Lines(sys.stderr)
    ablations: list[str] = []

    def tell(system: str) -> None:
        if not system.startswith("without "):
            progress.phase("ask", system)
        elif not ablations:
            ablations.append(system)
            progress.phase("ask", "ours without each of its signals")

    return tell


def _present(result: Evaluation, as_json: bool, gate: dict[str, Any] | None, margin: float) -> int:
    """Print an evaluation, and hold it against an earlier one if there is one; return the exit code."""
    from ..evaluation.gate import judge
    from ..evaluation.telling import evaluation_lines

    value = result.to_json()
    verdict = None if gate is None else judge(gate, value, margin / 100)
    if as_json:
        write_json(value if verdict is None else {**value, "gate": verdict.to_json()})
    else:
        write_lines(evaluation_lines(result))
        write_lines(() if verdict is None else map(clean, verdict.lines()))
    return 1 if verdict is not None and verdict.fallen else 0
