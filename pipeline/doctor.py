"""Look at all that a run needs, and say what to do about what is not as it should be.

Every check is a function that looks at one thing and yields findings. Nothing is written but the folder of the cache, no
network is used, and no check fails the others.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from ..query.store import open_snapshot
from ..query.text import size
from ..schemas import layout
from ..schemas.errors import CodequarryError
from ..schemas.tables import FORMAT_VERSION

__all__ = ["Finding", "examine"]

_READ = ("click", "duckdb", "model2vec", "numpy", "PyStemmer")
_INDEX = ("pyarrow", "rich", "tree-sitter", "tree-sitter-language-pack")

_FEW_BYTES = 1_000_000_000
"""Free on a disk: a store of a large monorepo and its staging fit no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found: `ok`, `warning` or `problem`; `remedy` says what to do about the last two."""

    about: str
    state: Literal["ok", "warning", "problem"]
    detail: str
    remedy: str = ""


def examine(store: Path, cache: Path | None) -> list[Finding]:
    """Check the environment, the store at `store` and the cache at `cache` (None: the user's own)."""
    checks: list[tuple[str, Callable[[], Iterator[Finding]]]] = [
        ("environment", _environment),
        ("packages", _packages),
        ("git", _git),
        ("grammars", _grammars),
        ("workers", _workers),
        ("model", _model),
        ("cache", lambda: _cache(cache)),
        ("store", lambda: _store(store)),
        ("snapshot", lambda: _snapshot(store)),
    ]
    findings: list[Finding] = []
    for name, check in checks:
        try:
            findings += check()
        except Exception as error:  # a check that meets what nobody thought of must not hide the others
            what = f"{type(error).__name__}: {error}"
            findings.append(_problem(name, f"cannot be checked ({what})", "report it with this line"))
    return findings


def _ok(about: str, detail: str) -> Finding:
    return Finding(about=about, state="ok", detail=detail)


def _warning(about: str, detail: str, remedy: str) -> Finding:
    return Finding(about=about, state="warning", detail=detail, remedy=remedy)


def _problem(about: str, detail: str, remedy: str) -> Finding:
    return Finding(about=about, state="problem", detail=detail, remedy=remedy)


def _environment() -> Iterator[Finding]:
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {cores} processors"
    yield _ok("environment", f"codequarry {version('codequarry')}, format {FORMAT_VERSION}, {machine}")


def _packages() -> Iterator[Finding]:
    for names, extra, state in ((_READ, "codequarry", _problem), (_INDEX, "codequarry[index]", _warning)):
        found, missing = [], []
        for name in names:
            try:
                found.append(f"{name} {version(name)}")
            except PackageNotFoundError:
                missing.append(name)
        if missing:
            yield state("packages", f"{', '.join(missing)} not installed", f"pip install '{extra}'")
        else:
            yield _ok("packages", ", ".join(found))


def _git() -> Iterator[Finding]:
    from .sources.git import Place, git_answer

    folder = Path(tempfile.gettempdir())
    if shutil.which("git") is None:
        yield _problem("git", "not found", "install git, or index plain folders only")
        return
    answer = git_answer(Place(folder=folder, git_dir=folder, common_dir=folder), "version")
    yield _ok("git", answer.out.decode("utf-8", "replace").strip())


def _indexes() -> bool:
    return all(importlib.util.find_spec(name) for name in ("pyarrow", "tree_sitter", "tree_sitter_language_pack"))


def _grammars() -> Iterator[Finding]:
    if not _indexes():
        return
    from .languages import LANGUAGES
    from .languages._grammar import grammar

    names = sorted({row.grammar for row in LANGUAGES.values() if row.grammar is not None})
    broken = []
    for name in names:
        try:
            grammar(name)
        except Exception as error:  # whatever a binary wheel of another platform raises
            broken.append(f"{name} ({type(error).__name__})")
    if broken:
        remedy = "pip install --force-reinstall 'tree-sitter-language-pack==0.13.*'"
        yield _problem("grammars", f"cannot be loaded: {', '.join(broken)}", remedy)
    else:
        yield _ok("grammars", f"{len(names)} load, for {len(LANGUAGES)} languages")


def _workers() -> Iterator[Finding]:
    if not _indexes():
        return
    from .pool import PoolLimits, WorkerPool

    try:
        with WorkerPool(PoolLimits(workers=1, cpu_seconds=30, memory_bytes=256 << 20)) as pool:
            pool.submit(os.getpid).result(timeout=60)
    except Exception as error:  # the pool's own errors, OSError, and what a broken environment raises in a child
        yield _problem("workers", f"do not start ({error})", "allow more processes (ulimit -u) and memory")
    else:
        yield _ok("workers", "start and answer")


def _model() -> Iterator[Finding]:
    if not _indexes():
        return
    from .vectors import choose_model

    model = choose_model("auto")
    if model.folder is None:
        yield _problem("model", model.info.reason or "cannot be loaded", "install codequarry again")
    else:
        yield _ok("model", f"{model.info.name}, {model.info.dimensions} dimensions")


def _cache(given: Path | None) -> Iterator[Finding]:
    if not _indexes():
        return
    from .cache import cache_folder, open_folder

    folder = cache_folder(given)
    try:
        open_folder(folder)
    except CodequarryError as error:
        yield _warning("cache", str(error).partition(": ")[0], "name a folder that can be written with --cache DIR")
        return
    held = sum(Path(place, name).lstat().st_size for place, _, names in os.walk(folder) for name in names)
    yield _ok("cache", f"{folder} holds {size(held)}")
    yield from _disk("cache", folder)


def _disk(about: str, folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    if free < _FEW_BYTES:
        yield _warning(about, f"{size(free)} are free on the disk of {folder}", "free some, or use another disk")


def _store(store: Path) -> Iterator[Finding]:
    if not store.is_dir():
        above = next(p for p in Path(os.path.abspath(store)).parents if p.is_dir())
        if os.access(above, os.W_OK):
            yield _ok("store", f"{store} is not there yet")
        else:
            yield _problem("store", f"{above} cannot be written", "name another folder with --out DIR")
        return
    yield from _disk("store", store)
    if not os.access(store, os.W_OK):
        yield _ok("store", f"{store} can be read, and not be written")
        return
    yield from _locking(store)
    yield from _staging(store)


def _locking(store: Path) -> Iterator[Finding]:
    """See whether another run writes the store, and whether its file system knows locks."""
    try:
        import fcntl
    except ImportError:
        yield _warning("store", "cannot be locked on this system", "write stores on Linux or macOS")
        return
    lock = store / layout.LOCK
    try:
        with lock.open("rb") if lock.exists() else tempfile.TemporaryFile(dir=store) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        said = lock.read_text(errors="replace").strip()
        yield _ok("store", f"{store} is being written now, by {said or 'another process'}")
    except OSError as error:
        remedy = "write to a local disk and copy the store afterwards"
        yield _problem("store", f"{store} cannot be locked ({error.strerror})", remedy)
    else:
        yield _ok("store", f"{store} can be written, and nobody does")


def _staging(store: Path) -> Iterator[Finding]:
    staging = store / layout.STAGING
    if not staging.exists():
        return
    hours = (time.time() - staging.stat().st_mtime) / 3600
    yield _warning("store", f"unpublished work of {hours:.1f} h ago lies in {staging}", "the next run removes it")


def _snapshot(store: Path) -> Iterator[Finding]:
    if not store.is_dir():
        return
    if not (store / layout.LATEST).exists() and not (store / layout.MANIFEST).exists():
        yield _ok("snapshot", "none was published yet")
        return
    try:
        snapshot = open_snapshot(store)
    except CodequarryError as error:
        what, _, remedy = str(error).rpartition(": ")
        yield _problem("snapshot", what, remedy)
        return
    made = snapshot.manifest.versions.get("codequarry", "unknown")
    yield _ok("snapshot", f"{snapshot.id}, {snapshot.rows('files'):,} files, made by codequarry {made}")
    with suppress(OSError):
        others = len(os.listdir(store / layout.SNAPSHOTS))
        if others > 30:
            yield _warning("snapshot", f"{others} snapshots are kept", "remove old ones with `codequarry gc --keep N`")
