"""The model that made a snapshot's vectors, found beside it, for turning a query into a vector of the same kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..schemas import layout
from ..schemas.errors import CodequarryError, StoreError
from .store import Snapshot

if TYPE_CHECKING:
    from .encoder import Encoder

__all__ = ["encoder_folders", "load_encoder", "unavailable"]

_EMBEDDED = Path(__file__).resolve().parent.parent / "pipeline" / "encoder"
"""The model that comes with the package; read as data, nothing of the pipeline is imported."""


def unavailable(snapshot: Snapshot) -> str | None:
    """Return why the snapshot cannot be searched by meaning, None if it can as far as its manifest tells."""
    model = snapshot.manifest.model
    if model.sha256 is not None and snapshot.has("vectors"):
        return None
    return model.reason or "the index holds no vectors"


def load_encoder(snapshot: Snapshot) -> Encoder:
    """Return the very model that made the vectors: from the store, or the embedded one if it is that.

    Raises StoreError where it cannot be had, or is another.
    """
    from .encoder import Encoder

    model = snapshot.manifest.model
    if model.sha256 is None:
        raise StoreError(unavailable(snapshot) or "the index holds no vectors")
    first: CodequarryError | None = None
    for folder in encoder_folders(snapshot):
        try:
            return Encoder.load(folder, sha256=model.sha256, dimensions=model.dimensions)
        except CodequarryError as error:
            first = first or error
    if first is not None:
        raise first
    raise StoreError(
        f"the model {model.name} that made the vectors is not in {snapshot.folder.parent.parent / layout.ENCODERS}: "
        "copy it there, or index again"
    )


def encoder_folders(snapshot: Snapshot) -> list[Path]:
    """Return the folders that may hold the snapshot's model, none if it has none; whether they do, only their hash tells."""
    sha256 = snapshot.manifest.model.sha256
    if sha256 is None:
        return []
    return [folder for folder in (layout.encoder_path(snapshot.folder.parent.parent, sha256), _EMBEDDED) if folder.is_dir()]
