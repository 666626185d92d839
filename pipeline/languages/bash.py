"""Shell: bash and its kin."""

from __future__ import annotations

from ._facts import DocStyle, Language, by_line

ROWS = (
    Language(
        id="bash",
        grammar="bash",
        extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats"),
        names=(".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD", "APKBUILD"),
        interpreters=("sh", "bash", "zsh", "dash", "ksh", "bats"),
        doc=DocStyle(lines=(b"#",)),
        recovery=(by_line("function", rb"(?:function[ \t]+)?(?P<name>[\w:.-]+)[ \t]*\([ \t]*\)"),),
    ),
)
