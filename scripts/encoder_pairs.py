"""Take pairs of a doc comment and the code it describes out of package archives.

A pair is the first sentence of a docstring or doc comment and its definition without it. A language is one row of
`LANGUAGES`. The sentence loses a leading repetition of the definition's own name (`Add returns ...`), since nobody
who asks knows the name, and both sides are kept as source text; words are made of them where they are used.

    python scripts/encoder_pairs.py --data DIR      write DIR/pairs.jsonl from the pinned packages
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

from codequarry.schemas.terms import split_word, words
from encoder_data import SPLITS, Package, fetch, foreign, licence, members, read_list, refused_files
from encoder_duplicates import overlapping
from tree_sitter import Language, Node, Parser, Query, QueryCursor
from tree_sitter_language_pack import get_language

__all__ = ["LANGUAGES", "Pair", "first_sentence", "package_pairs", "pairs", "read_pairs", "word_list"]

MAX_FILE_BYTES = 400_000
"""Longer files are bundles and generated tables more often than not."""
MAX_BODY_LINES = 60
MAX_PAIRS = 600
"""Pairs kept of one package, so that no project's habits rule the model."""
_QUERY_WORDS = range(3, 61)
log = logging.getLogger(__name__)
_MIN_CODE_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A sentence and the definition that it describes; `text` is the search document, without the sentence."""

    package: str
    split: str
    language: str
    path: str
    name: str
    query: str
    signature: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grammar:
    """How one language marks definitions: a query capturing `@def`, and where its comments stand."""

    grammar: str
    definitions: str
    docstring: bool = False
    comment: str = r"/\*\*"
    """What a comment must begin with to be one for readers of the definition."""


_JS = """
(function_declaration) @def
(generator_function_declaration) @def
(class_declaration) @def
(method_definition) @def
(variable_declarator value: [(arrow_function) (function_expression)]) @def
(assignment_expression right: [(arrow_function) (function_expression)]) @def
(pair value: [(arrow_function) (function_expression)]) @def
"""
_TS = _JS + "(abstract_class_declaration) @def (interface_declaration) @def (type_alias_declaration) @def"
LANGUAGES = {
    "python": _Grammar(grammar="python", definitions="(function_definition) @def (class_definition) @def", docstring=True),
    "javascript": _Grammar(grammar="javascript", definitions=_JS),
    "typescript": _Grammar(grammar="typescript", definitions=_TS),
    "go": _Grammar(
        grammar="go",
        definitions="(function_declaration) @def (method_declaration) @def (type_spec) @def",
        comment=r"//|/\*",
    ),
    "rust": _Grammar(
        grammar="rust",
        definitions="(function_item) @def (struct_item) @def (enum_item) @def (trait_item) @def (macro_definition) @def",
        comment=r"///|/\*\*",
    ),
    "java": _Grammar(
        grammar="java",
        definitions="(method_declaration) @def (constructor_declaration) @def (class_declaration) @def"
        " (interface_declaration) @def (enum_declaration) @def",
    ),
    "c": _Grammar(
        grammar="c",
        definitions="(function_definition) @def (struct_specifier body: (_)) @def",
        comment=r"/\*|//",
    ),
    "ruby": _Grammar(
        grammar="ruby",
        definitions="(method) @def (singleton_method) @def (class) @def (module) @def",
        comment=r"#",
    ),
}
_EXTENSIONS = {
    ".py": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".go": "go", ".rs": "rust", ".java": "java", ".c": "c", ".h": "c",
    ".rb": "ruby",
}  # fmt: skip
_WRAPPERS = frozenset(
    "export_statement lexical_declaration variable_declaration expression_statement type_declaration "
    "type_definition decorated_definition ambient_declaration".split()
)
_BETWEEN = frozenset("attribute_item decorator".split())
_COMMENTS = frozenset("comment line_comment block_comment".split())
_SKIPPED = re.compile(
    r"(^|/)(tests?|__tests__|testing|testdata|fixtures|examples?|benchmarks?|locales?|dist|min|umd|bundles?|migrations)/"
    r"|(^|/)test_[^/]*$|[._-](test|spec|min|pb|bundle|generated|gen)\.[a-z]+$|_pb2(_grpc)?\.py$|\.pb\.go$|\.d\.ts$"
)
_GENERATED = re.compile(rb"code generated|do not edit|auto-?generated|@generated", re.IGNORECASE)
_NOISE = re.compile(
    r"copyright|licen[sc]e|all rights reserved|^(see|todo|fixme|xxx|deprecated|noqa|eslint|@|http|note:|internal)"
    r"|lorem ipsum|auto-?generated|alias (for|of|to)\b|\bjslint\b|pylint",
    re.IGNORECASE,
)


def package_pairs(package: str, split: str, files: Iterable[tuple[str, bytes]]) -> list[Pair]:
    """Return at most `MAX_PAIRS` pairs of a package's files, visited in an order that depends on their paths only."""
    candidates = {path: content for path, content in files if _readable(path, content)}
    found: list[Pair] = []
    seen: set[str] = set()
    for path in sorted(candidates, key=lambda p: hashlib.sha256(p.encode()).digest()):
        language = _EXTENSIONS[_suffix(path)]
        for pair in pairs(language, candidates[path], package=package, split=split, path=path):
            if pair.query not in seen:
                seen.add(pair.query)
                found.append(pair)
        if len(found) >= MAX_PAIRS:
            return found[:MAX_PAIRS]
    return found


def _suffix(path: str) -> str:
    return path[path.rfind(".") :]


def _readable(path: str, content: bytes) -> bool:
    if _suffix(path) not in _EXTENSIONS or len(content) > MAX_FILE_BYTES or _SKIPPED.search(path):
        return False
    longest = max((len(line) for line in content.splitlines()), default=0)
    return longest < 2_000 and not _GENERATED.search(content[:2_000])


def pairs(language: str, source: bytes, *, package: str, split: str, path: str) -> Iterator[Pair]:
    """Yield the pairs of one file, in source order."""
    rules = LANGUAGES[language]
    parser, query = _tools(language)
    captures = QueryCursor(query).captures(parser.parse(source).root_node)
    for node in sorted(captures.get("def", []), key=lambda n: (n.start_byte, -n.end_byte)):
        name, body = _name(node), _body(node)
        doc, removed = _docstring(body) if rules.docstring else (_comment(node, rules.comment), b"")
        query_text = first_sentence(doc, name) if doc and name else ""
        if not query_text:
            continue
        end = body.start_byte if body is not None else node.end_byte
        signature = source[node.start_byte : end].decode("utf-8", "replace")
        text = b"" if body is None else (body.text or b"")
        body_text = "\n".join(text.replace(removed, b"", 1).decode("utf-8", "replace").splitlines()[:MAX_BODY_LINES])
        if len(set(word_list(f"{signature} {body_text}"))) < _MIN_CODE_WORDS:
            continue
        yield Pair(
            package=package,
            split=split,
            language=language,
            path=path,
            name=name,
            query=query_text,
            signature=" ".join(signature.split())[:500],
            body=body_text,
        )


@functools.cache
def _tools(language: str) -> tuple[Parser, Query]:
    rules = LANGUAGES[language]
    grammar: Language = get_language(rules.grammar)  # type: ignore[arg-type]  # the literal type names every grammar
    return Parser(grammar), Query(grammar, rules.definitions)


def _name(node: Node) -> str:
    """Return the last identifier of a definition's name."""
    for field in ("name", "left", "key", "declarator"):
        found = node.child_by_field_name(field)
        if found is None:
            continue
        while (inner := found.child_by_field_name("declarator")) is not None:
            found = inner
        parts = re.findall(r"[\w$]+", (found.text or b"").decode("utf-8", "replace"))
        return parts[-1] if parts else ""
    return ""


def _body(node: Node) -> Node | None:
    value = node.child_by_field_name("value") or node.child_by_field_name("right") or node
    return value.child_by_field_name("body") or node.child_by_field_name("type")


def _docstring(body: Node | None) -> tuple[str, bytes]:
    """Return a Python docstring's content and its source text."""
    node = body.named_children[0] if body is not None and body.named_child_count else None
    if node is not None and node.type == "expression_statement" and node.named_child_count:
        node = node.named_children[0]
    if node is None or node.type != "string":
        return "", b""
    text = node.text or b""
    return re.sub(r"^[a-zA-Z]*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$", "", text.decode("utf-8", "replace")), text


def _comment(node: Node, start: str) -> str:
    """Return the text of the comments that stand directly before a definition."""
    while node.parent is not None and (node.parent.type in _WRAPPERS) and node.parent.named_children[0] != node.prev_sibling:
        node = node.parent
    before = node.prev_sibling
    if before is None and node.parent is not None and node.parent.type == "body_statement":
        before = node.parent.prev_sibling  # Ruby: a class's first comment stands before its body
    line = node.start_point[0]
    while before is not None and before.type in _BETWEEN:
        line, before = before.start_point[0], before.prev_sibling
    lines: list[str] = []
    while before is not None and before.type in _COMMENTS:
        text = (before.text or b"").decode("utf-8", "replace").rstrip()
        if before.start_point[0] + text.count("\n") + 1 < line or not re.match(start, text):
            break
        lines[:0] = [_unmark(t) for t in text.splitlines()]
        if text.startswith("/*"):
            break
        line, before = before.start_point[0], before.prev_sibling
    return "\n".join(lines)


def _unmark(line: str) -> str:
    return re.sub(r"^\s*(/\*+!?|\*+(?!/)|//+!?|#+:?)\s?|\s*\*+/\s*$", "", line).rstrip("*/ \t")


def first_sentence(doc: str, name: str) -> str:
    """Return the first sentence of a doc text without markup and without a leading `name`; empty if it is no sentence."""
    text = re.sub(r"^\s*@(description|summary|desc|brief|classdesc)\b", "", doc.strip(), flags=re.IGNORECASE)
    text = re.split(
        r"\n\s*\n|\n\s*[@:\\](?=[a-z])|\n\s*(?:Args|Parameters|Returns|Arguments|Example)\b|\n\s*[-=]{3,}", text
    )[0]
    text = re.sub(r"\{@\w+\s+([^}]*)\}|</?[a-z][^>]*>|:\w+:(?=`)|\[([^\]]+)\]\([^)]*\)", r" \1\2 ", text)
    text = re.split(r"\s@[a-z]", " ".join(text.replace("`", " ").replace("*", " ").split()))[0]
    text = re.split(r"(?<=[a-z0-9)\]'\"][.!?])\s+(?=[A-Z])", text)[0]
    own = re.match(r"(?:The |A |An )?[\w.$:]*?([\w$]+)(?:\(\))?[\s:,-]+", text)
    if own and own[1].lower() == name.lower() and own.end() < len(text):
        text = text[own.end() :]
    count = len(word_list(text))
    letters = sum(c.isascii() and (c.isalpha() or c == " ") for c in text)
    if count not in _QUERY_WORDS or _NOISE.search(text) or letters < 0.8 * len(text) or " " not in text:
        return ""
    return text


def word_list(text: str) -> list[str]:
    """Return the words that the encoder sees of a text: the parts of its words, lower case, in order."""
    return [part for word in words(text) for part in _parts(word)]


_parts = functools.cache(split_word)


def read_pairs(data: Path) -> list[Pair]:
    """Return the pairs that this script wrote."""
    with (data / "pairs.jsonl").open(encoding="utf-8") as file:
        return [Pair(**json.loads(line)) for line in file]


def _of_package(package: Package, data: Path, exclude: frozenset[str]) -> tuple[Package, list[Pair]]:
    archive = fetch(package, data)
    licence(package, archive)
    refused = refused_files(package, archive)
    files = (
        (path, content)
        for path, content in members(archive)
        if _suffix(path) in _EXTENSIONS and not foreign(path, exclude) and not any(fnmatch(path, glob) for glob in refused)
    )
    return package, package_pairs(package.key, package.split, files)


def _unrepeated(found: Sequence[Pair]) -> list[Pair]:
    """Drop exact repeats everywhere, and what nearly repeats a pair of a split that matters more for measuring."""
    held_first = sorted(found, key=lambda p: SPLITS.index(p.split), reverse=True)
    distinct = list({(p.language, p.query.lower(), p.name, p.body): p for p in reversed(held_first)}.values())[::-1]
    texts = [word_list(f"{p.query} {p.name} {p.signature} {p.body}") for p in distinct]
    drop = overlapping(texts, [SPLITS.index(p.split) for p in distinct])
    return [p for p, dropped in zip(distinct, drop, strict=True) if not dropped]


def main() -> int:
    """Write the pairs of all pinned packages and log how many each language has."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the downloads, outside the repository")
    data = parser.parse_args().data.resolve()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    packages, exclude = read_list()
    found: list[Pair] = []
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(_of_package, package, data, exclude) for package in packages]
        for job in jobs:
            package, of_package = job.result()
            log.info("%s: %d pairs", package.key, len(of_package))
            found += of_package
    kept = _unrepeated(found)
    log.info("%d pairs, %d after removing repeats", len(found), len(kept))
    for (split, language), count in sorted(Counter((p.split, p.language) for p in kept).items()):
        log.info("%s %s: %d", split, language, count)
    with (data / "pairs.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(pair)) + "\n" for pair in kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
