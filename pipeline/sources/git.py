"""Run git so that nothing of a repository's configuration runs, nothing is fetched and nothing is written.

Every git process of codequarry starts in `_start`. What it switches off, and why:

* `core.fsmonitor` and `core.hooksPath` name programs that listing commands would run;
* fetching missing objects of a partial clone runs the remote's transport, so every protocol is refused;
* `GIT_*` of the caller can point git at another repository, at tracing files or at other programs;
* replacement objects would give an object id other bytes than its own;
* `--git-dir` and `--work-tree` are given, so `core.worktree` cannot lead elsewhere, and no owner is asked for.

Only commands that apply no filter and no text conversion are used: rev-parse, symbolic-ref, ls-files without -m,
ls-tree, diff-index --cached, check-ignore, config -f, cat-file without --textconv and --filters.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ...schemas.errors import SourceError

__all__ = ["GitAnswer", "Place", "blobs", "call", "git_answer", "lines"]

DEADLINE = 600.0
"""Seconds for one listing command, a last resort against a file of the repository that blocks for ever (a FIFO)."""

_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.untrackedCache=false",
    "safe.directory=*",
    "protocol.allow=never",
    "submodule.recurse=false",
)

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where git works: the folder it starts in, the git directory, and the root of the work tree if there is one.

    `common_dir` holds the objects: the git directory itself, or for a linked work tree that of the main one; submodules
    keep that of the outermost repository, below which their own git directories lie.
    """

    folder: Path
    git_dir: Path
    common_dir: Path
    work_tree: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GitAnswer:
    """The end of one git process: exit code and output, both as bytes."""

    code: int
    out: bytes
    err: bytes

    @property
    def complaint(self) -> str:
        """The last line that git wrote to stderr, without its prefix."""
        told = self.err.decode("utf-8", "replace").strip().splitlines() or [f"exit {self.code}"]
        return told[-1].removeprefix("fatal: ").removeprefix("error: ")


def git_answer(place: Place, *arguments: str | bytes, stdin: bytes = b"") -> GitAnswer:
    """Run git to its end; raises SourceError when git is not installed or does not end."""
    process = _start(place, *arguments)
    try:
        out, err = process.communicate(stdin, timeout=DEADLINE)
    except subprocess.TimeoutExpired:
        raise SourceError(
            f"git {_verb(arguments)} in {place.folder} did not end within {DEADLINE:.0f} s: look for a file of the "
            f"repository that blocks when it is read, or index a clone"
        ) from None
    finally:
        _end(process)
    return GitAnswer(code=process.returncode, out=out, err=err)


def call(place: Place, *arguments: str | bytes) -> bytes:
    """Return the output of a git command that has to succeed; SourceError repeats what git complains of."""
    answer = git_answer(place, *arguments)
    if answer.code:
        raise SourceError(
            f"git {_verb(arguments)} failed in {place.folder}: {answer.complaint}: check the repository with `git fsck`"
        )
    return answer.out


def lines(data: bytes) -> list[bytes]:
    """Return the NUL-terminated records of an output made with -z."""
    return data.split(b"\0")[:-1]


def blobs(place: Place, oids: Iterable[str], largest: int | None = None) -> Generator[bytes | None]:
    """Yield the bytes of each object in the order asked, None for one that is not there or no blob.

    One `cat-file --batch` serves all; a thread feeds it, so that neither side waits for a full pipe. With `largest`,
    bigger objects are read past and given as None.
    """
    process = _start(place, "cat-file", "--batch", stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    feeder = threading.Thread(target=_feed, args=(process.stdin, oids), daemon=True)
    feeder.start()
    try:
        while True:
            header = process.stdout.readline()
            if not header:
                break
            yield _object(process.stdout, header, largest)
    finally:
        _end(process)
        feeder.join()


def _object(stream: IO[bytes], header: bytes, largest: int | None) -> bytes | None:
    fields = header.split()
    if len(fields) != 3 or not fields[2].isdigit():
        return None
    size = int(fields[2])
    if largest is not None and size > largest:
        _read_past(stream, size + 1)
        return None
    data = stream.read(size)
    stream.read(1)
    if len(data) != size:
        raise SourceError("git cat-file ended in the middle of an object: check the repository with `git fsck`")
    return data if fields[1] == b"blob" else None


def _read_past(stream: IO[bytes], size: int) -> None:
    while size > 0 and (chunk := stream.read(min(size, 1 << 20))):
        size -= len(chunk)


def _feed(stdin: IO[bytes], oids: Iterable[str]) -> None:
    with suppress(OSError, ValueError):  # the reader has gone: there is nobody left to tell
        for oid in oids:
            stdin.write(oid.encode() + b"\n")
    with suppress(OSError, ValueError):
        stdin.close()


def _start(place: Place, *arguments: str | bytes, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Start git; the one place where codequarry does."""
    where = [f"--git-dir={place.git_dir}"]
    where += [f"--work-tree={place.work_tree}"] if place.work_tree else []
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.Popen(
            ["git", "--no-pager", *where, *settings, *arguments],
            cwd=place.folder,
            env=inherited | _ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    except OSError as error:
        if place.folder.is_dir():
            raise SourceError(f"git cannot be run for {place.folder} ({error.strerror}): install git") from None
        raise SourceError(f"{place.folder} is gone: run again when it is in place") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError, ValueError):
                pipe.close()


def _verb(arguments: tuple[str | bytes, ...]) -> str:
    return os.fsdecode(arguments[0])
