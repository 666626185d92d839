"""What links lead to, and which are broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from codequarry.pipeline.links.marks import ANCHOR, LABEL, Mark
from codequarry.pipeline.links.resolve import Link, Repository, resolve
from hypothesis import given
from hypothesis import strategies as st

PATHS = (
    "README.md",
    "docs/README.md",
    "docs/a.md",
    "docs/api/index.md",
    "docs/guide.md",
    "docs/guide/part.md",
    "docs/logo.png",
    "docs/with space.md",
    "docs/with%20code.md",
    "lib",
    "rst/conf.py",
    "rst/index.rst",
    "rst/sub/deep.rst",
    "rst/sub/page.rst",
    "src/app.py",
    "src/lib/x.py",
)
LINES = 10


def language(path: str) -> str | None:
    return {"md": "markdown", "rst": "restructuredtext", "py": "python"}.get(path.rpartition(".")[2])


def links(marks: Mapping[str, Sequence[Mark]], reasons: Mapping[str, str] | None = None) -> list[Link]:
    reasons = reasons or {}
    return resolve(
        Repository(
            paths=PATHS,
            languages=[language(path) for path in PATHS],
            lines=[None if path in reasons or path == "docs/logo.png" else LINES for path in PATHS],
            reasons=[reasons.get(path) for path in PATHS],
            marks={PATHS.index(path): found for path, found in marks.items()},
        )
    )


def target(path: str, text: str, form: str = "inline") -> str | None:
    return links({path: [Mark(form, text, 1)]})[0].target


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.md", "docs/a.md"),
        ("./a.md", "docs/a.md"),
        ("a.md?plain=1#L2", "docs/a.md"),
        ("../docs//./a.md", "docs/a.md"),
        ("../src/app.py#L3-L5", "src/app.py"),
        ("with%20space.md", "docs/with space.md"),
        ("with space.md", "docs/with space.md"),
        ("with%20code.md", "docs/with%20code.md"),
        ("with%2520code.md", "docs/with%20code.md"),
        ("../src", "src/"),
        ("../src/", "src/"),
        ("..", "README.md"),
        (".", "docs/README.md"),
        ("api/", "docs/api/index.md"),
        ("guide", "docs/guide/"),
        ("api/index", "docs/api/index.md"),
        ("a", "docs/a.md"),
        ("a.html", "docs/a.md"),
        ("guide/part.html#x", "docs/guide/part.md"),
        ("/src/app.py", "src/app.py"),
        ("/docs/a.md", "docs/a.md"),
        ("/api/", "docs/api/index.md"),
        ("/guide/part", "docs/guide/part.md"),
        ("#x", "docs/a.md"),
        ("?x#y", "docs/a.md"),
    ],
)
def test_targets_of_addresses(text: str, expected: str) -> None:
    assert target("docs/a.md", text) == expected


@pytest.mark.parametrize(
    "text",
    ["b.md", "A.md", "src/app.py", "../../docs/a.md", "/../README.md", "a%00.md", "a\tb.md", "..\\src\\app.py", "a.md/b", ".md"],
)  # fmt: skip
def test_what_is_not_there_is_broken_and_has_no_target(text: str) -> None:
    (link,) = links({"docs/a.md": [Mark("inline", text, 7)]})
    assert link == Link(PATHS.index("docs/a.md"), 7, "inline", text, None, None, None, True)


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("guide.md#one", False),
        ("guide.md#One", False),
        ("guide.md#user-content-one", False),
        ("guide.md#%C3%BCber", False),
        ("guide.md#two", True),
        ("guide.md#", False),
        ("guide.md#top", False),
        ("guide.md#:~:text=a", False),
        ("guide.md#L10", False),
        ("guide.md#L11", True),
        ("#one", True),
        ("../src/app.py#L10", False),
        ("../src/app.py#L2-L10", False),
        ("../src/app.py#L2C1-L11C4", True),
        ("../src/app.py#L11", True),
        ("../src/app.py#main", False),
        ("logo.png#x", False),
        ("../src/#readme", False),
    ],
)
def test_anchors(text: str, broken: bool) -> None:
    places = {"docs/guide.md": [Mark(ANCHOR, "one", 1), Mark(ANCHOR, "über", 3)]}
    (link,) = links({**places, "docs/a.md": [Mark("inline", text, 1)]})
    assert link.target is not None
    assert link.broken is broken


def test_the_anchor_is_kept_as_it_is_written() -> None:
    found = links({"docs/a.md": [Mark("inline", text, 1) for text in ("#Big%20one", "a.md#", "a.md")]})
    assert [link.anchor for link in found] == ["Big one", None, None]


def test_below_a_submodule_nothing_is_known() -> None:
    (link,) = links({"README.md": [Mark("inline", "lib/x.md#y", 1)]}, reasons={"lib": "submodule"})
    assert (link.target, link.target_file, link.broken) == ("lib/x.md", None, False)


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("doc", "page", "rst/sub/page.rst"),
        ("doc", "/index", "rst/index.rst"),
        ("doc", "../index", "rst/index.rst"),
        ("toctree", "/sub/deep", "rst/sub/deep.rst"),
        ("toctree", "page.rst", "rst/sub/page.rst"),
        ("doc", "index", None),
        ("doc", "../../../x", None),
        ("include", "../../README.md", "README.md"),
        ("include", "/conf.py", "rst/conf.py"),
        ("include", "page", None),
        ("download", "../../src/app.py", "src/app.py"),
        ("text", "page.html#x", "rst/sub/page.rst"),
        ("name", "deep.rst", "rst/sub/deep.rst"),
    ],
)
def test_targets_of_restructuredtext(form: str, text: str, expected: str | None) -> None:
    assert target("rst/sub/deep.rst", text, form) == expected


def test_labels_are_found_from_any_document() -> None:
    marks = {
        "rst/index.rst": [Mark(LABEL, "the label", 1), Mark(ANCHOR, "the-label", 1), Mark(ANCHOR, "a-title", 3)],
        "rst/sub/deep.rst": [Mark("ref", name, 5) for name in ("the label", "a title", "none")],
    }
    found = [(link.target, link.anchor, link.broken) for link in links(marks)]
    assert found == [("rst/index.rst", "the-label", False), ("rst/index.rst", "a-title", False), (None, "none", True)]


def test_of_equal_labels_the_nearest_is_meant() -> None:
    label = [Mark(LABEL, "x", 1), Mark(ANCHOR, "x", 1)]
    marks = {
        "docs/a.md": label,
        "rst/index.rst": label,
        "rst/sub/page.rst": label,
        "rst/sub/deep.rst": [Mark("ref", "x", 1)],
    }
    assert [link.target for link in links(marks)] == ["rst/sub/page.rst"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "docs/a.md"),
        ("With Space", "docs/with space.md"),
        ("with-space.md", "docs/with space.md"),
        ("guide/part#x", "docs/guide/part.md"),
        ("guide", "docs/guide.md"),
        ("readme", "README.md"),
        ("src/app.py", "src/app.py"),
        ("#x", "README.md"),
        ("nothing", None),
    ],
)
def test_pages_of_a_wiki(text: str, expected: str | None) -> None:
    found = links({"README.md": [Mark("wiki", "a", 1), Mark("wiki", text, 2)]})
    assert (found[1].target, found[1].line) == (expected, 2)


def test_double_brackets_that_never_name_a_page_are_no_links() -> None:
    assert links({"README.md": [Mark("wiki", "nodiscard", 1)]}) == []


@given(
    st.sampled_from(PATHS),
    st.sampled_from(["inline", "doc", "toctree", "include", "ref", "text"]),
    st.text(alphabet="./#?%2EabcdoL1 \\", max_size=24),
)
def test_any_link_leads_to_a_file_or_folder_or_is_broken(path: str, form: str, text: str) -> None:
    (link,) = links({path: [Mark(form, text, 1)]})
    folders = {f"{path.rpartition('/')[0] or '.'}/" for path in PATHS}
    if link.target is None:
        assert (link.target_file, link.broken) == (None, True)
    elif link.target_file is None:
        assert link.target in folders
    else:
        assert link.target == PATHS[link.target_file]


def test_order_is_that_of_files_and_places() -> None:
    marks = {"docs/a.md": [Mark("inline", "#x", 2), Mark("inline", "guide.md", 2)], "README.md": [Mark("html", "lib", 9)]}
    assert [(link.file, link.line, link.destination) for link in links(marks)] == [
        (0, 9, "lib"),
        (2, 2, "#x"),
        (2, 2, "guide.md"),
    ]


def test_a_repository_without_links_has_none() -> None:
    assert links({"docs/a.md": [Mark(ANCHOR, "x", 1)]}) == []
