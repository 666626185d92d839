"""The session in docs/agents.md is what a server says, line by line; `UPDATE_DOCS=1` writes what it says now."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from codequarry.query.cli import run

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs" / "agents.md"
BLOCK = re.compile(r"^```json\n(> .*?)^```$", re.M | re.S)


def steady(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{16}\b", "<snapshot>", text)


def test_the_session_of_the_document(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests" / "cases" / "trees" / "shop", tmp_path / "shop")
    assert run(["index", str(tmp_path / "shop"), "--name", "shop", "--out", str(tmp_path / "artifacts"), "--quiet"]) == 0
    text = DOCUMENT.read_text(encoding="utf-8")
    (block,) = BLOCK.findall(text)
    sent = [line.removeprefix("> ") for line in block.splitlines() if line.startswith("> ")]
    argv = [sys.executable, "-c", "from codequarry.query.cli import main; main()", "serve", "--index", "artifacts"]
    server = subprocess.Popen(argv, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    lines = []
    with server:
        for line in sent:
            server.stdin.write(f"{line}\n")
            server.stdin.flush()
            lines.append(f"> {line}\n")
            if "id" in json.loads(line):
                lines.append(f"< {server.stdout.readline()}")
        server.stdin.close()
    assert server.returncode == 0
    found = "".join(lines)
    if found != block and os.environ.get("UPDATE_DOCS"):
        DOCUMENT.write_text(text.replace(block, found), encoding="utf-8")
    else:
        assert steady(found) == steady(block)
