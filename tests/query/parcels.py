"""A small tree that is really indexed: a router of parcels with a test, and documents that link to each other."""

from __future__ import annotations

from pathlib import Path

from codequarry.query.cli import run

__all__ = ["TREE", "index_parcels", "write_parcels"]

TREE = {
    "src/router.py": '''"""Routes parcels."""

from depots import Depot, find_depot


class Router:
    """Sends every parcel to a depot."""

    def route_parcel(self, parcel) -> Depot:
        """Return the depot that a parcel goes to next."""
        depot = find_depot(parcel.postcode)
        if depot is None:
            raise LookupError("no depot serves this postcode")
        return depot

    def describe(self):
        return "a router"
''',
    "src/depots.py": '''"""Depots by postcode."""


class Depot:
    """A place where parcels wait."""

    def __init__(self, name):
        self.name = name


def find_depot(postcode):
    """Return the depot of a postcode, None where there is none."""
    for start, name in (("1", "North"), ("2", "South")):
        if postcode.startswith(start):
            return Depot(name)
    return None
''',
    "src/main.py": """from router import Router


def main(parcels):
    router = Router()
    for parcel in parcels:
        print(router.route_parcel(parcel).name)


if __name__ == "__main__":
    main([])
""",
    "tests/test_router.py": """from router import Router


def test_route_parcel():
    router = Router()
    assert router.route_parcel(Parcel("123")).name == "North"
""",
    "docs/guide.md": """# Guide

How a parcel travels: first comes the [routing of parcels](routing.md), then [prices](prices.md#zones).
The depots have [hours](gone.md), which nobody wrote down.
""",
    "docs/routing.md": """# Routing

The first digit of the postcode names the [depot](depots.md). See the [guide](guide.md).
""",
    "docs/depots.md": """# Opening times

North opens at six, South at seven.
""",
    "docs/prices.md": """# Prices

## Zones

A zone costs two coins.
""",
    "notes.ini": "[parcels]\nlimit = 3\n",
}


def write_parcels(root: Path) -> Path:
    """Write the tree and return its folder."""
    for path, text in TREE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def index_parcels(root: Path, out: Path, *more: str) -> Path:
    """Index the tree at `root` into `out`, and return `out`."""
    assert run(["index", str(root), "--name", "parcels", "--out", str(out), "--quiet", *more]) == 0
    return out
