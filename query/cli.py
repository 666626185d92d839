"""The command line: finds a command by its name and turns every outcome into an exit code.

Nothing but click is imported before the command is known: `COMMANDS` names where each one lives, and its module is
imported when it is asked for. Errors become exit codes in `run` and nowhere else.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import click

from ..schemas.errors import EXIT_INTERRUPTED, EXIT_OK, CodequarryError, MissingExtraError, UsageError
from .console import clean, prepare_streams

__all__ = ["COMMANDS", "Entry", "main", "run"]

PROGRAM = "codequarry"

INDEX_EXTRA = ("pyarrow", "rich", "tree_sitter", "tree_sitter_language_pack")
"""Modules that `pip install 'codequarry[index]'` brings."""

EXIT_USAGE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a command lives (`module:attribute`), its line in the list of commands, and the modules it cannot do without."""

    target: str
    summary: str
    needs: tuple[str, ...] = ()


COMMANDS = {
    "index": Entry(
        target="codequarry.pipeline.commands.index:index",
        summary="Index repositories into a published snapshot.",
        needs=INDEX_EXTRA,
    ),
    "search": Entry(target="codequarry.query.commands.search:search", summary="Search a snapshot."),
    "why": Entry(
        target="codequarry.query.commands.why:why", summary="Show why a symbol ranks where it does, or not at all."
    ),
    "relations": Entry(
        target="codequarry.query.commands.relations:relations", summary="Show who calls, uses, extends or tests a symbol."
    ),
    "info": Entry(target="codequarry.query.commands.info:info", summary="Show what a symbol is, with outline and source."),
    "similar": Entry(
        target="codequarry.query.commands.similar:similar", summary="Show the code that is most like a symbol or file."
    ),
    "links": Entry(target="codequarry.query.commands.links:links", summary="Show the documentation links of a file."),
    "context": Entry(
        target="codequarry.query.commands.context:context",
        summary="Pack what says most about a task into a budget of tokens.",
    ),
    "sql": Entry(target="codequarry.query.commands.sql:sql", summary="Run one SELECT over the snapshot's views."),
    "terms": Entry(target="codequarry.query.commands.terms:terms", summary="Show how text becomes search terms."),
    "status": Entry(target="codequarry.query.commands.status:status", summary="Show what a snapshot holds."),
    "verify": Entry(target="codequarry.query.commands.verify:verify", summary="Check every file of a snapshot."),
    "doctor": Entry(
        target="codequarry.pipeline.commands.doctor:doctor", summary="Check what codequarry needs here, and say what to do."
    ),
    "gc": Entry(
        target="codequarry.pipeline.commands.gc:gc",
        summary="Remove old snapshots, and what the cache no longer needs.",
        needs=INDEX_EXTRA,
    ),
    "diff": Entry(
        target="codequarry.query.commands.diff:diff", summary="Compare two snapshots: files, symbols, edges, impact."
    ),
    "pack": Entry(target="codequarry.query.commands.pack:pack", summary="Write a snapshot into one tar file."),
    "unpack": Entry(target="codequarry.query.commands.unpack:unpack", summary="Make a store of a packed snapshot."),
    "serve": Entry(
        target="codequarry.query.commands.serve:serve", summary="Answer coding agents over MCP on stdin and stdout."
    ),
    "evaluate": Entry(
        target="codequarry.pipeline.commands.evaluate:evaluate",
        summary="Measure retrieval on your own repositories.",
        needs=INDEX_EXTRA,
    ),
}
"""Every command in the order of the help; a new one is one line here and one module."""


class _LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            if not ctx.resilient_parsing and not cmd_name.startswith("-"):
                raise UsageError(_no_such_command(cmd_name))
            return None
        _check_installed(cmd_name, entry)
        module, _, attribute = entry.target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click's own method would import every command for its first line
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=entry.summary) for name, entry in COMMANDS.items() if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM)
def cli() -> None:
    """Index code into a static Parquet artifact, and search it offline.

    An artifact store is made by `index` and read by every other command; --index DIR or $CODEQUARRY_INDEX says where it
    is, ./artifacts if neither does.
    """


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    sys.exit(run(sys.argv[1:]))


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code; the only place where errors become exit codes."""
    prepare_streams()
    try:
        code = _invoke(list(args))
        if sys.stdout is not None:
            sys.stdout.flush()  # so that a full disk or a closed pipe is seen here and not at exit
        return code
    except CodequarryError as error:
        return _complain(str(error), error.exit_code)
    except click.UsageError as error:
        return _complain(_usage_sentence(error), EXIT_USAGE)
    except click.ClickException as error:
        return _complain(error.format_message(), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        return _reader_left()
    except OSError as error:
        return _complain(_os_sentence(error), CodequarryError.exit_code)
    except Exception as error:
        if os.environ.get("CODEQUARRY_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _complain(f"this is a bug in codequarry ({what}): set CODEQUARRY_DEBUG=1 for the trace and report it", 1)


def _invoke(args: list[str]) -> int:
    instruction = os.environ.get("_CODEQUARRY_COMPLETE")
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, "_CODEQUARRY_COMPLETE", instruction)
    # Not click's main(): it turns a closed pipe into exit 1 and an interrupt into an exception of its own.
    try:
        with cli.make_context(PROGRAM, args) as context:
            code = cli.invoke(context)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help(), err=True)
        return EXIT_USAGE
    except click.exceptions.Exit as done:
        return done.exit_code
    return code if isinstance(code, int) else EXIT_OK


def _complain(message: str, code: int) -> int:
    """Say one sentence on stderr and return the exit code."""
    with contextlib.suppress(OSError):  # nobody can be told
        click.echo(f"{PROGRAM}: {clean(message)}", err=True)
    _abandon_output()
    return code


def _reader_left() -> int:
    """End quietly: whoever reads the output (`| head`) has seen enough."""
    _abandon_output()
    return EXIT_OK


def _abandon_output() -> None:
    """Write out what can be written; if nothing can, make sure that the flush at exit does not fail aloud once more."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_sentence(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else PROGRAM
    return f"{error.format_message().rstrip('.')} (see `{path} --help`)"


def _os_sentence(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


def _no_such_command(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean `{PROGRAM} {near[0]}`?" if near else f"see `{PROGRAM} --help`"
    return f"there is no command {name!r}: {hint}"


def _check_installed(name: str, entry: Entry) -> None:
    missing = [module for module in entry.needs if importlib.util.find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"`{PROGRAM} {name}` needs packages that are not installed ({', '.join(missing)}): "
            "pip install 'codequarry[index]'"
        )
