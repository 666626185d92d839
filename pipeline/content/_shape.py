"""Recognise files that are not what their names say: pointers of git LFS, minified or generated code, cut notebooks."""

from __future__ import annotations

import json
import re

__all__ = [
    "is_broken_notebook",
    "is_lfs_pointer",
    "is_marked_generated",
    "is_minified",
    "may_be_minified",
    "may_be_notebook",
]

_HEAD = 2048
"""Characters in which a generator's mark is looked for: a licence of 30 lines and the mark after it."""

_LFS_HEADS = (b"version https://git-lfs.github.com/spec/v1\n", b"version https://hawser.github.com/spec/v1\n")
_LFS_LIMIT = 1024
"""Bytes of the longest pointer, from the LFS specification."""

_LFS_OID = re.compile(rb"^oid sha256:[0-9a-f]{64}$", re.MULTILINE)

_MINIFIABLE = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".css")
_LONG_LINE = 1000
"""Bytes of a line that no formatter lets stand; the longest hand-written lines of the corpora here are below 700."""

_MINIFIED_SHARE = 0.5
"""Share of a file's bytes in long lines from which the file counts as minified."""

_STATEMENTS_PER_KB = 5.0
"""Braces and semicolons in 1,000 bytes of long lines: bundles have 20 to 60, long data or string literals next to none."""

_MARK = re.compile(
    r"^[ \t]*(?://|#|/?\*|--(?!-)|;|<!--|%|\"{3}|'{3}|\(\*|\{-|rem\b|dnl\b)(?:"
    r".*@generated(?![-\w])"
    r"|.*<auto-?generated"
    r"|.*\bgenerated\b.*\bdo not (?:edit|modify)\b"
    r"|.*\bdo not (?:edit|modify)\b.*\bgenerated\b"
    r"|.*\bthis (?:file|code|module|header|source) (?:is|was|has been) (?:\w+[- ])?(?:auto-?)?generated\b"
    r"|[^\w\n]*(?:auto-?|automatically |machine[- ])?generated (?:automatically )?(?:by|from|with|using)\b"
    r"|[^\w\n]*(?:auto-?generated|automatically generated|machine generated)[^\w\n]*$)",
    re.IGNORECASE | re.MULTILINE,
)


def is_lfs_pointer(data: bytes) -> bool:
    """Tell whether the bytes stand for a file that git LFS keeps elsewhere."""
    return len(data) <= _LFS_LIMIT and data.startswith(_LFS_HEADS) and _LFS_OID.search(data) is not None


def is_marked_generated(text: str) -> bool:
    """Tell whether a comment near the top says that a program wrote the file."""
    head = text[:_HEAD]
    return ("enerated" in head or "GENERATED" in head) and _MARK.search(head) is not None


def is_minified(data: bytes, basename: str) -> bool:
    """Tell a script or style sheet whose code was squeezed into a few long lines from one with a long literal."""
    if len(data) < _LONG_LINE or not may_be_minified(basename):
        return False
    lines = (data if b"\n" in data else data.replace(b"\r", b"\n")).split(b"\n")
    long_lines = [line for line in lines if len(line) > _LONG_LINE]
    size = sum(map(len, long_lines))
    if size < _MINIFIED_SHARE * len(data):
        return False
    statements = sum(line.count(b"{") + line.count(b"}") + line.count(b";") for line in long_lines)
    return statements * 1000 > _STATEMENTS_PER_KB * size


def is_broken_notebook(text: str, basename: str) -> bool:
    """Tell whether a Jupyter notebook is neither empty nor a JSON object."""
    if not may_be_notebook(basename) or not text.strip():
        return False
    try:
        return not isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return True


def may_be_minified(basename: str) -> bool:
    """Tell by the name whether `is_minified` looks at the bytes."""
    return basename.lower().endswith(_MINIFIABLE)


def may_be_notebook(basename: str) -> bool:
    """Tell by the name whether `is_broken_notebook` looks at the text."""
    return basename.lower().endswith(".ipynb")
