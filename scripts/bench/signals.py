"""Print what each signal of the ranking is worth: figures of whole question suites with the signal taken out, or put in.

    scripts/bench/signals.py --kit DIR --data DIR [--only NAME...] [--intervals] [--routing] [--labels] [--against FOLDER SYSTEM]

`--kit` is a folder with the package `evalkit` and its suites (it wants EVAL_MIRRORS and EVAL_DATA), `--data` keeps the
indexes. Columns: NDCG@10 and reciprocal rank of symbols; reciprocal rank, NDCG@10 and recall@10 of the files of a change;
NDCG@10 of files, mean of repositories. A star says that the 95 % paired bootstrap interval leaves out 0; `--intervals` prints it.
`--against` prints, repository by repository and without meaning, the figures beside those of another system, whose results the
kit left in FOLDER/SUITE/SYSTEM.json, with the interval of the difference.
`--routing` prints, for the labels that the questions judged by symbols come with, which families they are given, and no figures.
`--labels` prints what meaning is worth for the questions of each label, and of each family.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from codequarry.query import api
from codequarry.query.cli import run
from codequarry.query.ranking import policy
from codequarry.query.results import FILE_KIND

SUITES = {"graphiq": ("ndcg10", "mrr_strict"), "commits_dev": ("mrr", "ndcg10", "r10"), "semble": ("fndcg10",)}

_FIELDS, _POLICY = policy.Fields(), policy.Policy()
_PLAIN_ROLES = tuple((role, factor) for role, factor in _POLICY.roles if role in ("test", "non_code"))


def _weights(place: int, value: float) -> dict[str, Any]:
    weights = list(_FIELDS.symbol_weights)
    weights[place] = value
    return {"symbol_weights": tuple(weights)}


def _without(role: str) -> dict[str, Any]:
    return {"roles": tuple((name, factor) for name, factor in _POLICY.roles if name != role)}


WITHOUT: dict[str, dict[str, Any]] = {
    "meaning": {"meaning": 0.0},
    "meaning of files": {"file_meaning": 0.0},
    "nearness in the second look": {"nearness": 0.0},
    "nearest symbols as candidates": {"near": 0},
    "the share of files in the order": {"file_share": 0.0},
    "the text of files": {"file_text": 0.0, "file_symbols": 1.0},
    "the symbols of files": {"file_text": 1.0, "file_symbols": 0.0},
    "the path of files": {"path_hits": 0.0},
    "directory mates": {"directory_mates": 0.0},
    "rows for whole files beside symbols": {"file_row": 0.0},
    "the file's score in symbols": {"file_evidence": 0.0},
    "tests lower than other code": _without("test"),
    "what is no code lower than code": _without("non_code"),
    "the other roles": {"roles": _PLAIN_ROLES},
    "a strong name field (1, not 6)": _weights(0, 1.0),
    "the container of symbols": _weights(1, 0.0),
    "the signature of symbols": _weights(2, 0.0),
    "the documentation of symbols": _weights(3, 0.0),
    "the body of symbols": _weights(4, 0.0),
    "the path as a field of symbols": {"path": 0.0},
    "gated name overlap": {"overlap": 0.0},
    "the kind of symbols": {"kinds": (), "other_kinds": 1.0},
    "the length of symbols": {"length": 0.0},
    "visibility": {"public": 1.0},
    "callers": {"callers": 0.0},
    "one-part names lower": {"plain_name": 1.0, "one_part": 0.0},
    "names written as code": {"pin": 0.0},
    "calls between files": {"file_walk": 0.0},
    "requests for a change as all others": {"changes": {}},
    "symbols behind the files of a path": {"representatives": 0},
    "joined words": {"joined_words": 0.0},
    "coverage in the second look": {"coverage": 0.0},
    "overlap in the second look": {"name_overlap": 0.0},
    "BM25 of the name in the second look": {"name_bm25": 0.0},
}
"""What changes when a signal is taken out; without `meaning` no vector has any say."""

WITH: dict[str, dict[str, Any]] = {
    "with the walk": {"walk": 0.1, "walk_coverage": 0.5},
    "with the walk, ungated": {"walk": 0.1},
    "with the walk, where specific": {"walk": 0.1, "walk_coverage": 0.5, "walk_specificity": 0.4},
    "with terms of neighbours": {"neighbours": 0.5},
    "with the seed's gate of overlap": {"overlap_lead": 1.2, "overlap_specificity": 0.4},
    "with meaning for parts of names and paths": {
        "families": {"symbol-partial": {"meaning": 0.2}, "file-path": {"meaning": 0.2}}
    },
    "with coverage by rarity": {"coverage_specificity": 1.0},
    "with the lock": {"lock": 1.0},
    "with exact names first": {"promote": 1.0},
    "with one row a file": {"file_cap": 1},
    "with three rows a file": {"file_cap": 3},
    "with prefixes": {"prefixes": 4},
    "with shared literals": {"literals": 0.5},
    "with quoted lines": {"scan": 1.0},
    "with edges of the family": {
        "families": {
            "error-debug": {"expand": 0.8, "expand_kinds": ("shares_error_type",)},
            "cross-cutting-set": {"expand": 0.8, "expand_kinds": ("shares_type", "shares_data_shape")},
        }
    },
}
"""What changes when a signal that is off is put in."""


class Group(NamedTuple):
    """One set of questions, its checkout and the index of it."""

    suite: str
    data: dict[str, Any]
    root: Path
    index: api.Index


class Figures(NamedTuple):
    """A value a question of each column; the mean of a column is the figure of the suite."""

    columns: dict[tuple[str, str], Any]

    def means(self) -> str:
        return " ".join(f"{values.mean():6.3f}" for values in self.columns.values())

    def against(self, base: Figures, interval: Any, *, whole: bool = False) -> str:
        cells = []
        for key, values in self.columns.items():
            difference, (low, high), _ = interval(values, base.columns[key])
            bounds = f" ({low:+.3f} {high:+.3f})" if whole else ""
            cells.append(f"{difference:+.3f}{'*' if low > 0 or high < 0 else ' '}{bounds}")
        return " ".join(cells)


class System:
    """An index as the kit asks for it."""

    name = "codequarry"
    symbol_level = True
    history = False

    def __init__(self, index: api.Index, hit: Any) -> None:
        self._index, self._hit = index, hit

    def search(self, query: str, k: int) -> list[Any]:
        hits = self._index.search(query, k).results
        return [self._hit(h.path, h.name if h.kind != FILE_KIND else None, h.start_line, h.end_line) for h in hits]


def groups(data: Path) -> Iterator[Group]:
    """Yield the sets of all suites; a checkout is indexed once."""
    from evalkit import corpora, suites

    opened: dict[Path, api.Index] = {}
    for suite in SUITES:
        for group in suites.load(suite, None):
            mirror, commit, folder = group["corpus"]
            root = corpora.checkout(mirror, commit, False)
            place = root / folder if folder else root
            if group["kind"] == "semble":
                group["_files"] = [f"{folder}/{f}" if folder else f for f in corpora.walk_files(place)]
            if place not in opened:
                out = data / str(place).strip("/").replace("/", "+")
                if not (out / "latest.json").exists() and run(["index", str(place), "--out", str(out), "--quiet"]) not in (
                    0,
                    3,
                ):
                    raise SystemExit(f"{place} could not be indexed")
                opened[place] = api.open_index(out)
            yield Group(suite, group, root, opened[place])


def measure(sets: list[Group], changes: dict[str, Any]) -> Figures:
    """Ask all questions with some numbers of the ranking changed."""
    from evalkit import run as runs
    from evalkit.systems import hit

    _change(sets, changes)
    records = [
        (g.suite, g.data["id"], record) for g in sets for record in runs.run_group(g.data, System(g.index, hit), 10, g.root)
    ]
    columns = {}
    for suite, keys in SUITES.items():
        own = [(name, record) for s, name, record in records if s == suite]
        sizes = Counter(name for name, _ in own)
        # weighted so that the mean over questions is the mean of repositories
        weight = [len(own) / len(sizes) / sizes[name] if suite == "semble" else 1.0 for name, _ in own]
        for key in keys:
            columns[suite, key] = np.array([record[key] for _, record in own]) * weight
    return Figures(columns)


def _change(sets: list[Group], changes: dict[str, Any]) -> None:
    fields = policy.Fields(**{k: v for k, v in changes.items() if k in policy.Fields._fields})
    families = {k: v for k, v in changes.items() if k in policy.Policy._fields}
    own = changes.get("families", {})
    policy.FAMILIES.update({name: _FAMILIES[name]._replace(**families, **own.get(name, {})) for name in _FAMILIES})
    policy.CHANGES.clear()
    own_changes = changes.get("changes", _CHANGES)  # what is taken out or put in is so for requests for a change too
    policy.CHANGES.update({name: value for name, value in own_changes.items() if name not in families})
    if fields != api.FIELDS:
        api.FIELDS = fields
        for index in {id(g.index): g.index for g in sets}.values():
            index._reader = None  # impacts are worked out when postings are loaded
            index._corpus = api.describe(index.snapshot, fields)


_FAMILIES, _CHANGES = dict(policy.FAMILIES), dict(policy.CHANGES)


def routing(sets: list[Group]) -> Iterator[str]:
    """Yield for each label of the questions judged by symbols how many of them are given which family."""
    found: dict[str, Counter[str]] = {}
    for group in sets:
        for question in group.data["queries"] if group.suite == "graphiq" else ():
            family = group.index.search(question["query"], 1).family
            found.setdefault(question["category"], Counter())[family] += 1
    for label, families in sorted(found.items()):
        given = ", ".join(f"{family} {count}" for family, count in families.most_common())
        yield f"{label:20} {families.total():4}  {given}"


def labels(sets: list[Group], interval: Any) -> Iterator[str]:
    """Yield for each label of the questions judged by symbols, and each family of all, the figures without meaning and the gain."""
    from evalkit import run as runs
    from evalkit.systems import hit

    found: dict[tuple[str, str], list[tuple[Any, Any]]] = defaultdict(list)
    for group in sets:
        pair = []
        for changes in ({"meaning": 0.0}, {}):
            _change(sets, changes)
            pair.append(runs.run_group(group.data, System(group.index, hit), 10, group.root))
        label = {question["query"]: question.get("category", "") for question in group.data["queries"]}
        for without, record in zip(*pair, strict=True):
            if group.suite == "graphiq":
                found["graphiq label", label[record["query"]]].append((without, record))
            family = group.index.search(record["query"], 1).family
            found[f"{group.suite} family", family].append((without, record))
    for (kind, name), records in sorted(found.items()):
        cells = []
        for key in SUITES[kind.partition(" ")[0]]:
            before, after = (np.array([record[side][key] for record in records]) for side in (0, 1))
            difference, (low, high), _ = interval(after, before)
            cells.append(f"{key} {before.mean():.3f} {difference:+.3f} ({low:+.3f} {high:+.3f})")
        yield f"{kind:20} {name:20} {len(records):4}  " + "  ".join(cells)


def against(sets: list[Group], folder: Path, system: str, interval: Any) -> Iterator[str]:
    """Yield for each repository of each suite both figures of every measure, their difference and its 95 % interval."""
    from evalkit import run as runs
    from evalkit.systems import hit

    _change(sets, {"meaning": 0.0})
    pairs: dict[tuple[str, str], list[tuple[Any, Any]]] = defaultdict(list)
    for group in sets:
        stored = json.loads((folder / group.suite / f"{system}.json").read_text("utf-8"))["groups"]
        theirs = {r["query"]: r for other in stored if other["id"] == group.data["id"] for r in other["records"]}
        repository = group.data["id"].rsplit("-", 1)[-1] if group.suite == "graphiq" else group.data["id"]
        for record in runs.run_group(group.data, System(group.index, hit), 10, group.root):
            pairs[group.suite, repository].append((record, theirs[record["query"]]))
    for (suite, repository), records in pairs.items():
        cells = []
        for key in SUITES[suite]:
            ours, others = (np.array([record[side][key] for record in records]) for side in (0, 1))
            difference, (low, high), _ = interval(ours, others)
            cells.append(f"{key} {ours.mean():.3f} {others.mean():.3f} {difference:+.3f} ({low:+.3f} {high:+.3f})")
        yield f"{suite:12} {repository:18} {len(records):4}  " + "  ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kit", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", metavar="NAME")
    parser.add_argument("--intervals", action="store_true")
    parser.add_argument("--routing", action="store_true")
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--against", nargs=2, metavar=("FOLDER", "SYSTEM"))
    options = parser.parse_args()
    sys.path.insert(0, str(options.kit))
    from evalkit.metrics import paired_bootstrap

    options.data.mkdir(parents=True, exist_ok=True)
    sets = list(groups(options.data))
    if options.routing or options.labels or options.against:
        folder, system = options.against or ("", "")
        lines = routing(sets) if options.routing else labels(sets, paired_bootstrap) if options.labels else None
        for line in lines or against(sets, Path(folder), system, paired_bootstrap):
            print(line)
        return
    base = measure(sets, {})
    print(f"{'everything':36} {base.means()}", flush=True)
    for name, changes in (WITHOUT | WITH).items():
        if options.only is None or name in options.only:
            cells = measure(sets, changes).against(base, paired_bootstrap, whole=options.intervals)
            print(f"{name:36} {cells}", flush=True)


if __name__ == "__main__":
    main()
