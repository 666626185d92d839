"""Values by name: what is put is what is got, or nothing."""

from __future__ import annotations

import hashlib
import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from codequarry.pipeline.cache import Values
from hypothesis import given
from hypothesis import strategies as st

KEY = hashlib.sha256(b"all that it depends on").hexdigest()


def only_file(folder: Path) -> Path:
    (path,) = (p for p in folder.rglob("*") if p.is_file())
    return path


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4))
def test_the_last_value_of_a_key_is_got(tmp_path_factory: pytest.TempPathFactory, values: list[bytes]) -> None:
    store = Values(tmp_path_factory.mktemp("cache"))
    for value in values:
        store.put("links", KEY, value)
        assert store.get("links", KEY) == value


def test_kinds_and_keys_are_apart(tmp_path: Path) -> None:
    store = Values(tmp_path / "new" / "folder")
    store.put("links", KEY, b"of links")
    assert store.get("outlines", KEY) is None
    assert store.get("links", KEY[::-1]) is None
    assert Values(tmp_path / "new" / "folder").get("links", KEY) == b"of links"


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 200])
def test_a_damaged_value_is_forgotten(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes) -> None:
    store = Values(tmp_path)
    store.put("links", KEY, b"value")
    path = only_file(tmp_path)
    path.write_bytes(damage)
    assert store.get("links", KEY) is None
    assert "is damaged and is made again" in caplog.text
    assert not path.exists()
    store.put("links", KEY, b"value")
    assert store.get("links", KEY) == b"value"


def test_names_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    for kind, key in (("../links", KEY), ("links", "../../" + KEY), ("links", "A" * 32), ("", KEY)):
        with pytest.raises(ValueError, match="no kind and key"):
            Values(tmp_path).get(kind, key)


def test_a_full_disk_keeps_nothing_and_fails_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Values(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # Python ignores SIGXFSZ
    try:
        store.put("links", KEY, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "was not kept (File too large)" in caplog.text
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


def test_a_used_value_is_marked(tmp_path: Path) -> None:
    store = Values(tmp_path)
    store.put("links", KEY, b"value")
    path = only_file(tmp_path)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    store.get("links", KEY)
    assert path.stat().st_mtime > time.time() - 60


def test_many_writers_of_one_key(tmp_path: Path) -> None:
    store = Values(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: store.put("links", KEY, b"same" * 1000), range(50)))
    assert store.get("links", KEY) == b"same" * 1000
    assert only_file(tmp_path).name == KEY[2:]
