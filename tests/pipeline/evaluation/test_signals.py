"""Taking signals out of the ranking, and putting them back."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from codequarry.pipeline.evaluation import signals as room
from codequarry.pipeline.evaluation.signals import Change, changed, signals
from codequarry.query import api, open_index
from codequarry.query.ranking import policy


def test_every_number_that_is_named_is_one_of_the_ranking() -> None:
    assert set(policy.Policy._fields) >= room._FACTORS | room._SHAPES


def test_every_weight_of_the_ranking_can_be_taken_out() -> None:
    found = signals()
    assert found["overlap"] == Change(policy={"overlap": 0.0})
    assert found["public"] == Change(policy={"public": 1.0})
    assert found["symbol field name"].fields["symbol_weights"][0] == 0.0
    assert "test" not in dict(found["role test"].policy["roles"])
    for name, change in found.items():
        assert any(family._replace(**change.policy) != family for family in policy.FAMILIES.values()) or change.fields, name


def test_a_change_ends_with_its_block() -> None:
    families, fields = dict(policy.FAMILIES), api.__dict__["FIELDS"]
    with suppress(KeyError), changed(Change(policy={"overlap": 0.0, "gone": 1}, fields={"path": 0.0})):
        assert {family.overlap for family in policy.FAMILIES.values()} == {0.0}
        assert api.__dict__["FIELDS"].path == 0.0
        raise KeyError
    assert families == policy.FAMILIES
    assert api.__dict__["FIELDS"] == fields


def test_a_search_without_a_signal_has_none_of_its_part(store: Path) -> None:
    with open_index(store) as index:
        assert "name_overlap" in (index.search("open cart", explain=True).results[0].terms or {})
        with changed(signals()["overlap"]):
            assert "name_overlap" not in (index.search("open cart", explain=True).results[0].terms or {})
