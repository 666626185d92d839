"""What one document says of links, from its text alone: the input of resolution.

Nothing here depends on the document's path or on other files, so marks travel with the facts of a file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["ANCHOR", "FORMS", "LABEL", "MAX_LINKS", "Mark", "decode", "encode"]

MAX_LINKS = 1_024
"""Links kept of one file; what comes after them is left out. Only generated lists have more."""

FORMS = ("inline", "reference", "html", "wiki", "text", "name", "toctree", "doc", "ref", "include", "download")
"""The ways to write a link: the first four of Markdown, the others of reStructuredText."""

ANCHOR = "anchor"
"""The form of a place in the document that links may lead to; its `text` is what stands after `#`."""

LABEL = "label"
"""The form of a reStructuredText label, which `:ref:` finds from any document."""


class Mark(NamedTuple):
    """A link, or a place that links may lead to.

    `text` is the destination as the format reads it: escapes and entities resolved, percent codes as they are; `line`
    counts from 1 and is where the link begins.
    """

    form: str
    text: str
    line: int


def encode(marks: Sequence[Mark]) -> bytes | None:
    """Return compact bytes, None for no marks."""
    return json.dumps(marks, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") if marks else None


def decode(data: bytes) -> tuple[Mark, ...]:
    """Return the marks that `encode` made bytes of."""
    return tuple(Mark(*fields) for fields in json.loads(data))
