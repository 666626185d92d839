"""Tell a file's part in a repository from its path: test, example, documentation, vendored code and so on.

Pure functions over paths with `/`, below the root of their source. The lists come from the conventions of the languages
and tools named beside them; matching ignores case but for names whose case is their point.
"""

from __future__ import annotations

import re

from ..schemas.tables import ROLES

__all__ = ["is_generated_name", "is_secret_name", "is_vendored", "roles"]

_FOLDERS = {
    role: frozenset(names.split())
    for role, names in {
        "test": "test tests testing __tests__ spec specs unittest unittests e2e integration-tests integration_tests "
        "testsuite",
        "example": "example examples _examples sample samples demo demos tutorial tutorials docs_src",
        "docs": "doc docs documentation website www",
        "fixture": "fixture fixtures __fixtures__ testdata test-data test_data __snapshots__ snapshots __mocks__ golden "
        "goldens",
        "benchmark": "bench benches benchmark benchmarks perf",
        "vendored": "vendor vendors vendored _vendor third_party third-party thirdparty 3rdparty node_modules "
        "bower_components jspm_packages site-packages .yarn pods carthage godeps",
    }.items()
}
"""Names of folders, in lower case, that give a role to everything below them."""

_NAMES = {
    "test": re.compile(
        r"test_.*\.py|.*_tests?\.(py|go|rs|c|cc|cpp|cxx|rb|exs|dart|lua|php)|tests?\.(py|rs|js|ts)|conftest\.py"
        r"|.*\.(test|tests|spec|specs|cy|e2e)\.[cm]?[jt]sx?|.*_spec\.rb|test-.*\.(c|cc|cpp|h|js|ts|sh)"
        r"|.*(Test|Tests|TestCase|Spec|IT)\.(java|kt|scala|groovy|cs|swift|php|m)|Test[A-Z].*\.(java|kt)"
    ),
    "example": re.compile(r"example_.*\.go|.*_example_test\.go|.*\.(example|sample)(\..*)?"),
    "docs": re.compile(
        r"(?i:(readme|changelog|changes|history|contributing|code_of_conduct|authors|security|news|releases?)"
        r"([_-][^.]*|([._-].*)?\.(md|markdown|rst|txt|adoc|asciidoc|org))?)"
    ),
    "fixture": re.compile(r".*\.(snap|golden|fixture)"),
    "benchmark": re.compile(r"(bench|benchmark)[_-].*|.*[_-](bench|benchmark)\.\w+|.*\.bench\.[cm]?[jt]sx?"),
}
"""Whole base names; where a language tells tests by a capital letter (`LatestTest.java`), so does the pattern."""

_PROSE_AND_DATA = frozenset("markdown restructuredtext asciidoc text json yaml toml ini xml csv".split())
"""Languages whose files are read by people or programs but are not programs."""

_GENERATED = re.compile(
    r".*\.min\.(js|mjs|css)|.*\.(js|mjs|css)\.map|.*_pb2(_grpc)?\.pyi?|.*\.pb(\.gw)?\.go|.*\.pb\.(h|cc|c|rs|swift|dart)"
    r"|.*_grpc\.pb\.\w+|.*_pb\.(js|ts|rb|d\.ts)|.*\.(gen|generated)\.\w+|.*\.g\.(dart|cs)|.*_generated\.\w+|zz_generated.*"
    r"|.*\.designer\.cs|.*\.freezed\.dart|.*\.xcodeproj|.*\.pbxproj"
    r"|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|composer\.lock|cargo\.lock"
    r"|gemfile\.lock|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|conda-lock\.yml|go\.sum|go\.work\.sum|mix\.lock"
    r"|pubspec\.lock|packages\.lock\.json|podfile\.lock|package\.resolved|flake\.lock|gradle\.lockfile|\.terraform\.lock\.hcl"
    r"|\.pnp\.[cm]?js|cabal\.project\.freeze|stack\.yaml\.lock|cartfile\.resolved|elm-stuff"
)

_SECRET = re.compile(
    r"\.env.*|.+\.env|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(p12|pfx|jks|keystore|kdbx?|ppk|key|pkcs12|ovpn)"
    r"|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|\.s3cfg|\.boto|\.vault[-_]?pass(word)?"
)
_HARMLESS = re.compile(
    r".*[._-](example|sample|template|tmpl|dist|defaults?|schema)|(example|sample|template)s?\.env|\.env(\.d)?\.[jt]s|\.env\.py"
)
_SECRET_PATHS = ("/.aws/credentials", "/.docker/config.json", "/.kube/config", "/.config/gh/hosts.yml")

_BIT = {name: 1 << i for i, name in enumerate(ROLES)}


def roles(path: str, language: str | None, generated: bool) -> int:
    """Return the roles of a file as a bit set over schemas.tables.ROLES; `generated` is what its content says."""
    name = path.rpartition("/")[2]
    folders = set(path.lower().split("/")[:-1])
    found = sum(_BIT[role] for role, known in _FOLDERS.items() if not known.isdisjoint(folders))
    for role, pattern in _NAMES.items():
        if pattern.fullmatch(name):
            found |= _BIT[role]
    if generated or is_generated_name(name):
        found |= _BIT["generated"]
    if language is None or language in _PROSE_AND_DATA:
        found |= _BIT["non_code"]
    return found


def is_vendored(path: str) -> bool:
    """Tell whether a path lies in a folder of code that was copied from elsewhere."""
    return not _FOLDERS["vendored"].isdisjoint(path.lower().split("/")[:-1])


def is_generated_name(path: str) -> bool:
    """Tell by the base name whether a tool writes the file: lock files, minified files, output of code generators."""
    return _GENERATED.fullmatch(path.rpartition("/")[2].lower()) is not None


def is_secret_name(path: str) -> bool:
    """Tell by the name whether a file likely holds secrets; templates such as `.env.example` do not count."""
    lower = "/" + path.lower()
    name = lower.rpartition("/")[2]
    if lower.endswith(_SECRET_PATHS):
        return True
    return _SECRET.fullmatch(name) is not None and _HARMLESS.fullmatch(name) is None
