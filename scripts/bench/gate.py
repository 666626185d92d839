"""Show what `evaluate --gate` catches, and that it leaves an unchanged product alone.

    scripts/bench/gate.py REPO [--limit 60] [--unchanged 20] [--record FILE]

The state before the held-out commits of REPO is indexed once and a baseline is made. Then the gate is run in processes of
their own: several times with nothing changed, and with each of MUTATIONS. `--record` writes the figures that the decision
rests on, without any text of the repository, as tests/pipeline/evaluation/recorded_gate.json holds them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from codequarry.pipeline.evaluation.building import build
from codequarry.pipeline.evaluation.history import Rule, hold_out, open_history
from codequarry.schemas import layout

MAIN = "from codequarry.query.cli import main; main()"

SLOW = """
from codequarry.query.ranking import pipeline
from codequarry.query import matching
def slow(request, *rest, rank=matching.rank):
    ranking = rank(request, *rest)
    for i in range(2):
        rank(request, *rest)
    return ranking
matching.rank = slow
"""

WITHOUT = """
from codequarry.query.ranking import policy
policy.FAMILIES.update({{name: family._replace({}) for name, family in policy.FAMILIES.items()}})
"""

ALIKE = """
from codequarry.query.ranking import pipeline
def alike(*given, score_files=pipeline.score_files):
    found = score_files(*given)
    return found._replace(scores=found.scores * 0 + 1)
pipeline.score_files = alike
"""

NO_STEMS = """
from codequarry.query.ranking import text
text.stem = list
"""

QUALITY = "mrr ndcg_10 recall_5 recall_10"

MUTATIONS = {
    "a slow loop: each query is ranked three times": (SLOW, "CPU of a query over plain BM25", 10),
    "a broken signal: all files are alike": (ALIKE, QUALITY, 10),
    "a broken signal: documents and tests are no lower than code": (WITHOUT.format("roles=()"), QUALITY, 10),
    "a broken signal: queries are not stemmed, by a margin of 5 %": (NO_STEMS, QUALITY, 5),
}
"""Code that is run before the command, what has to fall (one of these at least), and the margin in percent."""


def gate(
    store: Path, asked: Path, baseline: Path | None, mutation: str = "", margin: int = 10
) -> tuple[int, dict[str, Any]]:
    """Run the evaluation in a process of its own; return its exit code and its JSON."""
    arguments = ["evaluate", "queries", str(asked), "--index", str(store), "--no-ablations", "--json"]
    arguments += [] if baseline is None else ["--gate", str(baseline), "--margin", str(margin)]
    done = subprocess.run([sys.executable, "-c", mutation + MAIN, *arguments], stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"the evaluation ended with {done.returncode}")
    return done.returncode, json.loads(done.stdout)


def fatter(store: Path, out: Path, table: str = "symbols") -> Path:
    """Return a copy of a store in which one table is not compressed."""
    shutil.copytree(store, out)
    (folder,) = (out / layout.SNAPSHOTS).iterdir()
    manifest = json.loads((folder / layout.MANIFEST).read_bytes())
    for part in manifest["tables"][table]["parts"]:
        path = folder / table / part["name"]
        pq.write_table(pq.read_table(path), path, compression="none", use_dictionary=False)
        data = path.read_bytes()
        part.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    data = json.dumps(manifest).encode()
    (folder / layout.MANIFEST).write_bytes(data)
    name = layout.snapshot_id(hashlib.sha256(data).hexdigest())
    folder.rename(folder.with_name(name))
    (out / layout.LATEST).write_bytes(layout.dump_latest(name))
    return out


def prepare(repo: Path, limit: int, folder: Path) -> tuple[Path, Path]:
    """Index the state before the held-out commits and write their questions; return store and file."""
    held = hold_out(open_history(repo), rule=Rule(limit=limit))
    build([str(repo), "--rev", held.base], folder / "store")
    asked = folder / "asked.json"
    asked.write_text(json.dumps([{"id": q.id, "query": q.text, "files": dict(q.gold)} for q in held.questions]))
    return folder / "store", asked


def recorded(value: dict[str, Any]) -> dict[str, Any]:
    """Return what the gate looks at, with numbers instead of the repository's words."""
    return {
        "suite": value["suite"],
        "sources": [{"repo": "recorded", "commit": "0"} for _ in value["sources"]],
        "cost": {"ratio_to_bm25": value["cost"]["ratio_to_bm25"]},
        "sizes": value["sizes"],
        "records": [
            {"id": f"q{i}", "query": f"q{i}", "scores": {"codequarry": record["scores"]["codequarry"]}}
            for i, record in enumerate(value["records"])
        ],
    }


def differing(value: dict[str, Any], baseline: dict[str, Any]) -> dict[str, Any]:
    """Return what of a record is not as in the baseline's."""
    before = recorded(baseline)
    return {name: part for name, part in recorded(value).items() if part != before[name]}


def campaign(repo: Path, limit: int, unchanged: int, record: Path | None) -> int:
    """Run everything and return how many runs did not end as they should."""
    wrong = 0
    kept: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        store, asked = prepare(repo, limit, Path(folder))
        _, value = gate(store, asked, None)
        baseline = Path(folder, "baseline.json")
        baseline.write_text(json.dumps(value))
        print(f"{value['queries']} queries, {value['metrics']['codequarry']}, {value['cost']['ratio_to_bm25']}", flush=True)
        runs = [(f"unchanged {i + 1}", "", "", 10, store) for i in range(unchanged)]
        runs += [(name, *mutation, store) for name, mutation in MUTATIONS.items()]
        fat = fatter(store, Path(folder, "fat"))
        runs.append(("a fatter table: symbols are not compressed", "", "bytes of symbols", 10, fat))
        for name, mutation, falls, margin, place in runs:
            code, found = gate(place, asked, baseline, mutation, margin)
            fallen = [check["what"] for check in found["gate"]["checks"] if check["fell"]]
            right = code == (1 if falls else 0) and bool(fallen) == bool(falls)
            right = right and (not falls or any(what in falls for what in fallen))
            wrong += not right
            kept.append({"run": name, "margin": margin, "fell": fallen, "value": differing(found, value)})
            print(f"{'ok   ' if right else 'WRONG'} {name}: {', '.join(fallen) or 'nothing fell'}", flush=True)
    if record is not None:
        record.write_text(json.dumps({"baseline": recorded(value), "runs": kept}, separators=(",", ":")) + "\n")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path, metavar="REPO")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--unchanged", type=int, default=20)
    parser.add_argument("--record", type=Path, metavar="FILE")
    options = parser.parse_args()
    wrong = campaign(options.repo, options.limit, options.unchanged, options.record)
    raise SystemExit(f"{wrong} runs did not end as they should" if wrong else None)


if __name__ == "__main__":
    main()
