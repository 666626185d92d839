"""The life of an artifact: damaged, moved, made twice, made under other circumstances."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from codequarry.schemas import layout, manifest

from ._case import Case
from ._product import COMMAND, Answer, Fault, Product, Ran

__all__ = ["DAMAGES", "PLANS", "digest", "write_sample"]

QUERY = "add_item_7"
AGAIN = "download or build the artifact again"


def write_sample(root: Path, files: int = 20) -> None:
    """Write a tree of small Python modules, each with words of its own."""
    for i in range(files):
        words = " ".join(hashlib.sha256(f"{i}.{j}".encode()).hexdigest()[:12] for j in range(120))
        path = root / f"pkg{i % 5}" / f"mod{i}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f'"""Part {i}: {words}"""\n\n\n'
            f"class Cart{i}:\n    def add_item_{i}(self, n):\n        return n + {i}\n\n\n"
            f"def cart_total_{i}():\n    return Cart{i}().add_item_{i}(1)\n"
        )


def digest(folder: Path) -> str:
    """Return the sha256 of the names and bytes of all files below a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            total.update(str(path.relative_to(folder)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


# --- damage


def _largest(snapshot: Path) -> Path:
    return max(snapshot.rglob("*.parquet"), key=lambda p: (p.stat().st_size, str(p)))


def _remove(snapshot: Path) -> None:
    _largest(snapshot).unlink()


def _truncate(snapshot: Path) -> None:
    data = _largest(snapshot).read_bytes()
    _largest(snapshot).write_bytes(data[:-200])


def _html_body(snapshot: Path) -> None:
    _largest(snapshot).write_bytes(b"<!doctype html><title>403</title>Forbidden")


def _flip_byte(snapshot: Path) -> None:
    data = bytearray(_largest(snapshot).read_bytes())
    data[len(data) // 3] ^= 0xFF
    _largest(snapshot).write_bytes(data)


def _drop_last_row(snapshot: Path) -> None:
    path = _largest(snapshot)
    table = pq.read_table(path)
    pq.write_table(table.slice(0, table.num_rows - 1), path)


def _older_format(snapshot: Path) -> None:
    path = snapshot / layout.MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text()), "format_version": 0}))


def _extra_columns(snapshot: Path) -> None:
    """Turn the columns of every table round, add one, and publish the result as a whole snapshot of its own."""
    for path in snapshot.rglob("*.parquet"):
        table = pq.read_table(path)
        table = table.select(table.column_names[::-1]).append_column("zz_future", pa.nulls(table.num_rows, pa.string()))
        pq.write_table(table, path)
    old = manifest.parse((snapshot / layout.MANIFEST).read_bytes(), snapshot)
    tables = {
        name: replace(info, parts=tuple(_measured(snapshot / name, part) for part in info.parts))
        for name, info in old.tables.items()
    }
    data = manifest.dump(replace(old, tables=tables))
    (snapshot / layout.MANIFEST).write_bytes(data)
    name = layout.snapshot_id(manifest.digest(data))
    snapshot.rename(snapshot.parent / name)
    (snapshot.parent.parent / layout.LATEST).write_bytes(layout.dump_latest(name))


def _measured(folder: Path, part: manifest.Part) -> manifest.Part:
    data = (folder / part.name).read_bytes()
    return replace(part, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())


DAMAGES: dict[str, Callable[[Path], None]] = {
    "remove": _remove,
    "truncate": _truncate,
    "html_body": _html_body,
    "flip_byte": _flip_byte,
    "drop_last_row": _drop_last_row,
    "older_format": _older_format,
    "extra_columns": _extra_columns,
}


def _damage(case: Case, product: Product) -> Iterator[str]:
    first = _built(product)
    snapshot = _live(product.store)
    part = _largest(snapshot)
    DAMAGES[case.damage or ""](snapshot)
    before = digest(product.store)
    if case.expect == "same":
        again = product.search(QUERY)
        if again.hits != first.hits:
            yield f"other answers than before, exit {again.ran.code}: {again.ran.err.strip()[-160:]}"
    elif case.expect == "verify":
        yield from _refusal(product("verify", "--index", str(product.store)), 4, f"{part.parent.name}/{part.name}")
    elif case.expect == "refused":
        yield from _refusal(product.search(QUERY).ran, 4, f"{part.parent.name}/{part.name}", AGAIN)
    else:
        yield from _refusal(product.search(QUERY).ran, 1, "version 0", "codequarry index")
    if digest(product.store) != before:
        yield "the reader changed the store"


def _refusal(ran: Ran, code: int, *words: str) -> Iterator[str]:
    if crash := ran.crash():
        yield crash
    if ran.code != code:
        yield f"exit {ran.code}, not {code}: {ran.err.strip()[-160:]}"
    yield from (f"the message does not say {word!r}: {ran.err.strip()[-200:]!r}" for word in words if word not in ran.err)


# --- plans


def _built(product: Product) -> Answer:
    ran = product.index()
    if ran.crash() or ran.code:
        raise Fault(f"index: exit {ran.code}: {ran.crash() or ran.err.strip()[-160:]}")
    answer = product.search(QUERY)
    if answer.ran.code or not answer.hits:
        raise Fault(f"search on the good store: exit {answer.ran.code}, {len(answer.hits)} hits")
    return answer


def _live(store: Path) -> Path:
    latest = store / layout.LATEST
    return store / layout.SNAPSHOTS / layout.parse_latest(latest.read_bytes(), latest)


def _vary(case: Case, product: Product) -> Iterator[str]:
    """Index under other hash seeds, locales, time zones, worker counts and roots; every file must be the same."""
    copy = product.work / "a copy in another place"
    shutil.copytree(product.tree, copy)
    os.utime(copy, (1_000_000_000, 1_000_000_000))
    variants: list[tuple[Path, dict[str, str], tuple[str, ...]]] = [
        (product.tree, {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"}, ("--jobs", "1")),
        (product.tree, {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"}, ("--jobs", "2")),
        (copy, {"PYTHONHASHSEED": "7"}, ()),
    ]
    digests = []
    for i, (tree, env, options) in enumerate(variants):
        one = Product(work=product.work, tree=tree, store=product.work / f"store{i}", env=env)
        ran = one("index", str(tree), "--out", str(one.store), *options)
        if ran.crash() or ran.code:
            raise Fault(f"variant {i}: exit {ran.code}: {ran.crash() or ran.err.strip()[-160:]}")
        digests.append(digest(_live(one.store)))
    if len(set(digests)) > 1:
        yield f"the snapshots differ: {digests}"


def _move(case: Case, product: Product) -> Iterator[str]:
    """Copy the store to a folder with a difficult name, write-protected, and search it from elsewhere."""
    first = _built(product)
    new = product.work / "x y'ü" / "idx #1%20"
    shutil.copytree(product.store, new)
    product.store.rename(product.work / "gone")
    for path in [new, *new.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    before = digest(new)
    product.store = new
    answer = product.search(QUERY, cwd=Path("/"))
    if answer.ran.code or answer.hits != first.hits:
        yield f"other answers than before, exit {answer.ran.code}: {answer.ran.err.strip()[-160:]}"
    if digest(new) != before:
        yield "the reader wrote into the artifact"
    here = str(product.tree)
    told = [path.name for path in new.rglob("*.json") if here in path.read_text()]
    told += [view for view in ("files", "symbols") if here in json.dumps(product.rows(view))]
    yield from (f"the absolute path of the source stands in {name}" for name in told)
    for path in [new, *new.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o700)


def _race(case: Case, product: Product) -> Iterator[str]:
    """Start two runs on one store at once: at least one succeeds, a loser says why, and the result is a clean one."""
    argv = [*COMMAND, "index", str(product.tree), "--out", str(product.store)]
    both = [
        subprocess.Popen(argv, env=product.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [child.communicate(timeout=product.limit)[1] for child in both]
    codes = [child.returncode for child in both]
    if 0 not in codes:
        yield f"neither run succeeded: {codes}: {said}"
    yield from (f"exit {c} without naming the other run: {s}" for c, s in zip(codes, said, strict=True)
                if c and "is being written by process" not in s)  # fmt: skip
    yield from _clean_end(product)


def _resume_changed(case: Case, product: Product) -> Iterator[str]:
    """Kill a run in the middle, change the tree, run again: the result is that of a clean run."""
    write_sample(product.tree, 400)
    stopped = subprocess.Popen(
        [*COMMAND, "index", str(product.tree), "--out", str(product.store)],
        env=product.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    staging = product.store / layout.STAGING
    while stopped.poll() is None and not any(path.is_file() for path in staging.rglob("*")):
        time.sleep(0.01)
    killed = stopped.poll() is None
    if killed:
        os.killpg(stopped.pid, signal.SIGKILL)
    stopped.wait()
    if not killed:
        yield "the run ended before it could be killed"
    (product.tree / "more.py").write_text("def more():\n    return 1\n")
    _built(product)
    yield from _clean_end(product)


def _clean_end(product: Product) -> Iterator[str]:
    clean = product.work / "clean"
    if (ran := product("index", str(product.tree), "--out", str(clean), "--fresh")).code:
        raise Fault(f"clean run: exit {ran.code}: {ran.err.strip()[-160:]}")
    if digest(_live(product.store)) != digest(_live(clean)):
        yield "the snapshot differs from that of a clean run"
    staging = product.store / layout.STAGING
    if staging.exists() and any(staging.iterdir()):
        yield f"left behind: {sorted(p.name for p in staging.iterdir())[:3]}"


STALE_LOCKS = {
    "a dead process": b'{"pid": 4194303, "host": "%s"}' % socket.gethostname().encode(),
    "another host": b'{"pid": 1, "host": "build-7.example.invalid"}',
    "no content": b"",
    "no JSON": b"\xff\xfe lock",
}


def _stale_lock(case: Case, product: Product) -> Iterator[str]:
    """Leave locks of every kind behind: runs go on, and a reader does not care."""
    first = _built(product)
    for what, content in STALE_LOCKS.items():
        (product.store / layout.LOCK).write_bytes(content)
        if product.search(QUERY).hits != first.hits:
            yield f"a lock of {what} disturbs a search"
        (product.tree / "more.py").write_text(f"def more():\n    return {len(what)}\n")
        if (ran := product.index()).code:
            yield f"a lock of {what} stops a run: exit {ran.code}: {ran.err.strip()[-160:]}"
        first = product.search(QUERY)


PLANS: dict[str, Callable[[Case, Product], Iterator[str]]] = {
    "damage": _damage,
    "vary": _vary,
    "move": _move,
    "race": _race,
    "resume_changed": _resume_changed,
    "stale_lock": _stale_lock,
}
