"""C#."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = (
    rb"[ \t]*(?:(?:public|protected|private|internal|abstract|sealed|static|partial|readonly|unsafe|new|ref|file)[ \t]+)*"
)

ROWS = (
    Language(
        id="csharp",
        grammar="csharp",
        extensions=(".cs", ".csx"),
        doc=DocStyle(lines=(b"///", b"//"), blocks=(b"/**", b"/*")),
        decorator=re.compile(
            rb"\s*+(?://[^\n]*+\s*+)*+\[(?:\w+:\s*)?(?P<name>[\w.]+)(?:[^\[\]\"]|\"(?:[^\"\\\n]|\\.)*+\"|\[[^\[\]]*\])*+\]"
        ),
        visibility="modifier",
        modifier=re.compile(
            r"^[^(={]*?\b(?:(?P<public>public)|(?P<protected>protected)|(?P<private>private)|(?P<internal>internal))\b"
        ),
        default_visibility="internal",
        member_visibility=tuple((kind, "private") for kind in ("class", "struct", "record")),
        open_owners=frozenset({"interface", "enum"}),
        test_decorator=re.compile(
            rb"\[(?:\w+\.)*(?:Test|TestCase|TestMethod|DataTestMethod|Fact|Theory|TestFixture|TestClass)\b"
        ),
        path_separator=b"",
        name_strip=(b"@",),
        recovery=tuple(
            by_line(word.decode(), _MODIFIERS + word + rb"[ \t]+(?P<name>\w+)")
            for word in (b"class", b"interface", b"struct", b"enum", b"record")
        ),
    ),
)
