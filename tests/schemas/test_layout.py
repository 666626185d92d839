"""Names inside a store: strict patterns, no links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from codequarry.schemas import layout
from codequarry.schemas.errors import DamagedError

WHERE = Path("manifest.json")


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (layout.check_table_name, ["files", "a_1"], ["", "Files", "1a", "a/b", "..", "a\n", "a" * 65]),
        (layout.check_part_name, ["00000.parquet", "a-b_c.parquet"], ["x.txt", ".parquet", "../a.parquet", "a.parquet\n"]),
        (layout.check_snapshot_id, ["0123456789abcdef"], ["0123456789ABCDEF", "0123", "0123456789abcdef0", "..", "g" * 16]),
    ],
)
def test_names(check: Callable[[str, Path], str], good: list[str], bad: list[str]) -> None:
    assert [check(name, WHERE) for name in good] == good
    for name in bad:
        with pytest.raises(DamagedError, match=r"manifest\.json holds the malformed"):
            check(name, WHERE)


def test_part_path(tmp_path: Path) -> None:
    assert layout.part_path(tmp_path, "files", "0.parquet") == tmp_path / "files" / "0.parquet"


@pytest.mark.parametrize("link", ["files", "files/0.parquet"])
def test_links_are_refused(tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DamagedError, match="is a link"):
        layout.part_path(tmp_path, "files", "0.parquet")


def test_latest() -> None:
    assert layout.parse_latest(layout.dump_latest("0123456789abcdef"), WHERE) == "0123456789abcdef"
    for data in (b"", b"{}", b"[]", b"3", b"\xff", b"[" * 100_000, b'{"snapshot": 1}', b'{"snapshot": "../x"}'):
        with pytest.raises(DamagedError, match=r"manifest\.json"):
            layout.parse_latest(data, WHERE)


def test_latest_remembers_what_is_known_and_nothing_else() -> None:
    assert layout.dump_latest("0" * 16) == b'{"snapshot": "0000000000000000"}\n'
    data = layout.dump_latest("0" * 16, "gr\u00fcn", "f" * 64)
    assert (layout.parse_local(data), layout.parse_inputs(data)) == ("gr\u00fcn", "f" * 64)
    for bad in (b"", b"[]", b'{"inputs": 3, "local": null}', b"[" * 100_000):
        assert (layout.parse_local(bad), layout.parse_inputs(bad)) == (None, None)
