"""Names and places inside an artifact store, and the check that a name from a manifest stays inside it.

OUT/latest.json   OUT/snapshots/ID/manifest.json   OUT/snapshots/ID/TABLE/PART.parquet
OUT/encoders/SHA/ OUT/.staging/                    OUT/.lock
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from .errors import DamagedError

__all__ = [
    "ENCODERS",
    "LATEST",
    "LOCK",
    "MANIFEST",
    "SNAPSHOTS",
    "STAGING",
    "check_part_name",
    "check_sha256",
    "check_snapshot_id",
    "check_table_name",
    "dump_latest",
    "encoder_path",
    "is_sha256",
    "parse_inputs",
    "parse_latest",
    "parse_local",
    "part_path",
    "snapshot_id",
]

LATEST = "latest.json"
SNAPSHOTS = "snapshots"
MANIFEST = "manifest.json"
ENCODERS = "encoders"
STAGING = ".staging"
LOCK = ".lock"

ID_LENGTH = 16
"""Hex digits of the manifest's sha256 that name a snapshot: 64 bits, no collision below billions of snapshots."""

_TABLE = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
_PART = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\.parquet\Z")
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_ID = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}\Z")


def snapshot_id(manifest_sha256: str) -> str:
    """Return the id of the snapshot whose manifest bytes have this hex digest."""
    return manifest_sha256[:ID_LENGTH]


def check_snapshot_id(name: str, where: Path) -> str:
    """Return `name` if it is a well-formed snapshot id; DamagedError names the file `where` that gave it."""
    return _checked(_ID, name, "snapshot id", where)


def check_table_name(name: str, where: Path) -> str:
    """Return `name` if it is a well-formed table name; DamagedError names the file `where` that gave it."""
    return _checked(_TABLE, name, "table name", where)


def check_part_name(name: str, where: Path) -> str:
    """Return `name` if it is a well-formed part name; DamagedError names the file `where` that gave it."""
    return _checked(_PART, name, "part name", where)


def is_sha256(value: object) -> bool:
    """Say whether a value is the hex digest of a SHA-256."""
    return isinstance(value, str) and _SHA256.match(value) is not None


def check_sha256(value: str) -> str:
    """Return `value` if it is the hex digest of a SHA-256; ValueError if it is not."""
    if is_sha256(value):
        return value
    raise ValueError(f"{value!r} is no SHA-256")


def encoder_path(store: Path, sha256: str) -> Path:
    """Return the folder of a store that holds the model with this hash."""
    return store / ENCODERS / check_sha256(sha256)


def dump_latest(snapshot: str, local: str | None = None, inputs: str | None = None) -> bytes:
    """Return the bytes of `latest.json` for the live snapshot's id.

    `local` is the base name of the folder that is `local`, `inputs` a digest of what the snapshot was made from.
    """
    value = {"inputs": inputs, "local": local, "snapshot": snapshot}
    known = {name: text for name, text in value.items() if text is not None}
    return (json.dumps(known, ensure_ascii=False) + "\n").encode()


def parse_latest(data: bytes, where: Path) -> str:
    """Return the snapshot id in the bytes of `latest.json`; DamagedError names the file `where` they came from."""
    try:
        name = json.loads(data)["snapshot"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DamagedError(f"{where} does not name a snapshot: download or build the artifact again") from None
    return check_snapshot_id(name, where)


def parse_local(data: bytes) -> str | None:
    """Return the base name of the folder that is `local` in the live snapshot, None if there is none."""
    return _text(data, "local")


def parse_inputs(data: bytes) -> str | None:
    """Return the digest of what the live snapshot was made from, None where it is not known."""
    return _text(data, "inputs")


def _text(data: bytes, name: str) -> str | None:
    try:
        value = json.loads(data).get(name)
    except (ValueError, AttributeError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def part_path(snapshot: Path, table: str, part: str) -> Path:
    """Return the path of one part; refuses links, so that a crafted snapshot cannot lead a reader elsewhere."""
    path = snapshot / check_table_name(table, snapshot / MANIFEST) / check_part_name(part, snapshot / MANIFEST)
    for step in (path.parent, path):
        if step.is_symlink():
            raise DamagedError(f"{step} is a link, which a snapshot may not hold: download or build the artifact again")
    return path


def _checked(pattern: re.Pattern[str], name: object, what: str, where: Path) -> str:
    if isinstance(name, str) and pattern.match(name):
        return name
    raise DamagedError(f"{where} holds the malformed {what} {name!r}: download or build the artifact again")
