"""References of one file: imports, uses of names, and what each scope knows of its names."""

from __future__ import annotations

from .collect import collect, supported

__all__ = ["collect", "supported"]
