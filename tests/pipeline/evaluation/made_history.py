"""A git history made by hand, whose usable commits are known."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from codequarry.query.cli import run

from ...cases._product import GIT

__all__ = ["PARTS", "SUBJECTS", "build_history", "build_small_store", "commit", "git"]

PARTS = ("cart", "parser", "router", "server", "cache", "lexer")

SUBJECTS = (
    "chore: start of the shop",
    "fix(cart): count the items of the cart twice (#12)",
    "docs: say how the parser reads numbers",
    "feat: let the parser read quoted numbers",
    "refactor(router)!: match the longest router prefix first",
    "bump the lexer to v2",
    "fix: typo in the lexer",
    "perf(server): answer the server requests from one buffer, fixes #7",
    "feat(cache): expire old entries of the cache",
    "fix: skip blank lines in the lexer",
    "fix(cart): total price of the cart with discounts",
    "feat(router): redirect moved routes in the router",
    "fix(shelf): put the new shelf in order",
)
"""Subjects in the order of time; the file of the named part changes, `shelf.py` is new in the last one."""

_TEXT = '''class {title}:
    """Keeps the {name} of the shop in good order."""

    def open_{name}(self) -> str:
        """Open the {name} and return what it is called."""
        return "{name}"


def close_{name}(name: {title}) -> None:
    print(name.open_{name}())
'''


def git(repo: Path, *arguments: str, minute: int = 0) -> str:
    """Run git as nobody in particular, at a minute of one day."""
    time = f"2020-01-01T{minute // 60:02}:{minute % 60:02}:00Z"
    env = {**os.environ, **GIT, "GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
    done = subprocess.run(["git", *arguments], cwd=repo, env=env, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(repo: Path, subject: str, minute: int, **texts: str) -> str:
    """Write files (`name` becomes `name.py`), commit all, and return the commit."""
    for name, text in texts.items():
        (repo / f"{name}.py").write_text(text)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", subject, minute=minute)
    return git(repo, "rev-parse", "HEAD")


def build_history(repo: Path) -> Path:
    """Make a repository with a commit for each of SUBJECTS and return its folder."""
    repo.mkdir(parents=True)
    git(repo, "init", "-q", "-b", "main")
    texts = {name: _TEXT.format(name=name, title=name.title()) for name in PARTS}
    for minute, subject in enumerate(SUBJECTS):
        changed = {name: texts[name] for name in PARTS if minute == 0 or name in subject}
        changed |= {"shelf": "SHELF = 1\n"} if "shelf" in subject else {}
        for name in set(changed) & set(PARTS) if minute else ():
            texts[name] += f"\n\ndef step_{minute}() -> int:\n    return {minute}\n"
            changed[name] = texts[name]
        commit(repo, subject, minute, **changed)
    return repo


def build_small_store(repo: Path, out: Path) -> Path:
    """Index a repository with one worker and return the store."""
    assert run(["index", str(repo), "--out", str(out), "--quiet", "--jobs", "1"]) == 0
    return out
