"""Read what the user asked to index: sources on the command line and lists of them in a TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...schemas.errors import UsageError
from .model import SourceRequest

__all__ = ["check_names", "load_repos", "parse_source"]

_REMOTE = re.compile(r"[\w.+-]+://|[\w.-]+@[\w.-]+:")
"""An address as git takes it: `https://host/path` or `user@host:path`."""

_KEYS = {"name": str, "path": str, "rev": str, "include": list, "exclude": list}


def parse_source(
    argument: str,
    rev: str | None = None,
    name: str | None = None,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
) -> SourceRequest:
    """Read one SOURCE: a folder, or `PATH@REV`; an existing path wins, else the last `@` splits."""
    if not argument:
        raise UsageError("an empty SOURCE names nothing: give a folder or a git repository")
    path, at, suffix = argument.rpartition("@")
    if Path(argument).exists() or not at or not path:
        path, suffix = argument, ""
    elif rev is not None:
        raise UsageError(f"{argument} names a revision and --rev another: give one of them")
    location = _folder(path, argument, "")
    return SourceRequest(
        name=_name(name, location),
        location=location,
        named=name is not None,
        rev=rev or suffix or None,
        include=tuple(include),
        exclude=tuple(exclude),
    )


def load_repos(file: Path) -> tuple[SourceRequest, ...]:
    """Read a list of sources: `[[repos]]` tables with path, and if wanted name, rev, include and exclude.

    Paths are relative to the file's folder. Raises UsageError that names the place of what is wrong.
    """
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}): give a TOML file with [[repos]] tables") from None
    except ValueError as error:  # TOML and UTF-8 errors
        raise UsageError(f"{file} is not TOML ({error}): correct it") from None
    for key in tables:
        if key != "repos":
            raise UsageError(f"{file}: unknown key {key!r}: only [[repos]] tables may stand there")
    repos = tables.get("repos", [])
    if not isinstance(repos, list) or not all(isinstance(r, dict) for r in repos):
        raise UsageError(f"{file}: repos must be a list of tables: write [[repos]]")
    if not repos:
        raise UsageError(f"{file} lists no repository: add a [[repos]] table with a path")
    return tuple(_request(table, f"{file}: repos[{i}]", file.parent) for i, table in enumerate(repos))


def check_names(requests: Iterable[SourceRequest]) -> None:
    """Refuse two sources of one name, which tells their files apart; UsageError names both."""
    seen: dict[str, SourceRequest] = {}
    for request in requests:
        other = seen.get(request.name)
        if other is not None:
            raise UsageError(
                f"{_shown(other)} and {_shown(request)} are both named {request.name!r}: give one another name "
                f"(--name, or name in the list of repositories)"
            )
        seen[request.name] = request


def _request(table: dict[str, Any], place: str, base: Path) -> SourceRequest:
    for key, value in table.items():
        if key not in _KEYS:
            raise UsageError(f"{place}.{key}: unknown key: the keys are {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]) or (isinstance(value, list) and not all(isinstance(v, str) for v in value)):
            what = "a list of strings" if _KEYS[key] is list else "a string"
            raise UsageError(f"{place}.{key} is {value!r}: it must be {what}")
    if not table.get("path"):
        raise UsageError(f"{place}.path is missing: say which folder to index")
    location = _folder(str(base / table["path"]), table["path"], f"{place}.path: ")
    return SourceRequest(
        name=_name(table.get("name"), location),
        location=location,
        rev=table.get("rev"),
        include=tuple(table.get("include", ())),
        exclude=tuple(table.get("exclude", ())),
    )


def _folder(path: str, given: str, place: str) -> Path:
    folder = Path(path)
    if folder.is_dir():
        return folder
    if folder.exists():
        raise UsageError(f"{place}{path} is not a folder: give a folder or a git repository")
    remote = _REMOTE.match(given) is not None
    remedy = "clone it and give the clone" if remote else "give a folder or a git repository that is there"
    raise UsageError(f"{place}there is no {given if remote else path}: {remedy}")


def _name(given: str | None, location: Path) -> str:
    return _checked(given if given is not None else location.resolve().name.removesuffix(".git") or "root")


def _checked(name: str) -> str:
    """Refuse a name that could not stand in a key (`repo:path#name`) or would not be text."""
    if not name or ":" in name or not name.isprintable():
        raise UsageError(f"{name!r} cannot name a source: give --name NAME without colons and control characters")
    return name


def _shown(request: SourceRequest) -> str:
    return f"{request.location}@{request.rev}" if request.rev else str(request.location)
