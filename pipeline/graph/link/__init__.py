"""Linking: what the references of all files mean together."""

from __future__ import annotations

from .resolve import Edge, Links, link
from .world import LinkFile, is_configuration

__all__ = ["Edge", "LinkFile", "Links", "is_configuration", "link"]
