"""What the parts of a pack rest on, and whether their sources are unchanged."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from codequarry.query import open_index
from codequarry.query.cli import run
from codequarry.query.connection import Connection
from codequarry.query.context import Packs
from codequarry.query.provenance import Validation, blob_of, check_checkout, to_json, validate
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import UsageError

from .parcels import TREE, index_parcels, write_parcels
from .stores import FileSpec, build_store


def states(store: Path, checkout: Path | None = None) -> dict[str, Validation]:
    """Return the validation of every file of a store by its path, with the repository where there are several."""
    with Connection(open_snapshot(store), ("files", "sources")) as connection:
        rows = connection.rows("SELECT file, repo, path FROM files")
        found = validate(connection, [file for file, _, _ in rows], checkout)
        assert validate(connection, ()) == {}
    several = len({repo for _, repo, _ in rows}) > 1
    return {f"{repo}:{path}" if several else path: found[file] for file, repo, path in rows}


def test_the_hash_is_that_of_git(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\r\n\xff")
    told = subprocess.run(["git", "hash-object", "f"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert blob_of(b"a\r\n\xff") == told.stdout.strip()


def test_texts_of_a_snapshot_match_what_was_indexed(parcels: Path) -> None:
    assert set(states(parcels).values()) == {Validation(snapshot="matches", checkout=None)}


def test_files_of_a_checkout(tmp_path: Path) -> None:
    tree = write_parcels(tmp_path / "tree")
    store = index_parcels(tree, tmp_path / "store")
    (tree / "src/router.py").write_text("changed\n")
    (tree / "src/depots.py").unlink()
    (tree / "src/main.py").unlink()
    (tree / "src/main.py").mkdir()
    (tree / "docs/guide.md").unlink()
    (tree / "docs/guide.md").symlink_to("/etc/passwd")
    found = {path: state.checkout for path, state in states(store, tree).items()}
    changed = {
        "src/router.py": "differs",
        "src/depots.py": "missing",
        "src/main.py": "missing",
        "docs/guide.md": "unknown",  # outside of the folder, which is not read
    }
    assert found == dict.fromkeys(TREE, "matches") | changed


def test_encodings_are_undone_and_what_is_converted_is_unknown(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "bom.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    (tree / "wide.cs").write_bytes("class A {}\n".encode("utf-16"))
    (tree / "latin.py").write_bytes("# -*- coding: latin-1 -*-\n# caf\u00e9\n".encode("latin-1"))
    cells = '{"cells": [{"cell_type": "code", "source": ["x = 1\\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    (tree / "book.ipynb").write_text(cells)
    assert run(["index", str(tree), "--out", str(tmp_path / "store"), "--quiet"]) == 0
    found = {path: state.snapshot for path, state in states(tmp_path / "store").items()}
    assert (found["bom.py"], found["latin.py"], found["book.ipynb"]) == ("matches", "matches", "unknown")
    assert found["wide.cs"] in ("matches", "unknown")


def test_a_file_without_a_hash_is_unknown_and_several_repositories_are_folders_of_the_checkout(tmp_path: Path) -> None:
    files = [FileSpec(path="a.py", text="x = 1\n")]
    build_store(tmp_path / "store", {"shop": files, "web": files})
    (tmp_path / "shop").mkdir()
    assert states(tmp_path / "store", tmp_path) == {
        "shop:a.py": Validation(snapshot="unknown", checkout="unknown"),
        "web:a.py": Validation(snapshot="unknown", checkout="unknown"),
    }


class Told:
    """A connection that tells of one file what it is told to."""

    def __init__(self, text: str, encoding: str | None, blob: str | None, path: str = "a.py") -> None:
        sources = [SimpleNamespace(repo="shop")]
        self.snapshot = SimpleNamespace(manifest=SimpleNamespace(sources=sources))
        self._text = text
        self._file = (0, "shop", path, "python", encoding, blob)

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        return [(0, self._text)] if "text" in statement else [self._file]


@pytest.mark.parametrize(
    ("text", "encoding", "blob", "state"),
    [
        ("x\n", "utf-8", blob_of(b"x\n"), "matches"),
        ("x\n", "utf-8", blob_of(b"y\n"), "differs"),
        ("\ufffd\n", "utf-8", blob_of(b"\xff\n"), "unknown"),  # decoding replaced what it could not read
        ("x\n", "utf-16", blob_of("x\n".encode("utf-16-be")), "unknown"),  # a text has several spellings
        ("x\n", "no-such-encoding", blob_of(b"x\n"), "unknown"),
        ("\u20ac\n", "latin-1", blob_of(b"x\n"), "unknown"),
        ("x\n", None, blob_of(b"x\n"), "unknown"),
        ("x\n", "utf-8", None, "unknown"),
    ],
)
def test_states_of_a_text(text: str, encoding: str | None, blob: str | None, state: str) -> None:
    found = validate(Told(text, encoding, blob), [0])  # type: ignore[arg-type]  # all that is asked of a connection
    assert found == {0: Validation(snapshot=state, checkout=None)}


@pytest.mark.parametrize(("path", "state"), [("x" * 300, "unknown"), ("file/below", "missing"), ("../file", "unknown")])
def test_places_of_a_checkout_that_cannot_be_read(path: str, state: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x\n")
    told = Told("x\n", "utf-8", blob_of(b"x\n"), path)
    assert validate(told, [0], tmp_path)[0].checkout == state  # type: ignore[arg-type]  # as above


def test_what_is_no_folder_is_no_checkout(tmp_path: Path) -> None:
    assert check_checkout(None) is None
    assert check_checkout(tmp_path) == tmp_path.resolve()
    with pytest.raises(UsageError, match=r"there is no folder at .*gone: give the folder that was indexed as the checkout"):
        check_checkout(tmp_path / "gone")


def test_json_of_a_pack(parcels: Path) -> None:
    with open_index(parcels) as index, closing(Packs(index)) as packs:
        pack = packs.pack("how a parcel travels", hops=1)
        value = to_json(pack, validate(packs.connection, [i.file for i in pack.items if i.file is not None]))
    assert value["items"][0] == {
        "source": "generated_explanation",
        "section": "opening",
        "tokens": value["items"][0]["tokens"],
        "text": f"# how a parcel travels\n\nFrom snapshot {pack.snapshot}.\n",
    }
    (prices,) = [item for item in value["items"] if item.get("path") == "docs/prices.md"]
    assert prices["source"] == "document_link"
    assert prices["link"] == {"path": "docs/guide.md", "line": 3, "destination": "prices.md#zones", "hops": 1}
    assert prices["validation"] == {"snapshot": "matches", "checkout": None}
    assert prices["ranges"] == [{"start_line": 3, "end_line": 5, "text": "## Zones\n\nA zone costs two coins."}]
    assert value["validation"] == {
        "matches": len({i.file for i in pack.items} - {None}),
        "differs": 0,
        "missing": 0,
        "unknown": 0,
    }
    assert value["tokens"] == pack.tokens
    assert sum(item["tokens"] for item in value["items"]) >= pack.tokens - 20
