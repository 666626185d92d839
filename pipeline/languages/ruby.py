"""Ruby."""

from __future__ import annotations

import re

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="ruby",
        grammar="ruby",
        extensions=(".rb", ".rake", ".gemspec", ".ru"),
        names=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Capfile"),
        interpreters=("ruby", "jruby"),
        doc=DocStyle(lines=(b"#",)),
        visibility="modifier",
        modifier=re.compile(r"^(?:(?P<private>private(?:_class_method)?|module_function)|(?P<protected>protected)) "),
        default_visibility="public",
        test_head=re.compile(r"\bclass \S+ < (?:\w+::)*\w*(?:TestCase|Test|Minitest::Spec)\b|^def test_"),
        path_separator=b"::",
        name_strip=(b":",),
        recovery=tuple(
            by_line(kind, word + rb"[ \t]+(?P<name>[\w:.]+[?!=]?)", INDENT_END)
            for kind, word in (("function", b"def"), ("class", b"class"), ("module", b"module"))
        ),
    ),
)
