"""What every command owes a wrong request."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from codequarry.query.cli import run

__all__ = ["assert_refused"]


def assert_refused(capfd: pytest.CaptureFixture[str], args: Sequence[str], code: int, said: str) -> None:
    """Run a command that must end with this code and one sentence on stderr that holds these words, and print nothing."""
    assert run(args) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
