"""Report precision and recall of the code graph against gold edges that compilers made, by repository.

    python scripts/bench/edges.py --gold ../shared/eval/edges --checkouts DIR [NAME...]
    python scripts/bench/edges.py --sample 50 --seed 7 --checkouts DIR NAME...
    python scripts/bench/edges.py --count --checkouts DIR NAME...

DIR holds one checkout a repository, named as in the gold's manifest.json, at the commit it states. A call is a distinct
(caller path, last part of the caller's name, callee path, last part of the callee's name); code outside of any function
has the caller `<module>`. Other right targets (`alt`) count as right; sites reached through a macro, sites the compiler
could not judge and callers without a gold row are left out. Bases count in files that the compiler has seen: those with
a gold call, an unjudged site or a gold base.

Where there is no gold, `--sample` prints edges chosen at random, one JSON object a line with the source lines of both ends, to be
judged by reading; the verdicts are in tests/data/edges. `--count` prints how many edges of each kind there are, and open calls.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.graph.link import Edge, LinkFile, Links, is_configuration, link
from codequarry.pipeline.graph.link.world import World
from codequarry.pipeline.graph.references import collect, supported
from codequarry.pipeline.languages import detect
from codequarry.pipeline.roles import roles
from codequarry.schemas.tables import ROLES

GOLD_LANGUAGES = {
    "python": {"python"}, "go": {"go"}, "java": {"java"}, "c": {"c"}, "typescript": {"typescript", "tsx", "javascript"},
}  # fmt: skip
_LARGEST = 1 << 20
_TEST = 1 << ROLES.index("test")
_LIMITS = Limits()
Row = dict[str, Any]
Call = tuple[str, str, str, str]


def rows(path: Path) -> Iterator[Row]:
    """Yield the objects of a gzipped JSON-lines file, none if it is not there."""
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines)


def load(root: Path) -> tuple[list[LinkFile], dict[str, float]]:
    """Extract a checkout; return its files and the CPU seconds of extraction and of collecting references."""
    spent = {"extract": 0.0, "references": 0.0}
    files = []
    paths = (p for p in root.rglob("*") if p.is_file() and not p.is_symlink())
    for path in sorted(paths, key=lambda p: p.as_posix().encode()):
        name = path.relative_to(root).as_posix()
        data = path.read_bytes()
        language = detect(name, data[:4096]) if len(data) < _LARGEST else None
        start = time.process_time()
        facts, tree = facts_and_tree(data, language, path.name, _LIMITS)
        extracted = time.process_time()
        references = None
        if tree is not None and facts.text is not None and supported(facts.language or ""):
            references = collect(tree, facts.text.encode("utf-8", "replace"), facts.language or "", facts.symbols)
            spent["extract"] += extracted - start
            spent["references"] += time.process_time() - extracted
        text = facts.text if is_configuration(name) else None
        is_test = bool(roles(name, language, generated=False) & _TEST)
        files.append(LinkFile(repo="r", path=name, facts=references, text=text, is_test=is_test))
    return files, spent


def last(name: str) -> str:
    """Return the last part of a qualified name; `TEST_IMPL(x)` is named x."""
    inside = re.fullmatch(r"\w+\((\w+)\)", name)
    return inside.group(1) if inside else re.split(r"[.:#]+", name)[-1] if name != "<module>" else name


def calls_of(links: Links) -> dict[Call, tuple[int, str, float]]:
    """Return our distinct calls with line, rule and confidence."""
    world = links.world
    found: dict[Call, tuple[int, str, float]] = {}
    for e in links.edges:
        if e.kind == "calls" and e.target >= 0:
            caller = last(world.definitions[e.source].name) if e.source >= 0 else "<module>"
            callee = last(world.definitions[e.target].name)
            key = (world.files[e.source_file].path, caller, world.files[e.target_file].path, callee)
            found.setdefault(key, (e.line, e.rule, e.confidence))
    return found


class Gold:
    """The judged calls of one repository."""

    def __init__(self, folder: Path, entry: Row) -> None:
        self.rows = list(rows(folder / entry["file"]))
        self.judged: list[tuple[Call, set[Call], Row]] = []
        self.callers: set[tuple[str, str]] = set()
        self.accepted: set[Call] = set()
        self.unjudged = {(r["path"], r["line"]) for r in rows(folder / entry["unjudged"])}
        self.seen = {r["caller_path"] for r in self.rows} | {path for path, _ in self.unjudged}
        for r in self.rows:
            caller = (r["caller_path"], last(r["caller_name"]))
            accepted = {(*caller, r["callee_path"], last(r["callee_name"]))}
            accepted |= {(*caller, a[0], last(a[1])) for a in r.get("alt", ())}
            self.accepted |= accepted
            self.callers.add(caller)
            if not r.get("via_macro"):
                self.judged.append(((*caller, r["callee_path"], last(r["callee_name"])), accepted, r))


def report_calls(gold: Gold, ours: dict[Call, tuple[int, str, float]], verbose: int) -> tuple[float, float, int]:
    """Return precision, recall and the number of judged gold edges; print the misses when asked."""
    distinct: dict[Call, set[Call]] = {}
    lines: dict[Call, Row] = {}
    for key, accepted, row in gold.judged:
        distinct.setdefault(key, set()).update(accepted)
        lines.setdefault(key, row)
    hit = [k for k, accepted in distinct.items() if accepted & ours.keys()]
    wrong = [
        k
        for k, (line, _, _) in ours.items()
        if k not in gold.accepted and k[:2] in gold.callers and (k[0], line) not in gold.unjudged
    ]
    right = sum(1 for k in ours if k in gold.accepted)
    if verbose:
        missed = [k for k, accepted in distinct.items() if not accepted & ours.keys()]
        show("missed", ((k, lines[k].get("site_lines")) for k in missed), verbose)
        show("wrong", ((k, ours[k]) for k in wrong), verbose)
    return right / max(1, right + len(wrong)), len(hit) / max(1, len(distinct)), len(distinct)


def show(title: str, items: Iterable[object], most: int) -> None:
    """Print up to `most` items, spread over the whole list."""
    every = list(items)
    print(f"  {title}: {len(every)}")
    for item in every[:: max(1, len(every) // most)][:most]:
        print("   ", item)


def _language(world: World, edge: Edge) -> str:
    facts = world.files[edge.source_file].facts
    return facts.language if facts else ""


def report_heritage(folder: Path, entry: Row, links: Links, seen: set[str], verbose: int) -> tuple[float, float, int] | None:
    """Return precision and recall of extends, implements and embeds by (path, name, target path, target name)."""
    if "heritage" not in entry:
        return None
    world = links.world
    family = GOLD_LANGUAGES[entry["language"]]
    ours = {
        (world.files[e.source_file].path, world.definitions[e.source].name, world.files[e.target_file].path,
         world.definitions[e.target].name)
        for e in links.edges
        if e.kind in ("extends", "implements") and e.target >= 0 and _language(world, e) in family
    }  # fmt: skip
    wanted: dict[tuple[str, str, str], set[Call]] = {}
    for r in rows(folder / entry["heritage"]):
        if "child" in r:
            key = (r["child"][0], r["child"][1], r["parent"][0] + r["parent"][1])
            wanted.setdefault(key, set()).add((*key[:2], r["parent"][0], r["parent"][1]))
        elif r["targets"]:
            key = (r["path"], r["name"], r["base"])
            wanted.setdefault(key, set()).update((*key[:2], t[0], t[1]) for t in r["targets"])
    gold = set().union(*wanted.values())
    ours = {o for o in ours if o[0] in seen or o[0] in {path for path, _, _ in wanted}}
    if entry["language"] == "go":
        ours = {o for o in ours if not o[0].endswith("_test.go")}  # the gold has no types of test files
    hit = sum(1 for targets in wanted.values() if targets & ours)
    if verbose:
        show("heritage missed", sorted(min(t) for t in wanted.values() if not t & ours), verbose)
        show("heritage wrong", sorted(ours - gold), verbose)
    return len(ours & gold) / max(1, len(ours)), hit / max(1, len(wanted)), len(wanted)


def report_imports(folder: Path, entry: Row, links: Links, seen: set[str], verbose: int) -> tuple[float, float, int] | None:
    """Return precision and recall of imports by (path, target path)."""
    if "imports" not in entry:
        return None
    world = links.world
    ours = {
        (world.files[e.source_file].path, world.files[e.target_file].path)
        for e in links.edges
        if e.kind in ("imports", "reexports")
    }
    gold = set()
    importers = set()
    for r in rows(folder / entry["imports"]):
        importers.add(r["path"])
        targets = [t[0] for t in r["targets"]] if "targets" in r else [r["target"]]
        gold |= {(r["path"], t) for t in targets if t}
    ours = {o for o in ours if o[0] in importers}
    if verbose:
        show("imports missed", sorted(gold - ours), verbose)
        show("imports wrong", sorted(ours - gold), verbose)
    return len(ours & gold) / max(1, len(ours)), len(ours & gold) / max(1, len(gold)), len(gold)


def sample(root: Path, links: Links, count: int, seed: int) -> Iterator[Row]:
    """Yield edges chosen at random among those whose ends have symbols, with the source lines of both ends."""
    world = links.world
    found = [e for e in links.edges if e.kind != "tests" and (e.target < 0 or world.definitions[e.target].symbol >= 0)]

    def line(file: int, number: int) -> str:
        return (root / world.files[file].path).read_text(errors="replace").splitlines()[number - 1].strip()[:160]

    for e in random.Random(seed).sample(found, min(count, len(found))):
        target = world.definitions[e.target].line if e.target >= 0 else 0
        yield {
            "repository": root.name, "path": world.files[e.source_file].path, "line": e.line,
            "caller": world.definitions[e.source].name if e.source >= 0 else "",
            "kind": e.kind, "callee_path": world.files[e.target_file].path, "callee_line": target,
            "callee": world.definitions[e.target].name if e.target >= 0 else "", "rule": e.rule,
            "confidence": round(e.confidence, 3), "source": line(e.source_file, e.line),
            "target": line(e.target_file, target) if target else "",
        }  # fmt: skip


def count(root: Path) -> Row:
    """Return the numbers of files, of edges by kind, of call sites, and of open calls by reason, by language; CPU seconds."""
    files, spent = load(root)
    start = time.process_time()
    links = link(files)
    spent["link"] = time.process_time() - start
    rows: dict[str, Counter[str]] = {}
    for file in files:
        if file.facts is not None:
            rows.setdefault(file.facts.language, Counter())["files"] += 1
    for e in links.edges:
        row = rows[_language(links.world, e)]
        row[e.kind] += 1
        row["sites"] += e.sites if e.kind == "calls" else 0
    for language, _, reason, sites in links.unresolved:
        rows[language][f"open: {reason}"] += sites
    cpu = {phase: round(seconds, 2) for phase, seconds in spent.items()}
    return {
        "repository": root.name,
        "cpu": cpu,
        **{language: dict(sorted(row.items())) for language, row in sorted(rows.items())},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N random edges of each NAME instead")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", action="store_true", help="print the numbers of edges of each NAME instead")
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N misses and N wrong edges a repository")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    gc.disable()  # as in a worker: facts hold no cycles
    if (options.sample or options.count) and not options.names:
        parser.error("name the repositories to sample or count")
    if options.sample:
        for name in options.names:
            root = options.checkouts / name
            for row in sample(root, link(load(root)[0]), options.sample, options.seed):
                print(json.dumps(row, ensure_ascii=False))
        return 0
    if options.count:
        for name in options.names:
            print(json.dumps(count(options.checkouts / name)))
        return 0
    if options.gold is None:
        parser.error("--gold is needed to compare with")
    print(f"{'repository':10} {'language':11} {'calls P':>8} {'R':>6} {'n':>6} {'heritage P':>10} {'R':>6} {'n':>5} "
          f"{'imports P':>9} {'R':>6} {'n':>5}  CPU s: extract refs link, us/ref")  # fmt: skip
    for entry in json.loads((options.gold / "manifest.json").read_text()):
        root = options.checkouts / entry["name"]
        if (options.names and entry["name"] not in options.names) or not root.is_dir():
            continue
        files, spent = load(root)
        start = time.process_time()
        links = link(files)
        linking = time.process_time() - start
        gold = Gold(options.gold, entry)
        cells = [report_calls(gold, calls_of(links), options.show)]
        for report in (report_heritage, report_imports):
            cells.append(report(options.gold, entry, links, gold.seen, options.show) or (0.0, 0.0, 0))
        figures = " ".join(f"{p:8.3f} {r:6.3f} {n:6d}" if n else f"{'-':>8} {'-':>6} {0:6d}" for p, r, n in cells)
        references = sum(len(f.facts.references) for f in files if f.facts)
        print(f"{entry['name']:10} {entry['language']:11} {figures}  {spent['extract']:.2f} {spent['references']:.2f} "
              f"{linking:.2f}, {1e6 * linking / max(1, references):.1f}")  # fmt: skip
        if options.show:
            print("  open:", links.unresolved)
    return 0


if __name__ == "__main__":
    sys.exit(main())
