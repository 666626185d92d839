"""The documentation graph: links between documents, and from documents to code.

text ─► marks (of a file alone, path-free) ─► resolve (all paths of the repository) ─► rows of `doc_links`
"""

from __future__ import annotations

__all__: list[str] = []
