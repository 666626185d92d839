"""Receipts: facts left in a folder that both sides see, returned where they don't, refused where they changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from codequarry.pipeline.batch import decode
from codequarry.pipeline.extract import Limits
from codequarry.pipeline.receipts import Parts, Receipt, extract_into, taken
from codequarry.pipeline.worker import Extracted, FileTask, extract
from codequarry.schemas.errors import StoreError

TASKS = [FileTask(language="python", basename="a.py", data=b"def load():\n    return 1\n")]


def _left(parts: Parts) -> Receipt:
    found = extract_into(parts, TASKS, Limits())
    assert isinstance(found, Receipt)
    return found


def test_facts_are_left_and_taken(tmp_path: Path) -> None:
    parts = Parts.at(tmp_path)
    receipt = _left(parts)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([parts.mark, receipt.name])
    facts = taken(parts, receipt)
    assert [path.name for path in tmp_path.iterdir()] == [parts.mark]
    assert bytes(facts.facts) == extract(TASKS, Limits()).facts
    assert decode(facts.facts).symbols["name"].to_pylist() == ["", "load"]
    assert len(facts.seconds) == 1


def test_where_the_folder_is_not_seen_facts_are_returned(tmp_path: Path) -> None:
    parts = Parts.at(tmp_path)
    for elsewhere in (replace(parts, folder=tmp_path / "none"), replace(parts, mark="of another run")):
        found = extract_into(elsewhere, TASKS, Limits())
        assert isinstance(found, Extracted)
        assert found.facts == extract(TASKS, Limits()).facts
    assert [path.name for path in tmp_path.iterdir()] == [parts.mark]


def test_where_the_folder_cannot_be_written_facts_are_returned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts.at(tmp_path)
    monkeypatch.setattr("codequarry.pipeline.receipts.secrets.token_hex", lambda _: "no folder/name")
    assert isinstance(extract_into(parts, TASKS, Limits()), Extracted)


@pytest.mark.parametrize("damage", ["flipped", "cut", "gone"])
def test_other_facts_than_were_left_are_refused(tmp_path: Path, damage: str) -> None:
    parts = Parts.at(tmp_path)
    receipt = _left(parts)
    path = tmp_path / receipt.name
    data = path.read_bytes()
    path.write_bytes(data[:-1] if damage == "cut" else data[:40] + bytes([data[40] ^ 1]) + data[41:])
    if damage == "gone":
        path.unlink()
    with pytest.raises(StoreError, match=r"cannot be read|does not hold the facts that a worker left there"):
        taken(parts, receipt)
