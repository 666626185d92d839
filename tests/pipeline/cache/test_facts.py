"""Facts by content: what is found equals what was added, in any order, and damage costs what is damaged."""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest
from codequarry.pipeline.batch import FactsBatch, concatenate, encode, facts_batch
from codequarry.pipeline.cache import FactsCache, Known, code, file_key, fingerprint, keys, packs, runs
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.languages import detect
from codequarry.pipeline.vectors import NO_MODEL, choose_model
from hypothesis import given
from hypothesis import strategies as st

from ..made import file, files


def key_of(number: int) -> bytes:
    return hashlib.sha256(b"%d" % number).digest()[: keys.KEY_BYTES]


def added(folder: Path, *batches: Sequence[FileFacts], first: int = 0) -> FactsCache:
    """Write batches, whose files have the keys from `first` on, and open the folder anew."""
    cache = FactsCache(folder)
    for batch in batches:
        cache.add([key_of(first + i) for i in range(len(batch))], encode(batch))
        first += len(batch)
    cache.close()
    return FactsCache(folder)


def found(cache: FactsCache, numbers: Sequence[int]) -> list[Known]:
    known = cache.find([key_of(number) for number in numbers])
    assert None not in known
    return [one for one in known if one is not None]


def same(left: FactsBatch, right: FactsBatch) -> bool:
    return all(
        getattr(left, f.name).combine_chunks().equals(getattr(right, f.name).combine_chunks()) for f in fields(FactsBatch)
    )


def named(numbers: Sequence[int]) -> list[FileFacts]:
    return [file(f"word{number} common\n" * (number + 1)) for number in numbers]


@given(st.lists(files(), min_size=1, max_size=6), st.lists(st.integers(0, 5), max_size=3), st.data())
def test_any_choice_of_files_has_the_rows_of_a_fresh_batch(
    tmp_path_factory: pytest.TempPathFactory, facts: list[FileFacts], places: list[int], data: st.DataObject
) -> None:
    bounds = [0, *sorted(min(p, len(facts)) for p in places), len(facts)]
    cache = added(tmp_path_factory.mktemp("cache"), *(facts[a:b] for a, b in pairwise(bounds)))
    wanted = data.draw(st.lists(st.sampled_from(range(len(facts))), max_size=8))
    joined, fresh = concatenate(runs(found(cache, wanted))), facts_batch([facts[i] for i in wanted])
    assert same_but_vocabulary(joined, fresh)


def same_but_vocabulary(left: FactsBatch, right: FactsBatch) -> bool:
    """Say whether two batches are the same when terms are spelled out, since a piece of a batch keeps its whole vocabulary."""
    words = [batch.vocabulary["term"].to_pylist() for batch in (left, right)]
    for name in ("symbol_postings", "file_postings"):
        rows = [getattr(batch, name).to_pylist() for batch in (left, right)]
        spelled = [[{**row, "term": terms[row["term"]]} for row in of] for of, terms in zip(rows, words, strict=True)]
        if spelled[0] != spelled[1]:
            return False
    return all(
        getattr(left, n).combine_chunks().equals(getattr(right, n).combine_chunks()) for n in ("files", "symbols", "tokens")
    )


def test_neighbours_come_as_one_piece(tmp_path: Path) -> None:
    cache = added(tmp_path, named([0, 1, 2]), named([3, 4]))
    assert [piece.files.num_rows for piece in runs(found(cache, [0, 1, 2, 3, 4]))] == [3, 2]
    assert [piece.files.num_rows for piece in runs(found(cache, [0, 2, 1, 4]))] == [1, 1, 1, 1]
    assert runs([]) == []


def test_unknown_files_and_those_without_a_key_are_not_found(tmp_path: Path) -> None:
    assert FactsCache(tmp_path / "none").find([key_of(1), None]) == [None, None]
    cache = FactsCache(tmp_path)
    cache.add([key_of(0), None], encode(named([0, 1])))
    cache.add([None], encode(named([2])))
    cache.close()
    again = FactsCache(tmp_path)
    assert len(again) == 1
    assert again.find([None, key_of(1), key_of(2)]) == [None, None, None]
    assert found(again, [0])[0].batch.files["text"][0].as_py() == "word0 common\n"


def test_packs_are_written_when_there_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codequarry.pipeline.cache.facts.PACK_BYTES", 1)
    cache = FactsCache(tmp_path)
    cache.add([key_of(0)], encode(named([0])))
    assert len(FactsCache(tmp_path)) == 1


@pytest.mark.parametrize("place", [0.3, 0.999])
@pytest.mark.parametrize("keep", ["flip", "cut", "empty"])
def test_damage_costs_what_is_damaged(tmp_path: Path, caplog: pytest.LogCaptureFixture, place: float, keep: str) -> None:
    added(tmp_path, named([0, 1]), named(range(2, 60)))
    (path,) = tmp_path.glob("*.pack")
    data = bytearray(path.read_bytes())
    at = int(len(data) * place)
    data[at] ^= 0xFF
    path.write_bytes({"flip": bytes(data), "cut": bytes(data[:at]), "empty": b""}[keep])
    cache = FactsCache(tmp_path)
    known = cache.find([key_of(number) for number in (0, 1, 30)])
    assert known[2] is None
    assert "is damaged" in caplog.text
    assert not path.exists()
    if keep == "flip" and place < 0.5:  # in the second batch: the first is whole
        assert [k.row for k in known[:2] if k] == [0, 1]
        assert len(FactsCache(tmp_path)) == 2
    added(tmp_path, named(range(2, 60)), first=2)
    assert found(FactsCache(tmp_path), [30])[0].row == 28


def test_small_batches_are_put_together(tmp_path: Path) -> None:
    for night in range(20):
        added(tmp_path, named([night]), first=night)
    assert len(list(tmp_path.glob("*.pack"))) == 20
    cache = FactsCache(tmp_path)
    found(cache, range(20))
    cache.close()
    again = FactsCache(tmp_path)
    assert [piece.files.num_rows for piece in runs(found(again, range(20)))] == [20]
    again.close()
    assert len(list(tmp_path.glob("*.pack"))) == 21


def test_a_full_disk_ends_keeping_and_nothing_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    cache = FactsCache(tmp_path / "facts")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        cache.add([key_of(0)], encode(named([0])))
        cache.flush()
        cache.add([key_of(1)], encode(named([1])))
        cache.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caplog.text.count("the cache keeps nothing more") == 1
    assert list((tmp_path / "facts").iterdir()) == []


def test_a_pack_that_serves_is_marked_as_used(tmp_path: Path) -> None:
    cache = added(tmp_path, named([0]))
    (path,) = tmp_path.glob("*.pack")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    found(cache, [0])
    assert path.stat().st_mtime > time.time() - 60


def test_the_last_bytes_of_a_pack_are_its_digest(tmp_path: Path) -> None:
    path = packs.write_pack(tmp_path, [packs.Segment(encode(named([0])), [key_of(0)])])
    assert path.stem == path.read_bytes()[-32:].hex()[:32]


def test_the_code_of_facts_is_all_that_a_worker_imports() -> None:
    program = (
        "import sys, codequarry.pipeline.worker\n"
        "files = (getattr(m, '__file__', None) for n, m in sys.modules.items() if n.startswith('codequarry.'))\n"
        "print('\\n'.join(filter(None, files)))"
    )
    out = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True).stdout
    imported = {str(Path(p).relative_to(code.PACKAGE)) for p in out.splitlines()}
    counted = {str(p.relative_to(code.PACKAGE)) for p in code.code_files(*keys.CODE)}
    without_effect = {
        *("pipeline/__init__.py", "pipeline/encoder/__init__.py", "pipeline/graph/__init__.py", "query/__init__.py"),
        *(f"schemas/{name}.py" for name in ("__init__", "errors", "layout", "manifest")),
    }
    assert imported - counted == without_effect


def test_the_fingerprint_has_all_that_facts_depend_on() -> None:
    plain = fingerprint(Limits(), NO_MODEL)
    assert plain == fingerprint(Limits(allow_secrets=True), NO_MODEL)
    assert len({plain, fingerprint(Limits(max_doc=1), NO_MODEL), fingerprint(Limits(), choose_model("auto"))}) == 3


def test_a_renamed_or_copied_file_has_the_same_key() -> None:
    key = file_key("0" * 40, "src/old.py", allow_secrets=False)
    assert key == file_key("0" * 40, "lib/new.py", allow_secrets=False)
    assert key != file_key("1" * 40, "src/old.py", allow_secrets=False)
    assert key != file_key("0" * 40, "src/old.pyi_", allow_secrets=False)
    assert key != file_key("0" * 40, "src/old.py", allow_secrets=True)


NAMES = [
    *(
        "a.py",
        "b.PY",
        "a.h",
        "A.H",
        "x.hpp",
        "m.m",
        "a.pl",
        "run",
        ".run",
        "Makefile",
        "makefile",
        "a.min.js",
        "a.js",
        "b.js",
    ),
    *("n.ipynb", "N.IPYNB", ".env", ".env.example", "example.env", "secrets.yml", "app.yml", "key.pem", "note.txt", "a.ts"),
    *("go.sum", "a.pb.go", "b.go", "x.css", "README", "README.md", "a.unknown", "b.unknown", ".npmrc", "tsconfig.json"),
]
TEXTS = [
    b"",
    b"#!/usr/bin/env python3\ndef f():\n    return 1\n",
    b"#!/bin/sh\nf() { echo; }\n",
    b"class A { public: int x; };\nnamespace b {}\n",
    b"@interface A : NSObject\n@end\n",
    b"function f() { return 1; }\n",
    b"var a=1;" * 400 + b"{;};" * 600,
    b"token: ghp_" + b"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8" + b"\n",
    b"-----BEGIN RSA PRIVATE KEY-----\n" + b"MIIEpAIBAAKCAQEA7x" * 4 + b"\n-----END RSA PRIVATE KEY-----\n",
    b'{"cells": []',
    b'{"cells": [], "nbformat": 4}',
    b"use strict;\nsub f { 1 }\n",
    b"function y = f(x)\n  y = x;\nend\n",
]


def test_files_of_equal_keys_have_equal_facts() -> None:
    """The promise of a key, over names and texts that the rules for names were made for."""
    for allow_secrets in (False, True):
        limits = Limits(allow_secrets=allow_secrets)
        for number, text in enumerate(TEXTS):
            seen: dict[bytes, tuple[str, FileFacts]] = {}
            for name in NAMES:
                facts = file_facts(text, detect(name, text), name, limits)
                key = file_key(f"{number:040}", f"some/folder/{name}", allow_secrets=allow_secrets)
                other, known = seen.setdefault(key, (name, facts))
                assert facts == known, (name, other, text)
            assert len(seen) > 10
