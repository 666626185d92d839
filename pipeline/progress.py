"""What a run tells while it goes: a live bar on a terminal, one plain line a phase in a log, nothing when quiet."""

from __future__ import annotations

from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

__all__ = ["Bar", "Lines", "Progress", "Quiet", "progress_for"]


class Progress(Protocol):
    """Where a run reports; a context manager, so that a terminal is left as it was found."""

    def phase(self, name: str, detail: str = "", total: int = 0) -> None:
        """Begin a phase of `total` bytes; 0 where the amount is unknown."""

    def advance(self, amount: int) -> None:
        """Report that `amount` more bytes of the phase are done."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Quiet:
    """Report nothing."""

    def phase(self, name: str, detail: str = "", total: int = 0) -> None: ...

    def advance(self, amount: int) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


class Lines(Quiet):
    """Write one line at the beginning of each phase."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def phase(self, name: str, detail: str = "", total: int = 0) -> None:
        with suppress(OSError):  # a log that nobody reads any more (`2>&1 | head`) must not end the run
            self._stream.write(f"{name}: {detail}\n" if detail else f"{name}\n")
            self._stream.flush()


class Bar(Quiet):
    """Draw a bar with rate and remaining time; it disappears when the run ends."""

    def __init__(self, stream: TextIO) -> None:
        self._bar = _rich_bar(stream)
        self._task = self._bar.add_task("", total=None)

    def phase(self, name: str, detail: str = "", total: int = 0) -> None:
        description = f"{name}: {detail}" if detail else name
        self._bar.reset(self._task, description=description, total=total or None)

    def advance(self, amount: int) -> None:
        self._bar.advance(self._task, amount)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def progress_for(stream: TextIO | None, *, quiet: bool) -> Progress:
    """Return the way to report that suits `stream`, which is stderr in practice and may be closed."""
    if quiet or stream is None:
        return Quiet()
    return Bar(stream) if stream.isatty() else Lines(stream)


def _rich_bar(stream: TextIO) -> RichProgress:
    # imported here: 50 ms that only a terminal needs
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(file=stream),
        transient=True,
        refresh_per_second=4,
    )
