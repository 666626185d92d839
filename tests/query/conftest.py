"""Stores that tests only read, made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from codequarry.query import Index, open_index

from .parcels import index_parcels, write_parcels
from .shop import build_shop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of `shop`; do not change it."""
    out = tmp_path_factory.mktemp("shop") / "store"
    build_shop(out)
    return out


@pytest.fixture(scope="session")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the tree `parcels`, made by `index`, beside the tree itself as `tree`; do not change them."""
    root = tmp_path_factory.mktemp("parcels")
    index_parcels(write_parcels(root / "tree"), root / "store")
    return root / "store"


@pytest.fixture(scope="session", params=[True, False], ids=["resident", "lookup"])
def index(shop: Path, request: pytest.FixtureRequest) -> Iterator[Index]:
    """The same store, opened in both ways."""
    with open_index(shop, resident=request.param) as opened:
        yield opened
