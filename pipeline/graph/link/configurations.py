"""What linking reads of a configuration, family of languages by family: the rest of it may change without consequence."""

from __future__ import annotations

from .ecmascript_modules import told_by_json
from .go_modules import module_path
from .rust_modules import crate_name

__all__ = ["told"]


def told(family: str, path: str, text: str) -> str:
    """Return a text that says all that files of `family` are linked by of the configuration at `path`, empty for nothing."""
    base = path.rpartition("/")[2]
    if family == "go" and base == "go.mod":
        return module_path(text) or ""
    if family == "rust" and base == "Cargo.toml":
        return crate_name(text) or ""
    return told_by_json(base, text) if family == "ecmascript" and base.endswith(".json") else ""
