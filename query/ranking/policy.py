"""Every number of the ranking in one frozen table, a policy a query family.

Where no other source is given, a number is the first setting of the ranking's formula, measured on development suites;
docs/ranking.md has the figures.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FAMILIES", "FAMILY_NAMES", "FIELDS", "Fields", "Policy", "policy_of"]

FAMILY_NAMES = (
    "symbol-exact",
    "symbol-partial",
    "file-path",
    "error-debug",
    "natural-descriptive",
    "natural-abstract",
    "cross-cutting-set",
    "relationship",
)


class Fields(NamedTuple):
    """BM25F: a weight and a length normalisation `b` a field, in the order of schemas.tables, and one saturation `k1`.

    The path is a field of every symbol of a file: `path` weighs it, `directory` weighs a folder's words in it against
    those of the base name.
    """

    k1: float = 1.2
    symbol_weights: tuple[float, ...] = (6.0, 0.5, 3.0, 1.5, 0.15)  # the container decides between equal names only
    symbol_b: tuple[float, ...] = (0.75, 0.75, 0.75, 0.75, 0.6)
    path: float = 3.0
    path_b: float = 0.75
    directory: float = 0.5
    file_weights: tuple[float, ...] = (1.0, 0.5, 2.0, 1.0)
    file_b: tuple[float, ...] = (0.75, 0.75, 0.75, 0.5)


FIELDS = Fields()


class Policy(NamedTuple):
    """The weights of one query family, in the order in which the stages use them."""

    # seeds
    max_terms: int = 64  # more terms than any sentence; bounds the work of a pasted file
    candidates: int = 1000

    # gated name overlap
    overlap: float = 0.3
    overlap_gain: float = 1.5
    overlap_gate: float = 0.5

    # priors; halved against their best on the development suites, because half transferred better
    kinds: tuple[tuple[str, float], ...] = (
        ("function method constructor macro", 1.0),
        ("class struct interface trait enum type type_alias union record protocol object annotation delegate", 0.9),
    )
    other_kinds: float = 0.8
    plain_name: float = 0.8
    plain_name_terms: int = 3
    length: float = 0.35
    length_cap: float = 5.0
    public: float = 1.1
    callers: float = 0.2

    # meaning: its share in the score of a symbol, 0 where it has no say, and in that of a file's text; the rank whose cosine
    # counts as 0; what a cosine adds at the end; how many of the nearest symbols become candidates
    meaning: float = 0.0
    file_meaning: float = 0.3
    meaning_rank: int = 100
    nearness: float = 0.1
    near: int = 100

    # pins
    pin: float = 2.0
    pin_spelling: float = 0.95  # same letters in another case or with other separators
    pin_owner: float = 1.3
    pin_other_owner: float = 0.7
    pin_in_sentence: float = 0.3
    sentence_words: int = 4
    joined_words: float = 0.3
    pin_checks: int = 64

    # files
    path_hits: float = 0.6
    path_hits_directory: float = 0.5
    file_text: float = 0.6
    file_symbols: float = 0.4
    file_power: float = 4.0
    directory_mates: float = 0.1
    mates: int = 4

    # roles: what a path is multiplied by
    roles: tuple[tuple[str, float], ...] = (
        ("test", 0.7),
        ("example", 0.7),
        ("docs", 0.7),
        ("fixture", 0.7),
        ("benchmark", 0.7),
        ("vendored", 0.5),
        ("generated", 0.5),
        ("non_code", 0.3),
    )
    lifted_by_tests: tuple[str, ...] = ("test", "fixture", "benchmark")

    # final
    file_evidence: float = 0.15
    rerank: int = 150
    coverage: float = 0.13
    name_overlap: float = 0.08
    name_bm25: float = 0.05
    name_k1: float = 1.2
    name_b: float = 0.75
    one_part: float = 0.07

    # rows: the share of the file in the order (see rows.file_share), how fast the symbols of a file fall behind its best,
    # and what a row for a whole file is worth beside them
    file_share: float = 1.0
    file_fall: float = 3.0
    file_row: float = 0.5
    file_row_path: float = 0.0
    flat_rank: int = 10


_SENTENCE = Policy(meaning=0.2)

FAMILIES: dict[str, Policy] = dict.fromkeys(FAMILY_NAMES, _SENTENCE) | {
    "symbol-exact": Policy(),
    "symbol-partial": Policy(),
    "file-path": Policy(file_row_path=2.0),
}


def policy_of(family: str) -> Policy:
    """Return the policy of a family; KeyError for a name that is none."""
    return FAMILIES[family]
