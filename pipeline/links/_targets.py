"""Which destinations can lead to a file of the same repository; the others are no links of the documentation graph."""

from __future__ import annotations

import re

__all__ = ["is_internal"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TEMPLATE = re.compile(r"\{\{|\{%|\$\{|<%")
"""What a generator of pages fills in: the destination is not known."""

_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?)(?:[?#].*)?\Z", re.I | re.S)

_LONGEST = 1_000
"""Characters of a destination; paths are at most 4,096 bytes long, and those of repositories far below."""


def is_internal(destination: str) -> bool:
    """Say whether a destination may name a file or place of the repository: no URL, no image, no template, not empty."""
    return not (
        not destination.strip()
        or len(destination) > _LONGEST
        or destination.startswith("//")
        or _SCHEME.match(destination)
        or _IMAGE.search(destination)
        or _TEMPLATE.search(destination)
    )
