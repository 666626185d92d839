"""Import the scripts, which stand in no package."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

__all__ = ["SCRIPTS", "script"]

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def script(name: str) -> Any:
    """Return one of the scripts as a module; its own folder stands first on the path, for what it imports from there."""
    path = SCRIPTS / f"{name}.py"
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    return importlib.import_module(path.stem)
