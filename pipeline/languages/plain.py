"""Languages that are told apart but not parsed: their files are searched as text."""

from __future__ import annotations

from ._facts import Language


def _row(id_: str, extensions: str = "", names: str = "", interpreters: str = "") -> Language:
    return Language(
        id=id_,
        extensions=tuple(extensions.split()),
        names=tuple(names.split()),
        interpreters=tuple(interpreters.split()),
    )


ROWS = (
    _row("text", ".txt", "LICENSE COPYING README NOTICE AUTHORS CHANGELOG"),
    _row("xml", ".xml .xsd .xsl .xslt .svg .plist .csproj .props .targets"),
)
