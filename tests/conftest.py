"""Settings of all tests."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

# Before numpy and Arrow are loaded: a process without threads of theirs may fork, which tests of the pool need.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", JE_ARROW_MALLOC_CONF="background_thread:false")

# No test may find what another session left, or leave something in the user's own folder.
os.environ["CODEQUARRY_CACHE"] = tempfile.mkdtemp(prefix="codequarry-tests-")

import pytest
from hypothesis import settings

# A deadline would time tests, which fails on a busy machine and says nothing about the product.
settings.register_profile("codequarry", deadline=None)
settings.load_profile("codequarry")

atexit.register(shutil.rmtree, os.environ["CODEQUARRY_CACHE"], ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that need a process without threads before any other can leave one."""
    items.sort(key=lambda item: item.get_closest_marker("single") is None)
