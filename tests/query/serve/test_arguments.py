"""Arguments of calls against the schemas of the tools."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from codequarry.query.serve import TOOLS, checked
from codequarry.schemas.errors import UsageError
from hypothesis import given
from hypothesis import strategies as st


def test_defaults_are_filled_in() -> None:
    assert checked(TOOLS["relations"], {"symbol": "f"}) == {
        "symbol": "f",
        "relation": "all",
        "to": None,
        "depth": 1,
        "limit": 10,
    }
    assert checked(TOOLS["status"], None) == {"topic": None}
    assert checked(TOOLS["search"], {"query": "", "tests": False})["tests"] is False


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {}, "search needs `query`, a question, identifier, path or message; with match=content the text of a line"),
        ("search", {"query": None}, "search needs `query`, a question"),
        ("search", {"query": 5}, "`query` must be a string, not 5"),
        ("search", {"query": "x", "limit": 0}, "`limit` must be an integer from 1 to 50, not 0"),
        ("search", {"query": "x", "limit": 51}, "`limit` must be an integer from 1 to 50, not 51"),
        ("search", {"query": "x", "limit": True}, "`limit` must be an integer from 1 to 50, not true"),
        ("search", {"query": "x", "limit": 2.5}, "`limit` must be an integer from 1 to 50, not 2.5"),
        ("search", {"query": "x", "tests": 1}, "`tests` must be true or false, not 1"),
        ("search", {"query": "x", "match": "all"}, "`match` must be one of auto, name, content, meaning, not \"all\""),
        ("search", {"query": "x", "match": ["auto"]}, "`match` must be one of auto, name, content, meaning, not [\"auto\"]"),
        ("info", {"symbol": "f", "line": 3}, "info has no argument 'line': it takes symbol, lines"),
        ("context", {"task": "x", "budget": 99}, "`budget` must be an integer from 100 to 32000, not 99"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tool: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked(TOOLS[tool], arguments)
    assert str(caught.value).startswith(said)


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-5, 60), st.text(max_size=3), st.sampled_from(["auto", "name"]))


@given(st.sampled_from(sorted(TOOLS)), st.data())
def test_what_passes_is_what_the_schema_allows(name: str, data: st.DataObject) -> None:
    names = [*TOOLS[name].arguments["properties"], "other"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=4))
    given_values = {key: value for key, value in arguments.items() if value is not None}
    right = jsonschema.Draft202012Validator(TOOLS[name].arguments).is_valid(given_values) and set(arguments) <= {*names[:-1]}
    try:
        checked(TOOLS[name], arguments)
    except UsageError:
        assert not right
    else:
        assert right
