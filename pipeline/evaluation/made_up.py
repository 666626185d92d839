"""Made-up source code of any size, seeded, with the shape of real code where it matters to an index.

Identifiers are one to four words of a vocabulary that grows as Heaps' law says; words and identifiers are drawn by Zipf's law;
twenty functions a file call one another, twelve files a folder.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

__all__ = ["write_made_up"]

SYMBOLS_A_FILE = 20
FILES_A_FOLDER = 12
SEED = 7
_PARTS = ((1, 2, 3, 4), (0.2, 0.4, 0.3, 0.1))
"""Words of an identifier and how often it has so many."""

_SYLLABLES = [c + v for c in "bcdfghjklmnprstvz" for v in "aeiou"]


def write_made_up(folder: Path, symbols: int, seed: int = SEED) -> Path:
    """Write Python files with about this many symbols below `folder` and return it; equal arguments write equal bytes."""
    chance = random.Random(seed)
    words = _words(int(6 * symbols**0.75) + 200)
    names = list(dict.fromkeys(_identifiers(chance, words, int(symbols * 0.7) + 50)))
    weights = list(accumulate(1 / (rank + 20) for rank in range(len(names))))
    for number in range(max(symbols // SYMBOLS_A_FILE, 1)):
        path = folder / words[number // FILES_A_FOLDER % len(words)] / f"{words[number % len(words)]}_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(_functions(chance, names, weights)) + "\n", "utf-8")
    return folder


def _functions(chance: random.Random, names: Sequence[str], weights: Sequence[float]) -> Iterator[str]:
    own = list(dict.fromkeys(chance.choices(names, k=SYMBOLS_A_FILE)))
    for place, name in enumerate(own):
        told, first, second, *used = chance.choices(names, cum_weights=weights, k=9)
        doc = f'    """{told.replace("_", " ").capitalize()} the {first.replace("_", " ")}."""\n' if place % 3 == 0 else ""
        calls = f"    {second} = {own[place - 1]}({first})\n" if place else f"    {second} = {first}\n"
        body = "".join(f"    {a} = {b}\n" for a, b in zip(used[::2], used[1::2], strict=True))
        yield f"def {name}({first}: int, {second}: str) -> None:\n{doc}{calls}{body}    return {second}\n"


def _identifiers(chance: random.Random, words: Sequence[str], count: int) -> Iterator[str]:
    weights = list(accumulate(1 / (rank + 20) for rank in range(len(words))))
    for parts in chance.choices(*_PARTS, k=count):
        yield "_".join(chance.choices(words, cum_weights=weights, k=parts))


def _words(count: int) -> list[str]:
    """Return distinct words that can be pronounced, the short ones first."""
    words: list[str] = []
    number = 0
    while len(words) < count:
        number += 1
        rest, syllables = number, []
        while rest:
            rest, place = divmod(rest, len(_SYLLABLES))
            syllables.append(_SYLLABLES[place])
        if len(syllables) > 1:
            words.append("".join(syllables))
    return words
