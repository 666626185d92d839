"""Bytes come back from stored texts as they were."""

from __future__ import annotations

import codecs
import hashlib
import os
import sys
from pathlib import Path

import pytest
from codequarry.pipeline.content import inspect
from codequarry.pipeline.extract import Limits
from codequarry.pipeline.run.kept import kept_origin, original_bytes
from codequarry.query.store import open_snapshot
from hypothesis import assume, given
from hypothesis import strategies as st

from ...query.stores import FileSpec, build_store


@pytest.mark.single
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_rows_of_a_kept_source_are_read_without_a_thread(tmp_path: Path) -> None:
    build_store(tmp_path, {"a": [FileSpec(path="a.py", text="x\n")], "b": [FileSpec(path="b.py", text="y\n")]})
    snapshot = open_snapshot(tmp_path)
    before = len(os.listdir("/proc/self/task"))
    origin = kept_origin(snapshot, snapshot.manifest.sources[1], Limits())
    assert [entry.path for entry in origin.entries] == ["b.py"]
    assert len(os.listdir("/proc/self/task")) == before


def round_trip(data: bytes) -> bytes | None:
    seen = inspect(data, "a.py")
    if seen.text is None:
        return None
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return original_bytes(seen.text, seen.encoding or "utf-8", blob)


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from("\n\r\t"), max_size=60)


@given(text=texts, form=st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]))
def test_unicode(text: str, form: str) -> None:
    marks = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
    data = marks.get(form, b"") + text.encode(form)
    again = round_trip(data)
    assume(again is not None)  # bytes that are no text are not stored
    assert again == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        "# -*- coding: latin-1 -*-\ngröße = 1\r\n".encode("latin-1"),
        "# vim: fileencoding=cp1251\nимя = 'значение'\n".encode("cp1251"),
        "/* größe und breite der fläche, höhe über alles */\n".encode("cp1252"),
        "# coding: euc-jp\n# 日本語の説明をここに書く\n".encode("euc_jp"),
        "# coding: gbk\n# 这里是中文说明文字\n".encode("gbk"),
        "\u65e5\u672c\u8a9e\n".encode("iso2022_jp"),
    ],
)
def test_legacy_encodings(data: bytes) -> None:
    assert round_trip(data) == data
