"""The server as a client sees it: real processes, the client of the official SDK."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from codequarry.query.cli import run
from codequarry.query.serve import TOOLS, Library, Service
from codequarry.query.serve.server import make_server
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.client.client import Client

from ..stores import FileSpec, build_store

COMMAND = [sys.executable, "-c", "from codequarry.query.cli import main; main()", "serve", "--index"]


def with_process(index: Path, ask: Callable[[ClientSession], Awaitable[None]]) -> None:
    """Start a server over an index and let a client ask it."""

    async def main() -> None:
        more = {k: v for k, v in os.environ.items() if k.startswith(("COVERAGE", "PYTHON"))}
        server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], str(index)], env=more)
        with open(os.devnull, "w") as sink:
            async with stdio_client(server, errlog=sink) as streams, ClientSession(*streams) as session:
                await session.initialize()
                await ask(session)

    anyio.run(main)


def with_server(index: Path, ask: Callable[[Client], Awaitable[None]]) -> None:
    """Let a client ask a server in this process."""

    async def main() -> None:
        library = Library(index)
        try:
            async with Client(make_server(Service(library), library)) as client:
                await ask(client)
        finally:
            library.close()

    anyio.run(main)


def text(result: Any) -> str:
    (content,) = result.content
    return str(content.text)


def test_a_process_finds_an_index_that_appears_and_one_that_replaces_it(tmp_path: Path) -> None:
    store = tmp_path / "store"

    async def ask(session: ClientSession) -> None:
        missing = await session.call_tool("search", {"query": "x"})
        assert missing.is_error
        assert text(missing).startswith(f"there is no artifact at {store}: build one with `codequarry index ")
        build = build_store(store, {"app": [FileSpec(path="one.py", text="def parcel(): pass\n")]})
        found = await session.call_tool("search", {"query": "parcel"})
        assert found.structured_content["results"][0]["path"] == "one.py"

        new = build_store(store, {"app": [FileSpec(path="two.py", text="def parcel(): pass\n")]})
        assert new.name != build.name
        for _ in range(600):  # the old snapshot answers until the new one is loaded
            found = await session.call_tool("search", {"query": "parcel"})
            if found.structured_content["results"][0]["path"] == "two.py":
                break
            await anyio.sleep(0.05)
        assert found.structured_content["results"][0]["path"] == "two.py"
        told = await session.call_tool("status", {})
        assert told.structured_content["snapshot"] == new.name

    with_process(store, ask)


def test_tools_are_short_and_read_only(parcels: Path) -> None:
    async def ask(client: Client) -> None:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == ["search", "relations", "info", "context", "status"]
        assert len(listed.model_dump_json(by_alias=True, exclude_none=True)) < 6000
        for tool in listed.tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert tool.output_schema == TOOLS[tool.name].answer
        assert client.server_capabilities.tools is not None

    with_server(parcels, ask)


def test_answers_have_text_and_structure(parcels: Path) -> None:
    async def ask(client: Client) -> None:
        found = await client.call_tool("search", {"query": "route_parcel", "limit": 1})
        assert not found.is_error
        assert text(found).startswith("1. src/router.py:9  method Router.route_parcel\n")
        assert found.structured_content["results"][0]["key"] == "parcels:src/router.py#Router.route_parcel"
        about = await client.call_tool("info", {"symbol": found.structured_content["results"][0]["key"]})
        assert about.structured_content["symbol"]["name"] == "route_parcel"

    with_server(parcels, ask)


def test_mistakes_are_errors(parcels: Path) -> None:
    async def ask(client: Client) -> None:
        wrong = await client.call_tool("search", {"query": 5})
        assert (wrong.is_error, wrong.structured_content) == (True, None)
        assert text(wrong) == "`query` must be a string, not 5"
        with pytest.raises(MCPError, match="there is no tool 'write': the tools are search, relations"):
            await client.call_tool("write", {})
        with pytest.raises(MCPError, match="there is no resource codequarry://x: there are codequarry://manifest"):
            await client.read_resource("codequarry://x")

    with_server(parcels, ask)


def test_resources(parcels: Path, tmp_path: Path) -> None:
    async def ask(client: Client) -> None:
        assert [str(r.uri) for r in (await client.list_resources()).resources] == [
            "codequarry://manifest",
            "codequarry://briefing",
        ]
        (manifest,) = (await client.read_resource("codequarry://manifest")).contents
        assert json.loads(manifest.text)["format_version"] == 1  # type: ignore[union-attr]  # text, as its type says
        (briefing,) = (await client.read_resource("codequarry://briefing")).contents
        assert "parts     4 sub-systems" in briefing.text  # type: ignore[union-attr]  # text too

    async def ask_in_vain(client: Client) -> None:
        with pytest.raises(MCPError, match="there is no artifact"):
            await client.read_resource("codequarry://briefing")

    with_server(parcels, ask)
    with_server(tmp_path / "none", ask_in_vain)


def test_calls_wait_for_the_index_status_does_not_and_a_cancelled_call_is_dropped(parcels: Path) -> None:
    import threading

    from codequarry.query.serve import Shelf

    gate = threading.Event()

    def slow(path: Any) -> Shelf:
        assert gate.wait(60)
        return Shelf(path)

    async def main() -> None:
        library = Library(parcels, slow)
        async with Client(make_server(Service(library), library)) as client:
            answers = []

            async def search() -> None:
                answers.append(await client.call_tool("search", {"query": "route_parcel"}))

            async with anyio.create_task_group() as calls:
                calls.start_soon(search)
                with anyio.move_on_after(0.2) as scope:  # the client gives up, which cancels the call
                    await client.call_tool("info", {"symbol": "Router"})
                assert scope.cancelled_caught
                told = await client.call_tool("status", {})
                assert told.structured_content["state"] == "loading"
                assert answers == []
                gate.set()
            assert not answers[0].is_error
        library.close()

    anyio.run(main)


def test_text_that_json_cannot_hold_is_replaced(tmp_path: Path) -> None:
    build_store(tmp_path, {"app": [FileSpec(path="caf\u00e9.py", text="def caf\u00e9(): pass\n")]})

    async def ask(client: Client) -> None:
        found = await client.call_tool("search", {"query": "caf\u00e9"})
        assert found.structured_content["results"][0]["path"] == "caf\u00e9.py"
        assert (await client.call_tool("context", {"task": "caf\u00e9"})).structured_content["tokens"] > 0

    with_server(tmp_path, ask)


def test_the_block_for_each_client_names_the_index(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from codequarry.query.serve import CLIENTS

    for client in CLIENTS:
        assert run(["serve", "--print-config", client, "--index", str(tmp_path / "a b")]) == 0
        out, err = capfd.readouterr()
        assert str(tmp_path / "a b") in out
        assert err == f"{CLIENTS[client][0]}\n"
        if out.startswith("{"):
            assert "codequarry" in next(iter(json.loads(out).values()))
    assert run(["serve", "--print-config", "ed"]) == 2
    assert capfd.readouterr().err.startswith("codequarry: there is no block for the client 'ed': there are claude-code, ")


def test_without_the_extra_one_sentence_says_how_to_get_it() -> None:
    hidden = "import sys; sys.modules['mcp'] = None; from codequarry.query.cli import run; sys.exit(run(['serve']))"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "codequarry: `codequarry serve` needs the package mcp, which is not installed: pip install 'codequarry[mcp]'\n"
    )
