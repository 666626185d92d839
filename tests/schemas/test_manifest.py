"""The manifest: canonical bytes, and what is refused with which sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from codequarry.schemas.errors import DamagedError, FormatVersionError
from codequarry.schemas.layout import ID_LENGTH, snapshot_id
from codequarry.schemas.manifest import Manifest, Part, SourceInfo, TableInfo, digest, dump, parse

WHERE = Path("out/snapshots/x/manifest.json")
MANIFEST = Manifest(
    versions={"codequarry": "1", "b": "2"},
    options={"z": True, "a": 1},
    sources=(SourceInfo(repo="größe", commit="c" * 40, branch=None, dirty=None),),
    tables={"files": TableInfo(parts=(Part(name="0.parquet", rows=2, bytes=9, sha256="d" * 64),) * 2)},
    statistics={"files": 2},
    kinds=("file",),
    languages=(),
    reproducible=False,
)


def test_round_trip() -> None:
    assert parse(dump(MANIFEST), WHERE) == MANIFEST
    assert MANIFEST.tables["files"].rows == 4


def test_bytes_are_canonical() -> None:
    data = dump(MANIFEST)
    value = json.loads(data)
    assert data == (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()
    turned = Manifest(
        **{name: getattr(MANIFEST, name) for name in Manifest.__dataclass_fields__}
        | {"options": dict(reversed(MANIFEST.options.items())), "versions": dict(reversed(MANIFEST.versions.items()))}
    )
    assert dump(turned) == data
    assert snapshot_id(digest(data)) == digest(data)[:ID_LENGTH]


def test_unknown_keys_are_kept() -> None:
    value = json.loads(dump(MANIFEST)) | {"later": [1]}
    value["tables"]["files"]["later"] = 1
    read = parse(json.dumps(value).encode(), WHERE)
    assert read.extra == {"later": [1]}
    assert read.tables == MANIFEST.tables
    assert json.loads(dump(read))["later"] == [1]


@pytest.mark.parametrize(
    ("version", "remedy"),
    [(2, "upgrade codequarry"), (10**30, "upgrade codequarry"), (0, "build it again"), ("1", "build it"), (None, "build")],
)
def test_another_version_is_refused_before_anything_else(version: Any, remedy: str) -> None:
    with pytest.raises(FormatVersionError, match=remedy):
        parse(json.dumps({"format_version": version}).encode(), WHERE)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'"format_version"',
        b"[" * 100_000,
        b'{"format_version": 1}',
        b'{"format_version": true}',
    ],
)
def test_what_is_no_manifest_is_damage(data: bytes) -> None:
    with pytest.raises((DamagedError, FormatVersionError), match=r"manifest\.json .*again"):
        parse(data, WHERE)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("tables",), []),
        (("tables", "../files"), {"parts": []}),
        (("tables", "files", "parts", 0, "name"), "../0.parquet"),
        (("tables", "files", "parts", 0, "name"), 5),
        (("tables", "files", "parts", 0, "rows"), "many"),
        (("tables", "files", "parts", 0), None),
        (("sources",), [{"repo": "x"}]),
        (("kinds",), None),
        (("statistics",), 3),
    ],
)
def test_crafted_values_are_damage(keys: tuple[Any, ...], value: Any) -> None:
    manifest = json.loads(dump(MANIFEST))
    place = manifest
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(DamagedError, match=r"manifest\.json .*download or build the artifact again"):
        parse(json.dumps(manifest).encode(), WHERE)
