"""Every error that codequarry raises on purpose.

    CodequarryError              exit 1   a run failed
    ├── UsageError               exit 2   the request itself is wrong
    │   └── MissingExtraError    exit 2   an optional dependency is not installed
    ├── SourceError              exit 1   a source cannot be listed or read
    ├── StoreError               exit 1   a store cannot be opened or written
    │   ├── FormatVersionError   exit 1   written by another version of the format
    │   ├── LockedError          exit 1   another writer holds the store
    │   └── DamagedError         exit 4   contents differ from what the manifest says
    └── InterruptedRunError      exit 75  stopped by a signal; the same command resumes

A message is one sentence that says what, where and what to do. The command line turns `exit_code` into its own
exit code in one place; nothing else does.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "EXIT_FILES_SET_ASIDE",
    "EXIT_INTERRUPTED",
    "EXIT_OK",
    "CodequarryError",
    "DamagedError",
    "FormatVersionError",
    "InterruptedRunError",
    "LockedError",
    "MissingExtraError",
    "SourceError",
    "StoreError",
    "UsageError",
]

EXIT_OK = 0
EXIT_FILES_SET_ASIDE = 3
EXIT_INTERRUPTED = 130


class CodequarryError(Exception):
    """Base of all expected errors; `exit_code` is what the command line ends with."""

    exit_code: ClassVar[int] = 1


class UsageError(CodequarryError):
    """The request cannot be carried out as it was asked."""

    exit_code = 2


class MissingExtraError(UsageError):
    """A command needs an optional dependency that is not installed."""


class SourceError(CodequarryError):
    """A source cannot be listed or read."""


class StoreError(CodequarryError):
    """A store or snapshot cannot be opened or written."""


class FormatVersionError(StoreError):
    """The snapshot was written by another version of the format than this reader knows."""


class LockedError(StoreError):
    """Another writer holds the store's lock."""


class DamagedError(StoreError):
    """A snapshot's files differ from what its manifest records."""

    exit_code = 4


class InterruptedRunError(CodequarryError):
    """A run was stopped on request and resumes when it is started again."""

    exit_code = 75
