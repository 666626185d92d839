"""`codequarry index` from outside: real processes over real trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow.parquet as pq
import pytest

from ._index import git, index, snapshot_digests, summary, write

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas" / "json"

SHOP = ("shop", "--name", "shop")

FILES: dict[str, str | bytes] = {
    "app/cart.py": "class Cart:\n    def add(self, item):\n        return item\n",
    "app/empty.py": "",
    "app/main.go": "package app\n\nfunc Run() int { return 1 }\n",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0\0\0",
    "NOTES.txt": "A shop\n",
}


def tree(folder: Path) -> Path:
    return write(folder, FILES)


def rows(store: Path, table: str, *columns: str) -> list[tuple[Any, ...]]:
    live = json.loads((store / "latest.json").read_text())["snapshot"]
    found = pq.read_table(store / "snapshots" / live / table, columns=list(columns))
    return list(zip(*(found[name].to_pylist() for name in columns), strict=True))


def check_schema(name: str, value: Any) -> None:
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text())).validate(value)


def test_a_folder_becomes_a_snapshot(tmp_path: Path) -> None:
    tree(tmp_path / "shop")
    value = summary(*SHOP, cwd=tmp_path)
    check_schema("index", value)
    store = tmp_path / "out"
    assert rows(store, "files", "path", "language", "status", "reason", "lines") == [
        ("NOTES.txt", "text", "indexed", None, 1),
        ("app/cart.py", "python", "indexed", None, 3),
        ("app/empty.py", "python", "indexed", None, 0),
        ("app/main.go", "go", "indexed", None, 3),
        ("logo.png", None, "skipped", "binary", None),
    ]
    assert [key for key, kind in rows(store, "symbols", "key", "kind") if kind != "file"] == [
        "shop:app/cart.py#Cart",
        "shop:app/cart.py#Cart.add",
        "shop:app/main.go#Run",
    ]
    assert value["files"] == {"indexed": 4, "partial": 0, "skipped": 1}
    assert value["skipped"] == {"binary": 1}
    assert value["languages"] == [
        {"language": "go", "files": 1, "symbols": 1},
        {"language": "python", "files": 2, "symbols": 2},
        {"language": "text", "files": 1, "symbols": 0},
    ]
    assert value["sources"] == [{"repo": "shop", "commit": None, "branch": None, "dirty": None, "state": "new"}]
    assert value["source_bytes"] == sum(len(content) for content in FILES.values())
    assert value["changes"] is None
    assert (value["set_aside"], value["warnings"], value["reproducible"]) == ([], [], True)
    assert value["snapshot"] == json.loads((store / "latest.json").read_text())["snapshot"]
    assert sorted(p.name for p in store.iterdir()) == [".lock", "encoders", "latest.json", "snapshots"]
    assert value["artifact_bytes"] == sum(len(data) for data in snapshot_digests(store).values())


def test_the_text_says_what_was_done_and_what_changed(tmp_path: Path) -> None:
    shop = tree(tmp_path / "shop")
    git(shop, "init", "-q", "-b", "main")
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "one")
    commit = git(shop, "rev-parse", "HEAD")[:12]
    cache = {"CODEQUARRY_CACHE": str(tmp_path / "cache")}
    first = index(*SHOP, cwd=tmp_path, env=cache)
    assert first.returncode == 0
    assert first.stderr.splitlines() == [
        "list: 1 source",
        "extract: 5 files, 117 B",
        "merge: 5 files, 3 symbols",
        "publish",
    ]
    lines = first.stdout.splitlines()
    assert lines[0].startswith("indexed 4 of 5 files in ")
    assert f"  sources   new       shop at main {commit}" in lines
    assert "  skipped   1 binary" in lines
    assert "  symbols   3: 2 python, 1 go" in lines
    assert any(line.startswith("  slowest   shop:") for line in lines)

    write(shop, {"app/cart.py": "class Cart: pass\n", "new.py": "def new(): pass\n"})
    git(shop, "rm", "-q", "--cached", "app/main.go")
    (shop / "app/main.go").unlink()
    second = index(*SHOP, cwd=tmp_path, env=cache)
    assert "extract: 5 files, 3 of them known from earlier runs, 33 B to read" in second.stderr.splitlines()
    lines = second.stdout.splitlines()
    assert "  cached    3 of 5 files" in lines
    assert f"  sources   updated   shop at main {commit}, with uncommitted changes" in lines
    assert any(line.startswith("  changes   1 file added, 1 removed, 1 changed since snapshot ") for line in lines)
    third = index(*SHOP, cwd=tmp_path, env=cache)
    assert third.stdout.splitlines()[0].startswith("nothing has changed in 5 files: snapshot ")
    assert third.stderr.splitlines() == ["list: 1 source"]
    assert any(line.startswith("  sources   unchanged shop") for line in third.stdout.splitlines())
    assert any(line.startswith("  changes   none since snapshot ") for line in third.stdout.splitlines())


def test_quiet_prints_nothing(tmp_path: Path) -> None:
    tree(tmp_path / "shop")
    run = index(*SHOP, "--quiet", cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert (tmp_path / "out" / "latest.json").exists()


def test_same_input_same_bytes(tmp_path: Path) -> None:
    """Whatever the number of workers, memory, hash seed, locale, time zone, place, time of modification and earlier snapshot."""
    variants = [
        ("a", ("--jobs", "1", "--memory-limit", "602MB"), {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"}),
        ("b", ("--jobs", "2"), {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"}),
        ("a longer place", ("--jobs", "3"), {"PYTHONHASHSEED": "42", "CODEQUARRY_MEMORY_LIMIT": "3GB"}),
    ]
    found = []
    for place, options, env in variants:
        folder = tmp_path / place
        write(folder / "shop", FILES)
        words = {f"src/m{i}.py": f"def run_{i}():\n    return '{i * 7919 % 1000} größe {i}'\n" * 9 for i in range(300)}
        write(folder / "shop", words)
        assert index(*SHOP, "--quiet", *options, cwd=folder, env=env).returncode == 0
        found.append(snapshot_digests(folder / "out"))
    assert found[0] == found[1] == found[2]
    assert len({path.split("/")[1] for path in found[0]}) == 1


ODD: dict[str, str | bytes] = {
    "bom.py": "\ufeffdef with_bom(): pass\n",
    "crlf.py": "def crlf():\r\n    pass\r\n",
    "key.pem": "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n",
    "latin.py": "# -*- coding: latin-1 -*-\ndef größe(): pass\n".encode("latin-1"),
    "legacy.c": "/* gr\xf6\xdfe und breite der fl\xe4che */\nint f(void) { return 1; }\n".encode("cp1252"),
    "little.py": "def little(): pass\n".encode("utf-16"),
    "big.py": b"\xfe\xff" + "def big(): pass\n".encode("utf-16-be"),
    "broken.py": "def a(:\n\ndef b(): pass\n",
    "min.js": "var a=" + "1+" * 60_000 + "1;\n",
    "package-lock.json": "{}\n",
}


def test_update_keeps_the_rest_as_if_it_were_indexed_again(tmp_path: Path) -> None:
    write(tmp_path / "odd", {**ODD, **FILES})
    shop = tree(tmp_path / "shop")
    assert summary("odd", "shop", cwd=tmp_path)["sources"][0]["state"] == "new"
    write(shop, {"app/cart.py": "def changed(): pass\n"})
    value = summary("shop", "--update", cwd=tmp_path)
    assert [(s["repo"], s["state"]) for s in value["sources"]] == [("odd", "kept"), ("shop", "updated")]
    assert (value["changes"]["added"], value["changes"]["removed"], value["changes"]["changed"]) == (0, 0, 1)
    assert summary("odd", "shop", "--out", "again", cwd=tmp_path)["snapshot"] == value["snapshot"]
    encodings = {path: e for path, e in rows(tmp_path / "out", "files", "path", "encoding") if path in ODD}
    assert (encodings["bom.py"], encodings["little.py"], encodings["latin.py"]) == ("utf-8-sig", "utf-16", "iso8859-1")

    gone = summary("--remove", "shop", cwd=tmp_path)
    assert [(s["repo"], s["state"]) for s in gone["sources"]] == [("odd", "kept"), ("shop", "removed")]
    assert summary("odd", "--name", "odd", "--out", "again", cwd=tmp_path)["snapshot"] == gone["snapshot"]


def test_secrets_are_read_on_request_and_then_kept(tmp_path: Path) -> None:
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dcABCDEF12"
    write(tmp_path / "conf", {".env": f"API_KEY={key}\n", "a.py": "def a(): pass\n"})
    tree(tmp_path / "shop")
    assert summary("conf", "shop", cwd=tmp_path)["skipped"] == {"binary": 1, "secret": 1}
    assert summary("conf", "shop", "--allow-secrets", cwd=tmp_path)["skipped"] == {"binary": 1}
    assert summary("shop", "--update", cwd=tmp_path)["skipped"] == {"binary": 1}


def test_a_source_can_only_be_kept_with_its_texts_and_whole(tmp_path: Path) -> None:
    tree(tmp_path / "shop")
    tree(tmp_path / "web")
    assert index(*SHOP, "--no-sources", cwd=tmp_path).returncode == 0
    refused = index("web", "--update", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1] == (
        "codequarry: shop cannot be kept, because the store does not hold their texts: name every source again"
    )
    assert index(*SHOP, cwd=tmp_path).returncode == 0
    live = json.loads((tmp_path / "out" / "latest.json").read_text())["snapshot"]
    part = next((tmp_path / "out" / "snapshots" / live / "sources").glob("*.parquet"))
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    damaged = index("web", "--update", cwd=tmp_path)
    assert damaged.returncode == 4
    assert str(part.relative_to(tmp_path)) in damaged.stderr


def test_a_list_of_repositories(tmp_path: Path) -> None:
    tree(tmp_path / "shop")
    write(tmp_path / "web", {"a.js": "function a() {}\n", "a.test.js": "test()\n", "gen/b.js": "function b() {}\n"})
    listed = '[[repos]]\npath = "shop"\nname = "store"\n\n[[repos]]\npath = "web"\nexclude = ["gen"]\n'
    write(tmp_path, {"repos.toml": listed})
    value = summary("--repos", "repos.toml", "--exclude", "*.test.js", "--exclude", "*.txt", cwd=tmp_path)
    assert [s["repo"] for s in value["sources"]] == ["store", "web"]
    assert [path for (path,) in rows(tmp_path / "out", "files", "path")] == [
        *("app/cart.py", "app/empty.py", "app/main.go", "logo.png"),
        "a.js",
    ]


def test_dry_run_lists_and_writes_nothing(tmp_path: Path) -> None:
    shop = write(tree(tmp_path / "shop"), {"big.txt": "x" * 3000, "id_rsa": "secret"})
    run = index(*SHOP, "--dry-run", "--max-file-size", "2KB", cwd=tmp_path)
    assert run.returncode == 0
    assert run.stdout.splitlines() == [
        "read  shop:NOTES.txt",
        "read  shop:app/cart.py",
        "read  shop:app/empty.py",
        "read  shop:app/main.go",
        "skip  shop:big.txt  (too_large)",
        "skip  shop:id_rsa  (secret)",
        "read  shop:logo.png",
        "shop: 5 files to read, 117 B, 1 secret, 1 too_large",
    ]
    value = summary(*SHOP, "--dry-run", cwd=tmp_path)
    check_schema("index-dry-run", value)
    assert [file["path"] for file in value["sources"][0]["files"] if file["reason"]] == ["id_rsa"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [shop.name]


def test_nothing_to_index_is_a_valid_snapshot(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = index("empty", cwd=tmp_path)
    assert run.returncode == 0
    assert run.stdout.startswith("nothing to index, snapshot ")
    assert rows(tmp_path / "out", "files", "path") == []


def test_what_is_likely_wrong_is_a_warning(tmp_path: Path) -> None:
    write(tmp_path / "binary", {"a.py": b"\0\1\2" * 50, "b.py": b"\0\1\2" * 50})
    run = index("binary", "--quiet", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "warning: 2 files and not one indexed (2 binary)\n")
    write(tmp_path / "plain", {"a.py": "print(1)\n", "b.go": "package b\n\nfunc B() {}\n", "c.txt": "text\n"})
    value = summary("plain", cwd=tmp_path)
    assert value["warnings"] == ["1 file of python and not one symbol"]


def test_the_store_inside_the_source_is_not_indexed(tmp_path: Path) -> None:
    tree(tmp_path)
    first = summary(".", "--name", "shop", cwd=tmp_path)
    second = summary(".", "--name", "shop", cwd=tmp_path)
    assert first["snapshot"] == second["snapshot"]
    assert sum(first["files"].values()) == len(FILES)


BAD = [
    ((), 2, "nothing to index was given"),
    (("nowhere",), 2, "there is no nowhere"),
    (("shop/NOTES.txt",), 2, "is not a folder"),
    (("shop@v9",), 2, "is no git repository"),
    (("repo@v9",), 2, "v9"),
    (("repo", "--rev", "--upload-pack=x"), 2, "--upload-pack=x"),
    (("https://host.invalid/x.git",), 2, "clone it"),
    (("shop", "other/shop"), 2, "both named 'shop'"),
    (("shop", "repo", "--name", "x"), 2, "--name names one source"),
    (("shop", "--name", "a:b"), 2, "cannot name a source"),
    (("shop", "--jobs", "0"), 2, "--jobs"),
    (("shop", "--jobs", "many"), 2, "--jobs"),
    (("shop", "--max-file-size", "big"), 2, "'big' is not a size"),
    (("shop", "--max-file-size", "0"), 2, "'0' is not a size"),
    (("shop", "--memory-limit", "much"), 2, "'much' is not a size"),
    (("shop", "--memory-limit", "100MB"), 2, "cannot work within 100.0 MB: give --memory-limit at least 601.2 MB"),
    (("shop", "--wait", "-1"), 2, "--wait"),
    (("shop", "--no-such-option"), 2, "--no-such-option"),
    (("--repos", "none.toml"), 2, "none.toml"),
    (("--repos", "bad.toml"), 2, "bad.toml: repos[0].nmae"),
    (("--repos", "good.toml", "--rev", "x"), 2, "--rev is for a SOURCE"),
    (("shop", "--fresh", "--update"), 2, "--fresh"),
    (("--remove", "shop"), 2, "no source shop to remove"),
    (("shop", "--out", "file"), 1, "is not a folder"),
    (("shop", "--out", "shop"), 1, "is no store"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    tree(folder / "shop")
    tree(folder / "other" / "shop")
    repo = tree(folder / "repo")
    git(repo, "init", "-q", "-b", "main")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "one")
    write(folder, {"file": "x", "bad.toml": '[[repos]]\nnmae = "x"\n', "good.toml": '[[repos]]\npath = "shop"\n'})
    return folder


def everything(folder: Path) -> dict[Path, int]:
    """Return when each file and folder was last changed; git's own may change when it looks."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if ".git" not in path.parts}


@pytest.mark.parametrize(("args", "code", "says"), BAD, ids=[" ".join(args) or "nothing" for args, _, _ in BAD])
def test_bad_input_is_one_sentence_and_writes_nothing(place: Path, args: tuple[str, ...], code: int, says: str) -> None:
    before = everything(place)
    run = index(*args, "--quiet", cwd=place)
    assert run.returncode == code, run.stderr
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1
    assert run.stderr.startswith("codequarry: ")
    assert says in run.stderr
    assert everything(place) == before


def test_an_unknown_revision_loses_nothing(place: Path, tmp_path: Path) -> None:
    good = summary(str(place / "repo"), cwd=tmp_path)
    before = snapshot_digests(tmp_path / "out")
    assert index(f"{place / 'repo'}@v9", cwd=tmp_path).returncode == 2
    assert snapshot_digests(tmp_path / "out") == before
    assert good["snapshot"] in (tmp_path / "out" / "latest.json").read_text()
    assert not (tmp_path / "out" / ".staging").exists()
