"""`codequarry search`, from the command line's side; what is found is tested with the ranking."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from codequarry.query.cli import run

from ..stores import FileSpec, SymbolSpec, build_store
from ._refused import assert_refused

COMMAND = (sys.executable, "-c", "from codequarry.query.cli import main; main()")
CART = """\
class Cart:
    def add_item(self, sku):
        self.items.append(sku)  # an item more
"""
REPOS = {
    "shop": [
        FileSpec(
            path="src/cart.py",
            text=CART,
            symbols=(
                SymbolSpec(name="Cart", lines=(1, 3), kind="class", signature="class Cart"),
                SymbolSpec(
                    name="add_item",
                    lines=(2, 3),
                    kind="method",
                    qualified_name="Cart.add_item",
                    signature="def add_item(self, sku)",
                ),
            ),
        ),
        FileSpec(
            path="tests/test_cart.py",
            text="def test_add_item(): pass\n",
            symbols=(SymbolSpec(name="test_add_item", lines=(1, 1), is_test=True),),
            roles=("test",),
        ),
        FileSpec(path="README.md", text="# The cart\n", language="markdown", roles=("docs", "non_code")),
    ]
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("store")
    build_store(out, REPOS)
    return str(out)


def test_text(store: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--index", store, "-k", "1", "Cart.add_item"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert out.splitlines()[:2] == ["1. src/cart.py:2  method Cart.add_item", "   def add_item(self, sku)"]
    assert "\x1b" not in out


def test_json(store: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--index", store, "--json", "add item"]) == 0
    answer = json.loads(capfd.readouterr().out)
    first = answer["results"][0]
    assert answer["query"] == "add item"
    assert (first["rank"], first["path"], first["qualified_name"]) == (1, "src/cart.py", "Cart.add_item")
    assert (first["start_line"], first["end_line"], first["kind"], first["language"]) == (2, 3, "method", "python")
    assert "terms" not in first


def test_explained_terms_add_up(store: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--index", store, "--json", "--explain", "add item"]) == 0
    results = json.loads(capfd.readouterr().out)["results"]
    assert results
    for row in results:
        assert sum(row["terms"].values()) == pytest.approx(row["score"], abs=1e-6)
    assert run(["search", "--index", store, "--explain", "add item"]) == 0
    assert f"   score {results[0]['score']:.4f} = " in capfd.readouterr().out


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (["--no-tests", "--kind", "function", "--kind", "method"], {"src/cart.py"}),
        (["--tests", "--kind", "function"], {"tests/test_cart.py"}),
        (["--lang", "markdown"], {"README.md"}),
        (["--path", "tests/**", "--lang", "python"], {"tests/test_cart.py"}),
        (["--repo", "shop", "--kind", "class"], {"src/cart.py"}),
        (["--repo", "other"], set()),
    ],
)
def test_filters(options: list[str], paths: set[str], store: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--index", store, "--json", *options, "cart add item"]) == 0
    assert {row["path"] for row in json.loads(capfd.readouterr().out)["results"]} == paths


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-k", "0", "x"], "'-k': 0 is not in the range x>=1 (see `codequarry search --help`)"),
        (["-k", "-1", "x"], "'-k': -1 is not in the range x>=1"),
        (["-k", "abc", "x"], "'-k': 'abc' is not a valid integer"),
        (["--family", "nope", "x"], "nope"),
        (["--match", "content", "--regex", "("], "'(' is not a regular expression (missing ): (): see"),
        (["--word", "x"], "use them with match content"),
        ([], "search takes either QUERY or --batch"),
        (["--batch", "x"], "search takes either QUERY or --batch"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_exit_2(
    options: list[str], words: str, store: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert_refused(capfd, ["search", "--index", store, *options], 2, words)


def test_batch_answers_each_line_before_the_next_is_written(store: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "search", "--batch", "--index", store, "-k", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for i, (line, expected) in enumerate([("Cart", "Cart"), ("test_add_item", "test_add_item"), ("xyzzy", None)]):
            child.stdin.write(json.dumps({"id": i, "query": line}).encode() + b"\n")
            child.stdin.flush()
            answer = json.loads(child.stdout.readline())
            assert answer["id"] == i
            assert [row["name"] for row in answer["results"]] == ([expected] if expected else [])
        child.stdin.write(b"nonsense\n")
        child.stdin.close()
        assert json.loads(child.stdout.readline())["error"].startswith("line 4: not JSON")
        assert child.stdout.read() == b""
    assert child.returncode == 0


@contextmanager
def terminal(*args: str, env: dict[str, str]) -> Iterator[str]:
    """Run the command line on a terminal of 60 columns and give what it shows."""
    main, side = pty.openpty()
    child = subprocess.Popen(
        [*COMMAND, *args], stdin=side, stdout=side, stderr=side, env={**os.environ, "TERM": "xterm", "COLUMNS": "60", **env}
    )
    os.close(side)
    shown = b""
    while True:
        ready, _, _ = select.select([main], [], [], 60)
        try:
            data = os.read(main, 65536) if ready else b""
        except OSError:  # the other side is closed
            data = b""
        if not data:
            break
        shown += data
    os.close(main)
    assert child.wait(60) == 0
    yield shown.decode()


def test_a_terminal_gets_colour_and_lines_that_fit_unless_it_wants_none(store: str) -> None:
    with terminal("search", "--index", store, "Cart.add_item", env={"NO_COLOR": ""}) as shown:
        assert "\x1b[35msrc/cart.py\x1b[0m" in shown
    with terminal("search", "--index", store, "Cart.add_item", env={"NO_COLOR": "1"}) as shown:
        assert "\x1b" not in shown
        assert "1. src/cart.py:2  method Cart.add_item\r\n" in shown


def test_lines_stand_with_their_symbol_and_the_match_is_marked(store: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--index", store, "--match", "content", "ITEM more"]) == 0
    assert capfd.readouterr().out.startswith("nothing found")
    assert run(["search", "--index", store, "--match", "content", "item more"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines == ["1. src/cart.py:3  method Cart.add_item", "   self.items.append(sku)  # an item more"]
    with terminal("search", "--index", store, "--match", "content", "The cart", env={"NO_COLOR": ""}) as shown:
        assert "\x1b[35mREADME.md\x1b[0m\x1b[32m:1\x1b[0m\r\n   # \x1b[31m\x1b[1mThe cart\x1b[0m" in shown


ODD = ["'; DROP TABLE files; --", "%s%n", "{0}", os.fsdecode(b"\xff\xe2"), "\u202ecart", "x" * 100_000, " "]


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_any_text_is_a_query(query: str, store: str) -> None:
    done = subprocess.run([*COMMAND, "search", "--index", store, "--json", "--", query], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    json.loads(done.stdout.decode())
    done = subprocess.run([*COMMAND, "search", "--index", store, "--", query], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
