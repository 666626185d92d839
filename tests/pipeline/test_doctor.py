"""The doctor: what is well is told, what is not has a remedy."""

from __future__ import annotations

import fcntl
import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline import doctor
from codequarry.pipeline.doctor import Finding, examine
from codequarry.query.cli import run
from codequarry.schemas import layout

from ..query.stores import FileSpec, build_store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    build_store(tmp_path / "store", {"r": [FileSpec(path="a.py", text="x\n")]})
    return tmp_path / "store"


def about(findings: list[Finding], name: str) -> list[Finding]:
    return [finding for finding in findings if finding.about == name]


def test_a_good_environment_has_no_problem(store: Path, tmp_path: Path) -> None:
    findings = examine(store, tmp_path / "cache")
    assert [f for f in findings if f.state == "problem"] == []
    assert all(f.remedy for f in findings if f.state != "ok")
    names = {f.about for f in findings}
    assert names == {"environment", "packages", "git", "grammars", "workers", "model", "cache", "store", "snapshot"}
    (snapshot,) = about(findings, "snapshot")
    assert snapshot.detail.endswith("1 files, made by codequarry test")
    assert f"{store} can be written, and nobody does" in [f.detail for f in about(findings, "store")]


def test_a_lock_and_stale_work_are_told(store: Path, tmp_path: Path) -> None:
    (store / layout.STAGING).mkdir()
    (store / layout.LOCK).write_text('{"host": "h", "pid": 7}\n')
    with (store / layout.LOCK).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        findings = about(examine(store, tmp_path / "cache"), "store")
    assert any('is being written now, by {"host": "h", "pid": 7}' in f.detail for f in findings)
    assert [f.remedy for f in findings if f.state == "warning"] == ["the next run removes it"]


def test_what_is_not_there_yet_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for place, words in ((tmp_path / "none", "is not there yet"), (tmp_path / "empty", "can be written")):
        findings = examine(place, tmp_path / "cache")
        assert words in about(findings, "store")[0].detail
        assert not [f for f in findings if f.state == "problem"]
    assert not (tmp_path / "none").exists()


def test_a_damaged_snapshot_a_bad_cache_and_a_full_disk(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    next(store.rglob("*.parquet")).unlink()
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(doctor, "_FEW_BYTES", 1 << 62)
    findings = examine(store, tmp_path / "file" / "cache")
    (snapshot,) = about(findings, "snapshot")
    assert (snapshot.state, snapshot.remedy) == ("problem", "download or build the artifact again")
    assert [f.state for f in about(findings, "cache")] == ["warning"]
    assert any("are free on the disk" in f.detail for f in about(findings, "store"))


def test_missing_packages_and_broken_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        if name in ("duckdb", "rich"):
            raise PackageNotFoundError(name)
        return "1"

    def broken() -> Any:
        raise RuntimeError("odd")

    monkeypatch.setattr(doctor, "version", absent)
    monkeypatch.setattr(doctor, "_git", broken)
    monkeypatch.setattr(doctor, "_indexes", lambda: False)
    findings = examine(tmp_path, tmp_path)
    assert [(f.state, f.remedy) for f in about(findings, "packages")] == [
        ("problem", "pip install 'codequarry'"),
        ("warning", "pip install 'codequarry[index]'"),
    ]
    assert about(findings, "git")[0].detail == "cannot be checked (RuntimeError: odd)"
    assert not about(findings, "grammars") + about(findings, "workers") + about(findings, "model")


def test_the_command(
    store: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ill = Finding(about="git", state="problem", detail="not found", remedy="install git")
    monkeypatch.setattr(doctor, "examine", lambda *_: [Finding(about="model", state="ok", detail="m"), ill])
    assert run(["doctor", "--out", str(store)]) == 1
    assert capfd.readouterr().out.splitlines() == ["ok       model        m", "problem  git          not found: install git"]
    assert run(["doctor", "--json"]) == 1
    assert json.loads(capfd.readouterr().out)[1] == {
        "about": "git", "state": "problem", "detail": "not found", "remedy": "install git",
    }  # fmt: skip
