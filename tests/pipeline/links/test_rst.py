"""Links, labels and anchors of reStructuredText."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.links.documents import marks_of
from codequarry.pipeline.links.marks import ANCHOR, LABEL, MAX_LINKS, Mark
from hypothesis import given
from hypothesis import strategies as st


def marks(text: str) -> list[Mark]:
    facts = file_facts(text.encode(), "restructuredtext", "a.rst", Limits())
    assert facts.text is not None
    return list(marks_of("restructuredtext", facts.text, facts.symbols))


def links(text: str) -> list[tuple[str, str]]:
    return [(mark.form, mark.text) for mark in marks(text) if mark.form not in (ANCHOR, LABEL)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See `a <b.rst>`_ and `c <d.rst#e>`__.", [("text", "b.rst"), ("text", "d.rst#e")]),
        ("See `a\nb <c.rst>`_.", [("text", "c.rst")]),
        ("See a_.\n\n.. _a: b.rst", [("name", "b.rst")]),
        ("See `A  b`_.\n\n.. _a b: c.rst", [("name", "c.rst")]),
        ("See `x <a_>`_.\n\n.. _a: b.rst", [("name", "b.rst")]),
        ("See a_.\n\n.. _a: b_\n.. _b: c.rst", [("name", "c.rst")]),
        ("See `a`__ and b__.\n\n.. __: c.rst\n__ d.rst", [("text", "c.rst")]),
        ("See a_.\n\n.. _a:\n\nText.", [("name", "#a")]),
        ("See `Some title`_.\n\nSome title\n==========", [("name", "#some-title")]),
        ("See a_ and b_.\n\n.. _a: b_\n.. _b: a_", []),
        ("See `unknown`_ and unknown_.", []),
        (":doc:`a` :doc:`B </c/d>`", [("doc", "a"), ("doc", "/c/d")]),
        (":ref:`A  Label` :ref:`text <b-c>` :std:ref:`d`", [("ref", "a label"), ("ref", "b-c"), ("ref", "d")]),
        (":numref:`Figure %s <a>` :download:`this <b.zip>`", [("ref", "a"), ("download", "b.zip")]),
        (":ref:`genindex` :ref:`python:with` :func:`a` :external:ref:`b`", []),
        (".. [1] See :doc:`a`.", [("doc", "a")]),
        (".. include:: ../a.rst\n.. include:: <isonum.txt>", [("include", "../a.rst")]),
        (".. literalinclude:: a.py\n   :lines: 1-2", [("include", "a.py")]),
        (
            ".. toctree::\n   :maxdepth: 2\n\n   a\n   Title <b/c>\n   self\n   d/*\n   https://e.example\n\ntext",
            [("toctree", "a"), ("toctree", "b/c")],
        ),
    ],
)
def test_links(text: str, expected: list[tuple[str, str]]) -> None:
    assert links(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "``:doc:`a```",
        "`` `a <b>`_ ``",
        "Code::\n\n  :doc:`a`",
        "- Code::\n\n    :doc:`a`",
        ".. code-block:: python\n\n   :doc:`a`",
        ".. a comment with :doc:`a`\n   :doc:`b`",
        "..\n   :doc:`a`",
        "\\:doc:\\`a\\`",
        "`a <https://b.example>`_ `a <mailto:b@c.example>`_",
        "a_b_c __init__ *args_* http://a.example/b_",
        ".. image:: a.png\n   :target: b.rst",
        ":doc:`a\n\nb`",
        "Unused\n\n.. _a: b.rst",
    ],
)
def test_what_is_no_link(text: str) -> None:
    assert links(text) == []


def test_markup_goes_on_after_a_literal_block() -> None:
    assert links("- Code::\n\n    x\n\n  :doc:`a`\n\n.. note:: :doc:`b`\n\n   :doc:`c`") == [
        ("doc", "a"),
        ("doc", "b"),
        ("doc", "c"),
    ]


def test_places_and_lines() -> None:
    text = "\n".join([".. _The Label:", "", "Title & more", "============", "", "Text _`inline here`.", "", ":ref:`x`"])
    assert marks(text) == [
        Mark(ANCHOR, "title-more", 3),
        Mark(LABEL, "the label", 1),
        Mark(ANCHOR, "the-label", 1),
        Mark(ANCHOR, "inline-here", 6),
        Mark("ref", "x", 8),
    ]


def test_no_more_than_the_first_are_kept() -> None:
    assert links(":doc:`a`\n" * (MAX_LINKS + 1)) == [("doc", "a")] * MAX_LINKS


@pytest.mark.parametrize(
    "unit", ["`", "``", ":a:", ":a:`", "a.", "a_", "_", "`a <", "\\", ".. _a", ".. |", ".. _`", "::\n", "- ", "a`", ".. a::\n "]
)  # fmt: skip
def test_hostile_texts_take_linear_time(unit: str) -> None:
    size = 200_000  # a square of it would never end
    assert len(links(".. _a: b.rst\n\n" + unit * (size // len(unit)))) <= MAX_LINKS


@given(st.text(alphabet="`_:.<>|\\\n ab-=", max_size=60))
def test_any_text_is_read_in_order(text: str) -> None:
    lines = [mark.line for mark in marks(text) if mark.form not in (ANCHOR, LABEL)]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
