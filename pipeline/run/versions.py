"""The versions that decide what a snapshot holds."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.metadata import version

__all__ = ["versions"]

_PACKAGES = ("codequarry", "pyarrow", "PyStemmer", "tree-sitter", "tree-sitter-language-pack")


def versions() -> dict[str, str]:
    """Return the versions of the tool, its grammars and libraries, and of Unicode, by name."""
    return {**_packages(), "unicode": unicodedata.unidata_version}


@cache
def _packages() -> dict[str, str]:
    return {name: version(name) for name in _PACKAGES}  # each looks into a folder and parses a file
