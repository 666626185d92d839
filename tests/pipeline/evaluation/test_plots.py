"""Charts: what they draw and where; whatever the values, nothing leaves the picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from codequarry.pipeline.evaluation.plots import WIDTH, Mark, Span, bars, dots, lines, scatter
from hypothesis import given
from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"
UNIT = st.floats(0, 1)
LABELS = st.text(max_size=60).filter(str.isprintable)


def span(label: str, values: tuple[float, float, float]) -> Span:
    low, value, high = sorted(values)
    return Span(label, value, low, high)


SPANS = st.lists(st.builds(span, LABELS, st.tuples(UNIT, UNIT, UNIT)), min_size=1, max_size=12)


def values(svg: str) -> list[float]:
    return [float(value) for value in re.findall(r'data-value="([^"]+)"', svg)]


def check(svg: str) -> ET.Element:
    """Parse a chart and see that every coordinate lies in its picture."""
    root = ET.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert width == WIDTH
    for element in root.iter():
        for name, most in (
            ("x", width),
            ("x1", width),
            ("x2", width),
            ("cx", width),
            ("y", height),
            ("y1", height),
            ("cy", height),
        ):
            assert -1 <= float(element.attrib.get(name, 0)) <= most + 1, (element.tag, element.attrib)
    return root


@given(SPANS)
def test_dots_are_the_values_in_their_order(spans: list[Span]) -> None:
    svg = dots(spans, "ndcg_10")
    check(svg)
    assert values(svg) == [pytest.approx(span.value, abs=1e-6) for span in spans]


@given(SPANS)
def test_bars_begin_at_zero(spans: list[Span]) -> None:
    svg = bars([span._replace(value=-span.value, low=-span.high, high=-span.low) for span in spans], "change")
    check(svg)
    assert values(svg) == [pytest.approx(-span.value, abs=1e-6) for span in spans]


@pytest.mark.parametrize("tiny", [5e-324, 1e-300, 1e-10])
def test_next_to_nothing_is_drawn_as_nothing(tiny: float) -> None:
    assert check(bars([Span("a", tiny, -tiny, tiny)], "change")) is not None
    marks = [Mark(tiny, 0.5, "s", 0, "t")]
    assert "<title>t</title>" in scatter(marks, "seconds", "mrr", log=False)
    assert bars([Span("a", tiny, 0.0, 0.0)], "x").count("#ddd") == bars([Span("a", 0.0, 0.0, 0.0)], "x").count("#ddd")


def test_labels_are_whole_text_and_never_markup() -> None:
    root = check(dots([Span('<b>&"', 0.5, 0.4, 0.6)], "a < b"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert '<b>&"' in texts
    assert "a < b" in texts


def test_a_label_stands_left_of_its_row_and_a_long_one_is_cut() -> None:
    root = check(dots([Span("x" * 100, 0.5, 0.4, 0.6)], "a"))
    label = next(element for element in root.iter(f"{SVG}text") if (element.text or "").endswith("…"))
    assert len(label.text or "") == 44
    assert float(label.attrib["x"]) > 44 * 6


@given(st.lists(st.tuples(st.floats(1e-3, 1e4), UNIT), min_size=1, max_size=20), st.booleans())
def test_a_scatter_holds_every_point(points: list[tuple[float, float]], log: bool) -> None:
    svg = scatter([Mark(x, y, f"s{i % 3}", i, "t") for i, (x, y) in enumerate(points)], "ms", "ndcg_10", log=log)
    check(svg)
    assert values(svg) == [pytest.approx(y, abs=1e-6) for _, y in points]


@given(st.lists(st.tuples(st.floats(1, 1e6), st.floats(1e-2, 1e9)), min_size=1, max_size=8))
def test_lines_hold_every_point(points: list[tuple[float, float]]) -> None:
    svg = lines({"real": points, "made up": points[:1]}, "symbols", "ms")
    check(svg)
    assert len(values(svg)) == len(points) + 1


def test_ticks_are_round_numbers() -> None:
    root = check(dots([Span("a", 0.5, 0.4, 0.6)], "x"))
    texts = {element.text for element in root.iter(f"{SVG}text")}
    assert {"0", "0.2", "0.4", "0.6", "0.8", "1"} <= texts
    root = check(lines({"real": [(100, 2000.0), (10000, 5e6)]}, "symbols", "bytes"))
    texts = {element.text for element in root.iter(f"{SVG}text")}
    assert {"100", "1k", "10k", "1M"} <= texts
    root = check(lines({"real": [(100, 88.0), (10000, 90.0)]}, "symbols", "MB"))
    texts = {element.text for element in root.iter(f"{SVG}text")}
    assert {"60", "80", "100"} <= texts
