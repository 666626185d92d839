"""The frame of the command line: finding commands, and what every kind of end looks like from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import pytest
from codequarry.query import cli
from codequarry.query.cli import COMMANDS, Entry, run
from codequarry.schemas import errors

COMMAND = (sys.executable, "-c", "from codequarry.query.cli import main; main()")


def process(*args: str, env: dict[str, str] | None = None, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process of its own."""
    return subprocess.run([*COMMAND, *args], capture_output=True, check=False, env={**os.environ, **(env or {})}, **options)  # type: ignore[call-overload, no-any-return]  # options of subprocess.run


def put(monkeypatch: pytest.MonkeyPatch, callback: Callable[[], object]) -> None:
    """Make `codequarry terms` run `callback`."""
    module = type(sys)("a_command")
    module.command = click.Command("terms", callback=callback)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_command", module)
    monkeypatch.setitem(COMMANDS, "terms", Entry(target="a_command:command", summary="-"))


def fails(error: BaseException) -> Callable[[], None]:
    def callback() -> None:
        raise error

    return callback


# --- finding commands


def test_help_lists_every_command_with_its_summary(capfd: pytest.CaptureFixture[str]) -> None:
    for option in ("--help", "-h"):
        assert run([option]) == 0
        out = capfd.readouterr().out
        for name, entry in COMMANDS.items():
            assert [line.split(None, 1) for line in out.splitlines() if line.strip().startswith(f"{name} ")] == [
                [name, entry.summary]
            ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_its_summary_there(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    out = capfd.readouterr().out
    assert out.startswith(f"Usage: codequarry {name} ")
    assert [line.strip() for line in out.splitlines() if line.strip()][1] == COMMANDS[name].summary


def test_without_arguments_the_help_goes_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    out, err = capfd.readouterr()
    assert (out, err.splitlines()[0]) == ("", "Usage: codequarry [OPTIONS] COMMAND [ARGS]...")


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capfd.readouterr().out.startswith("codequarry, version ")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["serch"], "codequarry: there is no command 'serch': did you mean `codequarry search`?\n"),
        (["xyzzy"], "codequarry: there is no command 'xyzzy': see `codequarry --help`\n"),
        (["\udcff\n"], "codequarry: there is no command '\\udcff\\n': see `codequarry --help`\n"),
        (["--frobnicate"], "codequarry: No such option '--frobnicate' (see `codequarry --help`)\n"),
        (["terms"], "codequarry: Missing argument 'TEXT...' (see `codequarry terms --help`)\n"),
        (["terms", "--nope", "x"], "codequarry: No such option '--nope' (see `codequarry terms --help`)\n"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_exit_2(
    args: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    assert capfd.readouterr() == ("", sentence)


def test_a_command_whose_extra_is_missing_names_the_installation(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(COMMANDS, "index", replace(COMMANDS["index"], needs=("json", "no_such_module")))
    assert run(["index", "."]) == 2
    assert capfd.readouterr().err == (
        "codequarry: `codequarry index` needs packages that are not installed (no_such_module): "
        "pip install 'codequarry[index]'\n"
    )


# --- ends


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.CodequarryError("what and where"), 1),
        (errors.UsageError("what and where"), 2),
        (errors.MissingExtraError("what and where"), 2),
        (errors.SourceError("what and where"), 1),
        (errors.StoreError("what and where"), 1),
        (errors.LockedError("what and where"), 1),
        (errors.FormatVersionError("what and where"), 1),
        (errors.DamagedError("what and where"), 4),
        (errors.InterruptedRunError("what and where"), 75),
        (click.ClickException("what and where"), 1),
    ],
)
def test_an_expected_error_is_its_sentence_and_its_code(
    error: Exception, code: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    put(monkeypatch, fails(error))
    assert run(["terms"]) == code
    assert capfd.readouterr() == ("", "codequarry: what and where\n")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, "codequarry: interrupted\n"),
        (PermissionError(13, "Permission denied", "/no/where"), 1, "codequarry: /no/where: Permission denied\n"),
        (OSError("plain"), 1, "codequarry: plain\n"),
        (
            ValueError("odd\nthing"),
            1,
            "codequarry: this is a bug in codequarry (ValueError: odd\\x0athing): set CODEQUARRY_DEBUG=1 for the trace "
            "and report it\n",
        ),
    ],
)
def test_an_unexpected_end_is_one_sentence_too(
    error: BaseException, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CODEQUARRY_DEBUG", raising=False)
    put(monkeypatch, fails(error))
    assert run(["terms"]) == code
    assert capfd.readouterr() == ("", sentence)


def test_a_bug_shows_its_trace_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEQUARRY_DEBUG", "1")
    put(monkeypatch, fails(ValueError("odd")))
    with pytest.raises(ValueError, match="odd"):
        run(["terms"])


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (3, 3), (0, 0)])
def test_a_command_may_return_its_code(returned: int | None, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, lambda: returned)
    assert run(["terms"]) == code


def test_main_exits_with_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["codequarry", "xyzzy"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2


# --- streams, in real processes


def shell(command: str, *args: str) -> subprocess.CompletedProcess[bytes]:
    """Run a bash line with pipefail in which `$cq` is the command line."""
    script = 'cq() { "$PYTHON" -c "from codequarry.query.cli import main; main()" "$@"; }\n' + command
    argv = ["bash", "-o", "pipefail", "-c", script, "bash", *args]
    return subprocess.run(argv, capture_output=True, check=False, env={**os.environ, "PYTHON": sys.executable})


def test_a_reader_that_leaves_early_is_no_failure() -> None:
    done = shell("cq terms $(seq 20000) | head -1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1\n", b"")


def test_a_full_disk_is_a_failure_with_a_sentence() -> None:
    done = shell("cq terms x > /dev/full")
    assert (done.returncode, done.stderr) == (1, b"codequarry: No space left on device\n")


def test_closed_streams_are_survived() -> None:
    assert shell("cq terms x >&-").returncode == 0
    assert shell("cq terms >&- 2>&-").returncode == 2


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {"PYTHONIOENCODING": "latin-1"}])
def test_json_is_utf8_and_text_comes_out_in_every_locale(locale: dict[str, str]) -> None:
    texts = ["größe", "漢字変数", os.fsdecode(b"\xff")]
    done = process("terms", "--json", "--", *texts, env=locale)
    assert done.returncode == 0
    assert {'"größe"', '"漢字変数"', '"\ufffd"'} <= set(done.stdout.decode().replace(",", " ").split())
    done = process("terms", "--", *texts, env=locale)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("codequarry se", "search"),
        ("codequarry ", "index"),
        ("codequarry search --fam", "--family"),
        ("codequarry --v", "--version"),
    ],
)
def test_shells_complete_commands_and_options(words: str, expected: str) -> None:
    parts = words.split(" ")
    env = {"_CODEQUARRY_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(parts) - 1)}
    done = process(env=env)
    assert done.returncode == 0
    assert f"plain,{expected}" in done.stdout.decode().splitlines()


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_completion_script_of_each_shell(name: str) -> None:
    if name == "bash" and not Path("/bin/bash").exists():
        pytest.skip("bash is not at /bin/bash")
    done = process(env={"_CODEQUARRY_COMPLETE": f"{name}_source"})
    assert done.returncode == 0
    assert b"_CODEQUARRY_COMPLETE" in done.stdout
