"""What symbols share, and what their neighbours are called: from texts to the rows of the tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.merge import deep

from .built import Built, build, facts, ids, named, planes


def shared(built: Built, *kinds: str) -> list[tuple[str, str, str, str | None]]:
    """Return (source, kind, target, detail) of the edges of some kinds, or of all that are not resolved ones."""
    names = named(built)
    rule = ("group", "mention")
    return [
        (names[r["src"]], r["kind"], names[r["dst"]], r["detail"])
        for r in built.rows("edges")
        if r["rule"] in rule and (not kinds or r["kind"] in kinds)
    ]


def test_literals(tmp_path: Path) -> None:
    files = {
        "a.py": 'def f():\n    raise E("peer has gone")\n\n\ndef g():\n    return "common", 4711\n',
        "b.py": 'def h():\n    log("peer has gone")\n\n\ndef i():\n    return "common", 4711\n',
        **{f"c{n}.py": f'def c{n}():\n    return "common"\n' for n in range(9)},
    }
    built = build(tmp_path / "s", {"r": facts(files)})
    assert shared(built) == [("f", "shares_literal", "h", "peer has gone"), ("g", "shares_literal", "i", "4711")]
    (row,) = [r for r in built.rows("edges") if r["detail"] == "peer has gone"]
    assert (row["line"], row["confidence"], row["evidence"], row["sites"]) == (2, 1.0, "incidental", 1)


def test_types_and_errors(tmp_path: Path) -> None:
    files = {
        "t.py": "class Invoice: pass\n\n\nclass PayError(Exception): pass\n",
        "a.py": "from t import Invoice, PayError\n\n\ndef f(x: Invoice): pass\n\n\ndef g(): raise PayError()\n",
        "b.py": "from t import Invoice, PayError\n\n\ndef h(x: Invoice): pass\n\n\ndef i(): raise PayError()\n",
    }
    assert shared(build(tmp_path / "s", {"r": facts(files)})) == [
        ("f", "shares_type", "h", "Invoice"),
        ("g", "shares_error_type", "i", "PayError"),
    ]


def test_the_shape_of_data_takes_two_rare_fields(tmp_path: Path) -> None:
    files = {
        "a.py": "def f(x): return x.width, x.height, x.depth\n",
        "b.py": "def g(y): return y.height, y.width\n",
        "c.py": "def h(z): return z.depth\n",
    }
    assert shared(build(tmp_path / "s", {"r": facts(files)})) == [("f", "shares_data_shape", "g", "height, width")]


def test_mentions_lead_to_the_few_of_that_name(tmp_path: Path) -> None:
    files = {
        "a.py": 'def f():\n    """Like `Cart.add_item`, not load_all or f_f."""\n\n\ndef f_f():\n    # add_item does it\n    pass\n',
        "b.py": "class Cart:\n    def add_item(self): pass\n\n\nclass Bag:\n    def add_item(self): pass\n",
        **{f"c{n}.py": "def load_all(): pass\n" for n in range(4)},
    }
    built = build(tmp_path / "s", {"r": facts(files)})
    assert shared(built) == [
        ("f", "mentions", "f_f", None),
        ("f", "mentions", "Cart.add_item", None),
        ("f_f", "mentions", "Cart.add_item", None),
        ("f_f", "mentions", "Bag.add_item", None),
    ]
    sure = [round(r["confidence"], 2) for r in built.rows("edges") if r["kind"] == "mentions"]
    assert sure == [0.9, 0.9, 0.45, 0.45]


def test_a_symbol_that_is_named_twice_is_mentioned_once(tmp_path: Path) -> None:
    files = {
        "a.py": 'def f():\n    """See add_item, that is `Cart.add_item`."""\n',
        "b.py": "class Cart:\n    def add_item(self): pass\n\n\nclass Bag:\n    def add_item(self): pass\n",
    }
    built = build(tmp_path / "s", {"r": facts(files)})
    assert shared(built) == [("f", "mentions", "Cart.add_item", None), ("f", "mentions", "Bag.add_item", None)]
    assert [round(r["confidence"], 2) for r in built.rows("edges") if r["kind"] == "mentions"] == [0.9, 0.45]


def test_mentions_stay_in_their_repository(tmp_path: Path) -> None:
    one = {"a.py": 'def f():\n    """See load_all."""\n'}
    other = {"b.py": "def load_all(): pass\n"}
    assert shared(build(tmp_path / "s", {"one": facts(one), "other": facts(other)})) == []
    assert len(shared(build(tmp_path / "t", {"one": facts(one | other), "other": facts(other)}))) == 1


def test_a_symbol_keeps_a_few_and_all_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f'    log("message {n}")\n' for n in range(20))
    files = {"a.py": f"def f():\n{lines}", **{f"b{n}.py": f'def b{n}(): log("message {n}")\n' for n in range(20)}}
    built = build(tmp_path / "s", {"r": facts(files)})
    assert [target for _, _, target, _ in shared(built)] == [f"b{n}" for n in (0, 1, 10, 11, 12, 13)]
    monkeypatch.setattr(deep, "SPARE", 2)
    assert len(shared(build(tmp_path / "t", {"r": facts(files)}))) == 2


def test_any_cut_gives_the_same_edges(tmp_path: Path) -> None:
    files = {
        f"{n}.py": f'def f{n}(x):\n    """See f{n - 1}_x."""\n    return "word {n // 2}", x.left, x.right\n'
        for n in range(9)
    }
    one, other = (build(tmp_path / str(cut), {"r": facts(files)}, bounds=cut) for cut in ([], [2, 5]))
    assert one.digests() == other.digests()
    assert len(shared(one, "shares_literal")) == 4


def test_neighbor_terms_of_generic_names(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import queue_tasks, Batch\n\n\ndef run():\n    queue_tasks()\n    Batch()\n",
        "c.py": "from b import queue_tasks\n\n\ndef run_everything():\n    queue_tasks()\n",
        "b.py": "def queue_tasks(): pass\n\n\nclass Batch: pass\n",
    }
    built = build(tmp_path / "s", {"r": facts(files)})
    names = named(built)
    found = {r["term"]: [names[i] for i in ids(r["symbols"])] for r in built.rows("neighbor_terms")}
    assert found == {
        "batch": ["run"],
        "queue": ["run"],
        "run": ["Batch"],
        "tasks": ["run"],
        "task": ["run"],
    }
    weights = {r["term"]: planes(r["frequencies"], 1)[0] for r in built.rows("neighbor_terms")}
    assert weights["batch"] == [255]
    assert weights["queue"] == weights["tasks"] == [round(255 / 2**0.5)]
    assert all(r["df"] == 1 for r in built.rows("neighbor_terms"))
