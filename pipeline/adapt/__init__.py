"""Adapt the embedded model to what is indexed: its documentation, its names, and the subjects of earlier commits."""

from __future__ import annotations

from .embedding import embed
from .history import Subject, subjects
from .model import adapt

__all__ = ["Subject", "adapt", "embed", "subjects"]
