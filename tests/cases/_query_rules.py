"""What searches and `terms` must answer."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from ._case import Case, Query
from ._product import Answer, Product
from ._rules import dotted

__all__ = ["pair_faults", "query_faults", "split_faults"]


def query_faults(case: Case, product: Product) -> Iterator[str]:
    """Run the queries of a case against its store."""
    for query in case.queries:
        text = os.fsdecode(bytes.fromhex(query.bytes)) if query.bytes is not None else query.q
        answer = product.search(text, *query.options)
        yield from (f"{text[:40]!r} {' '.join(query.options)}: {fault}" for fault in _judge(query, answer))
        for _ in range(query.repeat - 1):
            if product.search(text, *query.options).hits != answer.hits:
                yield f"{text[:40]!r}: another order the next time"


def _judge(query: Query, answer: Answer) -> Iterator[str]:
    if crash := answer.ran.crash():
        yield crash
    if answer.ran.code not in query.exit:
        yield f"exit {answer.ran.code}: {answer.ran.err.strip()[-160:]}"
    if answer.ran.code and not answer.ran.err.strip():
        yield "refused without a word"
    if query.says and query.says not in answer.said:
        yield f"no word of {query.says!r}"
    if query.or_note and answer.envelope.get("notes") and (not answer.hits or query.or_note == "inexact"):
        return
    yield from _judge_hits(query, answer)


def _judge_hits(query: Query, answer: Answer) -> Iterator[str]:
    hits = answer.hits
    if not query.min_hits <= len(hits) <= query.max_hits:
        yield f"{len(hits)} hits"
    first = hits[0] if hits else {"path": "no hit", "qualified_name": None}
    if query.top is not None and dotted(first["qualified_name"]) != query.top:
        yield f"first hit {first['qualified_name'] or first['path']}, not {query.top}"
    if query.top_path and first["path"] not in query.top_path:
        yield f"first hit in {first['path']}, not {' or '.join(query.top_path)}"
    if query.terms_add_up:
        for hit in hits:
            total = sum(hit["terms"].values())
            if abs(total - hit["score"]) > 1e-6 * max(1, abs(hit["score"])):
                yield f"the terms of {hit['key']} add up to {total}, its score is {hit['score']}"


def split_faults(case: Case, product: Product) -> Iterator[str]:
    """Compare what `terms` prints with the splits that are right, the whole word being kept beside its parts."""
    ran = product("terms", "--json", "--", *(split.text for split in case.splits))
    if ran.code:
        yield f"terms: exit {ran.code}: {ran.err.strip()[-160:]}"
        return
    for split, row in zip(case.splits, json.loads(ran.out), strict=True):
        terms = tuple(row["terms"])
        wholes = {split.text.casefold(), unicodedata.normalize("NFKC", split.text).casefold()}
        parts = terms[:-1] if len(terms) > 1 and terms[-1] in wholes else terms
        if parts not in split.ok and terms not in split.ok:
            yield f"{split.text!r} gives {terms}"
        if split.text.isalnum() and len(terms) > 1 and not wholes & set(terms):
            yield f"{split.text!r}: the whole word is not kept"


def pair_faults(case: Case, product: Product) -> Iterator[str]:
    """Index one function a name and see that each query finds its function."""
    names = sorted({pair.name for pair in case.pairs})
    tree = _functions(product.work / "pairs", names)
    store = product.work / "pairs-store"
    if (ran := product.index(tree=tree, store=store)).code:
        yield f"the names cannot be indexed: exit {ran.code}: {ran.err.strip()[-160:]}"
        return
    for pair in case.pairs:
        if pair.name not in [hit["name"] for hit in product.search(pair.query, store=store).hits]:
            yield f"{pair.query!r} does not find {pair.name}"


def _functions(folder: Path, names: list[str]) -> Path:
    folder.mkdir()
    for i, name in enumerate(names):
        (folder / f"m{i}.py").write_text(f"def {name}():\n    return {i}\n")
    return folder
