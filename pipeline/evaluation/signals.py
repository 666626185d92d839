"""The ranking with one of its signals off: the one place that knows how the numbers of the ranking are laid out.

A number of `ranking.policy.Policy` is a weight, and 0 takes it out, unless it is named here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...query import api
from ...query.ranking import policy
from ...schemas.tables import FILE_FIELDS, SYMBOL_FIELDS

__all__ = ["Change", "changed", "signals"]

_FACTORS = frozenset({"plain_name", "public"})
"""Numbers that scores are multiplied by: 1 takes them out."""

_SHAPES = frozenset(
    "other_kinds pin_spelling pin_owner pin_other_owner pin_in_sentence path_hits_directory file_text file_symbols".split()
)
_SHAPE_ENDS = ("_b", "_cap", "_factor", "_fall", "_gain", "_gate", "_k1", "_lead", "_power", "_specificity")
"""Numbers that shape a signal or share a whole between two, and are none themselves; by their names, or the ends of those."""


class Change(NamedTuple):
    """New values of fields of the two tables of the ranking."""

    policy: Mapping[str, Any] = {}
    fields: Mapping[str, Any] = {}


def signals() -> dict[str, Change]:
    """Return what to change to take each signal out, by its name, in the order of the tables."""
    return dict([*_of_fields(), *_of_policy()])


def _of_fields() -> Iterator[tuple[str, Change]]:
    for table, names in (("symbol", SYMBOL_FIELDS), ("file", FILE_FIELDS)):
        weights = getattr(policy.FIELDS, f"{table}_weights")
        for place, name in enumerate(names):
            if weights[place]:
                without = tuple(0.0 if i == place else weight for i, weight in enumerate(weights))
                yield f"{table} field {name}", Change(fields={f"{table}_weights": without})
    yield "symbol field path", Change(fields={"path": 0.0})


def _of_policy() -> Iterator[tuple[str, Change]]:
    for name in policy.Policy._fields:
        values = [getattr(family, name) for family in policy.FAMILIES.values()]
        if name == "roles":
            yield from ((f"role {role}", Change(policy={name: _without(values[0], role)})) for role, _ in values[0])
        elif name == "kinds":
            yield name, Change(policy={name: (), "other_kinds": 1.0})
        elif isinstance(values[0], float) and name not in _SHAPES and not name.endswith(_SHAPE_ENDS):
            neutral = 1.0 if name in _FACTORS else 0.0
            if any(value != neutral for value in values):
                yield name, Change(policy={name: neutral})


def _without(roles: tuple[tuple[str, float], ...], role: str) -> tuple[tuple[str, float], ...]:
    return tuple((name, factor) for name, factor in roles if name != role)


@contextmanager
def changed(change: Change) -> Iterator[None]:
    """Rank with a change; an index that is opened inside reads its postings with the changed fields.

    The tables belong to the process: nothing else may search meanwhile.
    """
    families, fields = dict(policy.FAMILIES), policy.FIELDS
    known = {name: value for name, value in change.policy.items() if name in policy.Policy._fields}
    policy.FAMILIES.update({name: family._replace(**known) for name, family in families.items()})
    vars(api)["FIELDS"] = fields._replace(**change.fields)  # the name under which an index reads them
    try:
        yield
    finally:
        policy.FAMILIES.update(families)
        vars(api)["FIELDS"] = fields
