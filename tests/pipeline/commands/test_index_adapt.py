"""`index --adapt` from the outside: what it makes, that it makes the same again, and when it makes it anew."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from codequarry.query import open_index
from codequarry.query.encoder import FILES, Encoder, content_hash
from codequarry.query.verify import verify

from ._index import git, index, snapshot_digests, summary, write

PARTS = ("cart", "parser", "router", "server", "cache", "lexer", "shelf", "order", "price", "mailer")

_TEXT = '''class {title}:
    """Keeps the {name} of the shop in good order."""

    def open_{name}(self, number):
        """Open the {name} with this number and say what is in it."""
        return self.known[number].contents


def close_{name}(name, reason):
    """Write down why the {name} was closed, then forget it."""
    name.reasons.append(reason)
    return name.number
'''


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a repository of two commits, indexed with an adapted model into `out`."""
    work = tmp_path_factory.mktemp("adapt")
    write(work / "shop", {f"{name}.py": _TEXT.format(name=name, title=name.title()) for name in PARTS})
    git(work / "shop", "init", "-q", "-b", "main")
    git(work / "shop", "add", "-A")
    git(work / "shop", "commit", "-q", "-m", "feat: open all parts of the shop")
    (work / "shop" / "cart.py").write_text(_TEXT.format(name="cart", title="Cart") + "\nLIMIT = 7\n")
    git(work / "shop", "commit", "-q", "-a", "-m", "feat: no more than seven trolleys")
    adapted(work)
    return work


def adapted(work: Path, *args: str, **more: Any) -> dict[str, Any]:
    return summary("shop", "--adapt", "--cache", "cache", *args, cwd=work, **more)


def manifest(store: Path) -> dict[str, Any]:
    name = json.loads((store / "latest.json").read_text())["snapshot"]
    value: dict[str, Any] = json.loads((store / "snapshots" / name / "manifest.json").read_text())
    return value


def test_the_store_holds_the_model_of_its_vectors(shop: Path) -> None:
    model = manifest(shop / "out")["model"]
    assert (model["name"], model["dimensions"], model["reason"]) == ("adapted", 128, None)
    folder = shop / "out" / "encoders" / model["sha256"]
    assert content_hash({name: (folder / name).read_bytes() for name in FILES}) == model["sha256"]
    assert not verify(shop / "out").faults
    with open_index(shop / "out") as opened:
        assert opened.search("why was it closed", 3).mode == "lexical+meaning"


def test_it_learned_what_commits_say(shop: Path) -> None:
    """ "Trolleys" is a word of a commit alone; it has come near to the file that the commit changed."""
    model = manifest(shop / "out")["model"]
    learned = Encoder.load(shop / "out" / "encoders" / model["sha256"])
    with open_index(shop / "out") as opened:
        near = opened.search("seven trolleys", 3, match="meaning").results
    assert near[0].path == "cart.py"
    assert float(learned.encode("trolleys") @ learned.encode("cart")) > 0.2


def test_the_same_bytes_whatever_the_jobs(shop: Path) -> None:
    adapted(shop, "--jobs", "1", "--fresh", "--out", "alone", "--memory-limit", "1GB")
    assert snapshot_digests(shop / "alone") == snapshot_digests(shop / "out")


def test_an_unchanged_repository_is_not_indexed_again(shop: Path) -> None:
    assert not adapted(shop)["published"]


def test_without_it_the_embedded_model_is_back_and_facts_are_not_mixed(shop: Path) -> None:
    summary("shop", "--adapt", "--extract-only", "--cache", "facts", cwd=shop)
    plain = summary("shop", "--cache", "facts", "--out", "plain", cwd=shop)
    assert plain["cached"] == 0
    assert manifest(shop / "plain")["model"]["name"] == "embedded"
    again = summary("shop", "--adapt", "--cache", "facts", "--out", "plain", cwd=shop)
    assert (again["published"], again["cached"]) == (True, len(PARTS))
    assert manifest(shop / "plain") == manifest(shop / "out")


def test_a_lost_model_is_made_again(shop: Path) -> None:
    shutil.copytree(shop / "out", shop / "lost")
    before = snapshot_digests(shop / "lost")
    shutil.rmtree(shop / "lost" / "encoders")
    assert adapted(shop, "--out", "lost")["published"]
    assert snapshot_digests(shop / "lost") == before
    assert len(list((shop / "lost" / "encoders").iterdir())) == 1


def test_another_history_of_the_same_files_makes_another_model(shop: Path, tmp_path: Path) -> None:
    shutil.copytree(shop / "shop", tmp_path / "shop")
    git(tmp_path / "shop", "commit", "-q", "--amend", "-m", "feat: at most seven baskets in a row")
    summary("shop", "--adapt", "--cache", str(shop / "cache"), cwd=tmp_path)
    assert manifest(tmp_path / "out")["model"]["sha256"] != manifest(shop / "out")["model"]["sha256"]


def test_without_git_documentation_and_names_teach(tmp_path: Path) -> None:
    write(tmp_path / "plain", {f"{name}.py": _TEXT.format(name=name, title=name.title()) for name in PARTS})
    summary("plain", "--adapt", "--cache", "cache", cwd=tmp_path)
    assert manifest(tmp_path / "out")["model"]["name"] == "adapted"


def test_a_source_that_is_kept_has_documentation_and_names(shop: Path, tmp_path: Path) -> None:
    shutil.copytree(shop / "out", tmp_path / "out")
    write(tmp_path / "more", {"bell.py": "def ring(times):\n    return times\n"})
    done = summary("more", "--name", "more", "--update", "--adapt", "--cache", str(shop / "cache"), cwd=tmp_path)
    assert [source["repo"] for source in done["sources"]] == ["more", "shop"]
    assert manifest(tmp_path / "out")["model"]["name"] == "adapted"


@pytest.mark.parametrize("model", ["none", "somebody/model"])
def test_only_the_embedded_model_can_be_adapted(model: str, tmp_path: Path) -> None:
    run = index(".", "--adapt", "--model", model, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr == f"codequarry: --adapt fine-tunes the embedded model, so --model {model} cannot be given with it\n"
