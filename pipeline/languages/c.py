"""C."""

from __future__ import annotations

import re

from ._cfamily import C_DOC, C_RECOVERY, repair_c
from ._facts import Language

ROWS = (
    Language(
        id="c",
        grammar="c",
        extensions=(".c", ".h", ".i", ".inc"),
        doc=C_DOC,
        visibility="modifier",
        modifier=re.compile(r"^(?:\w+ )*?(?P<private>static)\b"),
        test_head=re.compile(r"^([A-Z]+_)*TEST(_[A-Z]+)*\s*\("),
        upper_constants=True,
        recovery=C_RECOVERY,
        repair=repair_c,
    ),
)
