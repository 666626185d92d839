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
    requires=frozenset({"require"}),
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


_GO = LanguageSpec(
    grammar="go",
    queries=("go",),
    chains=ChainSpec(
        names=frozenset({"identifier", "type_identifier", "package_identifier"}),
        member={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
        call={"call_expression": "function"},
        index={"index_expression": "operand"},
        wrap={
            "parenthesized_expression": ("", ""),
            "unary_expression": ("operand", ""),
            "slice_expression": ("operand", ""),
            "expression_list": ("", ""),
            "type_instantiation_expression": ("type", ""),
        },
        typed={
            "composite_literal": "type",
            "type_assertion_expression": "type",
            "type_conversion_expression": "type",
        },
        heads={"func_literal": "body"},
        makers=frozenset({"new", "make"}),
        echoes=frozenset({"append"}),
        literal={
            "interpreted_string_literal": "string",
            "raw_string_literal": "string",
            "int_literal": "int",
            "float_literal": "float64",
            "true": "bool",
            "false": "bool",
        },
    ),
    patterns=frozenset({"expression_list"}),
    grouped=True,
    header=rb"(?m)^//go:build ([^\n]+)$",
)

_JAVA = LanguageSpec(
    grammar="java",
    queries=("java",),
    chains=ChainSpec(
        names=frozenset({"identifier", "this", "super", "type_identifier", "scoped_type_identifier", "scoped_identifier"}),
        member={"field_access": ("object", "field")},
        call={"object_creation_expression": "type"},
        method={"method_invocation": ("object", "name")},
        index={"array_access": "array"},
        wrap={"parenthesized_expression": ("", ""), "generic_type": ("", ""), "assignment_expression": ("right", "")},
        typed={"cast_expression": "type"},
        literal={
            "string_literal": "String",
            "class_literal": "Class",
            "decimal_integer_literal": "int",
            "true": "boolean",
            "false": "boolean",
            "array_creation_expression": "Object[]",
        },
        either={"ternary_expression": ("consequence", "alternative")},
    ),
    self_names=frozenset({"this"}),
)

_C = ChainSpec(
    names=frozenset({"identifier", "type_identifier", "this", "field_identifier", "namespace_identifier"}),
    member={"field_expression": ("argument", "field"), "qualified_identifier": ("scope", "name")},
    call={"call_expression": "function"},
    index={"subscript_expression": "argument"},
    wrap={
        "parenthesized_expression": ("", ""),
        "pointer_expression": ("argument", ""),
        "assignment_expression": ("right", ""),
    },
    typed={"cast_expression": "type"},
    literal={"string_literal": "char*", "number_literal": "int"},
    either={"conditional_expression": ("consequence", "alternative")},
)

_RUST = LanguageSpec(
    grammar="rust",
    queries=("rust",),
    chains=ChainSpec(
        names=frozenset({"identifier", "type_identifier", "self", "crate", "super", "metavariable"}),
        member={
            "field_expression": ("value", "field"),
            "scoped_identifier": ("path", "name"),
            "scoped_type_identifier": ("path", "name"),
        },
        call={"call_expression": "function"},
        index={"index_expression": ""},
        wrap={
            "parenthesized_expression": ("", ""),
            "reference_expression": ("value", ""),
            "unary_expression": ("", ""),
            "try_expression": ("", "~"),
            "await_expression": ("", ""),
            "generic_function": ("function", ""),
            "generic_type": ("type", ""),
        },
        typed={"struct_expression": "name", "type_cast_expression": "type", "bracketed_type": ""},
        literal={"string_literal": "str", "integer_literal": "i32", "float_literal": "f64", "boolean_literal": "bool"},
    ),
    patterns=frozenset({"tuple_pattern"}),
    inside=frozenset({"mut_pattern", "ref_pattern", "reference_pattern"}),
)

_RUBY = LanguageSpec(
    grammar="ruby",
    queries=("ruby",),
    chains=ChainSpec(
        names=frozenset({"identifier", "constant", "self", "super", "simple_symbol"}),
        member={"scope_resolution": ("scope", "name")},
        method={"call": ("receiver", "method")},
        index={"element_reference": "object"},
        wrap={"parenthesized_statements": ("", ""), "begin": ("", ""), "assignment": ("right", "")},
        literal={"string": "String", "integer": "Integer", "array": "Array", "hash": "Hash"},
        either={"conditional": ("consequence", "alternative"), "binary": ("left", "right")},
        own=frozenset({"instance_variable", "class_variable"}),
    ),
)

_CPP = ChainSpec(
    names=_C.names,
    member={"field_expression": ("argument", "field")},
    paths=frozenset({"qualified_identifier", "template_function", "template_type"}),
    call=_C.call,
    index=_C.index,
    wrap=_C.wrap,
    typed={"cast_expression": "type", "new_expression": "type", "compound_literal_expression": "type"},
    literal=_C.literal,
    either=_C.either,
)

_CSHARP = LanguageSpec(
    grammar="csharp",
    queries=("csharp",),
    chains=ChainSpec(
        names=frozenset({"identifier", "generic_name", "this", "base", "predefined_type", "qualified_name"}),
        member={
            "member_access_expression": ("expression", "name"),
            "conditional_access_expression": ("condition", LAST),
        },
        call={"invocation_expression": "function", "object_creation_expression": "type"},
        index={"element_access_expression": "expression"},
        wrap={
            "await_expression": ("", "~"),
            "parenthesized_expression": ("", ""),
            "postfix_unary_expression": ("", ""),
            "assignment_expression": ("right", ""),
        },
        typed={"cast_expression": "type", "as_expression": "right", "array_creation_expression": "type"},
        literal={
            "string_literal": "string",
            "interpolated_string_expression": "string",
            "integer_literal": "int",
            "boolean_literal": "bool",
            "typeof_expression": "Type",
        },
        either={"conditional_expression": ("consequence", "alternative"), "binary_expression": ("left", "right")},
    ),
    patterns=frozenset({"tuple_pattern"}),
)

_KOTLIN = LanguageSpec(
    grammar="kotlin",
    queries=("kotlin",),
    chains=ChainSpec(
        names=frozenset({"simple_identifier", "this_expression", "super_expression", "type_identifier", "user_type"}),
        member={"navigation_expression": ("", LAST)},
        call={"call_expression": ""},
        index={"indexing_expression": ""},
        wrap={"parenthesized_expression": ("", ""), "postfix_expression": ("", "")},
        typed={"as_expression": LAST},
        literal={"string_literal": "String", "integer_literal": "Int", "boolean_literal": "Boolean", "long_literal": "Long"},
        either={"elvis_expression": ("", LAST)},
    ),
)

_SCALA = LanguageSpec(
    grammar="scala",
    queries=("scala",),
    chains=ChainSpec(
        names=frozenset({"identifier", "type_identifier", "stable_identifier", "stable_type_identifier"}),
        member={"field_expression": ("value", "field")},
        call={"call_expression": "function", "instance_expression": ""},
        wrap={"parenthesized_expression": ("", ""), "generic_function": ("function", ""), "generic_type": ("type", "")},
        typed={"ascription_expression": LAST},
        literal={
            "string": "String",
            "integer_literal": "Int",
            "boolean_literal": "Boolean",
            "interpolated_string_expression": "String",
        },
    ),
    patterns=frozenset({"tuple_pattern"}),
)

_PHP = LanguageSpec(
    grammar="php",
    queries=("php",),
    chains=ChainSpec(
        names=frozenset({"name", "qualified_name", "variable_name", "relative_scope", "relative_name"}),
        member={
            "member_access_expression": ("object", "name"),
            "nullsafe_member_access_expression": ("object", "name"),
            "class_constant_access_expression": ("", LAST),
        },
        method={
            "member_call_expression": ("object", "name"),
            "nullsafe_member_call_expression": ("object", "name"),
            "scoped_call_expression": ("scope", "name"),
        },
        call={"function_call_expression": "function", "object_creation_expression": ""},
        index={"subscript_expression": ""},
        wrap={
            "parenthesized_expression": ("", ""),
            "clone_expression": ("", ""),
            "assignment_expression": ("right", ""),
        },
        literal={"string": "string", "encapsed_string": "string", "integer": "int", "array_creation_expression": "array"},
        either={"conditional_expression": ("body", "alternative"), "binary_expression": ("left", "right")},
    ),
    patterns=frozenset({"list_literal"}),
)

LANGUAGES: dict[str, LanguageSpec] = {
    "c": LanguageSpec(grammar="c", queries=("c",), chains=_C),
    "cpp": LanguageSpec(grammar="cpp", queries=("cpp", "c"), chains=_CPP),
    "csharp": _CSHARP,
    "go": _GO,
    "java": _JAVA,
    "kotlin": _KOTLIN,
    "php": _PHP,
    "python": _PYTHON,
    "ruby": _RUBY,
    "rust": _RUST,
    "scala": _SCALA,
    "javascript": _ecmascript("javascript", "javascript", "_javascript_only"),
    "typescript": _ecmascript("typescript", "javascript", "typescript"),
    "tsx": _ecmascript("tsx", "javascript", "typescript"),
}
