"""Jupyter notebooks: what is kept of one is the source of its cells, never its outputs.

The text of a notebook is the sources of its cells in order, each on lines of its own, an empty line between two. Lines and
bytes of its symbols refer to that text; the JSON around it is not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ._facts import Embedded, Language, Region

_GAP = "\n\n"
_KERNELS = {
    "c#": "csharp",
    "c++": "cpp",
    "c++11": "cpp",
    "c++14": "cpp",
    "c++17": "cpp",
    "f#": "fsharp",
    "golang": "go",
    "ipython": "python",
    "jupyter-javascript": "javascript",
    "node": "javascript",
    "python2": "python",
    "python3": "python",
    "sagemath": "python",
    "sh": "bash",
}
"""Names that kernels give to their languages, where these are no ids of rows."""

_CELLS = {
    b"bash": "bash",
    b"sh": "bash",
    b"script": "bash",
    b"html": "html",
    b"javascript": "javascript",
    b"js": "javascript",
    b"markdown": "markdown",
    b"perl": "perl",
    b"R": "r",
    b"ruby": "ruby",
    b"sql": "sql",
}
"""Cell magics after which the cell is in another language."""

_IN_PLACE = frozenset(b"capture time timeit prun python python3 pypy cython pyspark local writefile".split())
"""Cell magics after which the cell goes on in Python, or may."""

_CELL_MAGIC = re.compile(rb"\s*%%(\w+)[^\n]*")
_MAGIC = re.compile(
    rb"^[ \t]*(?P<line>(?:[!?]|%{1,2}(?=[A-Za-z]))[^\n]*|[\w.]+\?{1,2}[ \t]*$)"  # %time f(), !ls, ?f, f??
    rb"|^[ \t]*+\w[\w, ]*=[ \t]*(?P<value>(?:!|%(?=[A-Za-z]))[^\n]*)",  # files = !ls
    re.M,
)


class _Cell(NamedTuple):
    source: str
    language: str


def notebook(text: str) -> Embedded:
    """Return the sources of the cells as one text, and the cells as its parts; an unreadable notebook has none."""
    cells = list(_cells(_object(text)))
    regions, at = [], 0
    for cell in cells:
        data = cell.source.encode()
        regions.append(_region(data, at, cell.language))
        at += len(data) + len(_GAP)
    joined = _GAP.join(cell.source for cell in cells)
    return Embedded(joined + "\n" if joined else "", tuple(region for region in regions if region.end > region.start))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _cells(book: dict[str, Any]) -> Iterator[_Cell]:
    """Yield the cells of any version of the format: before 4 they lie in worksheets and their code is `input`."""
    kernel = _kernel(book)
    sheets = book.get("worksheets")
    parts = [book, *sheets] if isinstance(sheets, list) else [book]
    for cell in (c for part in parts if isinstance(part, dict) for c in _list(part.get("cells")) if isinstance(c, dict)):
        kind = cell.get("cell_type")
        source = _source(cell.get("source", cell.get("input")))
        if kind == "code":
            yield _Cell(source, _language(cell.get("language")) or kernel)
        elif kind == "heading":
            level = cell.get("level")
            yield _Cell("#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1) + " " + source, "markdown")
        else:
            yield _Cell(source, "markdown" if kind == "markdown" else "")


def _source(value: object) -> str:
    """Return the source of a cell, which the format keeps as a string or as a list of lines, without blank ends."""
    text = "".join(s for s in value if isinstance(s, str)) if isinstance(value, list) else value
    if not isinstance(text, str):
        return ""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode().rstrip().lstrip("\n")


def _kernel(book: dict[str, Any]) -> str:
    """Return the language of the code cells; Python where the notebook does not say."""
    metadata = book.get("metadata")
    for part, key in (("kernelspec", "language"), ("language_info", "name"), ("kernelspec", "name")):
        inner = metadata.get(part) if isinstance(metadata, dict) else None
        if isinstance(inner, dict) and (language := _language(inner.get(key))):
            return language
    return "python"


def _language(name: object) -> str:
    lower = name.lower() if isinstance(name, str) else ""
    return _KERNELS.get(lower, lower)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _region(data: bytes, at: int, language: str) -> Region:
    """Return a cell as a part of the text from byte `at` on; magics are hidden from the parser."""
    if language != "python":
        return Region(at, at + len(data), language)
    found = _CELL_MAGIC.match(data)
    if found and found[1] not in _IN_PLACE:
        start = found.end()
        return Region(at + start, at + len(data), _CELLS.get(found[1], ""))
    return Region(at, at + len(data), language, _without_magics(data))


def _without_magics(data: bytes) -> bytes:
    """Put a literal in the place of each magic, so that a block of nothing but magics stays one."""
    out = bytearray(data)
    for found in _MAGIC.finditer(data):
        start, end = found.span("line") if found["line"] else found.span("value")
        out[start:end] = b"0".ljust(end - start)
    return bytes(out)


ROWS = (Language(id="jupyter", extensions=(".ipynb",), embed=notebook),)
