"""The product as a person meets it: real processes, their exit code and their output."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codequarry.query.sql import select
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import CodequarryError

__all__ = ["COMMAND", "GIT", "Answer", "Fault", "Product", "Ran", "run"]

COMMAND = (sys.executable, "-c", "from codequarry.query.cli import main; main()")

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
}

Row = Mapping[str, Any]


class Fault(Exception):
    """An answer that is not even of the right shape; ends the checks that need it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A finished process."""

    code: int
    out: str
    err: str
    seconds: float

    def crash(self) -> str | None:
        """Say how the process died or that it printed a traceback; None if it ended in an orderly way."""
        if self.code < 0:
            return f"killed by signal {-self.code}"
        if re.search(r"^Traceback \(most recent call last\)|this is a bug in codequarry", self.out + "\n" + self.err, re.M):
            return "traceback: " + (self.err or self.out).strip().splitlines()[-1][:200]
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One search: the process, its envelope ({} when it printed none) and all that it said beside its rows."""

    ran: Ran
    envelope: Mapping[str, Any]

    @property
    def hits(self) -> list[Row]:
        return list(self.envelope.get("results", []))

    @property
    def said(self) -> str:
        return (self.ran.err + " ".join(self.envelope.get("notes", []))).lower()


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    limit: float,
    env: Mapping[str, str] | None = None,
    meanwhile: Callable[[], bool] | None = None,
) -> Ran:
    """Run `argv` in a session of its own, killed after `limit` seconds; `meanwhile` is called until it returns True."""
    start = time.monotonic()
    files = [Path(cwd) / f".{name}-{os.urandom(6).hex()}" for name in ("out", "err")]
    with files[0].open("wb+") as out, files[1].open("wb+") as err:
        child = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        while meanwhile and child.poll() is None and not meanwhile():
            time.sleep(0.001)
        try:
            child.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    texts = [file.read_bytes().decode("utf-8", "surrogateescape") for file in files]
    for file in files:
        file.unlink()
    return Ran(code=child.returncode, out=texts[0], err=texts[1], seconds=time.monotonic() - start)


@dataclass(slots=True)
class Product:
    """The product at work in one scratch folder: a tree to index, a store, and tables read once."""

    work: Path
    tree: Path
    store: Path
    limit: float = 120
    env: dict[str, str] = field(default_factory=dict)
    _tables: dict[str, list[Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # without measuring coverage, which doubles the time: other tests of processes do that
        plain = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "CODEQUARRY_", "COVERAGE_"))}
        self.env = {
            **plain,
            **GIT,
            "XDG_CACHE_HOME": str(self.work / f"cache of {self.store.name}"),
            "NO_COLOR": "1",
            **self.env,
        }

    def __call__(self, *args: str, cwd: Path | None = None, **extra: Any) -> Ran:
        """Run one command of the product."""
        return run([*COMMAND, *args], cwd=cwd or self.work, limit=self.limit, env=self.env, **extra)

    def index(self, tree: Path | None = None, store: Path | None = None, **extra: Any) -> Ran:
        """Index the tree into the store."""
        self._tables.clear()
        return self("index", str(tree or self.tree), "--out", str(store or self.store), **extra)

    def search(self, query: str, *options: str, store: Path | None = None, cwd: Path | None = None) -> Answer:
        """Search the store; the envelope must be there whenever the exit code is 0."""
        ran = self("search", "--index", str(store or self.store), "--json", *options, "--", query, cwd=cwd)
        if ran.code:
            return Answer(ran=ran, envelope={})
        return Answer(ran=ran, envelope=_json(ran, dict, f"search {query[:40]!r}"))

    def rows(self, view: str, columns: str = "*") -> list[Row]:
        """Return all rows of a view of the store, read in this process: it is the store that is looked at here."""
        if view not in self._tables:
            try:
                table = select(open_snapshot(self.store), f"SELECT {columns} FROM {view}", threads=1)
            except CodequarryError as error:
                raise Fault(f"sql over {view}: {error}") from None
            self._tables[view] = list(table.to_json())
        return self._tables[view]

    def source(self) -> Row:
        """Return the first source of `status --json`."""
        ran = self("status", "--index", str(self.store), "--json")
        source: Row = _json(ran, dict, "status --json")["sources"][0]
        return source

    def indexed(self) -> list[str]:
        """Return the paths of the files whose text is in the snapshot."""
        return sorted(r["path"] for r in self.rows("files") if r["status"] in ("indexed", "partial"))


def _json(ran: Ran, kind: type[Any], what: str) -> Any:
    if ran.code:
        raise Fault(f"{what}: exit {ran.code}: {(ran.err or ran.out).strip()[-200:]}")
    try:
        ran.out.encode()
        value = json.loads(ran.out)
    except ValueError as error:
        raise Fault(f"{what}: not UTF-8 JSON: {error}: {ran.out[:100]!r}") from None
    if not isinstance(value, kind):
        raise Fault(f"{what}: not a {kind.__name__}")
    return value
