"""Turn the bytes of a file into text, or say why not: binary, minified, a secret, an encoding that cannot be read.

Pure functions over bytes and a base name, run in workers on every file; plain ASCII takes a few passes at memory speed.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..roles import is_generated_name
from ._charset import decode
from ._secrecy import has_secrets, secrecy_of
from ._shape import (
    is_broken_notebook,
    is_lfs_pointer,
    is_marked_generated,
    is_minified,
    may_be_minified,
    may_be_notebook,
)

__all__ = ["Inspection", "inspect", "name_traits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a file's bytes are.

    `text` is None when `reason` is set, a slug of SPEC.md; it keeps its line ends, lost its byte order mark, and can be
    encoded as UTF-8. `encoding` is Python's name of the encoding that was read, None where none was.
    """

    text: str | None
    encoding: str | None
    reason: str | None
    generated: bool


def inspect(data: bytes, basename: str, *, allow_secrets: bool = False) -> Inspection:
    """Look at the bytes of one file whose name without folders is `basename`."""
    generated = is_generated_name(basename)
    if is_lfs_pointer(data):
        return Inspection(text=None, encoding=None, reason="lfs_pointer", generated=generated)
    text, encoding, reason = decode(data)
    if text is None:
        return Inspection(text=None, encoding=None, reason=reason, generated=generated)
    if is_minified(data, basename):
        return Inspection(text=None, encoding=encoding, reason="minified", generated=True)
    if is_broken_notebook(text, basename):
        return Inspection(text=None, encoding=encoding, reason="notebook_invalid", generated=generated)
    if not allow_secrets and has_secrets(text, basename):
        return Inspection(text=None, encoding=encoding, reason="secret", generated=generated)
    return Inspection(text=text, encoding=encoding, reason=None, generated=generated or is_marked_generated(text))


def name_traits(basename: str) -> tuple[bool, ...]:
    """Return all that `inspect` draws from a base name: under names of equal traits, equal bytes give the same."""
    generated, minified, notebook = (test(basename) for test in (is_generated_name, may_be_minified, may_be_notebook))
    return (generated, minified, notebook, *secrecy_of(basename))
