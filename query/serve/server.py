"""The tools over MCP on stdio, by the official SDK; the one module that imports it.

Calls run in threads, so that the protocol goes on: a call that the client cancels is abandoned, and its answer is dropped.
The index is loaded after the handshake, which therefore does not wait for it.
"""

from __future__ import annotations

import os
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from ...schemas.errors import CodequarryError
from .library import Library
from .service import Reply, Service, UnknownToolError
from .tools import TOOLS

__all__ = ["make_server", "serve"]

_INSTRUCTIONS = (
    "Search over an index of code that was made beforehand. Begin with context for a task or search for a question; pass keys to "
    "info and relations. Everything is read-only, and answers name the snapshot that they come from."
)

_WORKING, _WAITING = 8, 256
"""Calls that are answered at the same time, and that may wait for the index to be loaded."""

_RESOURCES = {
    "codequarry://manifest": ("manifest", "application/json", "Sources, versions and tables of the live snapshot."),
    "codequarry://briefing": (
        "briefing",
        "text/plain",
        "Sub-systems, entry points, hubs and public surface of what is indexed.",
    ),
}


def serve(index: str | os.PathLike[str]) -> None:
    """Answer on stdin and stdout until stdin ends."""
    library = Library(index)
    try:
        anyio.run(_run, Service(library), library)
    finally:
        library.close()


async def _run(service: Service, library: Library) -> None:
    server = make_server(service, library)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def make_server(service: Service, library: Library) -> Server[Any]:
    """Return the protocol's side of a service."""
    working, waiting = anyio.CapacityLimiter(_WORKING), anyio.CapacityLimiter(_WAITING)

    async def in_thread(limiter: anyio.CapacityLimiter, function: Any, *args: Any) -> Any:
        return await anyio.to_thread.run_sync(function, *args, abandon_on_cancel=True, limiter=limiter)

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        library.begin()
        return types.ListToolsResult(tools=list(_tools()))

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        limiter = waiting if service.waits(params.name) else working
        try:
            reply: Reply = await in_thread(limiter, service.call, params.name, params.arguments)
        except UnknownToolError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        return types.CallToolResult(
            content=[types.TextContent(text=_sound(reply.text))],
            structured_content=_sound(reply.values) or None,
            is_error=reply.failed,
        )

    async def list_resources(context: Any, params: Any) -> types.ListResourcesResult:
        listed = [
            types.Resource(uri=uri, name=name, mime_type=kind, description=about)
            for uri, (name, kind, about) in _RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=listed)

    async def read_resource(context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri not in _RESOURCES:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri}: there are {', '.join(_RESOURCES)}")
        read = service.manifest if uri.endswith("manifest") else service.briefing
        try:
            text = await in_thread(waiting, read)
        except CodequarryError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from None
        contents = types.TextResourceContents(uri=uri, mime_type=_RESOURCES[uri][1], text=_sound(text))
        return types.ReadResourceResult(contents=[contents])

    async def greeted(context: Any, params: Any) -> None:
        library.begin()

    server: Server[Any] = Server(
        "codequarry",
        version=_version(),
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
    server.add_notification_handler("notifications/initialized", types.NotificationParams, greeted)
    return server


def _tools() -> list[types.Tool]:
    about = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.arguments,
            output_schema=tool.answer,
            annotations=about,
        )
        for tool in TOOLS.values()
    ]


def _sound(value: Any) -> Any:
    """Return a value without halves of surrogate pairs, which JSON on the wire cannot hold."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {key: _sound(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_sound(inner) for inner in value]
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("codequarry")
    except PackageNotFoundError:
        return ""
