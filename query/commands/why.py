"""`codequarry why`: the trace behind one symbol's rank, also of one that is not in the list."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..console import clean, write_json, write_lines
from ..text import place_line
from ._options import filter_options, json_option, store_option
from ._symbols import ambiguous

if TYPE_CHECKING:
    from ..why import Explanation

__all__ = ["why"]


@click.command()
@click.argument("query", metavar="QUERY")
@click.argument("symbol", metavar="SYMBOL")
@click.option(
    "-k", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="Rows that the search shows."
)
@filter_options
@store_option
@json_option
def why(query: str, symbol: str, index: str, as_json: bool, k: int, **filters: Any) -> None:
    """Show why a symbol ranks where it does, or not at all.

    SYMBOL is a key, a qualified name (or its last parts), PATH:LINE or a path; give the options that the search had. An
    ambiguous SYMBOL lists its candidates.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded
    from .. import open_index

    with open_index(index, resident=False) as opened, ambiguous(as_json=as_json):
        found = opened.why(query, symbol, k, **filters)
    if as_json:
        write_json(found.to_json())
    else:
        write_lines(_lines(found))


def _lines(found: Explanation) -> Iterator[str]:
    yield place_line(found.symbol)
    yield f"{found.outcome}: {clean(found.reason)}"
    if found.score is not None and found.parts:
        yield from _score_lines(found)
    yield from _word_lines(found)
    for seed in found.seeds:
        yield _fact("seed", f"{_ORIGINS.get(seed['origin'], seed['origin'])} {seed['score']:.3f}, place {seed['rank']:,}")
    for step in found.arrivals:
        steps = "1 step" if step["steps"] == 1 else f"{step['steps']} steps"
        yield _fact("graph", f"{steps}, most over `{step['kind']}` from {clean(step['from'])} ({step['evidence']})")
    yield from _query_lines(found)


_ORIGINS = {"bm25f": "BM25F", "meaning": "meaning"}


def _score_lines(found: Explanation) -> Iterator[str]:
    for part in found.parts:
        yield f"  {part.amount:+8.4f}  {part.name:<14} {part.meaning}".rstrip()
    yield f"  {found.score:8.4f}  in all"
    first = found.first
    if first is not None and first["key"] != found.symbol.key:
        yield f"  {first['score']:8.4f}  has the first row, {clean(first['key'])}; it gains most by {_advantage(found)}"


def _advantage(found: Explanation) -> str:
    """Name the parts by which the first row is ahead most."""
    own = {part.name: part.amount for part in found.parts}
    ahead = {name: amount - own.pop(name, 0.0) for name, amount in (found.first or {"terms": {}})["terms"].items()}
    ahead |= {name: -amount for name, amount in own.items()}
    leading = sorted((name for name in ahead if ahead[name] > 0), key=lambda name: (-ahead[name], name))[:3]
    return ", ".join(f"{name} ({ahead[name]:+.3f})" for name in leading) or "nothing: its place in the order"


def _word_lines(found: Explanation) -> Iterator[str]:
    for word in found.words:
        places = " and ".join(word["in"]) or "nowhere"
        yield _fact("word", f"{clean(word['term'])}: {places} (in {word['symbols']:,} of the index)")


def _query_lines(found: Explanation) -> Iterator[str]:
    trace, sure = found.trace, found.trace["confidence"]
    meaning = " and meaning" if found.mode != "lexical" else ""
    yield _fact("query", f"family {found.family}, ranked by words{meaning}, {trace['candidates']:,} candidates")
    if sure["lead"] is not None:
        yield _fact(
            "sure",
            f"the first seed leads by {sure['lead']:.2f}, the words are {sure['specificity']:.2f} specific, "
            f"files decide {sure['file_share']:.0%} of the order",
        )
    for gate in (*trace["gates"], *found.gates):
        verdict = "passed" if gate["passed"] else "not passed"
        yield _fact("gate", f"{gate['gate']} {gate['value']:.2f} against {gate['threshold']:g}: {verdict}")
    if trace["locked"]:
        yield _fact("lock", "the first seed was kept first")


def _fact(what: str, text: str) -> str:
    return f"{what:<6} {text}"
