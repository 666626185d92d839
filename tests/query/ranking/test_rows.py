"""One list: symbols and files by one score, with a total order."""

from __future__ import annotations

from pathlib import Path

from codequarry.query import Index, open_index
from codequarry.schemas.tables import ROLES

from ..stores import FileSpec, SymbolSpec, build_store


def test_a_path_asks_for_files_first(index: Index) -> None:
    answer = index.search("src/cart.py", explain=True)
    assert answer.family == "file-path"
    assert (answer.results[0].kind, answer.results[0].path) == ("file", "src/cart.py")
    assert answer.results[0].terms is not None
    assert answer.results[0].terms["path"] == 2.0
    assert any(hit.qualified_name == "ShoppingCart" for hit in answer.results)


def test_a_file_stands_only_above_its_symbols(index: Index) -> None:
    for query in ("cart", "add item", "acquire token", "src/cart.py", "http"):
        seen: set[str] = set()
        for hit in index.search(query, k=50).results:
            assert hit.kind != "file" or hit.path not in seen
            seen.add(hit.path)


def test_only_the_best_symbol_of_a_file_stands_for_it(index: Index) -> None:
    hits = [hit for hit in index.search("cart item price", k=50, explain=True).results if hit.kind != "file"]
    first: dict[str, int] = {}
    for place, hit in enumerate(hits):
        first.setdefault(hit.path, place)
        assert hit.terms is not None
        assert ("represents_file" in hit.terms) == (first[hit.path] == place)


def test_equal_scores_are_in_the_order_of_repository_path_and_place(tmp_path: Path) -> None:
    text = "def same():\n    pass\n"
    symbol = SymbolSpec(name="same", lines=(1, 2))
    files = [FileSpec(path=f"{folder}/f.py", text=text, symbols=(symbol,)) for folder in "zyxab"]
    build_store(tmp_path, {"two": files, "one": files, "ten": files})
    for resident in (True, False):
        with open_index(tmp_path, resident=resident) as index:
            hits = index.search("same", k=100).results
            assert len({hit.score for hit in hits}) == 1
            assert [(hit.repo, hit.path) for hit in hits] == sorted((hit.repo, hit.path) for hit in hits)
            for k in range(1, len(hits)):
                assert index.search("same", k=k).results == hits[:k]


def test_roles_are_those_of_the_format() -> None:
    assert ROLES[0] == "test"  # the bit that a test symbol shares with the file's role
