"""C++."""

from __future__ import annotations

import re

from ._cfamily import C_DOC, C_RECOVERY, open_classes, repair_cpp
from ._facts import Language, by_line

_CLASS = rb"(?:template[ \t]*<[^\n]*>[ \t\n]*)?(?:%s)[ \t]+(?:[A-Z_]+[ \t]+)?\w+(?:[ \t]+final)?[ \t\n]*"
_HEADERS = (
    b"algorithm array atomic cassert cctype chrono climits cmath cstddef cstdint cstdio cstdlib cstring ctime functional "
    b"initializer_list iomanip ios iosfwd iostream istream iterator limits list map memory mutex new numeric optional "
    b"ostream queue set sstream stdexcept string string_view thread tuple type_traits unordered_map unordered_set utility "
    b"variant vector"
)

_EVIDENCE = re.compile(
    rb"^[ \t]*(?:"
    + rb"|".join(
        (
            _CLASS % b"class" + rb"[{;]",
            _CLASS % b"class|struct" + rb":[ \t\n]*(?:public|private|protected|\w+)[ \t\n]",
            rb"template[ \t]*<",
            rb"(?:public|private|protected)[ \t]*:",
            rb"(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?[ \t\n]*\{",
            rb"using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[=;]",
            rb"#[ \t]*include[ \t]*<(?:" + b"|".join(_HEADERS.split()) + rb")>",
            rb"[^\n/*#]*\b(?:constexpr|noexcept|nullptr|std::\w+|static_cast<|virtual[ \t]+\w+)",
        )
    )
    + rb")",
    re.M,
)
"""What only C++ says at the start of a line, or anywhere outside comments and directives."""

_GUARDED = re.compile(rb"^[ \t]*#[ \t]*if[^\n]*__cplusplus[^\n]*\n.{0,4000}?^[ \t]*#[ \t]*(?:endif|else)", re.M | re.S)
"""What a C header says to C++ alone."""


def looks_like_cpp(head: bytes) -> bool:
    """Say whether a header says what only C++ says, where C would read it too."""
    return _EVIDENCE.search(_GUARDED.sub(b"", head) if b"__cplusplus" in head else head) is not None


ROWS = (
    Language(
        id="cpp",
        grammar="cpp",
        queries=("cpp.scm", "c.scm"),
        extensions=tuple(".cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .inl .cppm .ixx .cu .cuh .ino .C .H .h".split()),
        evidence=looks_like_cpp,
        doc=C_DOC,
        visibility="modifier",
        member_visibility=(("class", "private"),),
        test_head=re.compile(r"^([A-Z]+_)*TEST(_[A-Z]+)*\s*\("),
        constructor_like_owner=True,
        upper_constants=True,
        path_separator=b"::",
        name_pattern=re.compile(rb"operator\s*\(\s*\)|[^(]+"),
        recovery=(
            *C_RECOVERY,
            by_line("class", rb"class[ \t]+(?:[A-Z_]+[ \t]+)?(?P<name>\w+)[^;{\n]*\{?$"),
            by_line("namespace", rb"namespace[ \t]+(?P<name>\w+)[ \t]*\{?$"),
        ),
        expand=open_classes,
        repair=repair_cpp,
    ),
)
