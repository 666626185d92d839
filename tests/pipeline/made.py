"""Facts made by hand and by chance, for the tests of this folder."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from codequarry.pipeline.facts import FileFacts, SymbolFact
from hypothesis import strategies as st

PIECES = [
    *("poll", "notify_one", "notifyOne", "HTTPServer", "x86_64", "größeÜber", "é", "e\u0301té", "漢字変数", "漢", "ﬁle"),
    *("½", "_", "$", "i18n", "deadbeef" * 4, "a1b2c3d4e5f6a7", "Running", "runs", "the", "=\u0338", "…"),
    *(" ", "\n", "(", ").", "\t", "::", "-", "\u00a0", "—", "\0", " ", " "),
]
"""Words that are split in every way, and separators that are none."""

NOTES = ["", "Runs the queue_2.", "fn größe(x:漢字)", "poll poll NotifyOne"]


def symbol(name: str, start: int, end: int, **more: Any) -> SymbolFact:
    """Return a symbol of bytes `start` to `end` whose other columns are plain unless they are given."""
    plain: dict[str, Any] = {
        "kind": "function",
        "qualified_name": name,
        "signature": "",
        "doc": "",
        "start_line": 1,
        "end_line": 1,
        "name_line": 1,
        "body_start": end,
        "parent": -1,
        "is_test": False,
        "visibility": "public",
        "decorators": (),
    }
    return SymbolFact(name=name, start_byte=start, end_byte=end, **(plain | more))


def file(text: str | None, *symbols: SymbolFact, **more: Any) -> FileFacts:
    """Return an indexed file, or a skipped one when there is no text."""
    plain: dict[str, Any] = {
        "status": "skipped" if text is None else "indexed",
        "reason": "binary" if text is None else None,
        "encoding": None if text is None else "utf-8",
        "generated": False,
        "lines": None if text is None else text.count("\n") + 1,
        "language": None if text is None else "python",
    }
    return FileFacts(text=text, symbols=symbols, **(plain | more))


def files() -> st.SearchStrategy[FileFacts]:
    """Draw the facts of one file; a seed and a size, since drawing every part apart takes most of a test's time."""
    return st.builds(lambda seed, size: _file(random.Random(seed), size), st.integers(0, 1 << 32), st.integers(0, 12))


def _file(chance: random.Random, size: int) -> FileFacts:
    if chance.random() < 0.15:
        return file(None, language=chance.choice([None, "c"]))
    text = "".join(chance.choices(PIECES, k=size))
    return file(
        text,
        *_symbols(chance, len(text.encode())),
        doc=chance.choice(NOTES),
        generated=chance.random() < 0.5,
        language=chance.choice([None, "python", "rust"]),
    )


def _symbols(chance: random.Random, size: int) -> Iterator[SymbolFact]:
    """Make symbols of a text of `size` bytes: nested, overlapping, empty, with owners anywhere before them."""
    extents = [sorted((chance.randint(0, size), chance.randint(0, size))) for _ in range(chance.randint(0, 5))]
    for i, (start, end) in enumerate(sorted(extents, key=lambda e: (e[0], -e[1]))):
        name = chance.choice(["poll", "notify_one", "A", "größe", "a~2", ""])
        yield symbol(
            name,
            start,
            end,
            qualified_name=chance.choice([name, f"Outer.{name}", "Outer.other", "a~2"]),
            body_start=chance.randint(start, end),
            parent=chance.randint(-1, i - 1),
            signature=chance.choice(NOTES),
            doc=chance.choice(NOTES),
            is_test=chance.random() < 0.5,
            visibility=chance.choice(["public", "private"]),
            decorators=tuple(chance.choices(["cached", "app.get"], k=chance.randint(0, 2))),
            kind=chance.choice(["function", "class"]),
        )
