"""The made-up monorepo: seeded, growing at its end, in every language parsed without an error and with all its calls."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.languages import detect

from ._script import script

monorepo = script("bench/monorepo")


def _contents(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_larger_one_contains_the_smaller(tmp_path: Path) -> None:
    sizes = {count: monorepo.write_monorepo(tmp_path / str(count), count, 3) for count in (40, 120)}
    small, large = _contents(tmp_path / "40"), _contents(tmp_path / "120")
    assert (len(small), len(large)) == (40, 120)
    assert small.items() <= large.items()
    assert sizes[40] == sum(map(len, small.values()))


def test_the_seed_decides() -> None:
    first, again, other = (list(islice(monorepo.files(seed), 30)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("language", list(monorepo.RENDER))
def test_files_are_valid_code_that_calls(language: str) -> None:
    own = monorepo.package(1, list(monorepo.RENDER).index(language) + 14 * len(monorepo.RENDER))
    assert own.language == language
    for unit in monorepo.units(1, own):
        text = monorepo.RENDER[language](own, unit).encode()
        facts = file_facts(text, detect(f"a.{monorepo.ENDING[language]}", text), "a", Limits())
        assert facts.status == "indexed", facts.reason
        assert len(facts.symbols) >= len(unit.functions) + 1
        assert text.count(b"value += ") == sum(len(f.calls) for f in unit.functions) >= len(unit.functions)
