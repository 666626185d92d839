"""What facts are found by: the bytes of a file, what its name decides, and all that extraction depends on besides."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from unicodedata import unidata_version

from ..content import name_traits
from ..extract import Limits
from ..languages import detect
from ..vectors import Model
from .code import QUERY_CODE, code_digest

__all__ = ["CODE", "KEY_BYTES", "file_key", "fingerprint"]

KEY_BYTES = 16
"""Of a SHA-256; no two of billions of files have an equal key by chance."""

CODE = (
    *(f"pipeline/{name}.py" for name in ("_arrow", "batch", "facts", "roles", "vocabulary", "worker")),
    *(f"pipeline/{name}" for name in ("content", "extract", "languages", "links", "terms", "vectors")),
    *(f"pipeline/graph/{name}" for name in ("_regions.py", "facts.py", "tokens.py", "references")),
    *QUERY_CODE,
    *("schemas/tables.py", "schemas/terms.py"),
)
"""All code that facts depend on; a test compares it with what a worker imports."""

_LIBRARIES = ("codequarry", "numpy", "PyStemmer", "tree-sitter", "tree-sitter-language-pack")


def fingerprint(limits: Limits, model: Model) -> str:
    """Return a hex digest of what decides facts beside the file: code, libraries, grammars, budgets and the model.

    Whether secrets may be read is no part of it but of the file's key, because it touches few files.
    """
    made_of = {
        "code": code_digest(*CODE),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "unicode": unidata_version,
        "limits": {name: value for name, value in asdict(limits).items() if name != "allow_secrets"},
        "model": [model.info.sha256, model.info.dimensions] if model.folder is not None else None,
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:32]


def file_key(blob: str, path: str, *, allow_secrets: bool) -> bytes:
    """Return the key of a file's facts: `blob` is the git digest of its bytes; of `path` only what its name decides counts."""
    name = path.rpartition("/")[2]
    return hashlib.sha256(f"{blob}\0{_class_of(name)}\0{allow_secrets:d}".encode()).digest()[:KEY_BYTES]


@lru_cache(maxsize=1 << 14)
def _class_of(basename: str) -> str:
    traits = "".join("01"[trait] for trait in name_traits(basename))
    return f"{traits} {' '.join(detect.candidates(basename))}"
