"""Every number of the ranking in one frozen table, a policy a query family.

Where no other source is given, a number is the first setting of the ranking's formula, measured on development suites;
docs/ranking.md has the figures.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CHANGES", "FAMILIES", "FAMILY_NAMES", "FIELDS", "Fields", "Policy", "policy_of"]

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

    # more seeds: the share of its seed's score that a symbol gets which an edge of these kinds leads to, from the best of them;
    # along shared literals only where the query holds a number or a quoted string; lines of the best files that hold a quoted
    # string (see expansion.py); how many longer words a word that nothing holds may stand for
    expand: float = 0.0
    expand_kinds: tuple[str, ...] = ()
    expand_from: int = 10
    literals: float = 0.0
    scan: float = 0.0
    scan_files: int = 50
    prefixes: int = 0
    prefix_length: int = 4

    # gated name overlap; the lead of the best seed and the specificity of the query that it wants, 0 for none
    overlap: float = 0.3
    overlap_gain: float = 1.5
    overlap_gate: float = 0.5
    overlap_lead: float = 0.0
    overlap_specificity: float = 0.0

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
    pin_spelling: float = 0.6  # same letters in another case or with other separators: less by more than all priors together
    pin_owner: float = 1.3
    pin_other_owner: float = 0.7
    pin_in_sentence: float = 0.3
    sentence_words: int = 4
    joined_words: float = 0.3
    pin_checks: int = 64

    # terms of neighbours: what a symbol gains by the share of the query's words that stand around it, above the gate
    neighbours: float = 0.0
    neighbours_gate: float = 0.1

    # the walk: what the symbol gains where the most arrives, from how many of the best, by which power of their scores, over
    # which edges; it starts where the query is specific enough and gives to symbols that hold enough of its words
    walk: float = 0.0
    walk_seeds: int = 100
    walk_power: float = 2.0
    walk_out: tuple[tuple[str, float], ...] = (
        ("calls", 1.0),
        ("references", 0.5),
        ("extends", 1.0),
        ("implements", 1.0),
        ("overrides", 1.0),
    )
    walk_in: tuple[tuple[str, float], ...] = (
        ("calls", 0.7),
        ("references", 0.3),
        ("extends", 1.0),
        ("implements", 1.0),
        ("overrides", 1.0),
    )
    walk_evidence: tuple[tuple[str, float], ...] = (
        ("direct", 1.0),
        ("structural", 1.0),
        ("reinforcing", 0.5),
        ("boundary", 0.7),
        ("incidental", 0.2),
    )
    walk_hops: int = 2
    walk_specificity: float = 0.0
    walk_coverage: float = 0.0

    # files
    path_hits: float = 0.6
    path_hits_directory: float = 0.5
    file_text: float = 0.6
    file_symbols: float = 0.4
    file_power: float = 4.0
    directory_mates: float = 0.1
    mates: int = 4
    file_walk: float = 0.0
    file_walk_seeds: int = 10

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
    coverage_specificity: float = 0.0  # how far its words count by their rarity instead of alike
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
    representatives: int = 0  # how many symbols follow each file where files come first

    # what is answered beside the rows: `clusters` of what so many of them share, `paths` between two symbols
    shape: str = "rows"
    pool: int = 50

    # after the scores: a first seed that leads the second by more than `lock_lead` stays first; exact names before all else; how
    # many rows of a file count in full
    lock: float = 0.0
    lock_lead: float = 1.2
    promote: float = 0.0
    file_cap: int = 0
    file_cap_factor: float = 0.5


_SENTENCE = Policy(meaning=0.2, file_walk=0.1)

FAMILIES: dict[str, Policy] = dict.fromkeys(FAMILY_NAMES, _SENTENCE) | {
    "symbol-exact": Policy(),
    "symbol-partial": Policy(),
    "file-path": Policy(file_row_path=2.0, representatives=3),
    "cross-cutting-set": _SENTENCE._replace(shape="clusters"),
    "relationship": _SENTENCE._replace(shape="paths"),
}


CHANGES: dict[str, float] = {"overlap": 0.0, "file_text": 0.7, "file_symbols": 0.3, "file_power": 2.0, "path_hits": 1.0}
"""What a request for a change sets otherwise, whatever its family: it asks for places and not for names."""


def policy_of(family: str, *, change: bool = False) -> Policy:
    """Return the policy of a family, for a request for a `change` if it is one; KeyError for a name that is none."""
    policy = FAMILIES[family]
    return policy._replace(**CHANGES) if change else policy  # type: ignore[arg-type]  # names of numbers
