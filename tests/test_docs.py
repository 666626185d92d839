"""Runs the examples of the documents: every `console` block, in order, in a scratch folder that holds the tree `shop`.

Where the output of an example changed on purpose, `UPDATE_DOCS=1 pytest tests/test_docs.py` writes the new one into the
document; read the difference before it is committed.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from codequarry.query.cli import COMMANDS

from .cases._product import GIT

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "docs/commands.md")
ALL = sorted(str(p.relative_to(ROOT)) for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
VARIES = {
    r"^  slowest .*": "  slowest <file>",
    r"\b[0-9a-f]{64}\b": "<sha256>",
    r"\b[0-9a-f]{16}\b": "<snapshot>",
    r"\b\d+(\.\d+)? (B|KB|MB|GB)\b": "<size>",
    r"\b\d+(\.\d+)? (s|ms)\b": "<time>",
    r"\b\d+(\.\d+)?/s\b": "<rate>",
}
"""What differs between two runs or two versions of a library, and does not matter here."""


def steady(text: str) -> str:
    for pattern, word in VARIES.items():
        text = re.sub(pattern, word, text, flags=re.M)
    return text


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder with the tree `shop` as a git repository of one commit."""
    shutil.copytree(ROOT / "tests" / "cases" / "trees" / "shop", tmp_path / "shop")
    for argv in (["init", "-q", "-b", "main", "."], ["add", "-A"], ["commit", "-q", "-m", "One"]):
        subprocess.run(["git", *argv], cwd=tmp_path / "shop", env={**os.environ, **GIT}, check=True)
    return tmp_path


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block with the output that stands below it."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command += "\n" + more
        yield command, output


def real(command: str, scratch: Path) -> str:
    """Run one line of shell and return all that it printed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CODEQUARRY_")}
    cache = str(scratch.with_name(f"{scratch.name} cache"))
    env = {**kept, **GIT, "PATH": path, "NO_COLOR": "1", "CODEQUARRY_CACHE": cache}
    argv = ["bash", "-c", f"exec 2>&1\n{command}"]
    return subprocess.run(argv, cwd=scratch, env=env, stdout=subprocess.PIPE, text=True, check=False).stdout


@pytest.mark.parametrize("document", DOCUMENTS)
def test_examples_print_what_the_document_says(document: str, scratch: Path) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert blocks
    for block in blocks:
        found = "".join(f"$ {command}\n{real(command, scratch)}" for command, _ in steps(block))
        if found != block and os.environ.get("UPDATE_DOCS"):
            text = text.replace(block, found)
            (ROOT / document).write_text(text, encoding="utf-8")
        else:
            assert steady(found) == steady(block)


def test_the_python_example_prints_what_the_readme_says(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    real("codequarry index shop", scratch)
    monkeypatch.chdir(scratch)
    (example,) = re.findall(r"^```pycon\n(.*?)^```$", text, re.M | re.S)
    test = doctest.DocTestParser().get_doctest(example, {}, "README.md", "README.md", 0)
    report = io.StringIO()
    assert doctest.DocTestRunner().run(test, out=report.write).failed == 0, report.getvalue()


def test_every_command_has_a_section_with_an_example() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `codequarry (\w+)`\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    assert list(sections) == list(COMMANDS)
    assert [name for name, body in sections.items() if f"$ codequarry {name}" not in body] == []


@pytest.mark.parametrize("document", ALL)
def test_links_between_documents_lead_somewhere(document: str) -> None:
    path = ROOT / document
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_the_readme_names_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "scripts/quickstart [REPO]" in text
    assert "scripts/test" in text


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_paths_that_documents_name_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`((?:schemas|query|pipeline|scripts|tests|docs|\.ci)/[\w./-]*)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
