"""The training scripts: what may be learned from, what a pair is, and that training is right and repeatable."""

from __future__ import annotations

import json
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the extra [train] is not installed")
pytest.importorskip("tree_sitter_language_pack", reason="the extra [index] is not installed")

from ._script import SCRIPTS, script

EMBEDDED = SCRIPTS.parent / "pipeline" / "encoder"


data = script("encoder_data")
pairs = script("encoder_pairs")
duplicates = script("encoder_duplicates")
evaluation = script("encoder_evaluation")
training = script("train_encoder")


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("Apache-2.0 OR MIT", True),
        ("GPL-2+ or Expat", True),
        ("MIT AND Zlib", True),
        ("(MIT AND GPL-3.0-only)", False),
        ("BSD-3-Clause~Google and Expat", True),
        ("The MIT License (MIT)", True),
        ("LGPL-3", False),
        ("MPL-2.0", False),
        ("BSD-4-clause", False),
        ("SEE LICENSE IN LICENSE", False),
        ("", False),
    ],
)
def test_only_permissive_licences_are_allowed(expression: str, allowed: bool) -> None:
    assert data.permissive(expression) is allowed


@pytest.mark.parametrize(
    ("name", "measured_on"),
    [
        ("golang-github-gin-gonic-gin-dev", True),
        ("librust-tokio-util-dev", True),
        ("librust-serde-dev", True),
        ("libcommons-lang3-java", True),
        ("@hono/node-server", True),
        ("Flask", True),
        ("librust-im-rc-dev", False),
        ("libcommons-codec-java", False),
        ("@babel/core", False),
    ],
)
def test_projects_that_search_is_measured_on_are_excluded(name: str, measured_on: bool) -> None:
    _packages, names = data.read_list()
    assert data.excluded(name, names) is measured_on


def test_the_pinned_list_holds_out_whole_packages_in_four_languages() -> None:
    packages, _names = data.read_list()
    assert {p.split for p in packages} == set(data.SPLITS)
    assert len({p.key for p in packages}) == len(packages)
    assert all(len(p.sha256) == 64 and data.permissive(p.licence) for p in packages)


def test_a_list_that_names_an_excluded_or_repeated_package_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    line = f'"%s 1.0 {"0" * 64} MIT"'
    path.write_text(f'[exclude]\nnames = ["flask"]\n[pypi]\ntrain = [{line % "flask-login"}]\n')
    with pytest.raises(data.PackageError, match="pypi:flask-login is measured on"):
        data.read_list(path)
    path.write_text(f"[exclude]\nnames = []\n[pypi]\ntrain = [{line % 'six'}]\ntest = [{line % 'six'}]\n")
    with pytest.raises(data.PackageError, match="pypi:six stands twice"):
        data.read_list(path)


def wheel(folder: Path, header: str, **files: str) -> Path:
    path = folder / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("thing-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: thing\n{header}\n")
        for name, text in files.items():
            archive.writestr(f"thing/{name}.py", text)
    return path


def package(registry: str, **values: str) -> Any:
    return data.Package(
        **{"registry": registry, "split": "train", "name": "thing", "version": "1.0", "sha256": "", **values}
    )


@pytest.mark.parametrize(
    ("header", "stated"),
    [
        ("License-Expression: MIT", "MIT"),
        ("License: GPL\nClassifier: License :: OSI Approved :: BSD License", "BSD License"),
        ("License: Apache 2.0", "Apache 2.0"),
        ("Classifier: License :: Freely Distributable\nClassifier: License :: OSI Approved :: BSD License", "BSD License"),
        ("Classifier: License :: OSI Approved :: MIT License\nClassifier: License :: Other/Proprietary License", None),
        ("License-Expression: GPL-3.0-only", None),
        ("Summary: says nothing", None),
    ],
)
def test_a_wheel_states_its_licence(tmp_path: Path, header: str, stated: str | None) -> None:
    path = wheel(tmp_path, header)
    if stated is None:
        with pytest.raises(data.PackageError, match=r"pypi:thing: licence .* is not on the list"):
            data.licence(package("pypi"), path)
    else:
        assert data.licence(package("pypi"), path) == stated


def tar(path: Path, **files: str) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix in (".gz", ".tgz") else "w:xz") as archive:
        for name, text in sorted(files.items(), reverse=True):
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, BytesIO(text.encode()))
    return path


def test_a_source_package_is_permissive_but_for_named_files(tmp_path: Path) -> None:
    archive = tar(tmp_path / "thing_1.0.orig.tar.gz", **{"thing/a.c": "", "thing/m4/x.c": ""})
    stanzas = "Files: *\nLicense: Expat\n\nFiles: m4/* lib/getopt.c\nLicense: GPL-2+\n\nFiles: debian/*\nLicense: GPL-3\n"
    tar(tmp_path / "thing_1.0-1.debian.tar.xz", **{"debian/copyright": f"Format: 1.0\n\n{stanzas}"})
    source = package("debian-source")
    assert data.licence(source, archive) == "Expat"
    assert data.refused_files(source, archive) == ("*/m4/*", "*/lib/getopt.c", "*/debian/*")


def test_members_come_in_path_order(tmp_path: Path) -> None:
    for name in ("a.tgz", "a.tar.xz"):
        got = list(data.members(tar(tmp_path / name, **{"p/b": "2", "p/a": "1"})))
        assert got == [("p/a", b"1"), ("p/b", b"2")]


def test_an_archive_other_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "archives" / "pypi" / "thing"
    folder.mkdir(parents=True)
    wheel(folder, "License: MIT")
    with pytest.raises(data.PackageError, match=r"pypi:thing 1.0: sha256 is .*, pinned is abc"):
        data.fetch(package("pypi", sha256="abc"), tmp_path)


SOURCES = {
    "python": 'def total(xs):\n    """Add up all the numbers.\n\n    More."""\n    return sum(xs, start=zero)\n',
    "javascript": "/**\n * Add up all the numbers. More.\n * @param xs\n */\n"
    "export function total(xs) { return sum(xs, zero) }\n",
    "typescript": "class A {\n  /** Add up all the numbers. */\n  total(xs: number[]): number { return sum(xs, zero) }\n}\n",
    "go": "package a\n\n// Total add up all the numbers.\nfunc Total(xs []int) int { return sum(xs, zero) }\n",
    "rust": "/// Add up all the numbers.\n#[inline]\npub fn total(xs: &[u8]) -> u8 { sum(xs, zero) }\n",
    "java": "class A {\n  /** Add up all the numbers. */\n  int total(int[] xs) { return sum(xs, zero); }\n}\n",
    "c": "/* Add up all the numbers. */\nint total(int *xs) { return sum(xs, zero); }\n",
    "ruby": "class A\n  # Add up all the numbers.\n  def total(xs)\n    xs.sum(zero)\n  end\nend\n",
}


@pytest.mark.parametrize("language", SOURCES)
def test_a_pair_is_the_first_sentence_and_the_definition_without_it(language: str) -> None:
    (pair,) = pairs.pairs(language, SOURCES[language].encode(), package="p", split="train", path="a")
    assert pair.query.rstrip(".").lower() == "add up all the numbers"
    assert pair.name.lower() == "total"
    assert "sum" in pair.body
    assert "numbers" not in pair.signature + pair.body
    assert pair.signature.endswith(("total(xs)", ":", "int", "u8", "number", "xs)"))


@pytest.mark.parametrize(
    ("doc", "name", "sentence"),
    [
        ("Open opens a file. It may fail.", "Open", "opens a file."),
        ("The Reader type reads bytes", "Reader", "type reads bytes"),
        ("Return {@link Foo} for the `key`.\n\n@param key", "get", "Return Foo for the key ."),
        ("@description Finds the shortest path", "find", "Finds the shortest path"),
        ("TODO: write this later on", "x", ""),
        ("Copyright the authors of this file", "x", ""),
        ("Too short", "x", ""),
        ("返回 列表 中 的 元素 个数", "x", ""),
    ],
)
def test_first_sentence(doc: str, name: str, sentence: str) -> None:
    assert pairs.first_sentence(doc, name) == sentence


def test_files_of_tests_and_generated_files_give_no_pairs() -> None:
    source = SOURCES["python"].encode()
    files = [("p/tests/a.py", source), ("p/b_pb2.py", source), ("p/c.py", b"# Code generated. DO NOT EDIT.\n" + source)]
    assert pairs.package_pairs("p", "train", files) == []
    assert [p.path for p in pairs.package_pairs("p", "train", [*files, ("p/d.py", source), ("p/e.py", source)])] in (
        ["p/d.py"],
        ["p/e.py"],
    )  # one sentence once a package


def test_near_duplicates_of_held_out_texts_are_marked() -> None:
    rng = np.random.default_rng(1)
    texts = [[f"w{n}" for n in rng.integers(0, 500, size=60)] for _ in range(50)]
    near = [*texts[7][:29], "changed", *texts[7][30:]]  # 3 of 58 triples differ: similarity 55 / 61
    every = [*texts, near, texts[9], texts[20][:30]]
    ranks = [2 if i < 8 else 1 if i < 10 else 0 for i in range(len(every))]
    assert duplicates.overlapping(every, ranks).nonzero()[0].tolist() == [50, 51]
    assert not duplicates.overlapping(every, [0] * len(every)).any()


def test_reciprocal_rank_counts_ties_against_the_answer_and_stops_at_ten() -> None:
    scores = np.zeros((12, 12), dtype=np.float32)
    scores[0] = [5, *range(6, 9), *[0] * 8]  # three better
    scores[1, 1] = 1  # first
    scores[2, :2] = 1
    scores[2, 2] = 1  # tied with two
    scores[3, :11] = 2
    scores[3, 3] = 1  # eleventh
    got = evaluation.reciprocal_ranks(scores)
    np.testing.assert_allclose(got[:4], [1 / 4, 1, 1 / 3, 0])
    np.testing.assert_array_equal(got[4:], 0)  # all tied


def test_fusion_scales_each_query_to_0_1() -> None:
    lexical = np.array([[0.0, 10.0, 5.0]], dtype=np.float32)
    dense = np.array([[0.5, -0.5, 0.5]], dtype=np.float32)
    np.testing.assert_allclose(evaluation.fuse(lexical, dense, 0.25), [[0.25, 0.75, 0.625]])


def test_bm25_by_hand() -> None:
    scores = evaluation.bm25(["the cats"], ["cat cat dog", "dog", "bird fish"])
    idf = np.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    np.testing.assert_allclose(scores, [[expected, 0, 0]], rtol=1e-5)


VERBS, VERBS_IN_CODE = ("remove", "fetch", "sort"), ("delete", "download", "order")
NOUNS, NOUNS_IN_CODE = ("file", "user", "key"), ("path", "account", "token")


def corpus() -> list[Any]:
    """Return pairs in which the sentence never shares a word with the code, and meaning is learnable."""
    made = []
    for i in range(270):
        verb, noun = VERBS[i % 3], NOUNS[i // 3 % 3]
        made.append(
            pairs.Pair(
                package=f"pypi:p{i % 4}",
                split="train",
                language="python",
                path="a.py",
                name=f"{VERBS_IN_CODE[i % 3]}_{NOUNS_IN_CODE[i // 3 % 3]}",
                query=f"{verb} one {noun} number {i}",
                signature=f"def {VERBS_IN_CODE[i % 3]}_{NOUNS_IN_CODE[i // 3 % 3]}(value{i % 7})",
                body=f"return {NOUNS_IN_CODE[i // 3 % 3]}{i % 5}.{VERBS_IN_CODE[i % 3]}()",
            )
        )
    return made


RECIPE = {"vocabulary": 60, "sizes": ((16, 1.0), (8, 0.5)), "group": 32, "batch": 64, "steps": 60, "warm_up": 5}


def trained() -> tuple[Any, Any, Any]:
    recipe = training.Recipe(**RECIPE)
    made = corpus()
    tokenizer = training.train_tokenizer([pairs.word_list(f"{p.query} {p.name} {p.body}") for p in made], recipe.vocabulary)
    features = training.features(made, tokenizer)
    start = training.lsa(features.query + features.fields[0], 16, 0)
    return tokenizer, start, training.train(made, features, start, recipe)


def test_training_learns_words_that_never_meet_and_repeats_itself(tmp_path: Path) -> None:
    from codequarry.query.encoder import Encoder

    tokenizer, start, table = trained()
    again_tokenizer, again_start, again = trained()
    assert tokenizer.to_str() == again_tokenizer.to_str()
    np.testing.assert_array_equal(start, again_start)
    np.testing.assert_array_equal(table, again)
    training.save(tmp_path, tokenizer, table)
    encoder = Encoder.load(tmp_path)
    asked = np.array([encoder.encode(f"{verb} the {noun}") for verb in VERBS for noun in NOUNS])
    code = np.array([encoder.encode(f"{verb}_{noun}") for verb in VERBS_IN_CODE for noun in NOUNS_IN_CODE])
    assert (asked @ code.T).argmax(axis=1).tolist() == list(range(9))


def test_the_gradient_is_that_of_the_loss() -> None:
    recipe = training.Recipe(**RECIPE, dropout=0.0, temperature=0.5)
    made = corpus()[:9]
    tokenizer = training.train_tokenizer([pairs.word_list(f"{p.query} {p.name} {p.body}") for p in corpus()], 60)
    features = training.features(made, tokenizer)
    rng = np.random.default_rng(3)
    table = rng.standard_normal((tokenizer.get_vocab_size(), 16)).astype(np.float64)
    rows, repeats = np.arange(9), np.arange(9)
    loss, gradient = training._loss(table, features, rows, recipe.fields, repeats, recipe, rng)
    token = int(features.query.indices[0])
    for column in (0, 9):
        moved = table.copy()
        moved[token, column] += 1e-4
        after, _gradient = training._loss(moved, features, rows, recipe.fields, repeats, recipe, rng)
        assert (after - loss) / 1e-4 == pytest.approx(gradient[token, column], rel=0.02, abs=1e-4)


def test_quantised_rows_are_within_half_a_step() -> None:
    table = np.random.default_rng(0).standard_normal((50, 16)).astype(np.float32)
    rows, scales = training.quantise(table)
    assert (rows.dtype, scales.dtype, int(np.abs(rows).max())) == (np.int8, np.float32, 127)
    assert (np.abs(rows * scales[:, None] - table) <= scales[:, None] * 0.501).all()


def test_the_model_in_the_repository_is_small_and_whole() -> None:
    from codequarry.query.encoder import Encoder

    encoder = Encoder.load(EMBEDDED)
    assert sum(path.stat().st_size for path in EMBEDDED.iterdir() if path.is_file()) <= 2 * 1024 * 1024
    assert encoder.dimensions == json.loads((EMBEDDED / "config.json").read_text())["hidden_dim"] == 128
    assert encoder.rows.dtype == np.int8
    close = encoder.encode("remove an entry from the cache") @ encoder.encode("def evict(self, key): del self._cache[key]")
    other = encoder.encode("remove an entry from the cache") @ encoder.encode("def parse_date(text): return strptime(text)")
    assert close > other + 0.2
