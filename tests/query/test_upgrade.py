"""Stores of this release and of earlier ones are read, or named with the command that makes them again.

`tests/data/golden-N.tar` is a packed store of format version N, made once by the release that brought that version, of a copy
of the tree `tests/cases/trees/shop` outside of git: `codequarry index shop --name shop --model none`, then `codequarry pack`. It
is made again only together with a new format version, whose reader must still pass here with the old file.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from codequarry.query import open_index
from codequarry.query.archive import unpack
from codequarry.query.cli import run
from codequarry.query.verify import verify
from codequarry.schemas import layout
from codequarry.schemas.errors import FormatVersionError
from codequarry.schemas.tables import FORMAT_VERSION

GOLDEN = sorted((Path(__file__).parents[1] / "data").glob("golden-*.tar"))


def test_there_is_a_golden_store_of_this_format() -> None:
    assert f"golden-{FORMAT_VERSION}.tar" in [path.name for path in GOLDEN]


@pytest.mark.parametrize("file", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_store_is_read_or_named_with_its_remedy(file: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    try:
        unpack(file, store)
        report = verify(store)
    except FormatVersionError as error:
        assert file.stem != f"golden-{FORMAT_VERSION}"
        assert "build it again with `codequarry index`" in str(error)  # noqa: PT017
        return
    report.raise_if_damaged()
    with open_index(store) as index:
        first = index.search("add an item to the cart", k=1).results[0]
    assert first.key == "shop:src/cart.py#ShoppingCart.add_item"


def test_a_newer_format_is_refused_with_its_remedy(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    unpack(GOLDEN[-1], store)
    manifest = next(store.rglob(layout.MANIFEST))
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "format_version": FORMAT_VERSION + 1}))
    for command in (["search", "x"], ["status"], ["verify"], ["sql", "SELECT 1"]):
        assert run([*command, "--index", str(store)]) == 1
        said = capfd.readouterr().err
        assert re.search(rf"format version {FORMAT_VERSION + 1}, this reader knows version {FORMAT_VERSION}: upgrade", said)
