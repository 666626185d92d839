"""What linking reads of configurations, and what may change without consequence."""

from __future__ import annotations

import pytest
from codequarry.pipeline.graph.link import told

PACKAGE = (
    '{"name": "shop", "version": "1.0.0", "exports": {"./a": "./src/a.ts", ".": "./b.ts"}, "devDependencies": {"x": "1"}}'
)
CARGO = '[package]\nname = "my-shop"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n'
OPTIONS = '{\n  // where code is\n  "compilerOptions": {"strict": true, "paths": {"@/*": ["src/*"]}, "baseUrl": "."},\n}\n'


@pytest.mark.parametrize(
    ("family", "path", "text", "expected"),
    [
        ("go", "a/go.mod", "// shop\nmodule example.com/shop // here\n\ngo 1.22\n", "example.com/shop"),
        ("go", "go.mod", "go 1.22\n", ""),
        ("rust", "Cargo.toml", CARGO, "my_shop"),
        ("rust", "Cargo.toml", CARGO + '\n[lib]\nname = "store"\n', "store"),
        ("rust", "Cargo.toml", "[workspace]\n", ""),
        ("ecmascript", "package.json", PACKAGE, '{"name": "shop", "exports": {"./a": "./src/a.ts", ".": "./b.ts"}}'),
        ("ecmascript", "package.json", "[1", "{}"),
        ("ecmascript", "x/tsconfig.json", OPTIONS, '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}'),
        ("ecmascript", "jsconfig.json", '{"compilerOptions": 1}', '{"compilerOptions": 1}'),
        ("ecmascript", "jsconfig.json", "{}", "{}"),
        ("ecmascript", "go.mod", "module shop\n", ""),
        ("go", "package.json", PACKAGE, ""),
        ("python", "package.json", PACKAGE, ""),
    ],
)
def test_what_is_told(family: str, path: str, text: str, expected: str) -> None:
    assert told(family, path, text) == expected


@pytest.mark.parametrize(
    ("family", "path", "text", "old", "new"),
    [
        ("rust", "Cargo.toml", CARGO, 'version = "0.1.0"', 'version = "0.2.0"'),
        ("ecmascript", "package.json", PACKAGE, "1.0.0", "1.0.1"),
        ("ecmascript", "tsconfig.json", OPTIONS, "// where code is", "// where all code is"),
    ],
)
def test_what_has_no_consequence(family: str, path: str, text: str, old: str, new: str) -> None:
    assert old in text
    assert told(family, path, text.replace(old, new)) == told(family, path, text)


def test_the_order_of_exports_counts() -> None:
    parts = PACKAGE.replace('"./a": "./src/a.ts", ".": "./b.ts"', '".": "./b.ts", "./a": "./src/a.ts"')
    assert told("ecmascript", "package.json", parts) != told("ecmascript", "package.json", PACKAGE)
