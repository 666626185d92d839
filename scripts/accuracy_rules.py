"""What accuracy.py knows of ctags: which kinds are the same, how names are written, and what is no symbol on purpose."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["KINDS", "LATE", "NOTATION", "RULES", "Rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A reason why definitions of ctags are no symbols; what is empty or None holds of all of them.

    `languages`, `kinds` and `scopes` (kinds of the owner) are words with blanks between them; `name` is searched in the
    name, `text` in the line of the definition; `local` asks that it stands in the body of a function of ours, `quoted` that
    its line begins in a string or a comment.
    """

    languages: str
    reason: str
    kinds: str = ""
    scopes: str = ""
    name: re.Pattern[str] | None = None
    text: re.Pattern[str] | None = None
    local: bool = False
    quoted: bool = False


_CALLABLE = "function method constructor macro"
_TYPE = "class struct record interface trait enum union type type_alias annotation concept object extension protocol"
_VALUE = "variable constant field property enum_member"
_SPACE = "namespace module object package extension"

_ALIKE = (
    ("function func method singletonMethod methodSpec subroutine procedure generator callback delegate val", _CALLABLE),
    ("getter setter alias", f"{_CALLABLE} property"),
    ("macro guard define", "macro constant function"),
    ("class struct interface trait enum union type typedef typealias talias annotation record protocol Exception", _TYPE),
    ("variable var const constant field member property accessor enumConstant enumerator anonMember globalVar", _VALUE),
    ("RecordField Constructor event", _VALUE),
    ("namespace module package implementation object", f"{_SPACE} class struct type"),
)

KINDS: dict[str, str] = {
    **{word: ours for words, ours in _ALIKE for word in words.split()},
    "message": "message struct",
    "oneof": "field",
    "rpc": "method",
    "service": "service",
    "table": "struct",
    "target": "target",
    "option": "variable",
    "mixin": "function macro",
    "placeholder": "key",
    "operator": _CALLABLE,
    "make macro": "variable constant",
    "scss class": "key",
    "scss id": "key",
    "css class": "key",
    "css id": "key",
    "ocaml module": f"{_SPACE} interface",
    "ocaml_interface module": f"{_SPACE} interface",
    "python member": _CALLABLE,  # a function in a class
    "javascript constant": f"{_VALUE} {_CALLABLE} class",  # `const f = () => 0` and `const C = class {}`
    "jsx constant": f"{_VALUE} {_CALLABLE} class",
    "typescript constant": f"{_VALUE} {_CALLABLE} class",
    "tsx constant": f"{_VALUE} {_CALLABLE} class",
    "javascript variable": f"{_VALUE} {_CALLABLE} class",
    "jsx variable": f"{_VALUE} {_CALLABLE} class",
    "typescript variable": f"{_VALUE} {_CALLABLE} class",
    "tsx variable": f"{_VALUE} {_CALLABLE} class",
    "typescript property": f"{_VALUE} {_CALLABLE}",
    "csharp method": f"{_CALLABLE} type_alias",  # a delegate
    "ruby constant": f"{_VALUE} class",  # `Point = Struct.new(:x)`
    "objc class": f"{_CALLABLE} class",  # a method of the class itself
    "haskell constructor": "enum_member type",
    "haskell function": f"{_CALLABLE} field",  # a field is a function of its record
    "haskell type": f"{_TYPE}",
    "ocaml var": f"{_VALUE} function",
    "ocaml val": f"{_VALUE} {_CALLABLE}",
    "ocaml_interface val": f"{_VALUE} {_CALLABLE}",
    "typescript alias": _TYPE,
    "tsx alias": _TYPE,
    "r globalVar": f"{_VALUE} class",  # the value of `R6Class()` or `ggproto()`
    "r functionVar": f"{_VALUE} class",
    "r dataframe": _VALUE,
    "r list": _VALUE,
    "r vector": _VALUE,
}
"""For each kind of ctags, alone or in one language, the kinds of ours that mean the same."""

NOTATION: dict[str, re.Pattern[str]] = {
    "": re.compile(r"\s+"),
    "ruby": re.compile(r"[?!=]$"),  # ctags drops them from aliases; a writer stands with its reader
    "objc": re.compile(r":.*"),  # the rest of a selector
    "r": re.compile(r"[\"'`]"),
    "lua": re.compile(r"^.*[.:{]|^\[?[\"']|[\"']\]?$"),  # owners
    "perl": re.compile(r"^.*::"),
    "elixir": re.compile(r"/\d+$"),
    "scss": re.compile(r"^[$.#%@]"),
    "matlab": re.compile(r"\..*"),  # `set.Name`
    "erlang": re.compile(r"/\d+$|^'|'$"),
    "ocaml": re.compile(r"^\(|\)$|^`"),  # brackets around an operator
    "ocaml_interface": re.compile(r"^\(|\)$|^`"),
    "haskell": re.compile(r"^\(|\)$"),
}
"""What to leave out of names before they are compared: for all languages under '', and for one."""

LATE: dict[str, int] = {
    "objc": 12,  # of a method ctags gives the line of `{`
    "typescript": 8,  # of an interface that extends others on further lines, the line of `extends`
    "tsx": 8,
}
"""How many lines below the name ctags may give, inside the declaration."""


def _has(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_ALL = "python javascript jsx typescript tsx go rust java c cpp csharp ruby php kotlin bash lua perl r julia elixir erlang haskell ocaml"
_SCRIPT = "javascript jsx typescript tsx"

RULES: tuple[Rule, ...] = (
    Rule(languages=_ALL, quoted=True, reason="code in strings and comments"),
    Rule(languages="python", kinds="namespace unknown module", reason="imports under another name"),
    Rule(
        languages="python", kinds="variable", text=_has(r"^\s"), reason="names of inner blocks of a module, such as `with`"
    ),
    Rule(
        languages="go java kotlin perl",
        kinds="package packageName",
        reason="the package of a file, no declaration of its own",
    ),
    Rule(languages="csharp php", kinds="namespace", reason="a namespace owns symbols and is none"),
    Rule(languages="php", kinds="alias", reason="imports"),
    Rule(languages="rust", kinds="implementation", reason="an impl block is no symbol; its type owns what is inside"),
    Rule(languages="rust", kinds="variable", name=_has("^str$"), reason="mistakes: a type taken for a name"),
    Rule(
        languages="cpp",
        kinds="function",
        name=_has(r"^([A-Z]+_)*TEST(_[A-Z]+)*$"),
        reason="test macros; ours are named by their test",
    ),
    Rule(languages=_SCRIPT, kinds="constant variable", local=True, reason="locals of functions"),
    Rule(
        languages=_SCRIPT,
        kinds="constant variable",
        text=_has(r"^\s"),
        reason="locals of blocks and of anonymous functions, names bound by destructuring",
    ),
    Rule(
        languages=_SCRIPT,
        kinds="constant variable",
        text=_has(r"\brequire\(|[\[{].*[\]}]\s*="),
        reason="imports by `require`, names bound by destructuring",
    ),
    Rule(
        languages=_SCRIPT,
        kinds="property",
        text=_has(r"^\s*[\w\"'$]+\s*:(?!.*(=>|\bfunction\b))"),
        reason="keys of object literals",
    ),
    Rule(languages=_SCRIPT, kinds="property class field", text=_has(r"\bthis\.\w+\s*="), reason="assignments to `this`"),
    Rule(languages=_SCRIPT, kinds="class", text=_has(r"[:=]\s*\{"), reason="object literals, which ctags calls classes"),
    Rule(languages=_SCRIPT, kinds="field", local=True, reason="mistakes: an expression taken for a field"),
    Rule(
        languages=_SCRIPT,
        kinds="constant",
        name=_has(r"^(forwardRef|createContext|void)$"),
        text=_has(r"\b(forwardRef|createContext|void)\b"),
        reason="mistakes: a call or a word taken for the constant",
    ),
    Rule(languages="jsx tsx", kinds="field", text=_has(r"=\{|<\w+"), reason="mistakes: attributes of JSX taken for fields"),
    Rule(languages="ruby", kinds="constant", text=_has(r"==="), reason="mistakes: `Hash === x` taken for an assignment"),
    Rule(languages="ruby", text=_has(r"#\{"), reason="code in strings"),
    Rule(languages="kotlin", name=_has("^<lambda>$"), reason="anonymous functions"),
    Rule(languages="kotlin", kinds="constant variable", local=True, reason="locals of functions"),
    Rule(languages="kotlin", kinds="method", text=_has(r"\bfor\s*\("), reason="mistakes: a loop taken for a function"),
    Rule(languages="kotlin", kinds="object", name=_has("^Companion$"), reason="companion objects without a name"),
    Rule(languages="bash", kinds="function", name=_has(r"=$"), reason="mistakes: an array taken for a function"),
    Rule(languages="bash", kinds="heredoc", reason="here-documents"),
    Rule(
        languages="lua",
        text=_has(r"^(?!.*=\s*function\b)(?!\s*(local\s+)?function\b)"),
        reason="mistakes: a call with a function taken for one",
    ),
    Rule(languages="php", kinds="variable", local=True, reason="locals of functions"),
    Rule(languages="php", kinds="variable", text=_has(r"^\s"), reason="locals of closures"),
    Rule(languages="perl", kinds="label format", reason="labels, and keys taken for formats"),
    Rule(languages="r", kinds="nameattr", reason="names of arguments and of list elements"),
    Rule(
        languages="r",
        kinds="globalVar list vector dataframe",
        text=_has(r"^\s|^.*\("),
        reason="locals of blocks, such as those of tests",
    ),
    Rule(languages="r", kinds="functionVar", reason="locals of functions"),
    Rule(languages="r", kinds="list vector dataframe nameattr", local=True, reason="locals of functions"),
    Rule(languages="r", kinds="library source", reason="imports"),
    Rule(
        languages="elixir", kinds="implementation", reason="an implementation is no symbol; its protocol owns what is inside"
    ),
    Rule(languages="elixir", name=_has("^unquote$"), reason="names that macros make"),
    Rule(languages="elixir", kinds="test", reason="tests, which are calls"),
    Rule(
        languages="elixir",
        text=_has(r"^\s*def\w*\s+\w+\s*(=~|\.\.)"),
        reason="mistakes: an argument of an operator taken for the name",
    ),
    Rule(languages="elixir", kinds="record", reason="records, which are calls"),
    Rule(languages="erlang", kinds="module", reason="the module of a file"),
    Rule(
        languages="haskell",
        kinds="function",
        name=_has(r"^(derive\w+|[A-Z].*)$"),
        reason="mistakes: a splice or a pattern taken for a function",
    ),
    Rule(
        languages="haskell",
        kinds="function",
        text=_has(r"^\s+(::|=|,)"),
        reason="mistakes: the line after a name on its own",
    ),
    Rule(languages="ocaml", kinds="var function", text=_has(r"\bin\b"), reason="locals of anonymous functions"),
    Rule(
        languages="ocaml",
        kinds="function",
        text=_has(r"\blet[+*%]"),
        reason="mistakes: binding operators taken for functions",
    ),
    Rule(
        languages="ocaml ocaml_interface",
        kinds="Constructor",
        text=_has(r"[|\[]\s*`"),
        reason="tags of polymorphic variants, which no type declares",
    ),
    Rule(
        languages="ocaml ocaml_interface",
        kinds="module",
        text=_has(r"\binclude\s+module\s+type\b|\(module\b"),
        reason="mistakes: an expression taken for a module",
    ),
    Rule(
        languages="ocaml_interface",
        kinds="type",
        text=_has(r"\bwith\s+type\b|\bnonrec\b|\bBigarray\b"),
        reason="mistakes: a constraint taken for a type",
    ),
    Rule(
        languages="objc",
        kinds="function typedef",
        name=_has(r"^(__attribute__|int|void|id|BOOL|unsigned|char|Class)$"),
        reason="mistakes: a type taken for a name",
    ),
    Rule(languages="objc", kinds="field variable var struct enum", local=True, reason="locals of functions"),
    Rule(languages=_SCRIPT, kinds="property", text=_has(r"[{,]\s*[\w\"'$]+\s*:"), reason="keys of object literals"),
    Rule(languages=_SCRIPT, kinds="method", name=_has("^new$"), reason="construct signatures, which have no name"),
    Rule(languages="haskell", kinds="module", reason="the module of a file"),
    Rule(
        languages="haskell",
        kinds="function",
        name=_has(r"^(class|infix[lr]?|deriving|instance|default|foreign)$"),
        reason="mistakes: a keyword taken for a function",
    ),
    Rule(
        languages="haskell", kinds="type", name=_has(r"^(family|instance)$"), reason="mistakes: a keyword taken for a type"
    ),
    Rule(languages="ocaml ocaml_interface", kinds="module", name=_has(r"^\d+$"), reason="the file as a module"),
    Rule(languages="ocaml", name=_has(r"^(\(\)|_)$"), reason="`let () =` and `let _ =`, which name nothing"),
    Rule(
        languages="ocaml ocaml_interface", name=_has(r"^(private|virtual)$"), reason="mistakes: a keyword taken for a name"
    ),
    Rule(languages="ocaml", kinds="var function", local=True, reason="locals of functions"),
    Rule(
        languages="objc",
        kinds="implementation category",
        reason="the implementation of a class; the class owns what is inside",
    ),
    Rule(languages="matlab", kinds="variable", reason="assignments"),
    Rule(languages="sql", kinds="field", reason="columns; a table is one symbol"),
    Rule(languages="scss", kinds="parameter", reason="parameters of mixins"),
    Rule(languages="scss", kinds="class id", text=_has(r"[&,>+~:]|\S\s+\.|\.\S+\."), reason="parts of compound selectors"),
    Rule(languages="scss", kinds="variable", text=_has(r"^\s"), reason="locals of functions and keys of maps"),
    Rule(languages="cmake", kinds="variable", scopes="function macro", reason="locals of functions"),
    Rule(languages="cmake", kinds="variable", text=_has(r"^\s"), reason="variables of inner blocks"),
    Rule(
        languages="kotlin",
        kinds="method",
        text=re.compile(r"^(?!.*\bfun\s+\S)"),
        reason="mistakes: a parameter of a lambda taken for a function",
    ),
)
