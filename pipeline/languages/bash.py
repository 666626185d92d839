"""Shell: bash and its kin."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_GAPS = re.compile(
    rb"(?<=\$\(\()(?P<zero>(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\)){0,80}\)){1,80})(?=\)\))"  # $((16#$x + ${y:1:2}))
    rb"|(?<=:)(?P<from>[ ~]?[^-=?+}{\n:][^}{\n]{0,80})(?<=\w)(?=\})"  # ${x:$i:2}
    rb"|(?<==~)[ \t](?P<word>[^\n]{1,200}?)(?=[ \t]+(?:\]\]|&&|\|\|))"  # [[ $x =~ "a", (b|c) ]]
    rb"|(?<!<)<(?P<blank><<)|(?<=\d<)(?P<other>>)"  # <<< "$x" in quotes; exec 5<> /dev/tcp/host
)
_FILL = {"zero": b"0", "from": b"0", "word": b"x", "blank": b" ", "other": b" "}


def _filled(found: re.Match[bytes]) -> bytes:
    group = found.lastgroup or ""
    return found[0][: found.start(group) - found.start()] + _FILL[group] * len(found[group])


def _repair(data: bytes) -> bytes | None:
    """Put plain words in the place of expressions that the grammar does not know; no declaration is inside one."""
    changed = _GAPS.sub(_filled, data)
    return changed if changed != data else None


ROWS = (
    Language(
        id="bash",
        grammar="bash",
        extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats"),
        names=(".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD", "APKBUILD"),
        interpreters=("sh", "bash", "zsh", "dash", "ksh", "bats"),
        doc=DocStyle(lines=(b"#",)),
        repair=_repair,
        recovery=(by_line("function", rb"(?:function[ \t]+)?(?P<name>[\w:.-]+)[ \t]*\([ \t]*\)"),),
    ),
)
