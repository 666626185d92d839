"""Links and anchors of Markdown texts."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.links.documents import marks_of
from codequarry.pipeline.links.marks import ANCHOR, MAX_LINKS, Mark
from hypothesis import given
from hypothesis import strategies as st


def marks(text: str) -> list[Mark]:
    facts = file_facts(text.encode(), "markdown", "a.md", Limits())
    assert facts.text is not None
    return list(marks_of("markdown", facts.text, facts.symbols))


def links(text: str) -> list[Mark]:
    return [mark for mark in marks(text) if mark.form != ANCHOR]


def targets(text: str) -> list[str]:
    return [link.text for link in links(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", ["b.md"]),
        ("[a]( b.md )", ["b.md"]),
        ("[a](\nb.md\n'title'\n)", ["b.md"]),
        ('[a](b.md "a \\" title")', ["b.md"]),
        ("[a](b.md (title))", ["b.md"]),
        ("[a](<b c.md>)", ["b c.md"]),
        ("[a](<b\\>c.md>)", ["b>c.md"]),
        ("[a](b(c)d.md)", ["b(c)d.md"]),
        ("[a](b\\)c.md)", ["b)c.md"]),
        ("[a](b&amp;c.md)", ["b&c.md"]),
        ("[a](b%20c.md#d)", ["b%20c.md#d"]),
        ("[a [b] c](d.md)", ["d.md"]),
        ("[`]` a](b.md)", ["b.md"]),
        ("[![a](b.png)](c.md)", ["c.md"]),
        ("![[a](b.md)](c.png)", ["b.md"]),
        ("[a [b](c.md) d](e.md)", ["c.md"]),
        ("*[a](b.md)*, **[c](d.md)**", ["b.md", "d.md"]),
        ("- [a](b.md)\n  - [c](d.md)\n\n> [e](f.md)", ["b.md", "d.md", "f.md"]),
        ("| a |\n|---|\n| [b](c.md) |", ["c.md"]),
        ("# [a](b.md)", ["b.md"]),
        ("[a](b.md)\n===", ["b.md"]),
        ("[a](#b)", ["#b"]),
        ("`" * 81 + "[a](b.md)" + "`" * 81, ["b.md"]),
        ("```[a](b.md) ``[c](d.md) ```` ```` ``[e](f.md)", ["b.md", "f.md"]),
        ("<Tabs>\n<Tab a={b}>\n```ts\n\n[a](b.md)\n```\n</Tab>\n[c](d.md)\n\n</Tabs>", ["d.md"]),
        ("<b-c>\n```\n\n[a](b.md)", ["b.md"]),
        ("{/* x */}\n[a](b.md)\n\n{b}[c](d.md)", ["b.md", "d.md"]),
        ("[^1]: See [a](b.md)", ["b.md"]),
    ],
)
def test_inline_links(text: str, expected: list[str]) -> None:
    found = links(text)
    assert [link.text for link in found] == expected
    assert {link.form for link in found} == {"inline"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a][b]\n\n[b]: c.md", ["c.md"]),
        ("[a][B  c]\n\n[b\nC]: <d e.md> 'title'", ["d e.md"]),
        ("[b][]\n\n[b]: c.md", ["c.md"]),
        ("[b]\n\n[b]: c.md", ["c.md"]),
        ("[b]: c.md\n[d]: e.md\n[b] [d]", ["c.md", "e.md"]),
        ("[b]: c.md\n\n[b]: d.md\n\n[b]", ["c.md"]),
        ("> [b]: c.md\n\n- [b]", ["c.md"]),
        ("[a][b]\n\n[a]: c.md", []),
        ("[a][b][c]\n\n[a]: d.md\n[c]: e.md", ["e.md"]),
        ("[a]\n\n[a]:\n  c.md\n  'title'", ["c.md"]),
        ("[[a]]\n\n[a]: c.md", ["c.md"]),
        ("[ẞ]\n\n[SS]: c.md", ["c.md"]),
        ("[a]", []),
        ("[a]\n\n```\n[a]: b.md\n```", []),
        ("text\n[a]: b.md\n\n[a]", []),
        ("[^1]\n\n[^1]: b.md", []),
        ("[a]\n\n[a]: b.md 'title' more", []),
    ],
)
def test_reference_links(text: str, expected: list[str]) -> None:
    found = links(text)
    assert [link.text for link in found] == expected
    assert {link.form for link in found} <= {"reference"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a href="b.md">a</a>', ["b.md"]),
        ("See <a class=x\n  href=b.md>a</a>", ["b.md"]),
        ("<div>\n<A HREF='b.md?x&amp;y'>a</A></div>", ["b.md?x&y"]),
        ('<p><a href="b.md"><img src="c.png"></a></p>', ["b.md"]),
        ('<link href="b.md">', []),
        ('<!-- <a href="b.md"> --> <a href="c.md">', ["c.md"]),
        ('a <!-- [b](c.md)\n<a href="d.md"> --> [e](f.md)', ["f.md"]),
        ('<pre>\n<a href="b.md">\n\n<a href="c.md">\n</pre>', []),
        ('a <a title="[b](c.md)" href="d.md">', ["d.md"]),
    ],
)
def test_html(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Some Page]]", ["Some Page"]),
        ("[[page#part|shown]]", ["page#part"]),
        ("![[embedded]] and [[a]], [[b]]", ["embedded", "a", "b"]),
        ("[[a]](b.md)", ["b.md"]),
        ("[[ -f file ]] [[1]] [[x, y]] [[]] [[a]b]", []),
        ("`[[a]]` \\[[a]]", []),
    ],
)
def test_wiki_links(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`[a](b.md)`",
        "``[a](b.md) ` ``",
        "```\n[a](b.md)\n```",
        "~~~\n[a](b.md)",
        "    [a](b.md)",
        "\\[a](b.md)",
        "[a\\](b.md)",
        "[a] (b.md)",
        "[a]()",
        "[a](<>)",
        "[a](b c.md)",
        "[a](b.md 'title)",
        "[a](b(.md)",
        "[a](<b.md)",
        "![a](b.png)",
        "![a](b.md)",
        "[a](b.svg?raw=true)",
        "[a](https://b.example/c.md)",
        "[a](//b.example/c.md)",
        "[a](mailto:b@c.example)",
        "[a](file:///b.md) [a](javascript:b) [a](vscode://b)",
        "[a]({{ b }}) [a]({% link b.md %}) [a](${b}/c.md)",
        "<https://b.example> <b@c.example> https://b.example/c.md",
        "---\na: '[b](c.md)'\n---\n",
        "{/* [a](b.md)\n\n```\n<a href='b.md'> ``` */}",
        "[x [y]]\n\n[z]: w.md",
        "[a](" + "(" * 40 + "b" + ")" * 40 + ")",
        f"[a]({'b' * 2_000})",
    ],
)
def test_what_is_no_link(text: str) -> None:
    assert links(text) == []


def test_lines() -> None:
    text = "\r\n".join(
        ["# A", "", "[a](b.md) text", "more [c", "d](e.md)", "", "> x", "> [f](g.md)", "", "<p>", '<a href="h.md">', "</p>"]
    )
    assert [(link.text, link.line) for link in links(text)] == [("b.md", 3), ("e.md", 4), ("g.md", 8), ("h.md", 11)]


def test_anchors() -> None:
    text = '# A b!\n\n## A b!\n\n## C {#d}\n\n## E [#f]\n\n<a id="g"></a> <a name="h"></a>\n\n<h2 id="i">J</h2>\n'
    found = [(mark.text, mark.line) for mark in marks(text) if mark.form == ANCHOR]
    assert found == [("a-b", 1), ("a-b-1", 3), ("d", 5), ("f", 7), ("j", 11), ("g", 9), ("h", 9), ("i", 11)]


def test_no_more_than_the_first_are_kept() -> None:
    text = "".join(f"[a](https://a.example) [a]({i}.md)\n\n" for i in range(MAX_LINKS + 5))
    assert targets(text) == [f"{i}.md" for i in range(MAX_LINKS)]


@pytest.mark.parametrize(
    "unit",
    ["[", "[a](", "[a](<", "![", "[]", "[a][", "[[a", "`", "a`` ", "<", "<a ", '<a b="', "<!--", "](", '[](a "', "[](a (", "\\",
     "[a](b 'c", "[]: a 'b\n", "[[a|", "[](\\(", "(", "]", "[](((", "<a href='b'", "\n[a]:\n", "[a]: b\n'", "[x](y) [",
     "{/*", "<Tab>\n", "> [a]\n"],
)  # fmt: skip
def test_hostile_texts_take_linear_time(unit: str) -> None:
    size = 200_000  # a square of it would never end
    text = "[z]: y.md\n\n" + unit * (size // len(unit))
    assert len(links(text)) <= MAX_LINKS


@given(st.text(alphabet="[]()<>!`\\\"'#|:\n ab.-", max_size=60))
def test_any_text_is_read_in_order(text: str) -> None:
    lines = [link.line for link in links(text)]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
