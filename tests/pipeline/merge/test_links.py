"""The table of documentation links: ids, paths and order across repositories and shards."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from codequarry.pipeline.links.marks import Mark

from ..made import file
from .built import Built, Repos, build

TEXT = "text\n" * 9

GUIDE = file(
    TEXT,
    language="markdown",
    marks=(
        Mark("anchor", "guide", 1),
        Mark("inline", "../src/app.py#L3", 2),
        Mark("inline", "gone.md", 4),
        Mark("reference", "#guide", 4),
        Mark("html", "../src", 6),
        Mark("inline", "#gone", 7),
    ),
)
REPOS: Repos = {
    "zoo": {"docs/guide.md": GUIDE, "logo.png": file(None), "src/app.py": file(TEXT)},
    "bar": {"a.md": file(TEXT, language="markdown", marks=(Mark("inline", "docs/guide.md", 9),)), "b.py": file(TEXT)},
    "empty": {"a.py": file(TEXT)},
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("links") / "snapshot", REPOS)


def test_rows(built: Built) -> None:
    columns = ("link", "file", "repo", "path", "line", "form", "target", "target_file", "anchor", "broken")
    assert [tuple(row[name] for name in columns) for row in built.rows("doc_links")] == [
        (0, 0, "bar", "a.md", 9, "inline", None, None, None, True),
        (1, 3, "zoo", "docs/guide.md", 2, "inline", "src/app.py", 5, "L3", False),
        (2, 3, "zoo", "docs/guide.md", 4, "inline", None, None, None, True),
        (3, 3, "zoo", "docs/guide.md", 4, "reference", "docs/guide.md", 3, "guide", False),
        (4, 3, "zoo", "docs/guide.md", 6, "html", "src/", None, None, False),
        (5, 3, "zoo", "docs/guide.md", 7, "inline", "docs/guide.md", 3, "gone", True),
    ]


def test_destinations_are_kept_as_written(built: Built) -> None:
    found = [row["destination"] for row in built.rows("doc_links")]
    assert found == ["docs/guide.md", "../src/app.py#L3", "gone.md", "#guide", "../src", "#gone"]


def test_links_do_not_depend_on_the_cut(built: Built, tmp_path: Path) -> None:
    whole = built.digests()
    cuts = [build(tmp_path / str(i), REPOS, bounds=range(i), batches=i).digests() for i in (1, 2, 3)]
    assert all(first == second for first, second in pairwise([whole, *cuts]))


def test_a_snapshot_without_links_has_an_empty_table(tmp_path: Path) -> None:
    made = build(tmp_path / "snapshot", {"a": {"a.py": file(TEXT)}})
    assert made.rows("doc_links") == []
    assert made.merged.tables["doc_links"].rows == 0
