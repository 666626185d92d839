"""One row a language: what its expressions look like, beside the `.scm` file of the same name."""

from __future__ import annotations

from ._spec import LanguageSpec
from .chains import ChainSpec

__all__ = ["LANGUAGES"]

_PYTHON = LanguageSpec(
    grammar="python",
    query="python",
    chains=ChainSpec(
        names=frozenset({"identifier"}),
        member={"attribute": ("object", "attribute")},
        call={"call": "function"},
        index={"subscript": "value"},
        wrap={"await": ("", "~"), "parenthesized_expression": ("", ""), "named_expression": ("value", "")},
        literal={
            "string": "str",
            "concatenated_string": "str",
            "integer": "int",
            "float": "float",
            "true": "bool",
            "false": "bool",
            "list": "list",
            "list_comprehension": "list",
            "dictionary": "dict",
            "dictionary_comprehension": "dict",
            "set": "set",
            "set_comprehension": "set",
            "tuple": "tuple",
            "generator_expression": "list",
            "comparison_operator": "bool",
            "not_operator": "bool",
        },
        either={"boolean_operator": ("left", "right")},
    ),
    self_names=frozenset({"self", "cls"}),
    patterns=frozenset({"pattern_list", "tuple_pattern", "tuple", "list_pattern"}),
)

LANGUAGES: dict[str, LanguageSpec] = {"python": _PYTHON}
