"""Roles by path: a table of names from real repositories."""

from __future__ import annotations

import pytest
from codequarry.pipeline.roles import is_generated_name, is_secret_name, is_vendored, roles
from codequarry.schemas.tables import ROLES


def _named(bits: int) -> set[str]:
    return {role for i, role in enumerate(ROLES) if bits & (1 << i)}


@pytest.mark.parametrize(
    ("path", "language", "expected"),
    [
        ("src/flask/app.py", "python", set()),
        ("tests/test_basic.py", "python", {"test"}),
        ("test_basic.py", "python", {"test"}),
        ("basic_test.go", "go", {"test"}),
        ("tokio/tests/rt_basic.rs", "rust", {"test"}),
        ("tokio/src/runtime/tests/mod.rs", "rust", {"test"}),
        ("src/app.test.tsx", "tsx", {"test"}),
        ("src/app.spec.mjs", "javascript", {"test"}),
        ("src/__tests__/app.js", "javascript", {"test"}),
        ("core/src/test/java/a/GsonTest.java", "java", {"test"}),
        ("a/GsonTests.java", "java", {"test"}),
        ("a/LatestVersion.java", "java", set()),
        ("a/Contest.java", "java", set()),
        ("spec/rack_spec.rb", "ruby", {"test"}),
        ("test/test-fs.c", "c", {"test"}),
        ("conftest.py", "python", {"test"}),
        ("latest.py", "python", set()),
        ("attest_keys.go", "go", set()),
        ("protest/march.py", "python", set()),
        ("examples/chat.rs", "rust", {"example"}),
        ("Example/App.swift", "swift", {"example"}),
        ("example_test.go", "go", {"test", "example"}),
        ("docs/index.md", "markdown", {"docs", "non_code"}),
        ("docs/conf.py", "python", {"docs"}),
        ("website/src/pages/a.tsx", "tsx", {"docs"}),
        ("README.md", "markdown", {"docs", "non_code"}),
        ("README", None, {"docs", "non_code"}),
        ("README.zh-CN.md", "markdown", {"docs", "non_code"}),
        ("CHANGES.rst", "restructuredtext", {"docs", "non_code"}),
        ("CHANGELOG-1.2.md", "markdown", {"docs", "non_code"}),
        ("news.py", "python", set()),
        ("security.go", "go", set()),
        ("tests/fixtures/a.json", "json", {"test", "fixture", "non_code"}),
        ("testdata/in.txt", "text", {"fixture", "non_code"}),
        ("src/__snapshots__/a.js.snap", None, {"fixture", "non_code"}),
        ("benches/sync.rs", "rust", {"benchmark"}),
        ("benchmarks/run.py", "python", {"benchmark"}),
        ("bench_lookup.py", "python", {"benchmark"}),
        ("router.bench.ts", "typescript", {"benchmark"}),
        ("vendor/github.com/a/b.go", "go", {"vendored"}),
        ("third_party/zlib/inflate.c", "c", {"vendored"}),
        ("node_modules/a/test/x.js", "javascript", {"vendored", "test"}),
        ("vendor.go", "go", set()),
        ("api/a.pb.go", "go", {"generated"}),
        ("package-lock.json", "json", {"generated", "non_code"}),
        ("Cargo.toml", "toml", {"non_code"}),
        ("data.bin", None, {"non_code"}),
    ],
)
def test_roles(path: str, language: str | None, expected: set[str]) -> None:
    assert _named(roles(path, language, False)) == expected


def test_a_generated_file_has_the_role_whatever_its_name() -> None:
    assert _named(roles("a.py", "python", True)) == {"generated"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("vendor/a.go", True),
        ("a/Vendor/b.go", True),
        ("a/node_modules/b/c.js", True),
        (".yarn/releases/yarn.cjs", True),
        ("Pods/A/b.m", True),
        ("lib/python3/site-packages/a.py", True),
        ("vendor", False),
        ("src/vendor.js", False),
        ("src/vendoring/a.py", False),
    ],
)
def test_vendored(path: str, expected: bool) -> None:
    assert is_vendored(path) is expected


@pytest.mark.parametrize(
    "path",
    [
        "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "Cargo.lock", "poetry.lock",
        "uv.lock", "go.sum", "Gemfile.lock", "composer.lock", "deno.lock", "flake.lock", "x/Package.resolved",
        "Pipfile.lock", "mix.lock", "jquery.min.js", "a.min.css", "app.js.map", "api_pb2.py", "api_pb2.pyi",
        "api_pb2_grpc.py", "a.pb.go", "a.pb.gw.go", "a.pb.cc", "api_pb.js", "cart.gen.go", "schema.generated.ts",
        "a.g.dart", "zz_generated.deepcopy.go", "Form.Designer.cs",
    ],
)  # fmt: skip
def test_names_of_generated_files(path: str) -> None:
    assert is_generated_name(path)


@pytest.mark.parametrize(
    "path",
    [
        "lock.py",
        "package.json",
        "generator.go",
        "gen.go",
        "generated.md",
        "a.map",
        "min.js",
        "pb.go",
        "a.lock/x.py",
        "sum.go",
    ],
)
def test_names_of_written_files(path: str) -> None:
    assert not is_generated_name(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env", "app/.env", ".env.local", ".env.production", ".envrc", "prod.env", ".ENV", "id_rsa", ".ssh/id_ed25519",
        "server.key", "cert.p12", "a.pfx", "release.jks", "debug.keystore", "db.kdbx", ".netrc", ".pgpass", ".htpasswd",
        ".git-credentials", "home/.aws/credentials", ".aws/credentials", ".docker/config.json", "vpn.ovpn", ".vault_pass",
    ],
)  # fmt: skip
def test_names_of_secrets(path: str) -> None:
    assert is_secret_name(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env.example", ".env.sample", ".env.template", ".env.production.example", "example.env", ".env.d.ts", "env.py",
        "environment.ts", "id_rsa.pub", "keys.py", "key.go", "cert.pem", "credentials", "src/credentials.py",
        ".env/bin/x.py", "config.json", "monkey", "turkey.md", "keystore.go", ".environment/readme.md",
    ],
)  # fmt: skip
def test_names_that_only_look_like_secrets(path: str) -> None:
    assert not is_secret_name(path)
