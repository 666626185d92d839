"""One row a language: what its expressions look like, beside the `.scm` file of the same name."""

from __future__ import annotations

from ._spec import LanguageSpec
from .chains import LAST, ChainSpec

__all__ = ["LANGUAGES"]

_PYTHON = LanguageSpec(
    grammar="python",
    queries=("python",),
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

_ECMASCRIPT = ChainSpec(
    names=frozenset({"identifier", "this", "super", "shorthand_property_identifier", "undefined", "type_identifier"}),
    member={"member_expression": ("object", "property")},
    call={"call_expression": "function", "new_expression": "constructor"},
    index={"subscript_expression": "object"},
    wrap={
        "await_expression": ("", "~"),
        "parenthesized_expression": ("", ""),
        "non_null_expression": ("", ""),
        "satisfies_expression": ("", ""),
        "assignment_expression": ("right", ""),
    },
    typed={"as_expression": LAST},
    literal={
        "string": "string",
        "template_string": "string",
        "number": "number",
        "true": "boolean",
        "false": "boolean",
        "array": "Array",
        "regex": "RegExp",
        "null": "null",
    },
    either={"ternary_expression": ("consequence", "alternative"), "binary_expression": ("left", "right")},
)


def _ecmascript(grammar: str, *queries: str) -> LanguageSpec:
    return LanguageSpec(
        grammar=grammar,
        queries=queries,
        chains=_ECMASCRIPT,
        self_names=frozenset({"this"}),
        patterns=frozenset({"array_pattern"}),
        records=frozenset({"object_pattern"}),
        exports=frozenset({"exports", "module.exports"}),
    )


LANGUAGES: dict[str, LanguageSpec] = {
    "python": _PYTHON,
    "javascript": _ecmascript("javascript", "javascript", "_javascript_only"),
    "typescript": _ecmascript("typescript", "javascript", "typescript"),
    "tsx": _ecmascript("tsx", "javascript", "typescript"),
}
