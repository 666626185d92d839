"""Real git repositories for tests, made quickly and without the configuration of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from codequarry.pipeline.sources import ListingOptions, Source, SourceRequest, open_source

__all__ = ["Repo", "contents", "listing", "make_repo", "reasons"]

ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
}


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository with a work tree at `root`."""

    root: Path

    def git(self, *arguments: str) -> str:
        """Run git here and return what it prints; fails the test when git fails."""
        run = subprocess.run(
            ["git", "-C", str(self.root), *arguments], env=os.environ | ENVIRONMENT, capture_output=True, check=False
        )
        assert run.returncode == 0, run.stderr.decode()
        return run.stdout.decode().strip()

    def write(self, path: str | bytes, content: str | bytes = "x = 1\n") -> Path:
        """Write a file, with its folders."""
        file = self.root / os.fsdecode(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self, **files: str | bytes) -> str:
        """Write files (`__` in a key stands for a slash, `_dot_` for a dot), commit everything, return the commit."""
        for key, content in files.items():
            self.write(key.replace("__", "/").replace("_dot_", "."), content)
        self.git("add", "-A")
        self.git("commit", "-qm", "one", "--allow-empty")
        return self.git("rev-parse", "HEAD")


def make_repo(root: Path, **files: str | bytes) -> Repo:
    """Make a repository on the branch `main`; with files it has a commit of them, without it has none."""
    root.mkdir(parents=True, exist_ok=True)
    repo = Repo(root)
    repo.git("init", "-q", "-b", "main", "--template=", ".")
    if files:
        repo.commit(**files)
    return repo


def listing(
    location: Path,
    rev: str | None = None,
    *,
    options: ListingOptions | None = None,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
) -> Source:
    """Open a source under the name `s`."""
    request = SourceRequest(name="s", location=location, rev=rev, include=include, exclude=exclude)
    return open_source(request, options or ListingOptions())


def reasons(source: Source) -> dict[str, str | None]:
    """Return the reason of each entry of a listing by its path, without details."""
    return {e.path: e.reason and e.reason.partition(":")[0] for e in source.entries}


def contents(source: Source) -> dict[str, bytes | str | None]:
    """Read everything; each path has its bytes, or the reason why there are none."""
    return {c.entry.path: c.reason if c.data is None else c.data for c in source.read(source.entries)}
