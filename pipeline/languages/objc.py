"""Objective-C; shares `.m` with MATLAB, and is told by its marks."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MARKS = re.compile(
    rb"^[ \t]*(?:@(?:interface|implementation|protocol|class|import|end)\b"
    rb"|#[ \t]*(?:import|include|define|if|pragma)\b|//|/\*)",
    re.M,
)


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
        recovery=tuple(
            by_line(kind, word + rb"[ \t]+(?P<name>\w+)", re.compile(rb"^@end.*$", re.M))
            for kind, word in (("class", b"@interface"), ("protocol", b"@protocol"))
        ),
    ),
)
