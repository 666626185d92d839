"""Code inside components, pages and notebooks: its calls and imports, with the lines of the file around it."""

from __future__ import annotations

import json
from collections.abc import Callable

from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.extract._embedded import scripts
from codequarry.pipeline.graph.link import Links
from codequarry.pipeline.languages import Region

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]

_STORE = "export function load(id: number) { return id }\nexport class Cart { pay() {} }\n"
_VUE = """<template><b @click="buy">x</b></template>
<script lang="ts">
export const name = 'shop'
</script>
<script setup lang="ts">
import { load, Cart } from './store'
import Child from './Child.vue'
const cart = new Cart()
function buy(id: number) {
  load(id)
  cart.pay()
}
</script>
<style>b { color: red }</style>
"""


def test_a_component_calls_what_it_imports(edges: Edges) -> None:
    files = {"Shop.vue": _VUE, "Child.vue": "<script>\nlet a = 1\n</script>\n", "store.ts": _STORE}
    found = set(edges(files))
    assert found == {("Shop.vue#buy", "store.ts#load"), ("Shop.vue#buy", "store.ts#pay"), ("Shop.vue", "store.ts#Cart")}
    assert set(edges(files, "imports")) == {("Shop.vue", "store.ts"), ("Shop.vue", "Child.vue")}


def test_lines_are_those_of_the_component(graph: Callable[[dict[str, str]], Links]) -> None:
    links = graph({"Shop.vue": _VUE, "store.ts": _STORE})
    calls = [edge for edge in links.edges if edge.kind == "calls"]
    assert sorted(edge.line for edge in calls) == [8, 10, 11]


def test_code_calls_into_a_component(edges: Edges) -> None:
    files = {
        "a.svelte": '<script context="module">export function f() {}</script><script>(f)()</script>\n<p>{f()}</p>\n',
        "b.ts": "import { f } from './a.svelte'\nfunction user() { f() }\n",
    }
    assert set(edges(files)) == {("b.ts#user", "a.svelte#f"), ("a.svelte", "a.svelte#f")}


def test_the_head_of_astro_and_the_scripts_of_a_page(edges: Edges) -> None:
    files = {
        "a.astro": "---\nimport { load } from './store'\nconst x = load(1)\n---\n<p>{x}</p>\n",
        "store.ts": _STORE,
        "p.html": "<script>function one() {}</script>\n<p>don't</p>\n<script>one()</script>\n",
    }
    assert set(edges(files)) == {("a.astro", "store.ts#load"), ("p.html", "p.html#one")}


def test_cells_see_each_other(edges: Edges) -> None:
    code = ["from store import load\n%matplotlib inline\ndef f():\n    return load()", "f()"]
    cells = [{"cell_type": "markdown", "source": "# Don't (parse"}, *({"cell_type": "code", "source": c} for c in code)]
    files = {"n.ipynb": json.dumps({"nbformat": 4, "cells": cells}), "store.py": "def load(): pass\n"}
    assert set(edges(files)) == {("n.ipynb#f", "store.py#load"), ("n.ipynb", "n.ipynb#f")}


def test_what_cannot_be_read_as_one_has_no_tree() -> None:
    assert facts_and_tree(b"<p>only</p>\n", "vue", "a.vue", Limits())[1] is None
    deep = b"<script>" + b"[" * 3000 + b"]" * 3000 + b"</script>"
    facts, tree = facts_and_tree(deep, "html", "a.html", Limits())
    assert (facts.embedded, tree) == (None, None)


def test_languages_of_parts() -> None:
    data = b"<a>x();</a><b>y();</b>"
    parts = [Region(3, 7, "javascript"), Region(14, 18, "typescript")]
    assert scripts(data, parts) == ("typescript", b"   x();;      y();;   ")
    assert scripts(data, [*parts[:1], Region(14, 18, "python")]) is None
    assert scripts(data, [Region(0, 3, "markdown")]) is None
