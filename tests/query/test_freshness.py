"""Whether a checkout still is what was indexed."""

from __future__ import annotations

from pathlib import Path

from codequarry.query.connection import Connection
from codequarry.query.freshness import Freshness, compare
from codequarry.query.store import open_snapshot

from .parcels import TREE, index_parcels, write_parcels
from .stores import FileSpec, build_store


def test_a_checkout_before_and_after_changes(tmp_path: Path) -> None:
    tree = write_parcels(tmp_path / "tree")
    store = index_parcels(tree, tmp_path / "store")
    with Connection(open_snapshot(store), ("files",)) as connection:
        before = compare(connection, tree)
        (tree / "src/router.py").write_text("changed\n")
        (tree / "src/depots.py").unlink()
        (tree / "new.py").write_text("x = 1\n")
        after = compare(connection, tree)
    assert before == Freshness(matches=len(TREE), differs=0, missing=0, unknown=0, changed=())
    assert before.fresh
    assert after == Freshness(
        matches=len(TREE) - 2, differs=1, missing=1, unknown=0, changed=("src/depots.py", "src/router.py")
    )
    assert not after.fresh


def test_of_several_repositories_the_checkout_holds_a_folder_each(tmp_path: Path) -> None:
    skipped = FileSpec(path="b.bin", text="", language=None, status="skipped", reason="binary")
    folder = build_store(tmp_path / "store", {"shop": [FileSpec(path="a.py", text="x\n"), skipped], "web": []})
    with Connection(open_snapshot(folder), ("files",)) as connection:
        assert compare(connection, tmp_path) == Freshness(matches=0, differs=0, missing=0, unknown=1, changed=())
