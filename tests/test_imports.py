"""Who may import whom: read from the source, and seen in real processes."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
INDEX_ONLY = {"pyarrow", "tree_sitter", "tree_sitter_language_pack", "rich"}
HEAVY = {"duckdb", "numpy", "Stemmer", "model2vec", "tokenizers"}


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted name of every module that a file imports, wherever in the file, relative ones made absolute."""
    package = ("codequarry", *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """Return `codequarry.ROOM` for a module of the project, else its top-level package."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "codequarry" else parts[0]


@pytest.mark.parametrize("path", modules("schemas"), ids=lambda p: str(p.relative_to(ROOT)))
def test_schemas_imports_the_standard_library_alone(path: Path) -> None:
    others = {room_of(m) for m in imported(path)} - sys.stdlib_module_names - {"codequarry.schemas"}
    assert others == set()


@pytest.mark.parametrize("path", modules("query"), ids=lambda p: str(p.relative_to(ROOT)))
def test_query_imports_nothing_that_only_indexing_needs(path: Path) -> None:
    assert {room_of(m) for m in imported(path)} & {*INDEX_ONLY, "codequarry.pipeline"} == set()


def test_one_module_imports_the_sdk_of_mcp() -> None:
    sdk = {"mcp", "mcp_types", "anyio"}
    users = [path for path in modules("schemas", "query", "pipeline") if {room_of(m) for m in imported(path)} & sdk]
    assert [str(path.relative_to(ROOT)) for path in users] == ["query/serve/server.py"]


@pytest.mark.parametrize("path", modules("schemas", "query", "pipeline"), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_inside_the_package_are_relative(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    absolute = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level == 0}
    absolute |= {alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    assert not any(name.split(".")[0] == "codequarry" for name in absolute)


def loaded(statement: str) -> set[str]:
    """Return the rooms and packages that a fresh process has loaded after one statement."""
    script = f"{statement}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {room_of(name) for name in done.stderr.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "statement",
    [
        "import codequarry.schemas.manifest, codequarry.schemas.tables, codequarry.schemas.terms, codequarry.schemas.errors",
        "import codequarry.query",
        "from codequarry.query.cli import run; run(['--help'])",
        "from codequarry.query.cli import run; run(['--version'])",
        "from codequarry.query.cli import run; run(['nonsense'])",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement: str) -> None:
    assert loaded(statement) & {*HEAVY, *INDEX_ONLY, "codequarry.pipeline"} == set()


@pytest.mark.parametrize(
    "command", ["search", "links", "context", "sql", "terms", "status", "verify", "pack", "unpack", "serve"]
)
def test_a_command_of_query_loads_nothing_of_the_pipeline(command: str) -> None:
    names = loaded(f"from codequarry.query.cli import run; run([{command!r}, '--help'])")
    assert names & {*HEAVY, *INDEX_ONLY, "codequarry.pipeline", "mcp"} == set()


def test_a_query_loads_nothing_of_the_pipeline(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "cart.py").write_text("def add_item():\n    return 1\n")
    store = str(tmp_path / "store")
    script = "import sys; from codequarry.query.cli import main; main()"
    subprocess.run([sys.executable, "-c", script, "index", str(tmp_path / "tree"), "--out", store], check=True)
    names = loaded(f"from codequarry.query.cli import run; assert run(['search', '--index', {store!r}, 'add item']) == 0")
    assert names & {*INDEX_ONLY, "codequarry.pipeline", "model2vec", "tokenizers"} == set()
    names = loaded(f"from codequarry.query import open_index; open_index({store!r}).search('add item')")
    assert names & {*INDEX_ONLY, "codequarry.pipeline", "model2vec", "tokenizers"} == set()
