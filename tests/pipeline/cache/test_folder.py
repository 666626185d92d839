"""Where the cache lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.cache import cache_folder, open_folder
from codequarry.schemas.errors import StoreError

HOME = {"HOME": "/home/u"}


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        (HOME, "linux", "/home/u/.cache/codequarry"),
        ({**HOME, "XDG_CACHE_HOME": "/var/c"}, "linux", "/var/c/codequarry"),
        ({**HOME, "XDG_CACHE_HOME": "c"}, "linux", "/home/u/.cache/codequarry"),
        (HOME, "darwin", "/home/u/Library/Caches/codequarry"),
        ({**HOME, "LOCALAPPDATA": "/l"}, "win32", "/l/codequarry/Cache"),
        ({**HOME, "CODEQUARRY_CACHE": "/mine"}, "linux", "/mine"),
        ({**HOME, "CODEQUARRY_CACHE": ""}, "linux", "/home/u/.cache/codequarry"),
    ],
)
def test_the_place_follows_the_platform(environment: dict[str, str], platform: str, expected: str) -> None:
    assert cache_folder(None, environment, platform) == Path(expected)


def test_a_given_folder_wins() -> None:
    assert cache_folder(Path("c"), {"CODEQUARRY_CACHE": "/mine"}) == Path("c")


def test_a_folder_is_made_and_tagged(tmp_path: Path) -> None:
    root = open_folder(tmp_path / "a" / "b")
    assert open_folder(root).joinpath("CACHEDIR.TAG").read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"the cache folder .* cannot be written \(Not a directory\): check .* --cache DIR"):
        open_folder(tmp_path / "file" / "c")
