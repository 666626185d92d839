"""Runs the case pack: each case is indexed and searched by real processes, two cases at a time.

A case is one test for its tree and queries, and one more each for its headings, edges and links. What the product cannot
do yet stands in `LATER`, with the reason: those tests must fail, and the day one passes it must be taken off the list.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock

import pytest
from _pytest.mark.structures import ParameterSet

from ._artifact import PLANS, digest, write_sample
from ._case import HERE, Case, load_all
from ._product import GIT, Fault, Product, run
from ._query_rules import pair_faults, query_faults, split_faults
from ._rules import EDGES, HEADINGS, LINKS, TREE, Rule

WORKERS = 2

LATER: dict[str, str] = {}
"""Test id to the reason why it fails for now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One test: a case and the part of it that is looked at."""

    case: Case
    part: str = "all"

    @property
    def id(self) -> str:
        return self.case.name if self.part == "all" else f"{self.case.name}/{self.part}"


def checks() -> Iterator[Check]:
    """Yield every test of the pack."""
    for case in load_all():
        if case.kind not in ("edges", "links"):
            yield Check(case=case)
        if case.headings or case.heading_counts:
            yield Check(case=case, part="headings")
        if case.edges or case.no_edges:
            yield Check(case=case, part="edges")
        if case.links:
            yield Check(case=case, part="links")


PARTS: dict[str, tuple[Rule, ...]] = {"headings": HEADINGS, "edges": EDGES, "links": LINKS}


class Shared:
    """Stores of trees that several cases search: each is made once, by the first that needs it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._made: dict[str, list[str]] = {}

    def index(self, case: Case, product: Product) -> Iterator[str]:
        """Point `product` to the store of the case's tree, made if it is not there yet; yield what went wrong then."""
        name = case.tree or ""
        product.store = self._folder / name
        with self._lock:
            if name not in self._made:
                self._made[name] = list(_index_faults(case, product))
        yield from self._made[name]


def judge(check: Check, shared: Shared) -> list[str]:
    """Run one test in a folder of its own and return its faults."""
    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        work = Path(folder)
        product = Product(work=work, tree=work / "tree", store=work / "store", limit=check.case.seconds)
        try:
            _make(check.case, product)
            return list(_faults(check, product, shared))
        except Fault as fault:
            return [str(fault)]


def _make(case: Case, product: Product) -> None:
    """Make the tree: a copy of a folder, what the case's script makes, or a sample."""
    shell, python, files = (case.folder / name for name in ("make.sh", "make.py", "input"))
    if case.plan:
        write_sample(product.tree)
    elif case.tree:
        shutil.copytree(HERE / "trees" / case.tree, product.tree)
    elif files.exists():
        shutil.copytree(files, product.tree, symlinks=True)
    else:
        product.tree.mkdir()
        argv = ["bash", "-euo", "pipefail", str(shell)] if shell.exists() else [sys.executable, str(python)]
        subprocess.run(argv, cwd=product.tree, env={**product.env, **GIT}, check=True, capture_output=True)
    product.tree /= case.root


def _faults(check: Check, product: Product, shared: Shared) -> Iterator[str]:
    case = check.case
    if case.plan:
        yield from PLANS[case.plan](case, product)
    elif case.splits:
        yield from split_faults(case, product)
        yield from pair_faults(case, product)
    elif case.roots:
        for root in case.roots:
            yield from _root_faults(replace(case, indexed=root.indexed, absent=root.absent), root.root, root.head, product)
    else:
        yield from shared.index(case, product) if case.tree else _index_faults(case, product)
        for rule in PARTS.get(check.part, TREE):
            yield from rule(case, product)
        if check.part == "all":
            yield from _search_faults(case, product)


def _index_faults(case: Case, product: Product) -> Iterator[str]:
    changes = case.folder / "during.sh"
    done: list[int] = []

    def change() -> bool:
        if (product.store / ".staging").exists():
            done.append(run(["bash", str(changes)], cwd=product.tree, limit=60, env=product.env).code)
        return bool(done)

    ran = product.index(meanwhile=change if changes.exists() else None)
    if crash := ran.crash():
        yield f"index: {crash}"
    if ran.code not in (0, 3):
        raise Fault(f"index: exit {ran.code}: {ran.err.strip()[-200:]}")
    if changes.exists() and done != [0]:
        yield "the tree could not be changed in time"
    yield from (f"the summary does not name {word!r}" for word in case.summary if word not in ran.out + ran.err)


def _search_faults(case: Case, product: Product) -> Iterator[str]:
    before = digest(product.store)
    yield from query_faults(case, product)
    if digest(product.store) != before:
        yield "a search changed the store"


def _root_faults(case: Case, root: str, head: bool, product: Product) -> Iterator[str]:
    one = Product(work=product.work, tree=product.tree / root, store=product.work / f"store-{root}")
    faults = [*_index_faults(case, one), *(fault for rule in TREE for fault in rule(case, one))]
    if head:
        argv = ["git", "-C", str(one.tree), "rev-parse", "HEAD"]
        wanted = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
        faults += [] if one.source()["commit"] == wanted else [f"commit {one.source()['commit']}, not {wanted}"]
    faults += _search_faults(case, one)
    faults += [] if one.index().code == 0 else ["a second run fails"]
    yield from (f"{root}: {fault}" for fault in faults)


Verdict = Callable[[Check], list[str]]


@pytest.fixture(scope="module")
def verdict(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verdict]:
    """Give the faults of a test; the chosen ones are begun in the background, in order, so that two cores are busy."""
    shared = Shared(tmp_path_factory.mktemp("shared"))
    if "PYTEST_XDIST_WORKER" in os.environ:  # the tests are spread over processes already
        yield partial(judge, shared=shared)
        return
    parameters = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    chosen = [p["check"] for p in parameters if isinstance(p.get("check"), Check)]
    with ThreadPoolExecutor(WORKERS) as pool:
        futures = {check.id: pool.submit(judge, check, shared) for check in chosen}
        yield lambda check: futures[check.id].result()
        pool.shutdown(cancel_futures=True)


def _parameter(check: Check) -> ParameterSet:
    later = LATER.get(check.id)
    return pytest.param(check, id=check.id, marks=[pytest.mark.xfail(reason=later, strict=True)] if later else [])


@pytest.mark.parametrize("check", [_parameter(check) for check in checks()])
def test_case(check: Check, verdict: Verdict) -> None:
    assert verdict(check) == []


def test_the_list_of_later_names_real_tests() -> None:
    assert set(LATER) <= {check.id for check in checks()}
