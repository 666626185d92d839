"""Files of settings and data, JSON, YAML, TOML, INI: their top-level keys and tables are declarations, in any dialect.

Line patterns and bracket counts instead of grammars: the YAML grammar crashes on deep nesting, and most such files are
data, where a tree costs ten times what it tells.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from ._entries import entries
from ._facts import DocStyle, Found, Language

_MAX_KEYS = 1_000
"""Keys of one file; what has more is data, not settings, and nobody looks it up key by key."""

_STRING = rb"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"
_ASIDE = rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_TOP = re.compile(
    rb"(?P<name>" + _STRING + rb"|(?<![\w$])[A-Za-z_$][\w$]*+)\s*+:\s*+|" + _STRING + rb"|" + _ASIDE + rb"|[\[\]{},]"
)
_INNER = re.compile(_STRING + rb"|" + _ASIDE + rb"|[\[\]{}]")

_YAML_KEY = re.compile(
    rb"^(?:\"(?P<double>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>[^'\n]*+)'|(?![-?][ \t\r\n]|---|\.\.\.)"
    rb"(?P<plain>[^\s#&*!|>%@`{}\[\],\"'][^\n#:]*+(?:(?:#|:(?!\s))[^\n#:]*+)*?))[ \t]*+:(?=\s|\Z)",
    re.M,
)
_YAML_END = re.compile(rb"^(?:---|\.\.\.)(?=\s|\Z)", re.M)
_TOML = re.compile(
    rb"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+(?:\"\"\"|\Z)|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    rb"|^[ \t]*\[\[?[ \t]*+(?P<table>[\w.\-\"' \t:/$@+*]++)\]\]?[ \t]*(?:#[^\n]*)?\r?$"
    rb"|^(?P<key>[\w.-]+|\"[^\"\n]+\"|'[^'\n]+')[ \t]*=",
    re.M | re.S,
)
_INI = re.compile(rb"^\[(?P<name>[^\]\n]+)\][ \t]*(?:[#;][^\n]*)?\r?$", re.M)


def json_keys(data: bytes) -> Iterator[Found]:
    """Yield the keys of the outermost object; comments, trailing commas and the other liberties of JSON5 are fine."""
    return islice(_json_keys(data), _MAX_KEYS)


def _json_keys(data: bytes) -> Iterator[Found]:
    at, depth = data.find(b"{"), 0
    if at < 0 or not _is_head(data[:at]):
        return
    key: re.Match[bytes] | None = None
    while found := (_TOP if depth <= 1 else _INNER).search(data, at):
        at, mark = found.end(), found[0]
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]", b","):
            depth -= mark != b","
            if key is not None and depth == (1 if mark == b"," else 0):
                yield _json_key(data, key, found.start())
                key = None
            if depth == 0:
                return
        elif depth == 1 and found.re is _TOP and found["name"] and key is None:
            key = found
    if key is not None:
        yield _json_key(data, key, len(data))


def _is_head(text: bytes) -> bool:
    """Say whether nothing but blanks and comments stands before the outermost object."""
    return not re.sub(_ASIDE, b"", text).strip()


def _json_key(data: bytes, key: re.Match[bytes], end: int) -> Found:
    start, after = key.span("name")
    is_nested = data[key.end() : key.end() + 1] in (b"{", b"[")
    end = key.end() + max(len(data[key.end() : end].rstrip()), 0)
    return Found("key", key.start(), max(end, after), start, after, key.end() if is_nested else -1)


def _unquoted(name: str) -> str:
    """Return a key without quotes, escapes resolved."""
    name = name.strip()
    if name[:1] == '"' and name[-1:] == '"':
        try:
            return " ".join(str(json.loads(name)).encode("utf-8", "replace").decode().split())
        except ValueError:
            return name[1:-1]
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == "'" else name


def yaml_keys(data: bytes) -> Iterator[Found]:
    """Yield the keys in column 0 of all documents of a stream."""
    ends = [found.start() for found in _YAML_END.finditer(data)]
    keys = (
        (found.start(), *found.span(found.lastgroup or 0), "key") for found in islice(_YAML_KEY.finditer(data), _MAX_KEYS)
    )
    return entries(data, keys, b"#", ends)


def toml_keys(data: bytes) -> Iterator[Found]:
    """Yield the tables as sections, and the keys before the first of them."""
    return entries(data, islice(_toml_keys(data), _MAX_KEYS), b"#")


def _toml_keys(data: bytes) -> Iterator[tuple[int, int, int, str]]:
    in_table = False
    for found in _TOML.finditer(data):
        if found["table"]:
            in_table = True
            yield found.start(), *found.span("table"), "section"
        elif found["key"] and not in_table:
            yield found.start(), *found.span("key"), "key"


def ini_sections(data: bytes) -> Iterator[Found]:
    """Yield the sections."""
    found = ((f.start(), *f.span("name"), "section") for f in islice(_INI.finditer(data), _MAX_KEYS))
    return entries(data, found, (b"#", b";"))


_HASH = DocStyle(lines=(b"#",), module_lines=(b"#",))
_SLASH = DocStyle(lines=(b"//",), blocks=(b"/*",))

ROWS = (
    Language(
        id="json",
        extensions=(".json", ".jsonc", ".json5", ".geojson", ".webmanifest"),
        names=(".babelrc", ".eslintrc", ".prettierrc"),
        doc=_SLASH,
        scan=json_keys,
        spell=_unquoted,
    ),
    Language(id="yaml", extensions=(".yaml", ".yml"), names=(".clang-format",), doc=_HASH, scan=yaml_keys),
    Language(
        id="toml",
        extensions=(".toml",),
        names=("Cargo.lock", "poetry.lock", "uv.lock"),
        doc=_HASH,
        scan=toml_keys,
        spell=_unquoted,
    ),
    Language(
        id="ini",
        extensions=(".ini", ".cfg", ".conf", ".properties", ".editorconfig"),
        names=(".editorconfig", ".gitconfig", ".npmrc"),
        doc=DocStyle(lines=(b"#", b";"), module_lines=(b"#", b";")),
        scan=ini_sections,
    ),
)
