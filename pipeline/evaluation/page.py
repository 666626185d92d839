"""One static HTML page of the results of evaluations: charts, and below each the numbers they are drawn from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ...schemas.errors import UsageError
from .metrics import METRICS
from .plots import PALETTE, Mark, Span, bars, dots, lines, scatter
from .product import OURS

__all__ = ["Loaded", "load", "page"]

_ABLATION = "without "
_MISSES = 25
_SHAPES = ("circle", "square", "triangle", "diamond")
_COST_NAMES = {
    "index_cpu_s": "index, CPU s",
    "index_peak_mb": "index, peak MB",
    "store_bytes": "store, bytes",
    "cold_ms": "cold search, CPU ms",
    "warm_p50_ms": "warm search p50, CPU ms",
    "warm_p95_ms": "warm search p95, CPU ms",
    "warm_peak_mb": "warm process, peak MB",
}

_GROWTH = {"exponent": "its power (1 is in proportion)", "fixed": "fixed part", "per_1000": "more a thousand symbols"}

_STYLE = """
:root{color-scheme:light}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:#1c1c1c;background:#fff;max-width:780px;
  margin:0 auto;padding:24px 16px}
h1{font-size:24px;margin:0 0 4px}
h2{font-size:19px;margin:40px 0 4px;border-top:1px solid #ddd;padding-top:18px}
h3{font-size:15px;margin:24px 0 4px}
p{margin:4px 0 10px;color:#444}
svg{display:block;width:100%;height:auto;margin:8px 0}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#222}
table{border-collapse:collapse;font-size:13px;margin:8px 0 16px;width:100%}
th,td{padding:3px 8px;text-align:right;border-bottom:1px solid #eee}
th:first-child,td:first-child{text-align:left}
th{font-weight:600}
.wide{overflow-x:auto}
ul.legend{list-style:none;padding:0;margin:4px 0;display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px}
ul.legend span{display:inline-block;width:11px;height:11px;margin-right:6px}
details{margin:8px 0}
summary{cursor:pointer}
li{margin:2px 0}
"""


class Loaded(NamedTuple):
    """The JSON of one run under a title that no other has."""

    title: str
    value: dict[str, Any]


def load(files: Sequence[Path]) -> list[Loaded]:
    """Read the `--json` output of earlier runs; UsageError for anything else."""
    found: list[Loaded] = []
    for file in files:
        value = _read(file)
        title = _title(value)
        same = sum(other.title.partition(" #")[0] == title for other in found)
        found.append(Loaded(f"{title} #{same + 1}" if same else title, value))
    return found


def _read(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}): give the --json output of evaluate") from None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not ({"points", "growth"} <= set(value) or {"metrics", "intervals"} <= set(value)):
        raise UsageError(f"{file} is no evaluation: give the --json output of evaluate commits, queries, docs or speed")
    return value


def _title(value: Mapping[str, Any]) -> str:
    if value["suite"] == "speed":
        return "speed"
    repos = ", ".join(s["repo"] + (f"@{s['commit'][:7]}" if s["commit"] else "") for s in value["sources"])
    return f"{value['suite']} of {repos}"


def page(loaded: Sequence[Loaded]) -> str:
    """Return the page."""
    quality = [one for one in loaded if one.value["suite"] != "speed"]
    speeds = [one for one in loaded if one.value["suite"] == "speed"]
    body = [_overview(loaded)]
    if quality:
        body += [_quality(quality), _groups(quality), _against_cost(quality), _ablations(quality)]
    body += [_speed(one) for one in speeds]
    if quality:
        body.append(_misses(quality))
    inside = "\n".join(part for part in body if part)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Evaluation</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n<h1>Evaluation of retrieval</h1>\n{inside}\n</body></html>\n'


def _overview(loaded: Sequence[Loaded]) -> str:
    rows = [
        [one.title, str(one.value["queries"]), *(_figure(one.value["metrics"][OURS][m]) for m in METRICS)]
        for one in loaded
        if one.value["suite"] != "speed"
    ]
    told = "<p>All times are CPU. Intervals are 95 % bootstrap intervals over the questions.</p>"
    return told + (_table([f"{OURS}", "questions", *METRICS], rows) if rows else "")


def _quality(loaded: Sequence[Loaded]) -> str:
    parts = [
        "<h2>Quality by suite</h2>",
        "<p>Dots are means, lines their intervals. ndcg_10 is how well the first ten are "
        "ordered, mrr how soon the first right answer comes.</p>",
    ]
    for one in loaded:
        systems = _plain(one)
        parts.append(f"<h3>{escape(one.title)}: {one.value['queries']} questions</h3>")
        parts += [dots([_span(one, s, m, i) for i, s in enumerate(systems)], m) for m in ("ndcg_10", "mrr")]
        parts.append(_table(["system", *METRICS, "p50 ms", "p95 ms"], [_system_row(one, s) for s in systems]))
    return "\n".join(parts)


def _span(one: Loaded, system: str, metric: str, place: int) -> Span:
    low, high = one.value["intervals"][system][metric]
    return Span(system, one.value["metrics"][system][metric], low, high, PALETTE[place % len(PALETTE)])


def _system_row(one: Loaded, system: str) -> list[str]:
    taken = one.value["cost"]["query_ms"][system]
    return [
        system,
        *(_figure(one.value["metrics"][system][m]) for m in METRICS),
        f"{taken['p50']:.2f}",
        f"{taken['p95']:.2f}",
    ]


def _groups(loaded: Sequence[Loaded]) -> str:
    parts = []
    for one in loaded:
        for name, groups in one.value["groups"].items():
            if len(groups) < 2:
                continue
            rows = []
            for value, group in groups.items():
                low, high = group["intervals"][OURS]["ndcg_10"]
                rows.append(Span(f"{value} ({group['queries']})", group["metrics"][OURS]["ndcg_10"], low, high))
            parts.append(f"<h3>{escape(one.title)}, by {name}</h3>")
            parts.append(dots(rows, f"ndcg_10 of {OURS}"))
            cells = [[v, str(g["queries"]), *(_figure(g["metrics"][OURS][m]) for m in METRICS)] for v, g in groups.items()]
            parts.append(_table([name, "questions", *METRICS], cells))
    return "\n".join(["<h2>Quality by kind of question</h2>", *parts]) if parts else ""


def _against_cost(loaded: Sequence[Loaded]) -> str:
    marks = [
        _place(one, system, one.value["cost"]["query_ms"][system]["p50"], shape)
        for shape, one in enumerate(loaded)
        for system in _plain(one)
    ]
    parts = [
        "<h2>Quality against cost</h2>",
        "<p>Up is better, left is cheaper. Colours are systems, shapes are suites.</p>",
        scatter(marks, "CPU ms of a query (median)", "ndcg_10", log=True),
        _legend(dict.fromkeys(mark.series for mark in marks), loaded),
    ]
    indexed = [one for one in loaded if one.value["cost"]["index"]]
    if indexed:
        parts.append("<p>Grep needs no index; the other baselines read ours, so its cost is theirs.</p>")
        marks = [
            _place(one, system, 0.0 if system == "grep" else one.value["cost"]["index"]["cpu_s"], loaded.index(one))
            for one in indexed
            for system in _plain(one)
        ]
        parts.append(scatter(marks, "CPU s of the index", "ndcg_10", log=False))
    return "\n".join(parts)


def _place(one: Loaded, system: str, x: float, shape: int) -> Mark:
    y = one.value["metrics"][system]["ndcg_10"]
    return Mark(max(x, 1e-3) if x else x, y, system, shape, f"{system}, {one.title}: {y:.3f} at {x:.3g}")


def _legend(series: Iterable[str], loaded: Sequence[Loaded]) -> str:
    colours = "".join(
        f'<li><span style="background:{PALETTE[i % len(PALETTE)]}"></span>{escape(name)}</li>'
        for i, name in enumerate(series)
    )
    shapes = "".join(f"<li>{_SHAPES[i % len(_SHAPES)]}: {escape(one.title)}</li>" for i, one in enumerate(loaded))
    return f'<ul class="legend">{colours}</ul><ul class="legend">{shapes}</ul>'


def _ablations(loaded: Sequence[Loaded]) -> str:
    parts = []
    for one in loaded:
        found = {name: value["ndcg_10"] for name, value in one.value["differences"].items() if name.startswith(_ABLATION)}
        spans = [_change(name, value) for name, value in found.items() if value["low"] or value["high"]]
        idle = [name.removeprefix(_ABLATION) for name, value in found.items() if not (value["low"] or value["high"])]
        if spans:
            spans.sort(key=lambda span: (span.value, span.label))
            parts += [f"<h3>{escape(one.title)}</h3>", bars(spans, "change of ndcg_10 without the signal")]
        if idle:
            parts.append(f"<p>No answer changed without: {escape(', '.join(idle))}.</p>")
    told = "<p>What the ranking loses (left) or gains without one of its signals; grey bars have 0 in their interval.</p>"
    return "\n".join(["<h2>Each signal off</h2>", told, *parts]) if parts else ""


def _change(name: str, found: Mapping[str, float]) -> Span:
    colour = PALETTE[1] if found["high"] < 0 else PALETTE[2] if found["low"] > 0 else "#999999"
    return Span(name.removeprefix(_ABLATION), found["mean"], found["low"], found["high"], colour)


def _speed(one: Loaded) -> str:
    points = one.value["points"]
    parts = [
        "<h2>Cost against size</h2>",
        f"<p>{escape(one.title)}: both axes are logarithmic; real code is measured whole and in parts.</p>",
    ]
    for cost, name in _COST_NAMES.items():
        series = {
            kind: [(p["symbols"], p[cost]) for p in points if p["made_up"] is made_up and p["symbols"] and p[cost] > 0]
            for kind, made_up in (("real code", False), ("made-up code", True))
        }
        held = {kind: line for kind, line in series.items() if line}
        if held:
            parts += [f"<h3>{name}</h3>", lines(held, "symbols", name)]
    header = ["", "symbols", *_COST_NAMES.values()]
    rows = [[p["name"], str(p["symbols"]), *(f"{p[cost]:g}" for cost in _COST_NAMES)] for p in points]
    parts.append(_table(header, rows))
    for kind, costs in one.value["growth"].items():
        parts.append(f"<h3>Growth of {kind.replace('_', '-')} code with the number of symbols</h3>")
        rows = [[name, *(f"{costs[cost][part]:,.3f}" for part in _GROWTH)] for cost, name in _COST_NAMES.items()]
        parts.append(_table(["", *_GROWTH.values()], rows))
    return "\n".join(parts)


def _misses(loaded: Sequence[Loaded]) -> str:
    parts = []
    for one in loaded:
        missed = one.value["misses"]
        if missed:
            shown = "".join(_miss(miss) for miss in missed[:_MISSES])
            more = f"<li>and {len(missed) - _MISSES} more</li>" if len(missed) > _MISSES else ""
            parts.append(f"<details><summary>{escape(one.title)}: {len(missed)}</summary><ul>{shown}{more}</ul></details>")
    told = "<p>Questions with no right answer among the first ten.</p>"
    return "\n".join(["<h2>Missed</h2>", told, *parts]) if parts else ""


def _miss(miss: Mapping[str, Any]) -> str:
    return f"<li>{escape(miss['query'])} → {escape(', '.join(miss['gold']))}</li>"


def _plain(one: Loaded) -> list[str]:
    return [system for system in one.value["metrics"] if not system.startswith(_ABLATION)]


def _figure(value: float) -> str:
    return f"{value:.3f}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'
