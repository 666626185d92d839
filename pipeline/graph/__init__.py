"""The code graph: what each file refers to, and what those references mean in the whole corpus."""

from __future__ import annotations

__all__: list[str] = []
