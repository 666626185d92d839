"""Which model makes the vectors: the embedded one, a folder, one of a hub, or none with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ...schemas import manifest
from ...schemas.errors import StoreError
from ...schemas.manifest import ModelInfo
from ..encoder import FOLDER
from .words import Vectorizer, vectorizer

__all__ = ["NO_MODEL", "Model", "choose_model"]

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model for vectors: what a manifest says of it, and the folder that holds it, None where there is none."""

    info: ModelInfo
    folder: Path | None = None

    @property
    def vectorizer(self) -> Vectorizer | None:
        """What makes the vectors."""
        return None if self.folder is None else vectorizer(self.folder)


NO_MODEL = Model(info=manifest.NO_MODEL)


def choose_model(wanted: str) -> Model:
    """Return the model that `--model` names: `auto` is the embedded one, `none` is none; else a folder or a hub's id.

    Never raises: a model that cannot be had is a reason, and search goes on without meaning.
    """
    if wanted == "none":
        return NO_MODEL
    name = "embedded" if wanted == "auto" else _shown(wanted)
    try:
        folder = FOLDER if wanted == "auto" else _folder(wanted)
        encoder = vectorizer(folder).encoder
    except StoreError as error:
        return Model(info=ModelInfo(name=name, reason=f"the model cannot be used: {error}"))
    return Model(info=ModelInfo(name=name, sha256=encoder.sha256, dimensions=encoder.dimensions), folder=folder)


def _shown(name: str) -> str:
    """Return a name that holds no path of this machine, since a manifest has none."""
    return name if _HUB_ID.fullmatch(name) else Path(name).name


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
