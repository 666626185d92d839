"""The report page says what the JSON says, and needs nothing from anywhere."""

from __future__ import annotations

import contextlib
import html.parser
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.evaluation.page import load, page
from codequarry.query.cli import run
from codequarry.schemas.errors import UsageError

METRICS = ("mrr", "ndcg_10", "recall_5", "recall_10")


class Tables(html.parser.HTMLParser):
    """Collects the cells of every table, rows without the header's."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = self._in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.tables[-1][-1][-1] += data


@pytest.fixture(scope="module")
def evaluated(store: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The JSON of an evaluation of three questions, of which one is missed."""
    folder = tmp_path_factory.mktemp("page")
    asked = [
        {"query": "open_cart", "symbols": ["open_cart"], "category": "exact"},
        {"query": "blank lines of a lexer", "files": ["lexer.py"], "category": "words"},
        {"query": "zzz <b>", "files": ["cart.py"], "category": "words"},
    ]
    (folder / "asked.json").write_text(json.dumps(asked))
    capture = request.getfixturevalue("capture_stdout")
    value = json.loads(capture(["evaluate", "queries", str(folder / "asked.json"), "--index", str(store), "--json"]))
    for place, name in enumerate(("without overlap", "without pin")):  # three questions show no signal's worth
        value["differences"][name]["ndcg_10"] = {"mean": 0.02 * place - 0.1, "low": -0.2, "high": -0.05}
    (folder / "result.json").write_text(json.dumps(value))
    return folder / "result.json"


@pytest.fixture(scope="module")
def capture_stdout() -> Callable[[list[str]], str]:
    """Run a command and return what it printed; `capsys` serves one test only."""

    def captured(arguments: list[str]) -> str:
        buffer = io.BytesIO()
        stream = io.TextIOWrapper(buffer, encoding="utf-8", write_through=True)
        with contextlib.redirect_stdout(stream):
            assert run(arguments) == 0
        return buffer.getvalue().decode()

    return captured


def speed() -> dict[str, Any]:
    costs = ("index_cpu_s", "index_peak_mb", "store_bytes", "cold_ms", "warm_p50_ms", "warm_p95_ms", "warm_peak_mb")

    def point(name: str, symbols: int, made_up: bool) -> dict[str, Any]:
        return {"name": name, "symbols": symbols, "made_up": made_up, **dict.fromkeys(costs, symbols / 100)}

    growth = {"exponent": 1.0, "fixed": 0.25, "per_1000": 10.0}
    points = [point("shop", 100, False), point("made up 400", 400, True), point("made up 1600", 1600, True)]
    return {"format": 1, "suite": "speed", "points": points, "growth": {"made_up": dict.fromkeys(costs, growth)}}


def test_numbers_of_the_page_are_those_of_the_json(evaluated: Path) -> None:
    value = json.loads(evaluated.read_text())
    text = page(load([evaluated]))
    parser = Tables()
    parser.feed(text)
    by_head = {tuple(table[0]): table[1:] for table in parser.tables}
    rows = {row[0]: row[1:] for row in by_head["system", *METRICS, "p50 ms", "p95 ms"]}
    plain = {name: figures for name, figures in value["metrics"].items() if not name.startswith("without")}
    assert {name: row[:4] for name, row in rows.items()} == {
        name: [f"{figures[m]:.3f}" for m in METRICS] for name, figures in plain.items()
    }
    groups = {row[0]: row[1:] for row in by_head["category", "questions", *METRICS]}
    assert groups["exact"][:2] == ["1", f"{value['groups']['category']['exact']['metrics']['codequarry']['mrr']:.3f}"]
    drawn = [float(found) for found in re.findall(r'data-value="([^"]+)"', text)]
    wanted = [figures[m] for m in ("ndcg_10", "mrr") for figures in plain.values()]
    assert drawn[: len(wanted)] == pytest.approx(wanted, abs=1e-6)
    without = [found["ndcg_10"] for name, found in value["differences"].items() if name.startswith("without")]
    changes = sorted(found["mean"] for found in without if found["low"] or found["high"])
    assert changes
    assert drawn[-len(changes) :] == pytest.approx(changes, abs=1e-6)


def test_the_page_stands_alone_and_holds_no_markup_of_others(evaluated: Path) -> None:
    text = page(load([evaluated]))
    assert "<script" not in text
    assert re.findall(r'(?:src|href)="', text) == []
    assert [u for u in re.findall(r"https?://[^\"']+", text) if u != "http://www.w3.org/2000/svg"] == []
    assert "zzz &lt;b&gt;" in text
    assert "zzz <b>" not in text


def test_speed_is_drawn_against_size(tmp_path: Path) -> None:
    file = tmp_path / "speed.json"
    file.write_text(json.dumps(speed()))
    text = page(load([file]))
    assert text.count("<svg") == 7
    drawn = [float(found) for found in re.findall(r'data-value="([^"]+)"', text)]
    assert drawn[:3] == [1.0, 4.0, 16.0]
    assert "Quality" not in text
    assert "<td>1.000</td><td>0.250</td><td>10.000</td>" in text


def test_two_runs_of_one_suite_have_different_titles(evaluated: Path) -> None:
    first, second = (one.title for one in load([evaluated, evaluated]))
    assert re.fullmatch(r"queries of shop@[0-9a-f]{7}", first)
    assert second == f"{first} #2"


def test_what_is_no_evaluation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load([tmp_path / "gone.json"])
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(UsageError, match="is no evaluation"):
        load([tmp_path / "list.json"])


def test_the_command_writes_the_page(evaluated: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert run(["evaluate", "report", str(evaluated), "--out", str(out)]) == 0
    assert out.read_text("utf-8") == page(load([evaluated]))


def test_index_time_is_drawn_where_there_was_an_index_to_build(evaluated: Path, tmp_path: Path) -> None:
    value = json.loads(evaluated.read_text())
    assert "CPU s of the index" not in page(load([evaluated]))
    value["cost"]["index"] = {"cpu_s": 2.5, "wall_s": 3.0, "peak_mb": 100.0}
    file = tmp_path / "built.json"
    file.write_text(json.dumps(value))
    text = page(load([file]))
    assert "CPU s of the index" in text
    assert re.search(r"<title>grep, [^<]* at 0</title>", text)
    assert re.search(r"<title>codequarry, [^<]* at 2.5</title>", text)


def test_only_so_many_misses_are_listed(evaluated: Path, tmp_path: Path) -> None:
    value = json.loads(evaluated.read_text())
    value["misses"] = [{"query": f"question {i}", "gold": ["a.py"], "top": []} for i in range(30)]
    file = tmp_path / "missed.json"
    file.write_text(json.dumps(value))
    text = page(load([file]))
    assert "question 24" in text
    assert "question 25" not in text
    assert "and 5 more" in text
