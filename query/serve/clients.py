"""The block of configuration that makes a client start the server; printed, never written anywhere."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable

__all__ = ["CLIENTS", "client_config"]


def _servers(key: str, **more: str) -> Callable[[str], str]:
    def block(index: str) -> str:
        entry = {**more, "command": "codequarry", "args": ["serve", "--index", index]}
        return json.dumps({key: {"codequarry": entry}}, indent=2, ensure_ascii=False)

    return block


def _claude_code(index: str) -> str:
    return f"claude mcp add codequarry -- codequarry serve --index {shlex.quote(index)}"


def _codex(index: str) -> str:
    args = json.dumps(["serve", "--index", index], ensure_ascii=False)
    return f'[mcp_servers.codequarry]\ncommand = "codequarry"\nargs = {args}'


def _opencode(index: str) -> str:
    entry = {"type": "local", "command": ["codequarry", "serve", "--index", index], "enabled": True}
    return json.dumps({"mcp": {"codequarry": entry}}, indent=2, ensure_ascii=False)


def _zed(index: str) -> str:
    entry = {"command": "codequarry", "args": ["serve", "--index", index], "env": {}}
    return json.dumps({"context_servers": {"codequarry": entry}}, indent=2, ensure_ascii=False)


CLIENTS: dict[str, tuple[str, Callable[[str], str]]] = {
    "claude-code": ("run this once in the project", _claude_code),
    "claude-desktop": ("claude_desktop_config.json", _servers("mcpServers")),
    "cursor": (".cursor/mcp.json", _servers("mcpServers")),
    "vscode": (".vscode/mcp.json", _servers("servers", type="stdio")),
    "codex": ("~/.codex/config.toml", _codex),
    "gemini": (".gemini/settings.json", _servers("mcpServers")),
    "opencode": ("opencode.json", _opencode),
    "zed": ("settings.json", _zed),
}
"""Where each client keeps its servers, and what stands there for the folder of an index."""


def client_config(client: str, index: str) -> tuple[str, str]:
    """Return where a client's block belongs and the block itself; a client starts the server from a folder of its own choice, so
    the index is named by its absolute path."""
    place, block = CLIENTS[client]
    return place, block(os.path.abspath(index))
