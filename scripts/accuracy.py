"""Compare the symbols of real packages with what universal-ctags finds in the same files.

    python scripts/accuracy.py --data DIR [--only LANGUAGE ...] [--show 20] [--write docs/accuracy.md]

The packages of `accuracy_packages.toml` come by name and version from the ordinary clients, are checked by hash, and stay
in DIR, outside the repository; nothing in them is built or run. A definition of ctags is found if the same file has a
symbol of that name whose lines, from the start of the declaration to its name, hold the line of ctags. Definitions that
are missing on purpose, or that are none, are counted under the rule of `accuracy_rules.py` that says why.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from accuracy_rules import KINDS, LATE, NOTATION, RULES, Rule
from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.facts import SymbolFact
from codequarry.pipeline.languages import LANGUAGES, detect
from encoder_data import Package, PackageError, fetch, members
from tree_sitter import Tree

__all__ = ["Comparison", "Judged", "Tag", "compare", "judged_languages", "kinds_agree", "rule_of", "tables", "tags_of"]

LIST = Path(__file__).with_name("accuracy_packages.toml")
MOST_BYTES = 3_000_000
"""Source read a language, in the order of paths: enough for thousands of definitions."""

_CALLABLE = frozenset({"function", "method", "constructor", "macro"})

BEGIN, END = "<!-- begin: written by scripts/accuracy.py -->", "<!-- end -->"


class Tag(NamedTuple):
    """A definition as ctags sees it; `scope` is the kind of its owner or '', `text` its line in the file.

    `is_local` says that the line is in the body of a function of ours, `is_quoted` that it stands in a string or comment.
    """

    name: str
    line: int
    kind: str
    scope: str
    text: str
    is_local: bool = False
    is_quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A language of the list: `ctags` is its name there, '' where there is no parser; `goal` the least recall."""

    language: str
    ctags: str
    goal: float
    packages: tuple[Package, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What comes of comparing the files of a language; `missed` holds (path, tag), `kinds` counts (theirs, ours)."""

    judged: Judged
    files: int
    explained: Counter[Rule]
    missed: tuple[tuple[str, Tag], ...]
    kinds: Counter[tuple[str, str]]
    ours_alone: Counter[str]

    @property
    def found(self) -> int:
        """Count the definitions of ctags that are symbols of ours."""
        return self.kinds.total()

    @property
    def recall(self) -> float:
        """Return the share of ctags' definitions that are found, where ctags is right; 1 of none."""
        right = self.found + len(self.missed)
        return self.found / right if right else 1.0

    @property
    def agreement(self) -> float:
        """Return the share of the definitions found that have the same kind; 1 of none."""
        language = self.judged.language
        same = sum(count for (theirs, ours), count in self.kinds.items() if kinds_agree(language, theirs, ours))
        return same / self.found if self.found else 1.0


def judged_languages(path: Path = LIST) -> Iterator[Judged]:
    """Yield the languages of the list, in its order."""
    with path.open("rb") as file:
        rows = tomllib.load(file)
    for language, row in rows.items():
        packages = tuple(_package(line) for line in row["packages"])
        yield Judged(language=language, ctags=row["ctags"], goal=row["goal"], packages=packages)


def _package(line: str) -> Package:
    registry, name, version, sha256 = line.split()
    return Package(registry=registry, split="test", name=name, version=version, sha256=sha256)


def kinds_agree(language: str, theirs: str, ours: str) -> bool:
    """Say whether a kind of ctags and one of ours are words for the same."""
    return ours in KINDS.get(f"{language} {theirs}", KINDS.get(theirs, "")).split()


def sources(judged: Judged, data: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the files of a language in its packages, up to `MOST_BYTES`."""
    total = 0
    for package in judged.packages:
        for path, content in members(fetch(package, data)):
            if total < MOST_BYTES and detect(path, content[:65536]) == judged.language:
                total += len(content)
                yield path, content


def tags_of(contents: list[bytes], judged: Judged) -> list[list[Tag]]:
    """Return the definitions of ctags in each file, of the kinds that it looks for by itself, one a name and line."""
    suffix = (*LANGUAGES[judged.language].extensions, "")[0]
    found: list[dict[tuple[str, int], Tag]] = [{} for _ in contents]
    lines = [content.decode("utf-8", "replace").split("\n") for content in contents]
    for tag in _ctags(contents, suffix, judged.ctags):
        number, name, at = int(Path(tag["path"]).stem), str(tag["name"]), int(tag["line"])
        text = lines[number][at - 1] if at <= len(lines[number]) else ""
        found[number].setdefault((name, at), Tag(name, at, tag["kind"], tag.get("scopeKind", ""), text))
    return [list(tags.values()) for tags in found]


def _ctags(contents: list[bytes], suffix: str, language: str) -> Iterator[dict[str, str]]:
    """Yield what ctags writes, a record a definition; files are numbered, so their names cannot lead anywhere."""
    argv = [
        "ctags",
        "--options=NONE",
        f"--language-force={language}",
        "--output-format=json",
        "--fields=NFnKps",
        "--extras=",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(contents):
            (Path(folder) / f"{number}{suffix}").write_bytes(content)
        names = "".join(f"{number}{suffix}\n" for number in range(len(contents)))
        argv += ["--sort=no", "-f", "-", "-L", "-"]
        run = subprocess.run(argv, cwd=folder, input=names.encode(), capture_output=True, check=True)
    for line in run.stdout.decode("utf-8", "replace").splitlines():
        record = json.loads(line)
        if record["_type"] == "tag":
            yield record


def compare(judged: Judged, files: Iterable[tuple[str, bytes]]) -> Comparison:
    """Compare a language's files with ctags; those that are skipped, such as generated ones, do not count."""
    read = [
        (path, content, *facts_and_tree(content, judged.language, path.rpartition("/")[2], Limits()))
        for path, content in files
    ]
    kept = [(path, content, facts.symbols, tree) for path, content, facts, tree in read if facts.status != "skipped"]
    explained: Counter[Rule] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    alone: Counter[str] = Counter()
    missed: list[tuple[str, Tag]] = []
    found = tags_of([content for _, content, _, _ in kept], judged)
    for (path, _, symbols, tree), tags in zip(kept, found, strict=True):
        pairs, left, ours = _matched(tags, symbols, judged.language)
        kinds.update(pairs)
        alone.update(ours)
        for tag in (tag._replace(is_quoted=_is_quoted(tree, tag)) for tag in left):
            if rule := rule_of(judged.language, tag):
                explained[rule] += 1
            else:
                missed.append((path, tag))
    return Comparison(
        judged=judged, files=len(kept), explained=explained, missed=tuple(missed), kinds=kinds, ours_alone=alone
    )


def _matched(
    tags: list[Tag], symbols: tuple[SymbolFact, ...], language: str
) -> tuple[list[tuple[str, str]], list[Tag], list[str]]:
    """Return the kinds of each pair, the definitions left over, and the kinds of the symbols left over."""
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for index, symbol in enumerate(symbols):
        by_name[_plain(symbol.name, language)].append(index)
    pairs, left, taken = [], [], set()
    for tag in tags:
        here = [i for i in by_name[_plain(tag.name, language)] if _holds(symbols[i], tag.line, LATE.get(language, 0))]
        taken.update(here)
        if here:
            best = next((i for i in here if kinds_agree(language, tag.kind, symbols[i].kind)), here[0])
            pairs.append((tag.kind, symbols[best].kind))
        else:
            left.append(tag._replace(is_local=any(_is_inside(tag.line, symbol) for symbol in symbols)))
    return pairs, left, [symbol.kind for index, symbol in enumerate(symbols) if index not in taken]


def _holds(symbol: SymbolFact, line: int, late: int) -> bool:
    return symbol.start_line <= line <= max(symbol.name_line, min(symbol.name_line + late, symbol.end_line))


def _is_inside(line: int, symbol: SymbolFact) -> bool:
    return symbol.kind in _CALLABLE and symbol.name_line < line <= symbol.end_line


def _is_quoted(tree: Tree | None, tag: Tag) -> bool:
    """Say whether the first character of a definition's line is in a literal or a comment, by the grammar."""
    at = (tag.line - 1, len(tag.text) - len(tag.text.lstrip()))
    node = tree.root_node.descendant_for_point_range(at, at) if tree is not None else None
    while node is not None and node.start_point.row < at[0]:
        if any(word in node.type for word in ("string", "comment", "heredoc", "quoted", "sigil")):
            return True
        node = node.parent
    return False


def _plain(name: str, language: str) -> str:
    """Return a name without the notation that the two sides write differently."""
    for pattern in (NOTATION[""], NOTATION.get(language)):
        name = pattern.sub("", name) if pattern is not None else name
    return name


def rule_of(language: str, tag: Tag) -> Rule | None:
    """Return the first rule that explains why a definition of ctags is no symbol, None if nothing does."""
    return next((rule for rule in RULES if language in rule.languages.split() and _explains(rule, tag)), None)


def _explains(rule: Rule, tag: Tag) -> bool:
    return (
        (not rule.kinds or tag.kind in rule.kinds.split())
        and (not rule.scopes or tag.scope in rule.scopes.split())
        and (not rule.local or tag.is_local)
        and (not rule.quoted or tag.is_quoted)
        and (rule.name is None or rule.name.search(tag.name) is not None)
        and (rule.text is None or rule.text.search(tag.text) is not None)
    )


def tables(results: list[Comparison], unjudged: list[Judged]) -> str:
    """Return the tables of the document, as Markdown."""
    head = "| language | packages | files | ctags | found | explained | missed | recall | goal | same kind | ours alone |"
    rows = [head, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|", *map(_row, results)]
    rows += [f"| {judged.language} | ctags has no parser | | | | | | | | | |" for judged in unjudged]
    rows += ["", "| language | definitions of ctags that are no symbols | count |", "|---|---|--:|"]
    for result in results:
        for rule, count in sorted(result.explained.items(), key=lambda item: (-item[1], item[0].reason)):
            rows.append(f"| {result.judged.language} | {rule.reason} | {count} |")
    return "\n".join(rows) + "\n"


def _row(result: Comparison) -> str:
    judged, explained, missed = result.judged, result.explained.total(), len(result.missed)
    packages = ", ".join(f"{package.name} {package.version}" for package in judged.packages)
    alone = sorted(result.ours_alone.items(), key=lambda item: (-item[1], item[0]))
    cells = [judged.language, packages, result.files, result.found + explained + missed, result.found, explained, missed]
    cells += [_floored(result.recall), f"{judged.goal:.2f}", _floored(result.agreement)]
    cells += [", ".join(f"{kind} {count}" for kind, count in alone[:4])]
    return f"| {' | '.join(map(str, cells))} |"


def _floored(share: float) -> str:
    """Return a share with three digits, rounded down, so that none looks better than it is."""
    return f"{int(share * 1000 + 1e-9) / 1000:.3f}"


def _written(path: Path, text: str) -> None:
    """Put the tables between the marks of the document."""
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{rest.partition(END)[2]}", "utf-8")


def _details(result: Comparison, most: int) -> str:
    """Return samples of what is missed, evenly chosen, and where kinds differ, for the one who mends a query."""
    step = max(1, len(result.missed) // most)
    lines = [
        f"{tag.kind:12} {tag.name:30} {Path(path).name}:{tag.line}: {tag.text.strip()[:90]}"
        for path, tag in result.missed[::step]
    ]
    counts = Counter((tag.kind, tag.scope) for _, tag in result.missed)
    differ = [(pair, n) for pair, n in result.kinds.most_common() if not kinds_agree(result.judged.language, *pair)]
    return "\n".join([*lines, f"missed: {counts.most_common(12)}", f"kinds: {differ[:12]}", ""])


def main() -> int:
    """Run the command line; the exit code is 1 where a recall is below its goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder for downloads, outside the repository")
    parser.add_argument("--only", nargs="+", default=[], metavar="LANGUAGE", help="compare these languages alone")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show about N missed definitions a language")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables into this document")
    arguments = parser.parse_args()
    results: list[Comparison] = []
    chosen = [j for j in judged_languages() if not arguments.only or j.language in arguments.only]
    for judged in chosen:
        if judged.ctags:
            results.append(compare(judged, sources(judged, arguments.data.resolve())))
            shown = _details(results[-1], arguments.show) if arguments.show else ""
            sys.stderr.write(f"{shown}{_row(results[-1])}\n")
    text = tables(results, [judged for judged in chosen if not judged.ctags])
    if arguments.write:
        _written(arguments.write, text)
    else:
        sys.stdout.write(text)
    return 1 if any(result.recall < result.judged.goal for result in results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PackageError as error:
        sys.exit(str(error))
