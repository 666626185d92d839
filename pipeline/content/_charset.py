"""Decode bytes into text: byte order mark, UTF-8, what the file declares, and last a guess among legacy encodings."""

from __future__ import annotations

import codecs
import re

from ._guess import guess

__all__ = ["decode"]

Decoded = tuple[str | None, str | None, str | None]
"""Text, encoding and reason; the text or the reason is None."""

_BINARY: Decoded = (None, None, "binary")
_UNSUPPORTED: Decoded = (None, None, "encoding_unsupported")

_MAGIC = (
    b"%PDF-", b"\x89PNG", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh",
    b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!", b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"OggS",
    b"ID3", b"fLaC", b"wOFF", b"wOF2", b"OTTO", b"glTF", b"!<arch>\n", b"SQLite format 3", b"\x00asm",
)  # fmt: skip
"""First bytes of formats that are not text even where no NUL follows."""

_CONTROLS = bytes(range(9)) + bytes(range(14, 26)) + bytes((28, 29, 30, 31, 127))
"""Bytes that text does not hold: C0 without backspace-like layout (TAB, LF, VT, FF, CR), SUB and ESC; and DEL."""

_HEAD = 8192

_DECLARED = re.compile(
    rb"\A(?:.*\n)?.{0,200}?coding[:=][ \t]*[\"']?(?P<cookie>[-\w.]+)"
    rb"|\A\s*<\?xml[^>]*?encoding=[\"'](?P<xml>[-\w.]+)"
    rb"|\A@charset \"(?P<css>[-\w.]+)\""
)
_META = re.compile(rb"<meta[^>]*?charset=[\"']?(?P<html>[-\w.]+)", re.IGNORECASE)

_LEGACY = frozenset(
    "latin_1 iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 "
    "iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16 cp1250 cp1251 cp1252 cp1253 cp1254 "
    "cp1255 cp1256 cp1257 cp1258 cp437 cp850 cp852 cp855 cp866 cp874 tis-620 koi8-r koi8-u mac-roman "
    "mac-cyrillic gb2312 gbk gb18030 big5 big5hkscs cp950 shift_jis cp932 shift_jis_2004 shift_jisx0213 euc_jp "
    "euc_jis_2004 iso2022_jp euc_kr cp949 johab".split()
)
"""Encodings a file may declare, by Python's names: those that map bytes to characters and nothing else."""

_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949"}
"""The superset that files really use when they declare the narrower standard."""


def decode(data: bytes) -> Decoded:
    """Return the text of a file, or `binary` or `encoding_unsupported` as the reason why there is none."""
    if data.isascii():
        return _from_ascii(data)
    if data.startswith(codecs.BOM_UTF8):
        text, encoding, reason = _from_unmarked(data[3:])
        return text, "utf-8-sig" if encoding == "utf-8" else encoding, reason
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return _UNSUPPORTED
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _from_utf16(data)
    return _from_unmarked(data)


def _from_ascii(data: bytes) -> Decoded:
    if b"\0" in data or _looks_binary(data[:_HEAD], 0.1) or data.startswith(_MAGIC):
        return _BINARY
    if b"\x1b$" in data and (text := _strict(data, "iso2022_jp")) is not None:
        return text, "iso2022_jp", None
    return data.decode("ascii"), "utf-8", None


def _from_utf16(data: bytes) -> Decoded:
    text = _strict(data, "utf-16")
    if text is None:
        return _UNSUPPORTED
    return _BINARY if "\0" in text else (text, "utf-16", None)


def _from_unmarked(data: bytes) -> Decoded:
    if b"\0" in data or data.startswith(_MAGIC):
        return _BINARY
    text = _strict(data, "utf-8")
    if text is not None:
        return _BINARY if _looks_binary(data[:_HEAD], 0.1) else (text, "utf-8", None)
    if (declared := _declared(data)) is not None:
        return (*declared, None)
    return _BINARY if _looks_binary(data, 0.01) else (*guess(data), None)


def _declared(data: bytes) -> tuple[str, str] | None:
    """Decode by what the file says of itself, when Python knows the encoding and the bytes fit."""
    found = _DECLARED.search(data[:_HEAD]) or _META.search(data[:1024])
    name = next((value for value in found.groupdict().values() if value), b"") if found else b""
    try:
        codec = codecs.lookup(name.decode("ascii")).name
    except (LookupError, ValueError):
        return None
    for candidate in (codec, _WIDER.get(codec, codec)) if codec in _LEGACY else ():
        if (text := _strict(data, candidate)) is not None:
            return text, candidate
    return None


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _looks_binary(data: bytes, share: float) -> bool:
    """Tell whether control characters make up more than `share` of the bytes."""
    return len(data) - len(data.translate(None, _CONTROLS)) > share * len(data)
