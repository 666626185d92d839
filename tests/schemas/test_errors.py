"""Errors: one base, and the exit code of each."""

from __future__ import annotations

import re

import pytest
from codequarry.schemas import errors


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    said = re.findall(r"(\w+Error)\s+exit (\d+)", errors.__doc__ or "")
    classes = {name: getattr(errors, name) for name in errors.__all__ if name.endswith("Error")}
    assert {name: int(code) for name, code in said} == {name: c.exit_code for name, c in classes.items()}
    assert all(issubclass(c, errors.CodequarryError) for c in classes.values())


@pytest.mark.parametrize(("name", "code"), [("EXIT_OK", 0), ("EXIT_FILES_SET_ASIDE", 3), ("EXIT_INTERRUPTED", 130)])
def test_other_exit_codes(name: str, code: int) -> None:
    assert getattr(errors, name) == code
