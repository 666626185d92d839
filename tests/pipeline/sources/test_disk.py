"""Reading below a root: what may happen to a file between its listing and its reading."""

from __future__ import annotations

import os
import resource
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from codequarry.pipeline.sources import ListingOptions
from codequarry.pipeline.sources.disk import Tree, blob_digest, link_reason
from hypothesis import given
from hypothesis import strategies as st

from ._repos import Repo, contents, listing, make_repo


def test_files_that_change_between_listing_and_reading(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    for i in range(9):
        repo.write(f"f{i}", f"content {i}\n")
    repo.commit()
    source = listing(tmp_path, options=ListingOptions(max_file_size=50))
    (tmp_path / "f1").unlink()
    (tmp_path / "f2").write_bytes(b"")
    (tmp_path / "f3").unlink()
    (tmp_path / "f3").mkdir()
    (tmp_path / "f4").write_bytes(b"grown content 4\n")
    (tmp_path / "f5").unlink()
    os.symlink("/nonexistent", tmp_path / "f5")
    (tmp_path / "f6").unlink()
    os.mkfifo(tmp_path / "f6")
    (tmp_path / "f7").write_bytes(b"x" * 51)
    read = {c.entry.path: c for c in source.read(source.entries)}
    assert {path: c.reason if c.data is None else c.data for path, c in read.items()} == {
        "f0": b"content 0\n",
        "f1": "missing",
        "f2": b"",
        "f3": "not_regular",
        "f4": b"grown content 4\n",
        "f5": "changed",
        "f6": "not_regular",
        "f7": "too_large",
        "f8": b"content 8\n",
    }
    for content in read.values():
        assert content.blob == (None if content.data is None else blob_digest(content.data))


def test_a_folder_that_vanishes(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, d__a="1\n", d__e__b="2\n", f="3\n")
    source = listing(tmp_path)
    shutil.rmtree(repo.root / "d")
    assert contents(source) == {"d/a": "missing", "d/e/b": "missing", "f": b"3\n"}


def test_a_socket_in_place_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_repo(tmp_path, a="1\n")
    source = listing(tmp_path)
    (tmp_path / "a").unlink()
    monkeypatch.chdir(tmp_path)  # the address of a socket may not be long
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("a")
        assert contents(source) == {"a": "changed"}


def test_bytes_and_stamp_are_of_one_moment(tmp_path: Path) -> None:
    """A writer that replaces the file's content all the time never gives a mixture."""
    file = tmp_path / "a"
    versions = [bytes([i]) * (1000 + 37 * i) for i in range(8)]
    file.write_bytes(versions[0])
    stop = threading.Event()

    def write() -> None:
        i = 0
        while not stop.is_set():
            i += 1
            (tmp_path / "next").write_bytes(versions[i % 8])
            os.replace(tmp_path / "next", file)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with Tree(tmp_path) as tree:
            for _ in range(300):
                data, stamp = tree.read(b"a", 10_000)
                assert data in versions
                assert stamp[0] == len(data)
    finally:
        stop.set()
        writer.join()


def test_a_file_that_never_holds_still_is_set_aside(tmp_path: Path) -> None:
    """Appending in place between the two looks at the file is noticed."""
    file = tmp_path / "a"
    file.write_bytes(b"1")
    stop = threading.Event()

    def append() -> None:
        with open(file, "ab", buffering=0) as out:
            while not stop.is_set():
                out.write(b"2" * 100)

    writer = threading.Thread(target=append)
    writer.start()
    try:
        with Tree(tmp_path) as tree:
            for _ in range(50):
                try:
                    data, stamp = tree.read(b"a", 1 << 40)
                except OSError as error:
                    assert error.strerror == "changes while it is read"  # noqa: PT017
                else:
                    assert stamp[0] == len(data)
    finally:
        stop.set()
        writer.join()


def test_folders_are_left_and_entered_in_any_order(tmp_path: Path) -> None:
    paths = [b"a/b/c/1", b"a/b/2", b"3", b"a/x/4", b"a/b/c/5", b"z/6", b"a/7"]
    for path in paths:
        file = tmp_path / os.fsdecode(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(path)
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    with Tree(tmp_path) as tree:
        for path in [*paths, *reversed(paths)]:
            assert tree.read(path, 100)[0] == path
            assert tree.lstat(path).st_size == len(path)
    if before:
        assert len(os.listdir("/proc/self/fd")) == before


def test_a_folder_that_is_not_there_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "1").write_bytes(b"root")
    (tmp_path / "a" / "1").write_bytes(b"below")
    with Tree(tmp_path) as tree:
        for _ in range(3):
            assert tree.read(b"a/1", 9)[0] == b"below"
            with pytest.raises(FileNotFoundError):
                tree.folder(b"a/b/c/d")
            assert tree.read(b"1", 9)[0] == b"root"


def test_more_folders_deep_than_a_process_may_have_open_files(tmp_path: Path) -> None:
    deep = 500
    path = b"d/" * deep + b"f"
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(deep):
        os.mkdir("d", dir_fd=folder)
        below = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(os.open("f", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
    os.close(folder)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 256), before[1]))
    try:
        assert contents(listing(tmp_path)) == {path.decode(): b""}
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        Repo(tmp_path).write(".gitignore", "x\n")
        assert contents(listing(tmp_path)) == {".gitignore": b"x\n", path.decode(): b""}
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_blob_digests_are_those_of_git(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    for data in (b"", b"x", b"\0\r\n" * 1000):
        assert blob_digest(data) == repo.git("hash-object", "--no-filters", str(repo.write("f", data)))


@pytest.mark.parametrize(
    ("path", "target", "reason"),
    [
        (b"l", b"a", "symlink"),
        (b"l", b"a/../b", "symlink"),
        (b"l", b"..", "outside_root"),
        (b"l", b"a/../../r", "outside_root"),
        (b"l", b"/r/a", "outside_root"),
        (b"d/l", b"..", "symlink"),
        (b"d/l", b"../../x", "outside_root"),
        (b"d/l", b".././../x", "outside_root"),
        (b"d/l", b"..//a", "symlink"),
        (b"l", b"", "symlink"),
        (b"l", b"...", "symlink"),
    ],
)
def test_links_by_their_text(path: bytes, target: bytes, reason: str) -> None:
    assert link_reason(path, target) == reason


@given(st.lists(st.sampled_from(["a", "b", "..", ".", ""]), max_size=6), st.integers(0, 3))
def test_a_link_leaves_the_root_when_its_normalised_path_does(steps: list[str], depth: int) -> None:
    """As long as every folder exists, `..` undoes one step: os.path.normpath says where it leads."""
    target = "/".join(steps).lstrip("/")
    folder = "/".join(["d"] * depth)
    passes_outside = any(
        os.path.normpath(os.path.join("/root/x", folder, *target.split("/")[:i])) in ("/root", "/", "//")
        or not os.path.normpath(os.path.join("/root/x", folder, *target.split("/")[:i])).startswith("/root/x")
        for i in range(len(target.split("/")) + 1)
    )
    link = f"{folder}/l" if folder else "l"
    assert link_reason(link.encode(), target.encode()) == ("outside_root" if passes_outside else "symlink")
