"""Build a graph from texts, and show its edges as `path#name` pairs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.graph.facts import FileReferences
from codequarry.pipeline.graph.link import LinkFile, Links, is_configuration, link
from codequarry.pipeline.graph.references import collect, supported
from codequarry.pipeline.languages import detect

Collect = Callable[[str, str], FileReferences]
Graph = Callable[[dict[str, str]], Links]
Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def _collect(path: str, text: str) -> FileReferences:
    data = text.encode()
    facts, tree = facts_and_tree(data, detect(path, data[:4096]), path.rpartition("/")[2], Limits())
    assert tree is not None
    assert facts.text is not None
    return collect(tree, facts.text.encode(), facts.embedded or facts.language or "", facts.symbols)


def _link(files: dict[str, str]) -> Links:
    rows = []
    for path in sorted(files):
        language = detect(path, files[path].encode()) or ""
        known = supported(language) or language in ("vue", "svelte", "astro", "html", "jupyter")
        facts = _collect(path, files[path]) if known and files[path].strip() else None
        text = files[path] if is_configuration(path) else None
        rows.append(LinkFile(repo="r", path=path, facts=facts, text=text, is_test=path.startswith("tests/")))
    return link(rows)


def _edges(files: dict[str, str], kind: str = "calls") -> dict[tuple[str, str], tuple[str, float]]:
    links = _link(files)
    world = links.world

    def end(file: int, definition: int) -> str:
        return world.files[file].path + ("#" + world.definitions[definition].name if definition >= 0 else "")

    return {
        (end(e.source_file, e.source), end(e.target_file, e.target)): (e.rule, round(e.confidence, 3))
        for e in links.edges
        if e.kind == kind
    }


@pytest.fixture
def references() -> Collect:
    """Collect the facts of one text; its path tells the language."""
    return _collect


@pytest.fixture
def graph() -> Graph:
    """Link texts by path."""
    return _link


@pytest.fixture
def edges() -> Edges:
    """Return the edges of a kind, (source, target) to (rule, confidence); `path#name`, or the path for a file."""
    return _edges
