"""Write a made-up monorepo of any size: seeded, in seven languages, with imports, calls, tests, documents and configuration.

    .venv/bin/python scripts/bench/monorepo.py FOLDER --files 10000 [--seed 1]

A package is a folder of one language whose files import packages made before it, popular ones more often. Names are one to
four words that follow Zipf's law. A package depends on the seed and its number alone, so a larger repository contains the
smaller one, and a change of `--files` leaves what both have alike.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

__all__ = ["write_monorepo"]

FILES_A_PACKAGE = 12
"""Of code; a package has a document and a configuration besides."""

FUNCTIONS_A_FILE = (3, 9)
CALLS_A_FUNCTION = (1, 6)
WORDS = 20_000
_SYLLABLES = [c + v for c in "bcdfghjklmnprstvwz" for v in "aeiou"]
_COMMON = (
    "get set load store read write open close send receive parse format build run start stop check validate create delete "
    "update find list handle process encode decode request response client server config cache queue worker task event "
    "user session token file path buffer stream message error result value key index table node tree graph state"
).split()


class Function(NamedTuple):
    """A function: the words of its name, what it calls as (path of the module without its ending, words of the name), a literal."""

    words: tuple[str, ...]
    calls: tuple[tuple[str, tuple[str, ...]], ...]
    literal: str


class Unit(NamedTuple):
    """A file of code: its module name, the class in it, its functions, the packages it imports."""

    module: str
    type_words: tuple[str, ...]
    functions: tuple[Function, ...]
    imports: tuple[tuple[str, str], ...]


class Package(NamedTuple):
    """A folder of one language."""

    number: int
    folder: str
    language: str
    modules: tuple[str, ...]
    names: tuple[tuple[tuple[str, ...], ...], ...]


def word(rank: int) -> str:
    """Return the word of a rank, the most frequent first."""
    if rank < len(_COMMON):
        return _COMMON[rank]
    n, rank = len(_SYLLABLES), rank - len(_COMMON)
    return _SYLLABLES[rank % n] + _SYLLABLES[(rank // n + 7 * rank) % n] + (_SYLLABLES[rank // n % n] if rank >= n else "")


def draw(rng: Random, most: int) -> int:
    """Return a rank below `most` with about the frequencies of Zipf's law."""
    return min(int(most ** rng.random()) - 1, most - 1)


def name_words(rng: Random) -> tuple[str, ...]:
    """Return the words of one name."""
    return tuple(word(draw(rng, WORDS)) for _ in range(rng.choices((1, 2, 3, 4), (1, 5, 4, 1))[0]))


@lru_cache(4096)
def package(seed: int, number: int) -> Package:
    """Return the outline of a package: where it lies and what can be called in it."""
    rng = Random(f"{seed}/{number}")
    language = list(RENDER)[number % len(RENDER)]
    area, team, name = number // 400, number // 20, word(draw(rng, WORDS))
    folder = f"area{area}/team{team}/{language}/{name}_{number}"
    modules = tuple(f"{word(draw(rng, WORDS))}_{i}" for i in range(FILES_A_PACKAGE))
    names = tuple(
        tuple(dict.fromkeys(name_words(rng) for _ in range(rng.randint(*FUNCTIONS_A_FILE)))) for _ in range(FILES_A_PACKAGE)
    )
    return Package(number, folder, language, modules, names)


def units(seed: int, own: Package) -> Iterator[Unit]:
    """Yield the files of a package: calls go to the same file, to another one of the package, or to an earlier package."""
    rng = Random(f"{seed}/{own.number}/units")
    step = len(RENDER)  # the packages of one language
    for i, names in enumerate(own.names):
        earlier = own.number // step
        others = sorted({draw(rng, earlier) for _ in range(rng.randint(1, 4))}) if earlier else []
        known = [package(seed, n * step + own.number % step) for n in others]
        reachable = [(f"{own.folder}/{own.modules[i]}", w) for w in names]
        imports = []
        for other in [own, *known]:
            j = rng.randrange(FILES_A_PACKAGE)
            if other is not own or j != i:
                imports.append((other.folder, other.modules[j]))
                reachable += [(f"{other.folder}/{other.modules[j]}", w) for w in other.names[j]]
        functions = tuple(
            Function(
                words=words,
                calls=tuple(rng.choice(reachable) for _ in range(rng.randint(*CALLS_A_FUNCTION))),
                literal=" ".join(word(draw(rng, WORDS)) for _ in range(4)),
            )
            for words in names
        )
        yield Unit(own.modules[i], name_words(rng), functions, tuple(imports))


def snake(words: tuple[str, ...]) -> str:
    """Return a_name."""
    return "_".join(words)


def pascal(words: tuple[str, ...]) -> str:
    """Return AName."""
    return "".join(map(str.capitalize, words))


def camel(words: tuple[str, ...]) -> str:
    """Return aName."""
    return words[0] + pascal(words[1:])


def module_of(place: str) -> str:
    """Return the module name in the place of a function."""
    return place.rpartition("/")[2]


def python(own: Package, unit: Unit) -> str:
    """Return a module of Python."""
    lines = [f'"""{pascal(unit.type_words)} and what {snake(unit.type_words)} needs."""', ""]
    lines += [f"from {folder.replace('/', '.')} import {module}" for folder, module in unit.imports]
    lines += ["", "", f"class {pascal(unit.type_words)}:", '    """Holds one state."""', ""]
    lines += ["    def __init__(self, value: int) -> None:", "        self.value = value", ""]
    for f in unit.functions:
        lines += ["", f"def {snake(f.words)}(value: int) -> int:", f'    """{" ".join(f.words).capitalize()} of a value."""']
        for place, words in f.calls:
            prefix = "" if module_of(place) == unit.module else f"{module_of(place)}."
            lines.append(f"    value += {prefix}{snake(words)}(value)")
        lines += ["    if value < 0:", f'        raise ValueError("{f.literal}")', "    return value", ""]
    return "\n".join(lines)


def typescript(own: Package, unit: Unit) -> str:
    """Return a module of TypeScript."""
    up = "../" * (own.folder.count("/") + 1)
    lines = [f"import * as {module} from '{up}{folder}/{module}'" for folder, module in unit.imports]
    lines += ["", f"export class {pascal(unit.type_words)} {{", "  constructor(readonly value: number) {}", "}"]
    for f in unit.functions:
        lines += [
            "",
            f"/** {' '.join(f.words).capitalize()} of a value. */",
            f"export function {camel(f.words)}_(value: number): number {{",
        ]
        for place, words in f.calls:
            prefix = "" if module_of(place) == unit.module else f"{module_of(place)}."
            lines.append(f"  value += {prefix}{camel(words)}_(value)")
        lines += [f"  if (value < 0) throw new Error('{f.literal}')", "  return value", "}"]
    return "\n".join(lines) + "\n"


def go(own: Package, unit: Unit) -> str:
    """Return a file of Go; the functions of a package need names that no file of it shares."""
    name = own.folder.rpartition("/")[2]
    lines = [f"package {name}", "", "import ("]
    lines += [f'\t"example.com/mono/{folder}"' for folder in sorted({f for f, _ in unit.imports} - {own.folder})]
    lines += [
        ")",
        "",
        f"// {pascal(unit.type_words)} holds one state.",
        f"type {pascal(unit.type_words)}{unit.module} struct {{",
        "\tvalue int",
        "}",
    ]
    for f in unit.functions:
        full = f"{pascal(f.words)}{pascal((unit.module,))}"
        lines += ["", f"// {full} is {' '.join(f.words)} of a value.", f"func {full}(value int) int {{"]
        for place, words in f.calls:
            folder, _, module = place.rpartition("/")
            prefix = "" if folder == own.folder else f"{folder.rpartition('/')[2]}."
            lines.append(f"\tvalue += {prefix}{pascal(words)}{pascal((module,))}(value)")
        lines += ["\tif value < 0 {", f'\t\tpanic("{f.literal}")', "\t}", "\treturn value", "}"]
    return "\n".join(lines) + "\n"


def java(own: Package, unit: Unit) -> str:
    """Return a class of Java."""
    lines = [f"package {own.folder.replace('/', '.')};", ""]
    lines += [
        f"import {folder.replace('/', '.')}.{pascal((module,))};" for folder, module in unit.imports if folder != own.folder
    ]
    lines += [
        "",
        f"/** {pascal(unit.type_words)}. */",
        f"public class {pascal((unit.module,))} {{",
        "    private int value;",
    ]
    for f in unit.functions:
        lines += [
            "",
            f"    /** {' '.join(f.words).capitalize()} of a value. */",
            f"    public static int {camel(f.words)}_(int value) {{",
        ]
        for place, words in f.calls:
            lines.append(f"        value += {pascal((module_of(place),))}.{camel(words)}_(value);")
        lines += [
            f'        if (value < 0) throw new IllegalStateException("{f.literal}");',
            "        return value;",
            "    }",
        ]
    return "\n".join(lines) + "\n}\n"


def rust(own: Package, unit: Unit) -> str:
    """Return a module of Rust."""
    lines = [f"//! {pascal(unit.type_words)}.", ""]
    for folder, module in unit.imports:
        lines.append(f"use {'crate' if folder == own.folder else folder.rpartition('/')[2]}::{module};")
    lines += ["", "/// Holds one state.", f"pub struct {pascal(unit.type_words)} {{", "    value: i64,", "}"]
    for f in unit.functions:
        lines += [
            "",
            f"/// {' '.join(f.words).capitalize()} of a value.",
            f"pub fn {snake(f.words)}(mut value: i64) -> i64 {{",
        ]
        for place, words in f.calls:
            prefix = "" if module_of(place) == unit.module else f"{module_of(place)}::"
            lines.append(f"    value += {prefix}{snake(words)}(value);")
        lines += ["    if value < 0 {", f'        panic!("{f.literal}");', "    }", "    value", "}"]
    return "\n".join(lines) + "\n"


def c(own: Package, unit: Unit) -> str:
    """Return a source file of C; every function has the module in its name."""
    lines = [f'#include "{folder}/{module}.c"' for folder, module in unit.imports]
    lines += ["", f"struct {snake(unit.type_words)}_{unit.module} {{", "    int value;", "};"]
    for f in unit.functions:
        lines += [
            "",
            f"/* {' '.join(f.words).capitalize()} of a value. */",
            f"int {snake(f.words)}_{unit.module}(int value) {{",
        ]
        lines += [f"    value += {snake(words)}_{module_of(place)}(value);" for place, words in f.calls]
        lines += [f'    if (value < 0) fail("{f.literal}");', "    return value;", "}"]
    return "\n".join(lines) + "\n"


def ruby(own: Package, unit: Unit) -> str:
    """Return a module of Ruby."""
    lines = [f"require '{folder}/{module}'" for folder, module in unit.imports]
    lines += ["", f"# {pascal(unit.type_words)}.", f"module {pascal((unit.module,))}"]
    for f in unit.functions:
        lines += ["", f"  # {' '.join(f.words).capitalize()} of a value.", f"  def self.{snake(f.words)}_(value)"]
        lines += [f"    value += {pascal((module_of(place),))}.{snake(words)}_(value)" for place, words in f.calls]
        lines += [f"    raise '{f.literal}' if value.negative?", "    value", "  end"]
    return "\n".join(lines) + "\nend\n"


RENDER: dict[str, Callable[[Package, Unit], str]] = {
    "python": python,
    "typescript": typescript,
    "go": go,
    "java": java,
    "rust": rust,
    "c": c,
    "ruby": ruby,
}
ENDING = {"python": "py", "typescript": "ts", "go": "go", "java": "java", "rust": "rs", "c": "c", "ruby": "rb"}


def files(seed: int) -> Iterator[tuple[str, str]]:
    """Yield (path, text) without end."""
    yield "go.mod", "module example.com/mono\n\ngo 1.22\n"
    for number in itertools.count():
        own = package(seed, number)
        yield f"{own.folder}/README.md", _document(own)
        yield from _configuration(own)
        for unit in units(seed, own):
            name = pascal((unit.module,)) if own.language == "java" else unit.module
            yield f"{own.folder}/{name}.{ENDING[own.language]}", RENDER[own.language](own, unit)


def _configuration(own: Package) -> Iterator[tuple[str, str]]:
    name = own.folder.rpartition("/")[2]
    if own.language == "rust":
        yield f"{own.folder}/Cargo.toml", f'[package]\nname = "{name}"\nversion = "0.1.0"\n\n[lib]\npath = "lib.rs"\n'
        yield f"{own.folder}/lib.rs", "".join(f"pub mod {module};\n" for module in own.modules)
    else:
        yield f"{own.folder}/package.json", json.dumps({"name": name, "version": "0.1.0"}, indent=1) + "\n"


def _document(own: Package) -> str:
    name = own.folder.rpartition("/")[2]
    rows = [f"* [{m}]({m}.{ENDING[own.language]}) for {' '.join(own.names[i][0])}" for i, m in enumerate(own.modules)]
    return f"# {name}\n\n## Modules\n\n" + "\n".join(rows) + "\n"


def write_monorepo(folder: Path, count: int, seed: int = 1) -> int:
    """Write the first `count` files under a folder and return their bytes."""
    total = 0
    for path, text in itertools.islice(files(seed), count):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        total += len(text)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total = write_monorepo(options.folder, options.files, options.seed)
    print(f"{options.files:,} files, {total / 1e6:.1f} MB in {options.folder}")


if __name__ == "__main__":
    main()
