"""Fetch the pinned packages that the encoder is trained on, and check that each one's licence allows it.

    python scripts/encoder_data.py fetch --data DIR      download what is missing, check hashes and licences
    python scripts/encoder_data.py pin REGISTRY SPLIT NAME... --data DIR     add packages to the pinned list

Packages are archives that are only ever read: nothing in them is unpacked to disk, built or run. They come by name
from the ordinary clients (`pip`, `npm`, `apt-get`), and stay outside the repository. The list is
`encoder_packages.toml`; its `exclude` table names what search is measured on and therefore must not be learned from.
"""

from __future__ import annotations

import argparse
import bz2
import functools
import gzip
import hashlib
import json
import logging
import lzma
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from email.parser import HeaderParser
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path, PurePosixPath

__all__ = [
    "SPLITS",
    "Package",
    "PackageError",
    "excluded",
    "fetch",
    "foreign",
    "licence",
    "members",
    "permissive",
    "plain_licence",
    "read_list",
    "refused_files",
]

SPLITS = ("train", "validation", "test")
LIST = Path(__file__).with_name("encoder_packages.toml")

_ALLOWED = frozenset(
    "mit mit-0 expat bsd bsd-2-clause bsd-3-clause bsd-2 bsd-3 0bsd apache-2.0 apache-2 apache2 isc psf psf-2.0 "
    "python-2.0 zlib cc0-1.0 cc0 unlicense".split()
)
_LICENCE_TEXTS = {  # free-text licence fields and classifiers, lower case, to one of the names above
    "mit license": "mit",
    "the mit license": "mit",
    "the mit license (mit)": "mit",
    "mit license (mit)": "mit",
    "bsd license": "bsd",
    "new bsd": "bsd-3-clause",
    "new bsd license": "bsd-3-clause",
    "modified bsd license": "bsd-3-clause",
    "3-clause bsd": "bsd-3-clause",
    "bsd 3-clause": "bsd-3-clause",
    "bsd 3-clause license": "bsd-3-clause",
    "bsd-3-clause license": "bsd-3-clause",
    "apache 2.0": "apache-2.0",
    "apache license 2.0": "apache-2.0",
    "apache license, version 2.0": "apache-2.0",
    "apache license version 2.0": "apache-2.0",
    "apache software license": "apache-2.0",
    "apache software license 2.0": "apache-2.0",
    "isc license": "isc",
    "isc license (iscl)": "isc",
    "python software foundation license": "psf",
    "zlib/libpng license": "zlib",
    "zlib/libpng": "zlib",
    "3-clause bsd license": "bsd-3-clause",
    "apache 2.0 license": "apache-2.0",
    "the unlicense": "unlicense",
    "the unlicense (unlicense)": "unlicense",
    "cc0 1.0 universal (cc0 1.0) public domain dedication": "cc0",
}
_FOREIGN = frozenset("_vendor vendor vendored _vendored third_party thirdparty node_modules extern externals".split())

log = logging.getLogger(__name__)


class PackageError(Exception):
    """A package cannot be had, is not the pinned one, or may not be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One pinned package: `registry` is `pypi`, `npm`, `debian` (binary) or `debian-source`."""

    registry: str
    split: str
    name: str
    version: str
    sha256: str
    licence: str = ""

    @property
    def key(self) -> str:
        """Name the package across registries."""
        return f"{self.registry}:{self.name}"


def read_list(path: Path = LIST) -> tuple[list[Package], frozenset[str]]:
    """Return the pinned packages in file order and the excluded names.

    A line is `name version sha256 licence`, the licence as the package states it. Raises PackageError where a name is
    excluded or stands twice.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    names = frozenset(tables.pop("exclude")["names"])
    found: dict[str, Package] = {}
    for registry, splits in tables.items():
        for split, lines in splits.items():
            for line in lines:
                name, version, sha256, stated = line.split(maxsplit=3)
                package = Package(registry=registry, split=split, name=name, version=version, sha256=sha256, licence=stated)
                if package.key in found:
                    raise PackageError(f"{path.name}: {package.key} stands twice; keep one")
                if excluded(name, names):
                    raise PackageError(f"{path.name}: {package.key} is measured on; remove it")
                found[package.key] = package
    return list(found.values()), names


def excluded(name: str, names: Iterable[str]) -> bool:
    """Tell whether a package name or path segment belongs to an excluded project, under any registry's spelling."""
    plain = _plain(name)
    return any(plain == n or plain.startswith(f"{n}-") for n in names)


@functools.cache
def _plain(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    plain = re.sub(r"^(golang-(github|gopkg|google|go)?-?|librust-|node-|lib(?=.*-java$))", "", plain)
    return re.sub(r"(-dev|-java|-js|-rs|-py)$", "", plain)


def fetch(package: Package, data: Path) -> Path:
    """Return the archive of a package, downloading it if it is not there, with its hash checked."""
    folder = data / "archives" / package.registry / package.name.replace("/", "+")
    archive = _newest(folder) if folder.is_dir() else None
    if archive is None:
        archive = _download(package.registry, package.name, package.version, folder)
    actual = _sha256(archive)
    if actual != package.sha256:
        raise PackageError(f"{package.key} {package.version}: sha256 is {actual}, pinned is {package.sha256}")
    return archive


def _download(registry: str, name: str, version: str, folder: Path) -> Path:
    """Download one package by name into `folder`; an empty `version` means the newest."""
    folder.mkdir(parents=True, exist_ok=True)
    run = subprocess.run(_command(registry, name, version, folder), cwd=folder, capture_output=True, text=True)
    archive = _newest(folder)
    if run.returncode or archive is None:
        raise PackageError(f"{registry}:{name} {version}: download failed: {run.stderr.strip()[-300:]}")
    return archive


def _command(registry: str, name: str, version: str, folder: Path) -> list[str]:
    if registry == "pypi":  # wheels only, and of one platform whatever the machine: the hash is pinned, no code runs
        platforms = ["any", "manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"]
        flags = ["--no-deps", "--only-binary=:all:", "--python-version=3.11", "--implementation=cp"]
        flags += [f"--platform={p}" for p in platforms] + ["--abi=cp311", "--abi=abi3", "--abi=none"]
        spec = f"{name}=={version}" if version else name
        return [sys.executable, "-m", "pip", "download", "--quiet", *flags, "--dest", str(folder), spec]
    if registry == "npm":
        return ["npm", "pack", "--silent", "--ignore-scripts", f"{name}@{version or 'latest'}"]
    spec = f"{name}={version}" if version else name
    if registry == "debian":
        return ["apt-get", "download", "-q", spec]
    if registry == "debian-source":
        return ["apt-get", "source", "-q", "--download-only", spec]
    raise PackageError(f"unknown registry {registry!r}; use pypi, npm, debian or debian-source")


def _newest(folder: Path) -> Path | None:
    suffixes = (".whl", ".tgz", ".deb", ".tar.gz", ".tar.xz", ".tar.bz2")
    found = [p for p in folder.iterdir() if p.name.endswith(suffixes) and ".debian.tar" not in p.name]
    return max(found, key=lambda p: (p.stat().st_size, p.name), default=None)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of an archive's regular files, in the order of their paths."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in sorted(n for n in wheel.namelist() if not n.endswith("/")):
                yield name, wheel.read(name)
        return
    with tarfile.open(fileobj=BytesIO(_plain_tar(archive))) as tar:
        for member in sorted((m for m in tar.getmembers() if m.isfile()), key=lambda m: m.name):
            file = tar.extractfile(member)
            if file is not None:
                yield member.name.removeprefix("./"), file.read()


def _plain_tar(archive: Path) -> bytes:
    """Return the tar inside an archive, decompressed: sorted reading would decompress it again for each step back."""
    if archive.suffix == ".deb":
        return subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], capture_output=True, check=True).stdout
    packed = archive.read_bytes()
    if archive.suffix == ".xz":
        return lzma.decompress(packed)
    return bz2.decompress(packed) if archive.suffix == ".bz2" else gzip.decompress(packed)


def foreign(path: str, names: Iterable[str]) -> bool:
    """Tell whether a path inside an archive is a vendored copy, of any project or of an excluded one."""
    parts = PurePosixPath(path).with_suffix("").parts
    return any(part in _FOREIGN or _plain(part) in names for part in parts)


def plain_licence(stated: str) -> str:
    """Return one spelling for each licence, lower case; an expression of several keeps its form."""
    plain = " ".join(stated.lower().strip("()").split())
    return re.sub(r"\bexpat\b", "mit", _LICENCE_TEXTS.get(plain, plain))


def permissive(expression: str) -> bool:
    """Tell whether a licence expression allows training: one side of an `or`, every side of an `and`."""
    text = " ".join(expression.lower().split())
    text = _LICENCE_TEXTS.get(text, text).replace("(", " ").replace(")", " ")
    sides = re.split(r"\s+or\s+|\s*\|\s*", text)
    return any(all(_allowed(p) for p in re.split(r"\s+and\s+|\s*,\s*|\s*/\s*", side)) for side in sides)


def _allowed(name: str) -> bool:
    plain = name.strip()
    plain = _LICENCE_TEXTS.get(plain, plain)
    return re.sub(r"^(bsd-[23]-clause)[-~](google|generic|facebook|go)$", r"\1", plain) in _ALLOWED


def licence(package: Package, archive: Path) -> str:
    """Return the licence that a package's own metadata states; raise PackageError if it is unknown or not permissive.

    A Debian package is judged by its main stanza (`Files: *`); `refused_files` tells which files others cover.
    """
    if package.registry == "pypi":
        stated = _wheel_licences(archive)
    elif package.registry == "npm":
        stated = _npm_licences(archive)
    else:
        stanzas = _debian_stanzas(package, archive)
        stated = [s for globs, s in stanzas if "*" in globs]
        if not stanzas and package.registry == "debian-source":
            stated = _licence_file(archive)
    refused = [s for s in stated if not permissive(s)]
    if refused or not stated:
        raise PackageError(f"{package.key}: licence {', '.join(refused) or 'not stated'} is not on the list")
    return " and ".join(sorted({" ".join(s.split()) for s in stated}))


def refused_files(package: Package, archive: Path) -> tuple[str, ...]:
    """Return the globs of files that a permissive Debian package has from elsewhere under other licences."""
    if not package.registry.startswith("debian"):
        return ()
    stanzas = _debian_stanzas(package, archive)
    return tuple(f"*/{glob.removeprefix('./')}" for globs, stated in stanzas if not permissive(stated) for glob in globs)


def _wheel_licences(archive: Path) -> list[str]:
    with zipfile.ZipFile(archive) as wheel:
        name = next(n for n in wheel.namelist() if n.count("/") == 1 and n.endswith(".dist-info/METADATA"))
        header = HeaderParser().parsestr(wheel.read(name).decode("utf-8", "replace"))
    if expression := header.get("License-Expression"):
        return [expression]
    classifiers = [c.rpartition(" :: ")[2] for c in header.get_all("Classifier", []) if c.startswith("License ::")]
    named = [c for c in classifiers if c not in ("OSI Approved", "Freely Distributable")]  # categories, not licences
    if named:
        return named  # several may be a choice or a mixture: each must be allowed
    text = (header.get("License") or "").strip()
    return [text] if text and "\n" not in text else []


def _npm_licences(archive: Path) -> list[str]:
    with tarfile.open(archive) as tar:
        member = min((m for m in tar.getmembers() if m.name.endswith("/package.json")), key=lambda m: len(m.name))
        file = tar.extractfile(member)
        stated = json.load(file) if file is not None else {}
    values = stated.get("license") or stated.get("licenses") or []
    values = values if isinstance(values, list) else [values]
    return [v.get("type", "") if isinstance(v, dict) else str(v) for v in values]


def _debian_stanzas(package: Package, archive: Path) -> list[tuple[list[str], str]]:
    """Return (globs, licence) of each `Files` stanza of the machine-readable copyright file."""
    if package.registry == "debian":
        text = next((c for n, c in members(archive) if fnmatch(n, "usr/share/doc/*/copyright")), b"")
    else:
        packaging = [p for p in archive.parent.iterdir() if ".debian.tar" in p.name]
        text = next((c for p in packaging for n, c in members(p) if n == "debian/copyright"), b"")
    found = []
    for stanza in re.split(r"\n\s*\n", text.decode("utf-8", "replace")):
        files = re.search(r"^Files:((?:.*)(?:\n[ \t].*)*)", stanza, re.MULTILINE)
        stated = re.search(r"^License:[ \t]*(.*)", stanza, re.MULTILINE)
        if files and stated:
            found.append((files[1].replace(",", " ").split(), stated[1]))
    return found


def _licence_file(archive: Path) -> list[str]:
    """Recognise the text of a top-level licence file, for source packages without a machine-readable statement."""
    for name, content in members(archive):
        if re.fullmatch(r"[^/]+/(LICEN[CS]E|COPYING)(\.(txt|md))?", name, re.IGNORECASE):
            text = " ".join(content.decode("utf-8", "replace").split())
            if "GNU" in text or "Mozilla" in text or "Eclipse" in text:
                return []
            if "Apache License Version 2.0, January 2004" in text:
                return ["apache-2.0"]
            return ["mit"] if "Permission is hereby granted, free of charge, to any person" in text else []
    return []


def _pin(registry: str, split: str, names: list[str], data: Path, path: Path) -> None:
    """Download the newest version of each name and add its line to the list; refuse what may not be used."""
    packages, exclude = read_list(path)
    known = {p.key for p in packages}

    def pinned(name: str) -> Package | None:
        if f"{registry}:{name}" in known or excluded(name, exclude):
            return None
        folder = data / "archives" / registry / name.replace("/", "+")
        try:
            archive = (_newest(folder) if folder.is_dir() else None) or _download(registry, name, "", folder)
            version = _version(registry, archive)
            package = Package(registry=registry, split=split, name=name, version=version, sha256=_sha256(archive))
            return replace(package, licence=licence(package, archive))
        except PackageError as error:
            log.warning("%s", error)
            return None

    with ThreadPoolExecutor(3) as pool:
        packages += [p for p in pool.map(pinned, dict.fromkeys(names)) if p is not None]
    path.write_text(_as_toml(packages, exclude), encoding="utf-8")


def _version(registry: str, archive: Path) -> str:
    if registry == "pypi":
        return archive.name.split("-")[1]
    if registry == "npm":
        with tarfile.open(archive) as tar:
            member = min((m for m in tar.getmembers() if m.name.endswith("/package.json")), key=lambda m: len(m.name))
            file = tar.extractfile(member)
            return str(json.load(file)["version"]) if file is not None else ""
    if registry == "debian":
        return archive.name.split("_")[1].replace("%3a", ":")
    dsc = next((p for p in archive.parent.iterdir() if p.suffix == ".dsc"), None)
    if dsc is None:
        raise PackageError(f"{archive.name}: its .dsc file is missing; download it again")
    return next(line.split()[1] for line in dsc.read_text("utf-8").splitlines() if line.startswith("Version:"))


def _as_toml(packages: list[Package], exclude: frozenset[str]) -> str:
    out = [
        "# What the encoder is trained and measured on: `name version sha256 licence`. Written by encoder_data.py pin.",
        "",
    ]
    out += ["[exclude]", "# Projects that search is measured on, under their plain names; never learned from."]
    out += ["names = [", *(f'    "{name}",' for name in sorted(exclude)), "]"]
    for registry in sorted({p.registry for p in packages}):
        out += ["", f"[{registry}]"]
        for split in SPLITS:
            lines = sorted(
                f"{p.name} {p.version} {p.sha256} {p.licence}"
                for p in packages
                if (p.registry, p.split) == (registry, split)
            )
            out += [f"{split} = [", *(f"    {json.dumps(line)}," for line in lines), "]"]
    return "\n".join(out) + "\n"


def main() -> int:
    """Run the command line; the exit code is 1 if a package cannot be had or may not be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder for downloads, outside the repository")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch", help="download and check every pinned package")
    pin = commands.add_parser("pin", help="add packages to the pinned list")
    pin.add_argument("registry", choices=["pypi", "npm", "debian", "debian-source"])
    pin.add_argument("split", choices=SPLITS)
    pin.add_argument("name", nargs="+")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    data = arguments.data.resolve()
    if arguments.command == "pin":
        _pin(arguments.registry, arguments.split, arguments.name, data, LIST)
        return 0
    failed = 0
    for package in read_list()[0]:
        try:
            log.info("%s %s: %s", package.key, package.version, licence(package, fetch(package, data)))
        except PackageError as error:
            failed += 1
            log.error("%s", error)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
