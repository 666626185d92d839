"""Where the parts of a context pack come from, as typed JSON, and whether their sources are still what was indexed.

A file's bytes are known by the hash of their git blob, which the index recorded. The text that the snapshot holds is
checked against it, and so is the file of a checkout if one is given.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..schemas.errors import UsageError
from .connection import Connection
from .context.values import Block, Item, Pack

__all__ = [
    "DIFFERS",
    "MATCHES",
    "MISSING",
    "UNKNOWN",
    "Validation",
    "blob_of",
    "check_checkout",
    "file_state",
    "to_json",
    "validate",
]

MATCHES, DIFFERS, MISSING, UNKNOWN = "matches", "differs", "missing", "unknown"
"""States of a source: it has the recorded hash, another, is not there, or cannot be told (no hash, a converted text)."""

_CONVERTED = ("jupyter",)
"""Languages whose stored text is made from the file and not its bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """Whether the text in the snapshot and the file in the checkout (None if none was given) have the recorded hash."""

    snapshot: str
    checkout: str | None


def validate(connection: Connection, files: Collection[int], checkout: Path | None = None) -> dict[int, Validation]:
    """Check the sources of some files (ids) against the hashes that the snapshot recorded."""
    if not files:
        return {}
    wanted = ",".join(map(str, sorted(files)))
    rows = connection.rows(f"SELECT file, repo, path, language, encoding, blob FROM files WHERE file IN ({wanted})")
    texts = dict(connection.rows(f"SELECT file, text FROM sources WHERE file IN ({wanted})"))
    several = len(connection.snapshot.manifest.sources) > 1
    found = {}
    for file, repo, path, language, encoding, blob in rows:
        here = None
        if checkout is not None:
            here = file_state(checkout / repo if several else checkout, path, blob)
        text = None if language in _CONVERTED else texts.get(file)
        found[file] = Validation(snapshot=_state_of_text(text, encoding, blob), checkout=here)
    return found


def check_checkout(path: str | os.PathLike[str] | None) -> Path | None:
    """Return the folder of a checkout; UsageError where it is none."""
    if path is None:
        return None
    folder = Path(os.path.realpath(path))
    if not folder.is_dir():
        raise UsageError(f"there is no folder at {path}: give the folder that was indexed as the checkout")
    return folder


def blob_of(data: bytes) -> str:
    """Return the hex SHA-1 of a git blob with these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _state_of_text(text: str | None, encoding: str | None, blob: str | None) -> str:
    if text is None or blob is None or encoding is None:
        return UNKNOWN
    try:
        data = text.encode(encoding)
    except (LookupError, UnicodeError):
        return UNKNOWN
    if blob_of(data) == blob:
        return MATCHES
    told = encoding.startswith("utf-8") and "\ufffd" not in text  # others have several spellings of the same text
    return DIFFERS if told else UNKNOWN


def file_state(root: Path, path: str, blob: str | None) -> str:
    """Compare one file of a checkout; nothing outside of its folder is read, whatever the snapshot says the path is."""
    if blob is None:
        return UNKNOWN
    place = Path(os.path.realpath(root / path))
    if not place.is_relative_to(os.path.realpath(root)):
        return UNKNOWN
    try:
        if not stat.S_ISREG(os.lstat(place).st_mode):
            return MISSING
        return MATCHES if blob_of(place.read_bytes()) == blob else DIFFERS
    except (FileNotFoundError, NotADirectoryError):
        return MISSING
    except OSError:
        return UNKNOWN


def to_json(pack: Pack, checks: Mapping[int, Validation]) -> dict[str, Any]:
    """Return what `context --json` prints: the pack's items with what each rests on and whether that still holds."""
    states = [check.checkout or check.snapshot for check in checks.values()]
    return {
        "task": pack.task,
        "snapshot": pack.snapshot,
        "budget": pack.budget,
        "tokens": pack.tokens,
        "complete": pack.complete,
        "notes": list(pack.notes),
        "validation": {state: states.count(state) for state in (MATCHES, DIFFERS, MISSING, UNKNOWN)},
        "items": [_item(item, checks) for item in pack.items],
        "omissions": [asdict(omission) for omission in pack.omissions],
    }


def _item(item: Item, checks: Mapping[int, Validation]) -> dict[str, Any]:
    value: dict[str, Any] = {"source": item.source, "section": item.section, "tokens": item.tokens}
    if item.file is None:
        return {**value, "text": item.text}
    value |= {
        "repo": item.repo,
        "path": item.path,
        "start_line": item.start_line,
        "end_line": item.end_line,
        "kind": item.kind,
        "name": item.name,
        "key": item.key,
        "language": item.language,
        "validation": asdict(checks[item.file]) if item.file in checks else None,
        "ranges": [_range(block) for block in item.blocks],
    }
    if item.names:
        value["names"] = list(item.names)
    if item.edge is not None:
        edge = item.edge
        value["edge"] = {
            "relation": edge.relation,
            "via": edge.via,
            "kind": edge.kind,
            "at": {"path": edge.path, "line": edge.line},
            "confidence": round(edge.confidence, 4),
            "evidence": edge.evidence,
            "rule": edge.rule,
        }
    if item.link is not None:
        value["link"] = asdict(item.link)
    return value


def _range(block: Block) -> dict[str, Any]:
    return {"start_line": block.start, "end_line": block.end, "text": "\n".join(block.lines)}
