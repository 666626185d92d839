"""What an expression can be: values as plain tuples, and how sure a step makes them.

None is unknown; else the first item says what it is:

* `("i", definition, arguments)` an instance of a class, `("c", definition, arguments)` the class itself;
* `("f", definition, bound)` a function, `("w", definition, value)` one that a decorator made `value` of, `("r", value)` a
  function of which only the result is known;
* `("m", file)` a module, `("d", key)` a package or folder, `("x", definitions)` an imported member;
* `("e", name, arguments)` something outside of the corpus;
* `("t", parts)` a tuple, `("u", parts)` any of several, `("s", definition)` the bases of a class.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BASE",
    "CHAIN",
    "EXTERNAL",
    "FIXTURE",
    "IMPORT",
    "INCLUDED",
    "LIBRARY",
    "PRIOR",
    "PROTOTYPE",
    "RULES",
    "SCOPE",
    "SHARED",
    "TYPED",
    "Value",
]

Value = tuple[Any, ...] | None

EXTERNAL: Value = ("e", "", ())

SCOPE, IMPORT, BASE, TYPED, CHAIN, PRIOR, FIXTURE, INCLUDED, PROTOTYPE, LIBRARY, SHARED = range(11)
"""Ranks of a resolution: the highest one among its steps is the rule of the edge."""

RULES: tuple[tuple[str, float], ...] = (
    ("scope", 0.99),
    ("import", 0.98),
    ("base", 0.98),
    ("typed", 0.97),
    ("chain", 0.95),
    ("parameter_name", 0.85),
    ("fixture", 0.85),
    ("included", 0.95),
    ("prototype", 0.90),
    ("library_name", 0.85),
    ("shared", 1.0),
)
"""Name and confidence of each rank; measured on nine repositories against compilers. A shared edge has 1/N."""
