"""Searching: any text, any k, both readers, many threads."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from codequarry.query import Answer, Index, open_index
from codequarry.query.ranking.policy import FAMILY_NAMES
from codequarry.schemas.errors import DamagedError, UsageError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .shop import ADD_ITEM, build_shop
from .stores import FileSpec, SymbolSpec, build_store

WORDS = "cart item add price rate limit token http server parse url empty test error src limits py acquire the of".split()


def test_an_answer_says_what_it_is(index: Index) -> None:
    answer = index.search("add item", k=3)
    assert answer.query == "add item"
    assert answer.family == "symbol-partial"
    assert answer.mode == "lexical"
    assert answer.snapshot == index.snapshot.id
    assert answer.complete
    assert answer.notes == ()
    assert [hit.rank for hit in answer.results] == [1, 2, 3]
    scores = [hit.score for hit in answer.results]
    assert scores == sorted(scores, reverse=True)


def test_a_row_says_where_it_is(index: Index) -> None:
    hit = index.search("add item").results[0]
    assert replace(hit, score=0.0) == replace(ADD_ITEM, provenance=hit.provenance)
    assert (hit.provenance.commit, hit.provenance.snapshot) == ("c" * 40, index.snapshot.id)
    assert index.search("RateLimiter").results[0].provenance.commit is None


def test_what_matched_is_told(index: Index) -> None:
    matched = {hit.qualified_name or hit.path: hit.matched_by for hit in index.search("cart", k=50).results}
    assert matched["ShoppingCart"] == ("name", "path")
    assert matched["test_add_item"] == ("content", "path")
    assert matched["docs/don't.md"] == ("content",)


def test_json_has_the_documented_keys(index: Index) -> None:
    value = json.loads(json.dumps(index.search("add item", explain=True, snippet_lines=1).to_json()))
    assert list(value) == ["query", "family", "mode", "snapshot", "complete", "notes", "results", "trace"]
    assert list(value["results"][0]) == [
        *"rank score repo path start_line end_line name qualified_name kind language signature key matched_by".split(),
        "provenance",
        "terms",
        "snippet",
    ]
    plain = index.search("add item").to_json()["results"][0]
    assert "terms" not in plain
    assert "snippet" not in plain


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_the_family_can_be_given(index: Index, family: str) -> None:
    assert index.search("cart", family=family).family == family


def test_a_family_that_is_none(index: Index) -> None:
    with pytest.raises(UsageError, match="no query family"):
        index.search("cart", family="files")


@pytest.mark.parametrize("k", [0, -1, -(10**9)])
def test_k_below_one(index: Index, k: int) -> None:
    with pytest.raises(UsageError, match=f"k is {k}"):
        index.search("cart", k=k)


def test_a_huge_k_gives_everything_once(index: Index) -> None:
    answer = index.search("cart item acquire s", k=10**12)
    keys = [hit.key for hit in answer.results]
    assert len(keys) == len(set(keys)) == 10
    assert index.search("cart item acquire s", k=5).results == answer.results[:5]


ODD = [
    "'; DROP TABLE files; --",
    "' OR 1=1 --",
    "x'); COPY files TO '/tmp/codequarry-must-not-exist.csv'; --",
    "read_csv('/etc/passwd')",
    "$1",
    "?1",
    ":name",
    "{0}{cart}",
    "%s%n%d",
    "\\u0000",
    "${jndi:ldap://x}",
    "a'b\"c`d",
    '"add_item',
    "(cart OR",
    "NEAR(cart",
    "add*",
    "[a-",
    "\0",
    "a\0b",
    "🛒",
    "\u202ecart",
    "\ud800\udfff\udc00",
    "cart " * 20_000,
    "x" * 100_000,
    " ".join(f"n{i}" for i in range(20_000)),
    "if return class def",
    "\n\t",
    "`" * 50,
    "::" * 50,
]


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_no_query_is_an_error(index: Index, query: str) -> None:
    answer = index.search(query, explain=True, snippet_lines=1)
    json.dumps(answer.to_json(), ensure_ascii=False).encode()
    assert answer == index.search(query, explain=True, snippet_lines=1)


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "the query is blank"),
        (" \n\t ", "the query is blank"),
        ("🛒 --", "the query holds no word that could be looked up"),
        ("zzqxv", "nothing in the index matches"),
    ],
)
def test_no_rows_have_a_reason(index: Index, query: str, note: str) -> None:
    answer = index.search(query)
    assert answer.results == ()
    assert answer.notes == (note,)


def test_a_cut_query_is_not_complete(index: Index) -> None:
    answer = index.search(" ".join(f"{a}{b}{a}" for a in "bcdfgh" for b in "bcdfghjklmnpqrst"))
    assert not answer.complete
    assert "first 64 distinct terms" in answer.notes[0]


@pytest.mark.parametrize("resident", [True, False])
def test_an_empty_index_says_so(tmp_path: Path, resident: bool) -> None:
    build_store(tmp_path, {})
    with open_index(tmp_path, resident=resident) as index:
        for query in ("cart", "", "src/a.py"):
            answer = index.search(query, languages="python", snippet_lines=1)
            assert answer.results == ()
            assert "the index is empty: it holds no files" in answer.notes


def test_closing(shop: Path) -> None:
    for resident in (True, False):
        index = open_index(shop, resident=resident)
        with index as opened:
            assert opened.search("cart", snippet_lines=1).results
        index.close()
        with pytest.raises(UsageError, match="the index is closed"):
            index.search("cart")


def test_many_threads_get_the_same_answers(shop: Path) -> None:
    queries = ["cart", "add item", "src/cart.py", "RateLimiter.acquire"]
    with open_index(shop) as index:
        expected = [index.search(query, snippet_lines=1) for query in queries]
    for resident in (True, False):
        with open_index(shop, resident=resident) as index:
            answers: list[tuple[int, Answer]] = []

            def ask(index: Index = index, answers: list[tuple[int, Answer]] = answers) -> None:
                for _ in range(5):
                    answers.extend((i, index.search(query, snippet_lines=1)) for i, query in enumerate(queries))

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(answers) == 80
        assert all(answer == expected[i] for i, answer in answers)


def test_damage_in_a_page_is_damage(tmp_path: Path) -> None:
    folder = build_shop(tmp_path)
    path = folder / "postings" / "00000.parquet"
    good = path.read_bytes()
    told: set[str] = set()
    for place in range(4, len(good), len(good) // 12):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :])
        for resident in (True, False):
            try:
                with open_index(folder, resident=resident) as index:
                    index.search("add item", snippet_lines=1)
            except DamagedError as error:
                told.add(str(error).rpartition(": ")[2])
    assert told == {"download or build the artifact again"}


# --- one answer, whichever way it is read ---------------------------------------------------------------------------------

words = st.lists(
    st.sampled_from("get set load parse cart item user name error token file path run".split()), min_size=1, max_size=3
)
symbols = st.builds(
    lambda parts, kind, lines, doc, test: SymbolSpec(
        name="_".join(parts), kind=kind, lines=(1, lines), doc=" ".join(doc), signature=f"def {parts[0]}", is_test=test
    ),
    words,
    st.sampled_from(["function", "class", "constant", "method"]),
    st.integers(1, 6),
    words,
    st.booleans(),
)
files = st.builds(
    lambda parts, lines, own, roles, language: FileSpec(
        path="/".join(parts),
        text="\n".join([*(" ".join(line) for line in lines), *(f"{s.name} {s.signature} {s.doc}" for s in own)]),
        symbols=tuple(own),
        roles=tuple(roles),
        language=language,
    ),
    words,
    st.lists(words, max_size=6),
    st.lists(symbols, max_size=4),
    st.lists(st.sampled_from(["test", "docs", "vendored", "non_code"]), max_size=2, unique=True),
    st.sampled_from(["python", "go", None]),
)
corpora = st.dictionaries(
    st.sampled_from(["one", "two"]), st.lists(files, max_size=6, unique_by=lambda f: f.path), max_size=2
)


@pytest.fixture
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    return iter(lambda: tmp_path_factory.mktemp("corpus"), None)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(corpora, words, st.sampled_from([" ", "_", "/", ".", "::"]), st.integers(1, 20))
def test_both_readers_give_identical_answers(
    both: Iterator[Path], corpus: dict[str, list[FileSpec]], query: list[str], joint: str, k: int
) -> None:
    place = next(both)
    build_store(place, corpus)
    text = joint.join(query)
    options = [{}, {"languages": "go"}, {"tests": False}, {"kinds": ["function", "file"]}, {"paths": "*a*"}]
    with open_index(place) as warm, open_index(place, resident=False) as cold:
        for option in options:
            one = warm.search(text, k, explain=True, snippet_lines=2, **option)  # type: ignore[arg-type]  # a choice of filters
            other = cold.search(text, k, explain=True, snippet_lines=2, **option)  # type: ignore[arg-type]  # as above
            assert one == other
            check(one, k)


def check(answer: Answer, k: int) -> None:
    """What holds for every answer."""
    assert len(answer.results) <= k
    assert answer.results or answer.notes
    order = [(-hit.score, hit.symbol) for hit in answer.results]
    assert order == sorted(order)
    for hit in answer.results:
        assert hit.matched_by
        assert hit.score == round(hit.score, 9)
        assert hit.terms
        assert abs(sum(hit.terms.values()) - hit.score) < 1e-9


def test_answers_are_the_same_in_every_process(shop: Path) -> None:
    program = (
        "import json, sys; from codequarry.query import open_index\n"
        "with open_index(sys.argv[1], resident=sys.argv[2] == 'warm') as index:\n"
        "    print(json.dumps([index.search(q, k=50, explain=True).to_json() for q in sys.argv[3:]]))"
    )
    command = [sys.executable, "-c", program, str(shop)]
    outputs = {
        subprocess.run(
            [*command, way, "cart item", "acquire", "src/cart.py"],
            env={
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(Path(__file__).parents[2] / ".dev"),
                "OPENBLAS_NUM_THREADS": threads,
            },
            capture_output=True,
            check=True,
        ).stdout
        for way in ("warm", "cold")
        for seed, threads in (("0", "1"), ("1", "2"))
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_opening_imports_neither_the_pipeline_nor_its_libraries(shop: Path) -> None:
    program = (
        "import sys; from codequarry.query import open_index\n"
        "for resident in (True, False):\n"
        "    with open_index(sys.argv[1], resident=resident) as index: assert index.search('cart', snippet_lines=1).results\n"
        "bad = {'pyarrow', 'pandas', 'tree_sitter', 'codequarry.pipeline', 'model2vec', 'numpy.typing', 'rich'}\n"
        "print(sorted(bad & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(shop)],
        env={"PYTHONPATH": str(Path(__file__).parents[2] / ".dev")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
