"""Write the model card: what the encoder is, what it learned from, how well it does and where it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from encoder_data import Package, plain_licence, read_list
from encoder_evaluation import Score

__all__ = ["write_card"]

_CARD = """\
# The embedded encoder

A static token table: {tokens} Unigram pieces of {width} dimensions, int8 with a scale a row. A text is split into words
and words into parts (`codequarry.schemas.terms`), each part into pieces; the vector of a text is the normalised sum of
its pieces'. The first 64 or 32 dimensions work by themselves, a little worse. `codequarry.query.encoder` reads it, and
`model2vec.StaticModel.from_pretrained` gives the same vectors for words joined by spaces.

Made with

```sh
pip install 'codequarry[index,train]'
python scripts/encoder_data.py --data DIR fetch
python scripts/encoder_pairs.py --data DIR
python scripts/train_encoder.py --data DIR
```

The `debian-source` packages need a `deb-src` entry in the apt sources. The same machine gives the same bytes.

## Figures

MRR@10. The first sentence of a doc comment is the query, every definition of the held-out packages of its language is a
candidate, without its comment. BM25 has stems and joined forms, as the product. *Fused* adds both scores, scaled to
0..1, with weight {weight} for the vectors, chosen on the validation packages. No setting was chosen on the test packages;
pairs nearly equal to theirs are taken out of the other splits. The mean is over languages. A leading repetition of the
definition's own name (`Add returns ...`) is cut from the sentences, which takes an easy match from both.

{scores}

## Data

{pairs} pairs from {packages} packages: at most {cap} a package, none from tests, generated or vendored files. Every
package's own metadata or licence file states one of MIT, BSD, Apache-2.0, ISC, PSF, Zlib, CC0 or Unlicense, or lets one
choose it; files that Debian's copyright file puts under other licences are left out. The projects that search is
measured on are excluded by name, also where others vendor them. No weights or vocabulary of another model are used.

{counts}

Packages by licence: {licences}.

{lists}

The exact versions and hashes are in `scripts/encoder_packages.toml`.

## Limits

* English only, and the vocabulary of programming; other scripts have no tokens and give a zero vector.
* A bag of words: order, negation and the roles of arguments are lost, and text that shares no related word with the
  code is not found.
* Learned from documented library code. Application code, tests, configuration and languages that are not in the table
  above share only the words.
* The queries measured are sentences written by the code's own authors; questions of others use other words, and the
  gain on them is smaller.
"""


def write_card(
    path: Path,
    *,
    scores: Sequence[Score],
    weight: float,
    counts: Mapping[tuple[str, str], int],
    shape: tuple[int, ...],
    cap: int,
) -> None:
    """Write the card of a model of `shape` (tokens, dimensions), measured as `scores`.

    `counts` holds the pairs of each (split, language), `cap` the most of one package.
    """
    packages, _exclude = read_list()
    stated = Counter(plain_licence(p.licence) for p in packages)
    path.write_text(
        _CARD.format(
            tokens=shape[0],
            width=shape[1],
            weight=weight,
            scores=_score_table(scores),
            pairs=f"{sum(counts.values()):,}",
            packages=f"{len(packages):,}",
            cap=f"{cap:,}",
            counts=_count_table(counts),
            licences=", ".join(f"{name} {count}" for name, count in stated.most_common()),
            lists="\n\n".join(_package_list(packages, split) for split in ("validation", "test", "train")),
        ),
        encoding="utf-8",
    )


def _score_table(scores: Sequence[Score]) -> str:
    lines = [
        "| language | queries | BM25 | vectors alone | fused | alone - BM25 | fused - BM25 |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [(s.language, s.queries, s.bm25, s.alone, s.fused) for s in scores]
    mean = [float(np.mean([row[i] for row in rows])) for i in (2, 3, 4)]
    rows.append(("**mean**", sum(s.queries for s in scores), mean[0], mean[1], mean[2]))
    for language, queries, lexical, alone, fused in rows:
        lines.append(
            f"| {language} | {queries:,} | {lexical:.3f} | {alone:.3f} | {fused:.3f}"
            f" | {alone - lexical:+.3f} | {fused - lexical:+.3f} |"
        )
    return "\n".join(lines)


def _count_table(counts: Mapping[tuple[str, str], int]) -> str:
    lines = ["| language | train | validation | test |", "|---|---|---|---|"]
    for language in sorted({language for _split, language in counts}):
        numbers = [f"{counts.get((split, language), 0):,}" for split in ("train", "validation", "test")]
        lines.append(f"| {language} | {' | '.join(numbers)} |")
    return "\n".join(lines)


def _package_list(packages: Sequence[Package], split: str) -> str:
    names = ", ".join(f"{p.name} {p.version}" for p in packages if p.split == split)
    return f"**{split}**: {names}."
