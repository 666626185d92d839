"""Which model makes the vectors: the embedded one, a folder, one of a hub, or none with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ...query.encoder import Encoder
from ...schemas.errors import StoreError
from ..encoder import FOLDER
from .fields import DIMENSIONS_LIMIT

__all__ = ["NO_MODEL", "Model", "choose_model"]

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model for vectors, by its `name`: `embedded`, or what the user gave; without a folder there is a `reason` why not.

    `sha256` is the hash of its files (query.encoder), `dimensions` how many of its columns are used.
    """

    name: str
    folder: Path | None = None
    sha256: str | None = None
    dimensions: int = 0
    reason: str | None = None


NO_MODEL = Model(name="none", reason="the index was made without a model")


def choose_model(wanted: str) -> Model:
    """Return the model that `--model` names: `auto` is the embedded one, `none` is none; else a folder or a hub's id.

    Never raises: a model that cannot be had is a reason, and search goes on without meaning.
    """
    if wanted == "none":
        return NO_MODEL
    name = "embedded" if wanted == "auto" else wanted
    try:
        folder = FOLDER if wanted == "auto" else _folder(wanted)
        encoder = Encoder.load(folder)
    except StoreError as error:
        return Model(name=_shown(name), reason=f"the model cannot be used: {error}")
    dimensions = min(encoder.dimensions, DIMENSIONS_LIMIT)
    return Model(name=_shown(name), folder=folder, sha256=encoder.sha256, dimensions=dimensions)


def _shown(name: str) -> str:
    """Return a name that holds no path of this machine, since a manifest has none."""
    return name if name in ("embedded", "none") or _HUB_ID.fullmatch(name) else Path(name).name


def _folder(wanted: str) -> Path:
    if Path(wanted).is_dir():
        return Path(wanted)
    if not _HUB_ID.fullmatch(wanted):
        raise StoreError(f"{Path(wanted).name}: there is no such folder, and it is not the id of a hub's model (OWNER/NAME)")
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(wanted, allow_patterns=["*.json", "*.safetensors"]))
    except Exception as error:  # a hub fails in many ways, by exceptions of several libraries
        what = " ".join(str(error).split())[:160] or type(error).__name__
        raise StoreError(f"{wanted}: it cannot be fetched ({what})") from None
