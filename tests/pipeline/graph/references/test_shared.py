"""One walk gives symbols and references: the same references as a walk of its own, and never those of another tree."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, facts_and_tree, parse
from codequarry.pipeline.extract._query import items
from codequarry.pipeline.graph.references import collect, shared

_TEXTS = {
    "python": b"import os\nclass A:\n    def f(self, x: int = 1):\n        return os.path.join(x, self.g())\n",
    "typescript": b"import {b} from './b';\nexport const f = (x: B): C => b.c(x).d;\n",
    "rust": b"use a::b;\nimpl C { fn d(&self) -> E { b(self.f?.g()) } }\n",
    "go": b'package a\nimport "b"\nfunc (c *C) d(e int) error { return b.F(e) }\n',
    "c": b"#include <a.h>\nstatic int f(struct s *x) { return g(x->y, &h); }\n",
    "java": b"package a;\nclass B extends C { int d(E e) { return e.f(new G()); } }\n",
}


@pytest.mark.parametrize("language", _TEXTS)
def test_shared_matches_are_those_of_a_walk_of_its_own(language: str) -> None:
    data = _TEXTS[language]
    facts, tree = facts_and_tree(data, language, "a", Limits())
    assert tree is not None
    assert [offered for offered, _ in shared._offered] == [tree]
    found = collect(tree, data, language, facts.symbols)
    assert shared._offered == []
    assert found.references
    assert found == collect(tree, data, language, facts.symbols)


@pytest.mark.parametrize("language", _TEXTS)
def test_symbols_are_the_same_with_and_without_references(language: str) -> None:
    tree = parse(_TEXTS[language], language)
    assert items(tree, language, references=True) == items(tree, language) != []


def test_another_tree_is_walked_anew() -> None:
    facts_and_tree(_TEXTS["python"], "python", "a", Limits())
    found = collect(parse(b"f()\n", "python"), b"f()\n", "python")
    assert [reference.chain for reference in found.references] == ["f"]
