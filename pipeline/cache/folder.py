"""Where the cache lies: a folder of the user by the conventions of the platform, one for all stores."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ...schemas.errors import StoreError

__all__ = ["CACHE_ENV", "cache_folder", "open_folder"]

CACHE_ENV = "CODEQUARRY_CACHE"

_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds what codequarry can make again.\n"
"""The cache directory tag (bford.info/cachedir), at which backup programs pass by."""


def cache_folder(given: Path | None, environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of the cache: the one given, else $CODEQUARRY_CACHE, else the user's cache folder.

    That is `$XDG_CACHE_HOME/codequarry` or `~/.cache/codequarry`; on macOS `~/Library/Caches/codequarry`, on Windows
    `%LOCALAPPDATA%\\codequarry\\Cache`. A relative $XDG_CACHE_HOME counts as not set, as its specification says.
    """
    if given is not None:
        return given
    if environment.get(CACHE_ENV):
        return Path(environment[CACHE_ENV])
    home = Path(environment.get("HOME") or os.path.expanduser("~"))
    if platform == "darwin":
        return home / "Library" / "Caches" / "codequarry"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "codequarry" / "Cache"
    base = environment.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else home / ".cache") / "codequarry"


def open_folder(root: Path) -> Path:
    """Make the folder of the cache if need be and return it; StoreError where it cannot be made or written."""
    tag = root / "CACHEDIR.TAG"
    try:
        root.mkdir(parents=True, exist_ok=True)
        if not tag.exists():
            tag.write_bytes(_TAG)
        if not os.access(root, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        remedy = f"check its permissions, or name another folder with --cache DIR or ${CACHE_ENV}"
        raise StoreError(f"the cache folder {root} cannot be written ({error.strerror}): {remedy}") from None
    return root
