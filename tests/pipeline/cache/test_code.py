"""The digest of code."""

from __future__ import annotations

import pytest
from codequarry.pipeline.cache import code_digest
from codequarry.pipeline.cache.code import code_files


def test_a_digest_covers_folders_and_files() -> None:
    files = {path.name for path in code_files("pipeline/languages", "schemas/terms.py")}
    assert {"python.py", "python.scm", "terms.py"} <= files
    assert code_digest("pipeline/languages") != code_digest("pipeline/links")
    assert len(code_digest("schemas/terms.py")) == 64


def test_a_place_that_is_gone_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        code_digest("pipeline/nowhere")
