"""SPEC.md says what the code does: tables, columns, fields, limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from codequarry.query.stems import ALGORITHM
from codequarry.schemas import terms
from codequarry.schemas.layout import ID_LENGTH
from codequarry.schemas.manifest import Manifest
from codequarry.schemas.tables import (
    BLOCK_ROWS,
    FILE_FIELDS,
    FORMAT_VERSION,
    ROLES,
    SYMBOL_FIELDS,
    TABLES,
    Table,
)

SPEC = (Path(terms.__file__).parent / "SPEC.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, without its head."""
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", SPEC, re.M | re.S)
    assert section is not None, heading
    lines = [line for line in section[1].splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_columns(table: Table) -> None:
    said = [(name, type_, null == "yes") for name, type_, null, _ in rows(table.name)]
    assert said == [(c.name, c.type, c.nullable) for c in table.columns]


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_elements_of_blobs(table: Table) -> None:
    for column, (_, _, _, meaning) in zip(table.columns, rows(table.name), strict=True):
        if column.type == "bytes":
            assert column.unit is not None
            assert meaning.split(":")[0] == column.unit.split()[0]


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_a_table_refers_to_its_own_columns(table: Table) -> None:
    names = {column.name for column in table.columns}
    assert len(names) == len(table.columns)
    assert {*table.order, *table.pruned, *table.coded} <= names
    assert table.order[0] in table.pruned
    assert all(c.type in ("int32", "int64", "float32", "bool", "string", "bytes") for c in table.columns)


def test_manifest_keys() -> None:
    assert [name for name, _ in rows("2. The manifest")] == [k for k in Manifest.__dataclass_fields__ if k != "extra"]


def test_fields_and_roles() -> None:
    assert tuple(name for name, _ in rows("What a field holds")) == (*SYMBOL_FIELDS, *FILE_FIELDS)
    assert ", ".join(f"{1 << i} {role}" for i, role in enumerate(ROLES)) in SPEC
    for fields in (SYMBOL_FIELDS, FILE_FIELDS):
        assert ", ".join(f"`{field}`" for field in fields) in SPEC


@pytest.mark.parametrize(
    "text",
    [
        f"Format version **{FORMAT_VERSION}**",
        f"first {ID_LENGTH} hex digits",
        f"{BLOCK_ROWS:,} consecutive symbol ids",
        f"A run of {terms.DATA_RUN} or more",
        f"{terms.DATA_PARTS} or more parts with fewer than {terms.DATA_PART_LENGTH} characters",
        f"more than {terms.MAX_TERM_LENGTH} characters",
        f'stemmer "{ALGORITHM}"',
    ],
)
def test_numbers(text: str) -> None:
    assert text in SPEC


def test_sizes_of_row_groups_and_pages() -> None:
    sizes = {(t.row_group, t.page_rows) for t in TABLES.values()}
    assert sizes == {(32768, 256), (1024, 8), (64, 1)}
    assert "32,768 rows (`sources` 1,024, statistics 64)" in SPEC
    assert "256 (`sources` 8, statistics 1)" in SPEC
