"""A history and a store that the tests of evaluation read, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from .made_history import build_history, build_small_store


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of twelve changes; do not change it."""
    return build_history(tmp_path_factory.mktemp("history") / "shop")


@pytest.fixture(scope="session")
def store(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of its last state; do not change it."""
    return build_small_store(history, tmp_path_factory.mktemp("indexed") / "store")
