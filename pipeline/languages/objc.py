"""Objective-C; shares `.m` with MATLAB, and is told by its marks."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MARKS = re.compile(
    rb"^[ \t]*(?:@(?:interface|implementation|protocol|class|import|end)\b"
    rb"|#[ \t]*(?:import|include|define|if|pragma)\b|//|/\*)",
    re.M,
)
_END = re.compile(rb"^@end.*$", re.M)


def _is_objective_c(head: bytes) -> bool:
    return _MARKS.search(head) is not None


ROWS = (
    Language(
        id="objc",
        grammar="objc",
        queries=("objc.scm", "c.scm"),
        extensions=(".m", ".mm"),
        evidence=_is_objective_c,
        doc=DocStyle(lines=(b"///", b"//"), blocks=(b"/**", b"/*")),
        recovery=(
            by_line("class", rb"@interface[ \t]+(?P<name>\w+)", _END),
            by_line("protocol", rb"@protocol[ \t]+(?P<name>\w+)", _END),
            by_line("method", rb"[-+][ \t]*(?:\([^()\n]*\)[ \t]*)?(?P<name>[A-Za-z_]\w*)(?=[ \t]*(?:$|[:{;\n]))"),
        ),
    ),
)
