"""`codequarry serve`: the index for coding agents, over MCP on stdio."""

from __future__ import annotations

import contextlib
import importlib.util
import os

import click

from ...schemas.errors import MissingExtraError, UsageError
from ..console import write_lines
from ._options import store_option

__all__ = ["serve"]


@click.command()
@click.option("--print-config", "client", metavar="CLIENT", help="Print the block of configuration for a client, and end.")
@store_option
def serve(client: str | None, index: str) -> None:
    """Answer coding agents over MCP on stdin and stdout.

    Five tools, none of which writes: search, relations, info, context and status. A client starts this command by itself;
    --print-config shows what it must be told. The index is loaded after the handshake and again when it is replaced.
    """
    if client is not None:
        _print_config(client, index)
        return
    if any(importlib.util.find_spec(name) is None for name in ("mcp", "mcp_types")):  # the first alone is an older one
        raise MissingExtraError(
            "`codequarry serve` needs the package mcp, which is not installed: pip install 'codequarry[mcp]'"
        )
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded, as in `search`
    _keep_one_heap()
    from ..serve.server import serve as run

    run(index)


def _keep_one_heap() -> None:
    """Let all threads share one heap where the C library is glibc: calls come on changing threads, and a heap a thread takes a
    seventh more memory after 10,000 calls (`scripts/bench/serve.py`)."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


_ARENA_MAX = -8
"""M_ARENA_MAX of malloc.h."""


def _print_config(client: str, index: str) -> None:
    from ..serve.clients import CLIENTS, client_config

    if client not in CLIENTS:
        raise UsageError(f"there is no block for the client {client!r}: there are {', '.join(CLIENTS)}")
    place, block = client_config(client, index)
    click.echo(place, err=True)
    write_lines(block.split("\n"))
