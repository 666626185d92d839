"""C++."""

from __future__ import annotations

import re

from ._cfamily import C_DOC, C_RECOVERY, open_classes, repair_c
from ._facts import BRACE_END, Language, Recovery

_EVIDENCE = re.compile(
    rb"^[ \t]*(?:(?:template[ \t]*<[^\n]*>[ \t\n]*)?(?:class|struct)[ \t]+(?:[A-Z_]+[ \t]+)?\w+(?:[ \t]+final)?[ \t\n]*:[ \t\n]*(?:public|private|protected|\w)"
    rb"|(?:template[ \t]*<[^\n]*>[ \t\n]*)?class[ \t]+(?:[A-Z_]+[ \t]+)?\w+(?:[ \t]+final)?[ \t\n]*[{;]"
    rb"|template[ \t]*<"
    rb"|(?:public|private|protected)[ \t]*:"
    rb"|(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?[ \t\n]*\{"
    rb"|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[=;]"
    rb"|#[ \t]*include[ \t]*<(?:algorithm|array|atomic|chrono|functional|iostream|list|map|memory|mutex|optional|ostream|queue|set|sstream"
    rb"|string|string_view|tuple|type_traits|unordered_map|utility|variant|vector|cstdint|cstddef|cstring|cstdlib)>"
    rb"|[^\n/*#]*\b(?:constexpr|noexcept|nullptr|std::\w+|static_cast<|virtual[ \t]+\w+))",
    re.M,
)

ROWS = (
    Language(
        id="cpp",
        grammar="cpp",
        queries=("cpp.scm", "c.scm"),
        extensions=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".cppm", ".ixx", ".cu", ".cuh", ".ino", ".C", ".H", ".h"),
        evidence=_EVIDENCE,
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
            Recovery(kind="class", pattern=re.compile(rb"^class[ \t]+(?:[A-Z_]+[ \t]+)?(?P<name>\w+)[^;{\n]*\{?$", re.M), end=BRACE_END),
            Recovery(kind="namespace", pattern=re.compile(rb"^namespace[ \t]+(?P<name>\w+)[ \t]*\{?$", re.M), end=BRACE_END),
        ),
        expand=open_classes,
        repair=repair_c,
    ),
)
