"""Four kinds of chart as SVG text, for a page that must work without network; every mark carries its number as `data-value`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

__all__ = ["PALETTE", "Mark", "Span", "bars", "dots", "lines", "scatter"]

WIDTH = 720
PALETTE = ("#1b5e9e", "#c2571a", "#2f7d4f", "#8a3f8f", "#8c6d1f", "#b3294e", "#3d7f8c", "#555555")
"""Dark enough on white for text (contrast of 4.5 and more)."""

_ROW, _TOP, _AXIS = 22, 10, 44
_CHARACTER = 6.7
"""Width of a character of the 12 px sans-serif that labels are set in, generously."""

_LONGEST = 44

_NOTHING = 1e-9
"""Values up to this are drawn on the scale of 0: ticks have ten decimals."""


class Span(NamedTuple):
    """A value with its interval, for one row of a chart."""

    label: str
    value: float
    low: float
    high: float
    colour: str = PALETTE[0]


class Mark(NamedTuple):
    """A point of a scatter; `series` decides its colour, `shape` from 0 its form."""

    x: float
    y: float
    series: str
    shape: int
    title: str


class _Scale(NamedTuple):
    """Maps values to pixels; logarithmic or not."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        low, high, value = (
            (math.log10(v) for v in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        )
        return round(self.start + (self.end - self.start) * (value - low) / ((high - low) or 1.0), 1)

    def ticks(self) -> list[float]:
        return _log_ticks(self.low, self.high) if self.log else _ticks(self.low, self.high)


_Draw = Callable[[Span, _Scale, float], Iterator[str]]


def dots(rows: Sequence[Span], axis: str) -> str:
    """Return values from 0 to 1 as dots with their intervals, a row each, the number at the end."""
    return _rows(rows, axis, _Scale(0.0, 1.0, _label_width(rows), WIDTH - 60), _dot)


def bars(rows: Sequence[Span], axis: str) -> str:
    """Return values around 0 as bars with their intervals, a row each, the number at the end."""
    furthest = max((abs(v) for row in rows for v in (row.low, row.high, row.value)), default=0.0)
    reach = furthest * 1.05 if furthest > _NOTHING else 0.01
    return _rows(rows, axis, _Scale(-reach, reach, _label_width(rows), WIDTH - 60), _bar)


def scatter(marks: Sequence[Mark], x_axis: str, y_axis: str, *, log: bool) -> str:
    """Return points in a plane whose y is from 0 to 1; colours and shapes are told by the legend of the page."""
    height = 320
    x = _spread([mark.x for mark in marks], 70, WIDTH - 20, log=log)
    y = _Scale(0.0, 1.0, height - _AXIS, 12)
    body = [*_grid(x, y, height, x_axis, y_axis), *(_mark(mark, x, y, _colours(marks)[mark.series]) for mark in marks)]
    return _svg(height, body, f"{y_axis} against {x_axis}")


def lines(series: Mapping[str, Sequence[tuple[float, float]]], x_axis: str, y_axis: str) -> str:
    """Return lines through points on two logarithmic axes, named in a legend below."""
    height = 260
    points = [point for line in series.values() for point in line]
    x = _spread([p[0] for p in points], 70, WIDTH - 20, log=True)
    y = _spread([p[1] for p in points], height - _AXIS - 18, 12, log=True)
    body = list(_grid(x, y, height - 18, x_axis, y_axis))
    for place, (name, line) in enumerate(series.items()):
        colour = PALETTE[place % len(PALETTE)]
        path = " ".join(f"{x.at(a)},{y.at(b)}" for a, b in sorted(line))
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        body += [_circle(x.at(a), y.at(b), colour, b, f"{name}: {b:g} at {a:g}") for a, b in line]
        at = 74 + 150 * place
        body.append(f'<rect x="{at}" y="{height - 12}" width="10" height="10" fill="{colour}"/>')
        body.append(_text(at + 15, height - 3, name))
    return _svg(height, body, f"{y_axis} against {x_axis}")


def _rows(rows: Sequence[Span], axis: str, x: _Scale, draw: _Draw) -> str:
    height = _TOP + _ROW * len(rows) + _AXIS
    bottom = height - _AXIS
    body = [_line(x.at(t), _TOP, x.at(t), bottom, "#ddd") for t in x.ticks()]
    body += [_text(x.at(t), bottom + 16, f"{t:g}", "middle") for t in x.ticks()]
    body.append(_text((x.start + x.end) / 2, bottom + 34, axis, "middle"))
    for place, row in enumerate(rows):
        y = _TOP + _ROW * place + _ROW / 2
        body.append(_text(x.start - 8, y + 4, _short(row.label), "end"))
        body += draw(row, x, y)
        body.append(_text(WIDTH - 6, y + 4, f"{round(row.value, 3) + 0.0:+.3f}" if x.low < 0 else f"{row.value:.3f}", "end"))
    return _svg(height, body, axis)


def _dot(row: Span, x: _Scale, y: float) -> Iterator[str]:
    yield _line(x.at(row.low), y, x.at(row.high), y, row.colour, 2)
    yield _circle(x.at(row.value), y, row.colour, row.value, _told(row))


def _bar(row: Span, x: _Scale, y: float) -> Iterator[str]:
    start, end = sorted((x.at(0.0), x.at(row.value)))
    told = f'data-value="{row.value:.6f}"><title>{escape(_told(row))}</title>'
    yield f'<rect x="{start}" y="{y - 6}" width="{max(end - start, 0.5):.1f}" height="12" fill="{row.colour}" {told}</rect>'
    yield _line(x.at(row.low), y, x.at(row.high), y, "#222", 1.2)


def _told(row: Span) -> str:
    return f"{row.label}: {row.value:.3f} ({row.low:.3f} to {row.high:.3f})"


def _colours(marks: Sequence[Mark]) -> dict[str, str]:
    names = dict.fromkeys(mark.series for mark in marks)
    return {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)}


def _mark(mark: Mark, x: _Scale, y: _Scale, colour: str) -> str:
    a, b, r = x.at(mark.x), y.at(mark.y), 5
    shapes = (
        f'<circle cx="{a}" cy="{b}" r="{r}"',
        f'<rect x="{a - r}" y="{b - r}" width="{2 * r}" height="{2 * r}"',
        f'<polygon points="{a},{b - r - 1} {a + r + 1},{b + r} {a - r - 1},{b + r}"',
        f'<polygon points="{a},{b - r - 1} {a + r + 1},{b} {a},{b + r + 1} {a - r - 1},{b}"',
    )
    told = f'data-value="{mark.y:.6f}"><title>{escape(mark.title)}</title>'
    shape = shapes[mark.shape % len(shapes)]
    return f'{shape} fill="{colour}" fill-opacity=".8" {told}</{shape[1 : shape.index(" ")]}>'


def _grid(x: _Scale, y: _Scale, height: float, x_axis: str, y_axis: str) -> Iterator[str]:
    bottom = height - _AXIS
    for tick in x.ticks():
        yield _line(x.at(tick), 12, x.at(tick), bottom, "#ddd")
        yield _text(x.at(tick), bottom + 16, _number(tick), "middle")
    for tick in y.ticks():
        yield _line(x.start, y.at(tick), x.end, y.at(tick), "#ddd")
        yield _text(x.start - 6, y.at(tick) + 4, _number(tick), "end")
    yield _text((x.start + x.end) / 2, bottom + 34, x_axis, "middle")
    middle = (12 + bottom) / 2
    yield f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{escape(y_axis)}</text>'


def _spread(values: Sequence[float], start: float, end: float, *, log: bool) -> _Scale:
    if log:
        held = [value for value in values if value > 0] or [1.0]
        return _Scale(min(held) / 1.5, max(held) * 1.5, start, end, log=True)
    most = max(values, default=0.0)
    return _Scale(0.0, most * 1.08 if most > _NOTHING else 1.0, start, end)


def _ticks(low: float, high: float) -> list[float]:
    step = 10 ** math.floor(math.log10((high - low) / 2))
    step = next(step * m for m in (0.5, 1, 2, 5, 10) if (high - low) / (step * m) <= 6)
    first = math.ceil(round(low / step, 6))
    return [round(step * i, 10) + 0.0 for i in range(first, math.floor(round(high / step, 6)) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten, or as many of their multiples as it takes for two."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    wide = math.log10(high / low) > 2.5
    for multiples in ((1,),) if wide else ((1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
        found = [round(m * 10.0**d, 10) for d in decades for m in multiples if low <= m * 10.0**d <= high]
        if len(found) > 1:
            break
    return found or [low]


def _number(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def _label_width(rows: Sequence[Span]) -> float:
    return 16 + _CHARACTER * max((len(_short(row.label)) for row in rows), default=0)


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}"/>'


def _circle(x: float, y: float, colour: str, value: float, title: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}" data-value="{value:.6f}"><title>{escape(title)}</title></circle>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(height: float, body: Sequence[str], label: str) -> str:
    inside = "\n".join(body)
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}" xmlns="http://www.w3.org/2000/svg">'
    return f"{head}\n{inside}\n</svg>"
