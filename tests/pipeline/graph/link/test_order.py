"""What a file's names mean does not depend on which files, or which uses, were looked at before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]

_CYCLE = {
    "a.py": "import b\n\n\nclass C:\n    def m(self): pass\n\n\ndef f():\n    return b.g()\n",
    "b.py": "import a\n\n\ndef g(x=0):\n    if x:\n        return a.f()\n    return a.C()\n",
}
_USES = ("def one():\n    b.g().m()\n\n\n", "def two():\n    a.f().m()\n\n\n")


@pytest.mark.parametrize("uses", [_USES, _USES[::-1]])
def test_functions_that_return_each_other(edges: Edges, uses: tuple[str, str]) -> None:
    """Entered at `g`, the result of `f` is not known while that of `g` is asked; it is all the same afterwards."""
    found = edges({**_CYCLE, "c.py": "import a\nimport b\n\n\n" + "".join(uses)})
    assert {("c.py#one", "a.py#m"), ("c.py#two", "a.py#m")} <= found.keys()


@pytest.mark.parametrize("name", ["0.py", "z.py"])
def test_a_file_more_changes_no_other(edges: Edges, name: str) -> None:
    files = {**_CYCLE, "c.py": "import a\n\n\ndef two():\n    a.f().m()\n"}
    more = {name: "import b\n\n\ndef one():\n    b.g().m()\n"}
    alone, beside = edges(files), edges({**files, **more})
    assert alone == {ends: found for ends, found in beside.items() if not ends[0].startswith(name)}
    assert ("c.py#two", "a.py#m") in alone


def test_modules_that_hand_on_each_others_names(edges: Edges) -> None:
    files = {
        "pkg/__init__.py": "from .a import *\n",
        "pkg/a.py": "from .b import *\n\n\ndef own(): pass\n",
        "pkg/b.py": "from .a import *\n\n\ndef other(): pass\n",
    }
    uses = (
        "from pkg.a import other\nother()\n",
        "from pkg.b import own\nown()\n",
        "from pkg import own, other\nown()\nother()\n",
    )
    for order in ((0, 1, 2), (2, 1, 0)):
        found = edges({**files, **{f"{place}.py": uses[n] for place, n in zip("xyz", order, strict=True)}})
        assert len([ends for ends in found if ends[1] in ("pkg/a.py#own", "pkg/b.py#other")]) == 4
