"""The languages that codequarry knows: a row of facts and a `.scm` query each.

A module of this package holds the rows of one language or of a close family in `ROWS`; its queries lie beside it. To
add a language, add these two files and nothing else.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ._detect import Detector
from ._facts import DocStyle, Embedded, Found, Language, Recovery, Region

__all__ = [
    "KINDS", "LANGUAGES", "DocStyle", "Embedded", "Found", "Language", "Recovery", "Region", "detect", "query_source",
]  # fmt: skip

KINDS = (
    "function method constructor macro class struct record interface trait enum union type type_alias annotation concept "
    "namespace module object extension protocol property field constant variable enum_member section key target "
    "message service"
).split()
"""Every word that may stand in `symbols.kind`, but for `file`."""


def _load() -> dict[str, Language]:
    rows: dict[str, Language] = {}
    for name in sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_")):
        for row in import_module(f".{name}", __name__).ROWS:
            rows[row.id] = row
    return rows


LANGUAGES: dict[str, Language] = _load()

detect = Detector(LANGUAGES.values())
"""`detect(path, head)` returns the language id of a file or None; pure, and fast enough for the main process."""


def query_source(language: Language) -> str:
    """Return the text of the language's query; empty for a language without a grammar."""
    if language.grammar is None:
        return ""
    names = language.queries or (f"{language.id}.scm",)
    return "\n".join((Path(__file__).parent / name).read_text("utf-8") for name in names)
