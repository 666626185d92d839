"""One list: symbols and files by one score, with a total order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from codequarry.query import Hit, Index, open_index
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


def test_the_file_share_keeps_the_order_within_a_file(index: Index) -> None:
    moved = 0
    for query in ("cart item price", "add an item to the cart", "how are tokens acquired", "limiter of requests"):
        before: dict[str, list[float]] = {}
        for hit in index.search(query, k=50, explain=True).results:
            assert hit.terms is not None
            if hit.kind != "file":
                share = hit.terms.get("file_share", 0.0)
                before.setdefault(hit.path, []).append(round(hit.score - share, 7))
                moved += share != 0.0
        assert all(scores == sorted(scores, reverse=True) for scores in before.values())
    assert moved


def test_files_decide_nothing_where_a_name_says_the_whole_query(index: Index) -> None:
    hits = index.search("RateLimiter", explain=True).results
    assert hits[0].qualified_name == "RateLimiter"
    assert all("file_share" not in (hit.terms or {}) for hit in hits)


def test_a_request_for_a_change_asks_for_places(tmp_path: Path) -> None:
    """One file is about the subject, another only has a name that says half of it."""
    about = tuple(SymbolSpec(name=f"decode_{word}", lines=(i, i)) for i, word in enumerate("abc", 1))
    main = (SymbolSpec(name="verify_checksum", lines=(1, 1)),)
    files = [
        FileSpec(path="net/packet_header.py", text="packet header checksum\n" * 3, symbols=about),
        FileSpec(path="app/main.py", text="def verify_checksum(): pass\n", symbols=main),
    ]
    build_store(tmp_path, {"r": files})
    with open_index(tmp_path) as index:
        asked = index.search("verify the checksum of a packet header", k=20, explain=True).results
        change = index.search("fix the checksum of a packet header", k=20, explain=True).results
    assert change[0].path == "net/packet_header.py"
    assert _share(change, "verify_checksum") < _share(asked, "verify_checksum")


def _share(hits: Sequence[Hit], name: str) -> float:
    return next((hit.terms or {}).get("file_share", 0.0) for hit in hits if hit.name == name)


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
