"""Vectors of symbols and files: which model makes them, and how fields become one vector."""

from __future__ import annotations

from .fields import field_vectors, path_vectors
from .models import NO_MODEL, Model, choose_model

__all__ = ["NO_MODEL", "Model", "choose_model", "field_vectors", "path_vectors"]
