"""The embedded encoder: the model that vectors are made with when no other is named."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FOLDER"]

FOLDER = Path(__file__).parent
"""Folder of the model's files, for `codequarry.query.encoder.Encoder.load`; see MODEL_CARD.md there."""
