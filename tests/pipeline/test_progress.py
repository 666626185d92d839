"""What a run tells while it goes."""

from __future__ import annotations

import io

from codequarry.pipeline.progress import Bar, Lines, Progress, Quiet, progress_for


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def work(progress: Progress) -> None:
    with progress:
        progress.phase("list")
        progress.phase("extract", "3 files", 100)
        progress.advance(40)
        progress.advance(60)


def test_a_log_gets_one_line_a_phase() -> None:
    stream = io.StringIO()
    progress = progress_for(stream, quiet=False)
    assert isinstance(progress, Lines)
    work(progress)
    assert stream.getvalue() == "list\nextract: 3 files\n"


def test_quiet_and_a_closed_stream_get_nothing() -> None:
    stream = Terminal()
    for progress in (progress_for(stream, quiet=True), progress_for(None, quiet=False)):
        assert type(progress) is Quiet
        work(progress)
    assert stream.getvalue() == ""


def test_a_log_that_nobody_reads_ends_no_run() -> None:
    class Broken(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    work(progress_for(Broken(), quiet=False))


def test_a_terminal_gets_a_bar_that_goes_away() -> None:
    stream = Terminal()
    progress = progress_for(stream, quiet=False)
    assert isinstance(progress, Bar)
    work(progress)
    assert "extract: 3 files" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")  # the cursor is shown again, the line is erased
