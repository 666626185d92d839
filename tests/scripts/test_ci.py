"""The templates for CI: their steps are run, as a workflow would run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ..pipeline.commands._index import GIT, git, write
from ._script import SCRIPTS, script

yaml = pytest.importorskip("yaml")
summary = script("ci/summary")

CI = SCRIPTS / "ci"
TREE = {
    "cart.py": "class Cart:\n    def add(self, sku):\n        return sku\n",
    "shop.py": "from cart import Cart\n\n\ndef buy(sku):\n    return Cart().add(sku)\n",
    "run.sh": "echo nothing to see\n",
}


def steps(name: str) -> list[dict[str, Any]]:
    """Return the steps of a workflow, with the environment of its job in each."""
    (job,) = yaml.safe_load((CI / "github" / name).read_text())["jobs"].values()
    return [{**step, "env": job["env"]} for step in job["steps"]]


def shell(step: dict[str, Any], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a `run` step as GitHub does, in a checkout that has scripts/ci."""
    environment = {name: value for name, value in step["env"].items() if "${{" not in value}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **GIT, **environment, "PATH": path, "NO_COLOR": "1", **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = write(tmp_path / "checkout", TREE)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    (folder / "scripts").mkdir()
    (folder / "scripts" / "ci").symlink_to(CI)
    (folder / ".git" / "info" / "exclude").write_text("scripts\nindex*\nsummary.md\nevaluation.json\nqueries.jsonl\n")
    return folder


def test_two_nights_and_a_question(checkout: Path, tmp_path: Path) -> None:
    (nightly,) = (step for step in steps("nightly.yml") if step.get("id") == "nightly")
    page = {"GITHUB_STEP_SUMMARY": str(checkout / "summary.md"), "GITHUB_ACTIONS": "true"}
    first = shell(nightly, checkout, **page)
    assert first.returncode == 0, first.stderr
    assert re.findall(r"^::group::(.*)$", first.stdout, re.M) == ["index", "verify", "pack", "keep 7 snapshots"]
    assert first.stdout.count("::endgroup::") == 4
    assert "::warning::1 file of bash and not one symbol" in first.stdout.splitlines()
    text = (checkout / "summary.md").read_text()
    assert re.match(r"### Index: snapshot `[0-9a-f]{16}` published\n", text)
    assert "| checkout | main | " in text
    assert "3 of 3 files indexed" in text

    write(checkout, {"cart.py": "class Cart:\n    def add(self, sku, count):\n        return sku * count\n"})
    second = shell(nightly, checkout, SUMMARY=str(checkout / "summary2.md"), **{**page, "GITHUB_ACTIONS": ""})
    assert second.returncode == 0, second.stderr
    assert "== compare with " in second.stdout
    assert "::" not in second.stdout
    text = (checkout / "summary2.md").read_text()
    assert "2 known from earlier runs" in text
    assert "Files: 1 changed. Symbols: 1." in text
    assert "* `checkout:cart.py#Cart.add`: `def add(self, sku, count)`" in text
    assert "* `checkout:shop.py#buy` (by `checkout:cart.py#Cart.add`)" in text
    assert len(list((checkout / "index-store" / "snapshots").iterdir())) == 2

    (ask,) = (step for step in steps("query.yml") if step.get("name") == "Unpack, verify, search")
    (tmp_path / "elsewhere" / "scripts").mkdir(parents=True)
    (tmp_path / "elsewhere" / "scripts" / "ci").symlink_to(CI)
    (checkout / "index.tar").rename(tmp_path / "elsewhere" / "index.tar")
    answer = shell(ask, tmp_path / "elsewhere", QUESTION="add to the cart")
    assert answer.returncode == 0, answer.stderr
    assert "method Cart.add" in answer.stdout
    refused = shell({**ask, "run": "scripts/ci/query.sh index.tar x " + "0" * 64}, tmp_path / "elsewhere", STORE="other")
    assert (refused.returncode, (tmp_path / "elsewhere" / "other").exists()) == (4, False)


def test_a_failed_run_uploads_nothing_and_says_so(checkout: Path) -> None:
    (nightly,) = (step for step in steps("nightly.yml") if step.get("id") == "nightly")
    failed = shell(nightly, checkout, SOURCES="nowhere", SUMMARY="summary.md")
    assert failed.returncode == 2
    assert "nowhere" in failed.stderr
    assert "did not come to its end" in (checkout / "summary.md").read_text()
    assert not (checkout / "index.tar").exists()


def test_a_gate_stops_the_run_before_it_is_packed(checkout: Path) -> None:
    (nightly,) = (step for step in steps("nightly.yml") if step.get("id") == "nightly")
    (checkout / "queries.jsonl").write_text(json.dumps({"query": "add to cart", "symbols": {"Cart.add": 1}}) + "\n")
    first = shell(nightly, checkout, QUERIES="queries.jsonl", SUMMARY="summary.md")
    assert first.returncode == 0, first.stderr
    baseline = checkout / "evaluation.json"
    assert json.loads(baseline.read_text())
    (checkout / "index.tar").unlink()
    (checkout / "queries.jsonl").write_text(json.dumps({"query": "zebra crossing", "symbols": {"Cart.add": 1}}) + "\n")
    second = shell(nightly, checkout, QUERIES="queries.jsonl", SUMMARY="summary.md")
    assert second.returncode == 1, second.stdout + second.stderr
    assert not (checkout / "index.tar").exists()


def test_annotations_are_few_and_stay_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    files = [{"repo": "r", "path": f"a,{i}\n::error::x.py", "reason": "timeout"} for i in range(30)]
    rows = list(summary.annotations({"set_aside": files, "warnings": ["50 % of\nfiles"]}))
    assert len(rows) == summary.MOST_ANNOTATIONS
    assert rows[0] == "::warning::50 %25 of%0Afiles"
    assert rows[1] == "::warning file=a%2C0%0A%3A%3Aerror%3A%3Ax.py::timeout"
    assert rows[-1] == "::warning::and 22 more, see the summary"
    assert list(summary.annotations({})) == []


def test_workflows_name_what_there_is() -> None:
    for name in ("nightly.yml", "query.yml"):
        text = (CI / "github" / name).read_text()
        assert all((SCRIPTS.parent / path).is_file() for path in re.findall(r"^ +(?:run: )?(scripts/\S+\.sh)", text, re.M))
        assert all("${{" not in step.get("run", "") for step in steps(name))
