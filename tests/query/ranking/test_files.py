"""Files: their own text, their symbols, their folder and their roles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from codequarry.query import Index, open_index
from codequarry.query.ranking.files import _mates, role_factors
from codequarry.query.ranking.policy import Policy
from codequarry.schemas.tables import ROLES

from ..stores import FileSpec, SymbolSpec, build_store

POLICY = Policy()


def test_mates_are_the_mean_of_the_best_of_a_folder() -> None:
    scores = np.array([5.0, 1.0, 2.0, 3.0, 4.0, 8.0])
    folders = np.array([0, 0, 0, 0, 0, 7], np.int32)
    assert _mates(scores, folders, 4).tolist() == [3.5] * 5 + [8.0]
    assert _mates(np.zeros(0), np.zeros(0, np.int32), 4).tolist() == []


def test_roles_multiply_unless_lifted() -> None:
    roles = np.array([0, 1 << ROLES.index("test"), (1 << ROLES.index("vendored")) | (1 << ROLES.index("test"))], np.uint8)
    factors = role_factors(roles, frozenset(), POLICY)
    assert {name: factor.tolist() for name, factor in factors.items()} == {
        "test": [1.0, 0.7, 0.7],
        "vendored": [1.0, 1.0, 0.5],
    }
    assert list(role_factors(roles, frozenset({"test"}), POLICY)) == ["vendored"]
    assert role_factors(np.zeros(2, np.uint8), frozenset(), POLICY) == {}


@pytest.fixture
def roles(tmp_path: Path) -> Path:
    """The same function once as code and once in each role."""
    text = "def parse_header(line):\n    return line.split()\n"
    symbol = SymbolSpec(name="parse_header", lines=(1, 2))
    files = [FileSpec(path=f"{role}/header.py", text=text, symbols=(symbol,), roles=(role,)) for role in ROLES]
    build_store(tmp_path, {"r": [FileSpec(path="a/header.py", text=text, symbols=(symbol,)), *files]})
    return tmp_path


def test_code_comes_before_everything_with_a_role(roles: Path) -> None:
    with open_index(roles) as index:
        hits = [hit for hit in index.search("header of the line parsed", k=50, explain=True).results if hit.kind != "file"]
    assert hits[0].path == "a/header.py"
    assert {hit.path.partition("/")[0] for hit in hits[-3:]} == {"non_code", "vendored", "generated"}
    for hit in hits[1:]:
        assert hit.terms is not None
        assert hit.terms[hit.path.partition("/")[0]] < 0


def test_asking_for_tests_lifts_their_penalty(roles: Path) -> None:
    with open_index(roles) as index:
        hits = index.search("test parse header", k=50, explain=True).results
    assert {term for hit in hits for term in hit.terms or ()}.isdisjoint({"test", "fixture", "benchmark"})
    assert any("vendored" in (hit.terms or ()) for hit in hits)


def test_a_file_without_symbols_has_a_row(index: Index) -> None:
    (hit,) = index.search("38.101").results
    assert (hit.path, hit.kind, hit.name, hit.qualified_name) == ("docs/don't.md", "file", "don't.md", None)
    assert (hit.start_line, hit.end_line) == (1, 3)
    assert hit.key == "shop:docs/don't.md"
    assert hit.provenance.evidence == "file"


def test_a_skipped_file_is_found_by_its_path(index: Index) -> None:
    hit = index.search("assets/logo.png").results[0]
    assert (hit.path, hit.kind, hit.language, hit.matched_by) == ("assets/logo.png", "file", None, ("path",))
