"""Calls of tools, without the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from codequarry.query.serve import TOOLS, Library, Reply, Service
from codequarry.query.serve.service import UnknownToolError

from ..stores import FileSpec, SymbolSpec, build_store


@pytest.fixture(scope="module")
def service(parcels: Path) -> Iterator[Service]:
    library = Library(parcels)
    yield Service(library)
    library.close()


@pytest.fixture(scope="module")
def of_shop(shop: Path) -> Iterator[Service]:
    library = Library(shop)
    yield Service(library)
    library.close()


def call(service: Service, tool: str, **arguments: Any) -> Reply:
    reply = service.call(tool, arguments)
    if reply.values or not reply.failed:
        jsonschema.validate(reply.values, TOOLS[tool].answer)
    return reply


def test_search_gives_rows_and_says_what_it_was_capped_from(service: Service) -> None:
    first = call(service, "search", query="parcel", limit=2)
    assert first.text.splitlines()[:2] == [
        "1. src/router.py:9  method Router.route_parcel",
        "   def route_parcel(self, parcel) -> Depot",
    ]
    assert first.values["results"][0] == {
        "rank": 1,
        "repo": "parcels",
        "path": "src/router.py",
        "start_line": 9,
        "end_line": 14,
        "kind": "method",
        "name": "Router.route_parcel",
        "signature": "def route_parcel(self, parcel) -> Depot",
        "key": "parcels:src/router.py#Router.route_parcel",
    }
    assert first.values["more"]
    (note,) = first.values["notes"]
    assert note.startswith("rows 1 to 2, capped from ")
    assert note.endswith(": offset=2 gives the next")


def test_pages_of_a_search_are_its_rows(service: Service) -> None:
    whole = call(service, "search", query="parcel", limit=50).values["results"]
    pages = [
        call(service, "search", query="parcel", limit=3, offset=n).values["results"] for n in range(0, len(whole) + 3, 3)
    ]
    assert [row for page in pages for row in page] == whole
    beyond = call(service, "search", query="parcel", offset=150)
    assert (beyond.values["results"], beyond.values["more"]) == ([], False)
    assert beyond.values["notes"] == [f"there are only {len(whole)} rows"]


def test_search_of_lines_and_filters(service: Service) -> None:
    found = call(service, "search", query="return d.pot$", match="content", regex=True, path="src/**")
    assert found.values["results"][0]["line"] == 14
    assert found.values["results"][0]["text"] == "        return depot"
    assert found.text.splitlines()[:2] == ["1. src/router.py:14  method Router.route_parcel", "   return depot"]
    assert call(service, "search", query="zzzz", match="content").text == "nothing found\nnote: nothing in the index matches"
    many = call(service, "search", query="e", match="content", limit=1)
    assert "capped from" in many.text
    bad = call(service, "search", query="(", match="content", regex=True)
    assert bad.failed
    assert call(service, "search", query="parcel", match="meaning", limit=1).values["more"]


def test_relations(service: Service) -> None:
    found = call(service, "relations", symbol="route_parcel", limit=1)
    assert found.text.splitlines()[:3] == [
        "src/router.py:9  method Router.route_parcel",
        "callers",
        "  src/main.py:7  function main  (calls)",
    ]
    assert found.values["groups"]["callers"] == [
        {
            "key": "parcels:src/main.py#main",
            "kind": "function",
            "relation": "calls",
            "at": "src/main.py:7",
            "depth": 1,
            "confidence": found.values["groups"]["callers"][0]["confidence"],
        }
    ]
    assert found.values["notes"] == ["callers: 1 rows, capped from 2: a higher limit gives more"]
    only = call(service, "relations", symbol="route_parcel", relation="callees")
    assert list(only.values["groups"]) == ["callees"]
    impact = call(service, "relations", symbol="find_depot", relation="impact")
    assert impact.values["groups"]["impact"][0]["score"] > 0
    path = call(service, "relations", symbol="main", to="find_depot")
    assert [row["key"].partition("#")[2] for row in path.values["groups"]["path"]] == ["Router.route_parcel", "find_depot"]
    assert call(service, "relations", symbol="notes.ini").text.endswith("nothing in the index")


def test_info(service: Service) -> None:
    found = call(service, "info", symbol="Router")
    assert found.values["doc"] == "Sends every parcel to a depot."
    assert [part["name"] for part in found.values["outline"]] == ["route_parcel", "describe"]
    assert found.values["source"].startswith("class Router:\n")
    assert "\nkey: parcels:src/router.py#Router\nin: src/router.py:1  file\n" in found.text
    short = call(service, "info", symbol="Router", lines=2)
    assert short.values["source"].count("\n") == 1
    assert short.values["notes"] == ["source: 2 lines, capped from 12: a higher `lines` gives more"]
    assert "```" not in call(service, "info", symbol="Router", lines=0).text
    assert "source" in call(service, "info", symbol="src/router.py").values


def test_long_outlines_are_capped(tmp_path: Path) -> None:
    symbols = tuple(SymbolSpec(name=f"f{n}", lines=(n + 1, n + 1)) for n in range(70))
    build_store(tmp_path, {"r": [FileSpec(path="a.py", text="x\n" * 70, symbols=symbols)]})
    library = Library(tmp_path)
    found = call(Service(library), "info", symbol="a.py")
    library.close()
    assert len(found.values["outline"]) == 60
    assert found.values["notes"] == ["outline: 60 parts, capped from 70"]


def test_ambiguous_names_are_answered_with_candidates(of_shop: Service) -> None:
    for tool in ("info", "relations"):
        found = call(of_shop, tool, symbol="acquire")
        assert not found.failed
        assert [row["key"] for row in found.values["candidates"]] == [
            "tools:limits/limiter.py#RateLimiter.acquire",
            "tools:limits/limiter.py#TokenBucket.acquire",
        ]
        assert found.text.splitlines()[-1].startswith("note: 'acquire' stands for 2 symbols: ")


def test_many_candidates_are_capped(tmp_path: Path) -> None:
    files = [FileSpec(path=f"{n}.py", text="x\n", symbols=(SymbolSpec(name="same", lines=(1, 1)),)) for n in range(30)]
    build_store(tmp_path, {"r": files})
    library = Library(tmp_path)
    found = call(Service(library), "info", symbol="same")
    library.close()
    assert len(found.values["candidates"]) == 20
    assert found.values["notes"][-1] == "20 candidates, capped from 30"


def test_context(service: Service) -> None:
    found = call(service, "context", task="route a parcel", budget=160)
    assert found.text == found.values["markdown"]
    assert found.values["tokens"] <= 160
    assert not found.values["complete"]
    assert found.values["notes"][-1].endswith(" places had no room: a higher budget shows more")
    assert call(service, "context", task="route a parcel").values["notes"] == []


def test_status(service: Service) -> None:
    found = call(service, "status", topic="docs")
    assert (found.values["state"], found.failed) == ("ready", False)
    assert found.values["briefing"]["subsystems"][0]["path"] == "docs"
    assert found.text.splitlines()[1:4] == [
        "source    parcels: no commit",
        "files     9 indexed, 0 skipped",
        "symbols   8 python, 5 markdown, 1 ini",
    ]
    assert service.briefing().splitlines()[0] == "source    parcels: no commit"
    assert '"format_version": 1' in service.manifest()
    assert not service.waits("search")


def test_mistakes_are_replies_and_unknown_tools_are_errors(service: Service, tmp_path: Path) -> None:
    assert call(service, "search", q="x") == Reply(
        "search has no argument 'q': it takes query, limit, offset, match, regex, repo, language, kind, path, tests",
        {},
        failed=True,
    )
    assert service.call("info", {"symbol": "nowhere"}).failed
    with pytest.raises(
        UnknownToolError, match="there is no tool 'write': the tools are search, relations, info, context, status"
    ):
        service.call("write", {})


def test_an_index_that_is_missing_is_one_friendly_sentence(tmp_path: Path) -> None:
    library = Library(tmp_path / "none")
    service = Service(library)
    assert service.call("status", {}).values["state"] == "loading"
    reply = service.call("search", {"query": "x"})
    assert reply.failed
    assert reply.text.startswith(f"there is no artifact at {tmp_path}/none: build one with `codequarry index ")
    (tmp_path / "none").mkdir()
    build_store(tmp_path / "none", {"r": []})
    assert not service.call("search", {"query": "x"}).failed
    library.close()


def test_a_failed_index_is_told_by_status(tmp_path: Path) -> None:
    folder = build_store(tmp_path, {"r": []})
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format_version": 1', '"format_version": 99'))
    library = Library(tmp_path)
    service = Service(library)
    assert "upgrade codequarry" in service.call("search", {"query": "x"}).text
    states = {service.call("status", {}).values["state"] for _ in range(50)}
    library.close()
    assert states <= {"loading", "failed"}
