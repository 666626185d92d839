"""Every `NAME.in` below cases/ gives, as a file called NAME, exactly the symbols that `NAME.symbols` beside it lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.facts import FileFacts, SymbolFact
from codequarry.pipeline.languages import LANGUAGES, detect

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.rglob("*.in"))


def facts_of(path: Path) -> FileFacts:
    data = path.read_bytes()
    return file_facts(data, detect(path.stem, data), path.stem, Limits())


def listed(facts: FileFacts) -> str:
    """Write facts as the text of a `.symbols` file: one line a file, one line a symbol, fields in a fixed order."""
    head = f"{facts.language} {facts.status} {facts.reason or '-'} | {facts.doc!r}"
    return "\n".join([head, *(_line(symbol) for symbol in facts.symbols)]) + "\n"


def _line(symbol: SymbolFact) -> str:
    place = f"{symbol.start_line}-{symbol.end_line}@{symbol.name_line}"
    flags = [symbol.visibility, *(["test"] if symbol.is_test else []), *(f"@{name}" for name in symbol.decorators)]
    parent = symbol.parent if symbol.parent >= 0 else "-"
    return f"{place} {symbol.kind} {symbol.qualified_name} ^{parent} {' '.join(flags)} | {symbol.signature} | {symbol.doc!r}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(CASES).as_posix())
def test_symbols(path: Path) -> None:
    expected = path.with_suffix(".symbols").read_text("utf-8")
    assert listed(facts_of(path)) == expected


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(CASES).as_posix())
def test_language_is_that_of_the_folder(path: Path) -> None:
    assert facts_of(path).language == path.parent.name


def test_every_language_that_is_read_has_a_case() -> None:
    read = {name for name, row in LANGUAGES.items() if row.grammar is not None or row.scan or row.embed}
    assert {p.parent.name for p in FILES} == read
