"""Terms counted the slow way, straight from the rules of SPEC.md: what the fast way must give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from codequarry.pipeline.facts import FileFacts, SymbolFact
from codequarry.query.stems import stem
from codequarry.schemas.tables import SYMBOL_FIELDS
from codequarry.schemas.terms import normalize, split_word, terms, words

FieldCounts = dict[str, Counter[str]]


def stems(*texts: str) -> Counter[str]:
    """Count the stemmed terms of some texts that do not touch."""
    return Counter(stem([term for text in texts for term in terms(text.replace("\0", " "))]))


def bodies(facts: FileFacts) -> list[list[str]]:
    """Return the pieces of text that each owner has: first the file itself, then its symbols."""
    data = (facts.text or "").encode()
    owner = _painted(facts.symbols, len(data))
    pieces: list[list[str]] = [[] for _ in range(len(facts.symbols) + 1)]
    start = 0
    for i in range(1, len(data) + 1):
        if i == len(data) or owner[i] != owner[start]:
            pieces[owner[start] + 1].append(data[start:i].decode(errors="replace"))
            start = i
    return pieces


def symbol_counts(facts: FileFacts) -> list[FieldCounts]:
    """Return the terms of every field of every symbol."""
    return [
        {
            "name": stems(symbol.name),
            "container": stems(_container(symbol)),
            "signature": stems(symbol.signature),
            "doc": stems(symbol.doc),
            "body": stems(*body),
        }
        for symbol, body in zip(facts.symbols, bodies(facts)[1:], strict=True)
    ]


def file_counts(facts: FileFacts) -> FieldCounts:
    """Return the terms of a file's names and of its text."""
    names: Counter[str] = Counter()
    for symbol in facts.symbols:
        names += stems(symbol.name)
    return {"names": names, "text": stems(*(piece for body in bodies(facts) for piece in body))}


def name_parts(symbol: SymbolFact) -> int:
    """Return the number of distinct stemmed parts of a name, joined forms left out."""
    return len(set(stem([part for word in words(normalize(symbol.name)) for part in split_word(word)])))


def held(counts: FieldCounts) -> set[str]:
    """Return the terms that a symbol has in any field."""
    return {term for field in SYMBOL_FIELDS for term in counts[field]}


def _container(symbol: SymbolFact) -> str:
    name = symbol.qualified_name
    return name[: len(name) - len(symbol.name)] if name.endswith(symbol.name) else name.rpartition(".")[0]


def _painted(symbols: Iterable[SymbolFact], size: int) -> list[int]:
    """Return the owner of every byte: a symbol's position, -1 for the file."""
    owner = [-1] * size
    symbols = list(symbols)
    ends: list[int] = []
    for i, symbol in enumerate(symbols):
        around = [k for k in range(i) if symbols[k].start_byte <= symbol.start_byte < ends[k]]
        outer = around[-1] if around else -1
        end = min(symbol.end_byte, ends[outer]) if around else symbol.end_byte
        ends.append(end)
        head = symbol.parent if symbol.parent >= 0 else outer
        body = min(symbol.body_start, end)
        owner[symbol.start_byte : body] = [head] * max(0, body - symbol.start_byte)
        owner[body:end] = [i] * (end - body)
    return owner
