"""The campaign of kills and faults, ten kills on a small tree."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ._script import script

kills = script("bench/kills")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ten_kills_and_some_faults_break_no_promise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("COV")]:
        monkeypatch.delenv(name)  # a measured process writes a file of its own, which a full disk breaks and a kill damages
    tree = tmp_path / "tree"
    for i in range(40):
        path = tree / f"pkg{i % 4}" / f"m{i:02}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"class C{i}:\n    def read_{i}(self):\n        return {i}\n\n\ndef f{i}():\n    return C{i}().read_{i}()\n"
        )
    assert kills.main([str(tree), "--kills", "10", "--faults", "1", "--work", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "15 times, 0 broken promises"


def test_a_broken_promise_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")

    def broken(ground: object) -> str:
        raise kills.BrokenPromiseError("half a snapshot")

    monkeypatch.setattr(kills, "prepare", lambda *_: None)
    monkeypatch.setattr(kills, "kill_once", broken)
    assert kills.main([str(tmp_path), "--kills", "1", "--faults", "0"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "kill 0: half a snapshot"
