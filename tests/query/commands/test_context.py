"""`codequarry context`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from codequarry.query.cli import run

from ..parcels import TREE


def test_markdown(parcels: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["context", "route_parcel", "--index", str(parcels), "--budget", "400"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert out.startswith("# route_parcel\n\nFrom snapshot ")
    body = "\n".join(TREE["src/router.py"].split("\n")[8:14])
    assert f"\n### src/router.py:9-14 method Router.route_parcel\n```python\n{body}\n```\n" in out
    assert -(-len(out) // 4) <= 400


def test_json_has_places_and_the_checkout(parcels: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tree = str(parcels.parent / "tree")
    assert run(["context", "route_parcel", "--index", str(parcels), "--checkout", tree, "--json"]) == 0
    value = json.loads(capfd.readouterr().out)
    first = value["items"][1]
    assert (first["path"], first["start_line"], first["end_line"]) == ("src/router.py", 9, 14)
    assert first["validation"] == {"snapshot": "matches", "checkout": "matches"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--budget", "5"], "a budget of 5 tokens holds nothing: give 100 or more"),
        (["--hops", "9"], "9 hops cannot be followed: give 0, 1 or 2"),
        (["--checkout", "gone"], "there is no folder at gone: give the folder that was indexed as the checkout"),
    ],
)
def test_what_cannot_be_asked_for(more: list[str], said: str, parcels: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["context", "x", "--index", str(parcels), *more]) == 2
    assert capfd.readouterr() == ("", f"codequarry: {said}\n")
