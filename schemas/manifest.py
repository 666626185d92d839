"""The manifest: what a snapshot holds, by which versions it was made, and the digest of every file.

Serialised as canonical JSON (sorted keys, two-space indent, UTF-8, one final newline), so that equal content has equal
bytes; the snapshot's id begins the sha256 of those bytes. It holds no absolute path and no time.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .errors import DamagedError, FormatVersionError
from .layout import check_part_name, check_sha256, check_table_name
from .tables import FORMAT_VERSION

__all__ = ["NO_MODEL", "Manifest", "ModelInfo", "Part", "SourceInfo", "TableInfo", "digest", "dump", "parse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One Parquet file of a table: its name, rows, size in bytes and sha256."""

    name: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInfo:
    """The parts of one table, in the order of their rows."""

    parts: tuple[Part, ...]

    @property
    def rows(self) -> int:
        return sum(p.rows for p in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """One indexed source; commit, branch and dirty are None where unknown (no git, or detached)."""

    repo: str
    commit: str | None
    branch: str | None
    dirty: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """What made the vectors: a name, the hash of its files and how many dimensions; `reason` says why there are none."""

    name: str
    sha256: str | None = None
    dimensions: int = 0
    reason: str | None = None


NO_MODEL = ModelInfo(name="none", reason="the index was made without a model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything a reader must know before it opens a table.

    `versions` names tool, grammars and libraries that decide content; `options` those options of the run that do;
    `statistics` are numbers of the corpus: `files`, `symbols` (without the rows that stand for files), and the summed
    lengths in terms `symbol_lengths` and `file_lengths`, one a field in the order of schemas.tables; `kinds` and
    `languages` are the word lists that coded columns index; `model` made the vectors; `reproducible` is False when a wall
    clock cut something.
    """

    format_version: int = FORMAT_VERSION
    versions: dict[str, str]
    options: dict[str, Any]
    sources: tuple[SourceInfo, ...]
    tables: dict[str, TableInfo]
    statistics: dict[str, Any]
    kinds: tuple[str, ...]
    languages: tuple[str, ...]
    model: ModelInfo = NO_MODEL
    reproducible: bool = True
    extra: dict[str, Any] = field(default_factory=dict)


def dump(manifest: Manifest) -> bytes:
    """Return the canonical bytes of a manifest."""
    value = asdict(manifest)
    value.update(value.pop("extra"))
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def parse(data: bytes, where: Path) -> Manifest:
    """Read manifest bytes found at `where`.

    Unknown keys are kept in `extra`. Raises FormatVersionError for another format version, before anything else is
    looked at, and DamagedError for anything that is not a manifest.
    """
    try:
        value = json.loads(data)
        version = value["format_version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DamagedError(f"{where} is not a codequarry manifest: download or build the artifact again") from None
    _check_version(version, where)
    try:
        return _from_json(value, where)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        what = f"{type(error).__name__}: {error}"
        raise DamagedError(f"{where} is damaged ({what}): download or build the artifact again") from None


def digest(data: bytes) -> str:
    """Return the hex sha256 of manifest bytes."""
    return hashlib.sha256(data).hexdigest()


def _check_version(version: object, where: Path) -> None:
    if version == FORMAT_VERSION and isinstance(version, int):
        return
    newer = isinstance(version, int) and version > FORMAT_VERSION
    remedy = "upgrade codequarry (pip install -U codequarry)" if newer else "build it again with `codequarry index`"
    raise FormatVersionError(f"{where} has format version {version}, this reader knows version {FORMAT_VERSION}: {remedy}")


def _from_json(value: dict[str, Any], where: Path) -> Manifest:
    known = set(Manifest.__dataclass_fields__) - {"extra"}
    tables = {
        check_table_name(name, where): TableInfo(parts=tuple(_part(p, where) for p in table["parts"]))
        for name, table in value["tables"].items()
    }
    return Manifest(
        format_version=value["format_version"],
        versions=dict(value["versions"]),
        options=dict(value["options"]),
        sources=tuple(
            SourceInfo(repo=s["repo"], commit=s["commit"], branch=s["branch"], dirty=s["dirty"]) for s in value["sources"]
        ),
        tables=tables,
        statistics=dict(value["statistics"]),
        kinds=tuple(value["kinds"]),
        languages=tuple(value["languages"]),
        model=_model(value.get("model")),
        reproducible=bool(value["reproducible"]),
        extra={k: v for k, v in value.items() if k not in known},
    )


def _model(value: dict[str, Any] | None) -> ModelInfo:
    if value is None:
        return NO_MODEL
    sha256, reason = value["sha256"], value["reason"]
    return ModelInfo(
        name=str(value["name"]),
        sha256=None if sha256 is None else check_sha256(sha256),
        dimensions=int(value["dimensions"]),
        reason=None if reason is None else str(reason),
    )


def _part(value: dict[str, Any], where: Path) -> Part:
    return Part(
        name=check_part_name(value["name"], where),
        rows=int(value["rows"]),
        bytes=int(value["bytes"]),
        sha256=str(value["sha256"]),
    )
