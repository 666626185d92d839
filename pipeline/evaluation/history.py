"""Questions from a history: the subjects of its latest changes, answered by the files that they changed.

The usable commits are taken in the order of time; the latest third is held out, and the state to search is the parent
of the earliest of those, so that nothing of what is asked for is there yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...schemas.errors import SourceError, UsageError
from ..sources.discovery import find_place
from ..sources.git import Place, call
from ..sources.revision import resolve
from .questions import Question
from .subjects import CHANGE_TYPES, CONVENTIONAL, read_subject

__all__ = ["CODE_EXTENSIONS", "Change", "HeldOut", "Rule", "hold_out", "open_history", "read_log", "touched"]

CODE_EXTENSIONS = frozenset(
    "rs go ts tsx mts cts js jsx mjs cjs py pyi java kt kts c h cc cpp cxx hpp hh cs rb php swift scala ex exs hs lua zig "
    "dart sh bash zsh fish sql proto svelte vue m mm pl r jl clj erl ml fs nim v sv css scss html".split()
)
"""Files with these endings are answers; lock files, documents and configuration change with everything."""

_RECORD = "%x01%H%x02%P%x02%s"
_HEAD = re.compile(r"\x01([0-9a-f]{40,64})\x02([0-9a-f ]*)\x02")
_LOG = (
    *("log", "--no-merges", "--date-order", "--reverse", "--name-status", "--no-renames", "--relative", "-z"),
    "--no-show-signature",  # a repository's configuration could name the program that looks at signatures
    f"--format={_RECORD}",
)
_EXISTED = "MDT"
"""States of a file that was there before the commit; a rename is listed as a deletion and an addition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Which commits ask something: subjects in this style and of these types, that changed few enough files.

    The style `auto` is `conventional` where at least `conventional_share` of all subjects are, else `any`. `limit` is how
    many held-out commits are used, the newest first; wide changes say little about where to look.
    """

    style: str = "auto"
    types: tuple[str, ...] = CHANGE_TYPES
    limit: int = 120
    most_gold: int = 8
    most_files: int = 40
    held_out: int = 3
    conventional_share: float = 0.3  # public repositories that mean to be conventional have .34 and more, others up to .21


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A usable commit, its only parent, its query and the source files it changed that were there before."""

    commit: str
    parent: str
    type: str
    text: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """Questions in the order of time, the commit to index (`base`), the style of subjects that was taken, and how many
    commits fell out for which reason."""

    base: str
    questions: tuple[Question, ...]
    style: str
    counts: Mapping[str, int] = field(default_factory=dict)


def open_history(repo: Path) -> Place:
    """Return where the history of a repository is; UsageError where there is none, SourceError where it is cut off."""
    if not repo.is_dir():
        raise UsageError(f"there is no folder {repo}: give a git repository")
    place = find_place(repo)
    if place is None:
        raise UsageError(
            f"{repo} is no git repository, so it has no commits to ask about: give a clone or a bare repository"
        )
    if (place.common_dir / "shallow").exists():
        raise SourceError(f"the history of {repo} is cut off (a shallow clone): fetch the rest with `git fetch --unshallow`")
    return place


def hold_out(place: Place, rev: str = "HEAD", rule: Rule | None = None) -> HeldOut:
    """Return the questions of the latest third of the history up to `rev`.

    Files that are not yet in the state to search answer nothing, and commits of which no file is left are dropped.
    Raises SourceError where too few commits are usable.
    """
    head = resolve(place, rev)
    records = read_log(place, head) if head else []
    rule = _settled(rule or Rule(), records)
    counts = Counter(commits=len(records))
    usable = list(_changes(records, rule, counts))
    held = usable[len(usable) - len(usable) // rule.held_out :][-rule.limit :]
    if not held:
        raise SourceError(_too_few(place, len(usable), counts, rule))
    base = held[0].parent
    there = set(_paths(place, base))
    questions = [question for change in held if (question := _question(change, there)) is not None]
    if not questions:
        raise SourceError(
            f"none of the {len(held)} held-out commits of {place.folder} changed a file that was there before them: "
            "ask about a longer history"
        )
    counts.update(usable=len(usable), held_out=len(held), asked=len(questions))
    return HeldOut(base=base, questions=tuple(questions), style=rule.style, counts=dict(sorted(counts.items())))


def read_log(place: Place, head: str, most: int | None = None) -> list[tuple[str, str, str]]:
    """Return commit, parents, and subject with listing of each commit that is no merge, the oldest first.

    With `most` only the latest so many.
    """
    latest = () if most is None else (f"--max-count={most}",)
    parts = _HEAD.split(call(place, *_LOG, *latest, "--end-of-options", head).decode("utf-8", "replace"))[1:]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def _settled(rule: Rule, records: Sequence[tuple[str, str, str]]) -> Rule:
    """Return the rule with its style decided."""
    if rule.style != "auto":
        return rule
    typed = sum(CONVENTIONAL.match(rest) is not None for _, _, rest in records)
    return replace(rule, style="conventional" if typed >= rule.conventional_share * len(records) else "any")


def _changes(records: Sequence[tuple[str, str, str]], rule: Rule, counts: Counter[str]) -> Iterator[Change]:
    """Yield the usable commits; `counts` gets why others are not."""
    for record in records:
        change = _change(record, rule)
        if isinstance(change, Change):
            yield change
        else:
            counts[change] += 1


def _change(record: tuple[str, str, str], rule: Rule) -> Change | str:
    """Return the change that a record of the log tells of, or why it asks nothing."""
    commit, parents, rest = record
    subject, _, listing = rest.partition("\0")
    asked = read_subject(subject, rule.style, rule.types)
    if asked.refused is not None:
        return asked.refused
    if len(parents.split()) != 1:
        return "first"
    changed = touched(listing)
    gold = tuple(path for state, path in changed if state in _EXISTED and _is_code(path))
    if len(changed) > rule.most_files or len(gold) > rule.most_gold:
        return "too_wide"
    if not gold:
        return "no_source_file"
    return Change(commit=commit, parent=parents, type=asked.type, text=asked.text, files=gold)


def touched(listing: str) -> list[tuple[str, str]]:
    """Return (state, path) of each file in the NUL-separated listing of a commit."""
    fields = [part for part in listing.lstrip("\n").split("\0") if part]
    return [(state.strip()[:1], path) for state, path in zip(fields[::2], fields[1::2], strict=False)]


def _is_code(path: str) -> bool:
    return path.rsplit(".", 1)[-1].lower() in CODE_EXTENSIONS


def _question(change: Change, there: set[str]) -> Question | None:
    gold = dict.fromkeys((path for path in change.files if path in there), 1)
    return Question(id=change.commit, text=change.text, gold=gold, category=change.type) if gold else None


def _paths(place: Place, commit: str) -> list[str]:
    out = call(place, "ls-tree", "-r", "--name-only", "-z", "--end-of-options", commit)
    return out.decode("utf-8", "replace").split("\0")[:-1]


def _too_few(place: Place, usable: int, counts: Counter[str], rule: Rule) -> str:
    hint = "take any subjects with --subjects any" if counts["other_style"] else "ask about a longer history"
    return (
        f"too few commits to ask about in {place.folder}: {usable} of {counts['commits']} are usable, "
        f"and a third of at least {rule.held_out} is held out: {hint}"
    )
