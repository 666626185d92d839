"""The JSON that commands print is what schemas/json describes, keys that nobody knows included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing
from codequarry.query.cli import run

from ..stores import EdgeSpec, FileSpec, LinkSpec, SymbolSpec, build_store

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas" / "json"


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


def closed(value: Any) -> Any:
    """Forbid keys that a schema does not list, so that the schema cannot fall behind the output."""
    if isinstance(value, list):
        return [closed(item) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {key: closed(item) for key, item in value.items()}
    return {**inner, "additionalProperties": False} if "properties" in value else inner


def check(name: str, value: Any) -> None:
    resources = [(f"{n}.schema.json", referencing.Resource.from_contents(closed(schema(n)))) for n in ("search", "batch")]
    registry = referencing.Registry().with_resources(resources)
    jsonschema.Draft202012Validator(closed(schema(name)), registry=registry).validate(value)


@pytest.fixture
def store(tmp_path: Path) -> str:
    symbols = (
        SymbolSpec(name="add_item", lines=(1, 1), signature="def add_item()"),
        SymbolSpec(name="total", lines=(2, 2), doc="Adds up."),
        SymbolSpec(name="total", qualified_name="Cart.total", lines=(2, 2)),
    )
    text = "def add_item(): total()\ndef total(): pass\n"
    edges = [EdgeSpec(src="add_item", dst="Cart.total"), EdgeSpec(src="cart.py", dst="add_item", kind="contains")]
    files = [FileSpec(path="cart.py", text=text, symbols=symbols), FileSpec(path="a/b.md", text="", language="markdown")]
    links = [LinkSpec(path="a/b.md", line=1, destination="../cart.py#L2", target="cart.py", anchor="L2")]
    links.append(LinkSpec(path="a/b.md", line=2, destination="c.md", broken=True))
    build_store(tmp_path, {"shop": files}, edges=edges, doc_links=links)
    return str(tmp_path)


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda p: p.name)
def test_every_schema_is_one(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("search", ["search", "add item", "--json"]),
        ("search", ["search", "add item", "--json", "--explain"]),
        ("search", ["search", "flux capacitor", "--json"]),
        ("search", ["search", "total", "--match", "content", "--json", "--explain"]),
        ("search", ["search", "total", "--match", "meaning", "--json"]),
        ("search", ["search", "all items", "--json", "--explain"]),
        ("search", ["search", "relationship between add_item and Cart.total", "--json"]),
        ("why", ["why", "add item", "add_item", "--json"]),
        ("why", ["why", "add item", "Cart.total", "--json", "-k", "1"]),
        ("why", ["why", "flux", "a/b.md", "--json"]),
        ("relations", ["relations", "Cart.total", "--json"]),
        ("relations", ["relations", "Cart.total", "--impact", "--json"]),
        ("relations", ["relations", "add_item", "--path-to", "Cart.total", "--json"]),
        ("info", ["info", "total", "--json"]),
        ("info", ["info", "cart.py", "--json"]),
        ("context", ["context", "add item", "--json"]),
        ("context", ["context", "total", "--budget", "120", "--hops", "2", "--checkout", ".", "--json"]),
        ("links", ["links", "cart.py", "--json"]),
        ("links", ["links", "a/b.md", "--json"]),
        ("status", ["status", "--json"]),
        ("status", ["status", "cart", "--checkout", ".", "--json"]),
        ("terms", ["terms", "addItem", "", "--json"]),
    ],
)
def test_output(
    name: str, args: list[str], store: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEQUARRY_INDEX", store)
    assert run(args) == 0
    check(name, json.loads(capfd.readouterr().out))


def test_batch(store: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = tmp_path / "lines"
    lines.write_text('{"id": 1, "query": "add item"}\n{"id": [2], "query": "flux capacitor"}\nnonsense\n')
    with lines.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert run(["search", "--batch", "--index", store]) == 0
    found = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [sorted(answer)[:2] for answer in found] == [["id", "results"], ["id", "notes"], ["error", "id"]]
    for answer in found:
        check("batch", answer)
