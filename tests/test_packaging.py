"""What the package declares; `scripts/check_wheel.py` looks at the wheel itself and at a clean installation of it."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from importlib.metadata import entry_points, packages_distributions
from pathlib import Path

import pytest
from codequarry.query.cli import INDEX_EXTRA, main

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ROOMS = ("pipeline", "query", "schemas")


def name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def test_the_command_is_installed() -> None:
    (script,) = entry_points(group="console_scripts", name="codequarry")
    assert script.load() is main


def test_the_index_extra_brings_the_modules_that_the_command_line_asks_for() -> None:
    distributions = packages_distributions()
    brought = {name(requirement) for requirement in PROJECT["optional-dependencies"]["index"]}
    assert {distributions[module][0].lower().replace("_", "-") for module in INDEX_EXTRA} == brought


def test_the_index_extra_is_no_plain_dependency() -> None:
    plain = {name(requirement) for requirement in PROJECT["dependencies"]}
    assert plain.isdisjoint(map(name, PROJECT["optional-dependencies"]["index"]))


def test_the_mcp_extra_brings_the_sdk_of_one_major_version_and_no_plain_dependency_does() -> None:
    (sdk,) = PROJECT["optional-dependencies"]["mcp"]
    assert re.fullmatch(r"mcp>=2(\.\d+)*,<3", sdk)
    assert "mcp" not in map(name, PROJECT["dependencies"])


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_typed_and_linked(room: str) -> None:
    assert (ROOT / room / "py.typed").exists()
    assert (ROOT / ".dev" / "codequarry" / room).resolve() == ROOT / room


def test_the_namespace_package_has_no_file_of_its_own() -> None:
    assert sorted(path.name for path in (ROOT / ".dev" / "codequarry").iterdir()) == sorted(ROOMS)


@pytest.mark.parametrize("script", [".ci/run", "scripts/quickstart", "scripts/test"])
def test_scripts_are_executable_bash_that_stops_at_the_first_error(script: str) -> None:
    text = (ROOT / script).read_text()
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert (ROOT / script).stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)


def test_a_python_that_is_too_old_is_named_in_one_sentence(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    argv = ["bash", "-c", f"source '{ROOT}/scripts/_python.sh'; find_python"]
    env = {"PATH": os.defpath, "PYTHON": str(old)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("codequarry needs Python 3.11 or newer and found none: install it, or name it")
