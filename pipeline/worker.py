"""What runs in a child process: bytes of files in, one batch of facts out. The only caller of the parsers.

The fork server of the pool imports this module once, before any file is read.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pyarrow as pa
from tree_sitter import Tree

from .batch import encode
from .extract import Limits, facts_and_tree
from .facts import FileFacts
from .graph.references import collect, supported
from .graph.tokens import tokens_of
from .links.documents import DOCUMENTS, marks_of
from .vectors import NO_MODEL, Model, field_vectors

__all__ = ["Extracted", "FileTask", "Task", "blank", "extract", "facts_of", "row_only"]

log = logging.getLogger(__name__)


class FileTask(NamedTuple):
    """One file to look into: the language that its path and head suggest, its base name and its bytes."""

    language: str | None
    basename: str
    data: bytes


Task = FileTask | FileFacts
"""A file to look into, or one whose facts are known because it is not read."""


class Extracted(NamedTuple):
    """The facts of a run of files as Arrow IPC bytes (pipeline.batch), in order, and the CPU seconds that each took."""

    facts: bytes | pa.Buffer
    seconds: tuple[float, ...]


def extract(tasks: Sequence[Task], limits: Limits, model: Model = NO_MODEL) -> Extracted:
    """Extract the facts of some files; raises MemoryError, whatever else goes wrong is a reason in the facts.

    `model` makes vectors of their symbols, unless it has no folder.
    """
    facts, seconds = [], []
    for task in tasks:
        start = time.process_time()
        facts.append(task if isinstance(task, FileFacts) else facts_of(task, limits))
        seconds.append(time.process_time() - start)
    vectorizer = model.vectorizer
    vectors = None if vectorizer is None else field_vectors(facts, vectorizer)
    return Extracted(encode(facts, vectors), tuple(seconds))


def blank(language: str) -> FileTask:
    """Return a file with next to nothing in it; extracting it loads all that its language needs."""
    return FileTask(language=language, basename="", data=b"x\n")


def row_only(language: str | None, reason: str, *, encoding: str | None = None, generated: bool = False) -> FileFacts:
    """Return the facts of a file of which nothing but its row is kept."""
    return FileFacts(
        status="skipped",
        reason=reason,
        encoding=encoding,
        generated=generated,
        lines=None,
        text=None,
        symbols=(),
        language=language,
    )


def facts_of(task: FileTask, limits: Limits) -> FileFacts:
    """Return the facts of one file with its references or links; raises MemoryError, whatever else goes wrong is a reason."""
    try:
        facts, tree = facts_and_tree(task.data, task.language, task.basename, limits)
    except MemoryError:
        raise
    except Exception as error:  # the border of isolation: a fault of ours costs one file, not the run
        log.info("extraction of %s failed", task.basename, exc_info=True)
        return row_only(task.language, f"parse_failed: {type(error).__name__}")
    try:
        return _with_relations(facts, tree)
    except MemoryError:
        raise
    except Exception as error:  # as above: here it costs the edges or links of one file
        log.info("collecting the references of %s failed", task.basename, exc_info=True)
        return replace(facts, status="partial", reason=facts.reason or f"parse_failed: {type(error).__name__}")


def _with_relations(facts: FileFacts, tree: Tree | None) -> FileFacts:
    """Add what leads to other files: the links of a document, the references and tokens of code."""
    language, text = facts.language or "", facts.text
    if text is None:
        return facts
    if language in DOCUMENTS:
        return replace(facts, marks=marks_of(language, text, facts.symbols))
    if tree is None:
        return facts
    language, source = facts.embedded or language, text.encode("utf-8", "replace")
    references = collect(tree, source, language, facts.symbols) if supported(language) else None
    return replace(facts, references=references, tokens=tokens_of(source, facts.symbols))
