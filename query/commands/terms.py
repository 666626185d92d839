"""`codequarry terms`: how text becomes search terms."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass

import click

from ...schemas.terms import normalize, split_word, word_terms, words
from ..console import clean, write_json, write_lines
from ._options import json_option

__all__ = ["TermsOfText", "terms", "terms_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsOfText:
    """What a text yields.

    `terms` are its parts in order, and at the end its joined form where that is the text itself, case folded; other
    joined forms stand in `joined`. `stems` are what an index holds for all of these, in order, each once.
    """

    text: str
    terms: tuple[str, ...]
    joined: tuple[str, ...]
    stems: tuple[str, ...]


@click.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@json_option
def terms(texts: tuple[str, ...], as_json: bool) -> None:
    """Show how text becomes search terms.

    Identifiers are split at humps, digits and underscores; a compound is kept as one joined word too; everything is
    looked up by its English stem.
    """
    found = [terms_of(text) for text in texts]
    if as_json:
        write_json([asdict(one) for one in found])
    else:
        write_lines(line for one in found for line in _lines(one))


def terms_of(text: str) -> TermsOfText:
    """Split one text into terms by the rules that the index follows."""
    from ..stems import stem  # brings in the stemmer

    found = words(normalize(text))
    parts = [part for word in found for part in split_word(word)]
    joined = [form for word in found for form in word_terms(word)[len(split_word(word)) :]]
    itself = {text.casefold(), unicodedata.normalize("NFKC", text).casefold()}
    whole = [form for form in joined if form in itself]
    return TermsOfText(
        text=text,
        terms=(*parts, *whole),
        joined=tuple(form for form in joined if form not in itself),
        stems=tuple(dict.fromkeys(stem([*parts, *joined]))),
    )


def _lines(one: TermsOfText) -> list[str]:
    lines = [clean(one.text) or '""', f"  terms   {' '.join(one.terms)}".rstrip()]
    if one.joined:
        lines.append(f"  joined  {' '.join(one.joined)}")
    return [*lines, f"  stems   {' '.join(one.stems)}".rstrip()]
