"""A question with its judged answers, and the file in which a user writes such questions down."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...schemas.errors import UsageError

__all__ = ["FILE_LEVEL", "SYMBOL_LEVEL", "Question", "read_questions"]

FILE_LEVEL, SYMBOL_LEVEL = "files", "symbols"

_TEXT_KEYS = ("id", "category", "difficulty")
_KEYS = ("query", FILE_LEVEL, SYMBOL_LEVEL, *_TEXT_KEYS)
_MOST_GRADE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One query; `gold` maps what answers it to a grade from 1.

    At the level `files` its keys are paths, or `repo:path`; at `symbols` they are keys, qualified names or names.
    `category` and `difficulty` are words of the user's, empty where there are none.
    """

    id: str
    text: str
    gold: Mapping[str, int]
    level: str = FILE_LEVEL
    category: str = ""
    difficulty: str = ""


def read_questions(file: Path) -> list[Question]:
    """Read questions from a JSON array, or from one JSON object a line.

    Each object has `query`, and either `files` or `symbols`: an object from name to grade, or a list of names (grade 1).
    `id`, `category` and `difficulty` are optional. Raises UsageError with the place of what is wrong.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"{file} cannot be read ({reason}): give a JSON file of judged queries") from None
    questions = [_question(value, place, number) for number, (value, place) in enumerate(_values(text, file))]
    if not questions:
        raise UsageError(f"{file} holds no query: write objects with query, and files or symbols")
    _check_ids(questions, file)
    return questions


def _values(text: str, file: Path) -> Iterator[tuple[Any, str]]:
    if text.lstrip().startswith("["):
        yield from ((value, f"{file}[{i}]") for i, value in enumerate(_parsed(text, str(file))))
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield _parsed(line, f"{file}:{number}"), f"{file}:{number}"


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place} is not JSON ({error}): correct it") from None


def _question(value: Any, place: str, number: int) -> Question:
    if not isinstance(value, dict):
        raise UsageError(f"{place} is {_shown(value)}: it must be an object with query, and files or symbols")
    for key in value:
        if key not in _KEYS:
            raise UsageError(f"{place}.{key}: unknown key: the keys are {', '.join(_KEYS)}")
    for key in ("query", *_TEXT_KEYS):
        if key in value and not isinstance(value[key], str):
            raise UsageError(f"{place}.{key} is {_shown(value[key])}: it must be a string")
    if not value.get("query", "").strip():
        raise UsageError(f"{place}.query is missing: say what is asked")
    levels = [level for level in (FILE_LEVEL, SYMBOL_LEVEL) if level in value]
    if len(levels) != 1:
        raise UsageError(f"{place} must have either files or symbols, which say what answers the query")
    return Question(
        id=value.get("id", f"q{number + 1}"),
        text=value["query"],
        gold=_gold(value[levels[0]], f"{place}.{levels[0]}"),
        level=levels[0],
        category=value.get("category", ""),
        difficulty=value.get("difficulty", ""),
    )


def _gold(value: Any, place: str) -> dict[str, int]:
    if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
        value = dict.fromkeys(value, 1)
    if not isinstance(value, dict) or not value:
        raise UsageError(f"{place} is {_shown(value)}: it must be an object from name to grade, or a list of names")
    for name, grade in value.items():
        if not isinstance(grade, int) or isinstance(grade, bool) or not 0 <= grade <= _MOST_GRADE:
            raise UsageError(f"{place}[{name!r}] is {_shown(grade)}: a grade is a whole number from 0 to {_MOST_GRADE}")
    gold = {name: grade for name, grade in value.items() if grade}
    if not gold:
        raise UsageError(f"{place} has no grade above 0: name what answers the query")
    return gold


def _check_ids(questions: list[Question], file: Path) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise UsageError(f"{file}: two queries have the id {question.id!r}: give one another")
        seen.add(question.id)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."
