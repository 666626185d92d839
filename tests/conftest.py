"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A deadline would time tests, which fails on a busy machine and says nothing about the product.
settings.register_profile("codequarry", deadline=None)
settings.load_profile("codequarry")
