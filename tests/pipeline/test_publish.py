"""Publishing: whole or not at all, and one sentence when the disk says no."""

from __future__ import annotations

import errno
import json
import logging
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from codequarry.pipeline.parquet import TableWriter
from codequarry.pipeline.publish import Store, open_store
from codequarry.query.store import NEEDED, open_snapshot
from codequarry.schemas.errors import LockedError, StoreError
from codequarry.schemas.manifest import Manifest
from codequarry.schemas.tables import TABLES


def publish(store: Store, **options: object) -> str:
    """Publish a snapshot without rows whose options make its content."""
    staged = store.staging("snapshot")
    tables = {}
    for name in NEEDED:
        with TableWriter(staged, TABLES[name]) as writer:
            pass
        tables[name] = writer.info
    manifest = Manifest(
        versions={}, options=options, sources=(), tables=tables, statistics={"files": 0}, kinds=(), languages=()
    )
    return store.publish(staged, manifest)


def content(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder but the lock."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != ".lock"}


def run(code: str, *args: str) -> subprocess.Popen[str]:
    """Run Python code in another process."""
    script = textwrap.dedent(code)
    return subprocess.Popen([sys.executable, "-c", script, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_new_store(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with open_store(out) as store:
        assert store.live() is None
        name = publish(store)
        assert store.live() == name
    assert sorted(p.name for p in out.iterdir()) == [".lock", "latest.json", "snapshots"]
    assert open_snapshot(out).id == name
    assert open_snapshot(out).folder == out / "snapshots" / name


def test_a_live_snapshot_knows_what_it_was_made_from(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        assert not store.is_made_from("f" * 64)
        name = publish(store)
        assert not store.is_made_from(None)
        store.point_to(name, None, "f" * 64)
        assert store.is_made_from("f" * 64)
        assert not store.is_made_from("e" * 64)
        next((tmp_path / "snapshots" / name).rglob("*.parquet")).unlink()
        assert not store.is_made_from("f" * 64)


def test_the_newest_is_live_and_the_older_stay(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        first, second = publish(store, n=1), publish(store, n=2)
        assert first != second
        assert store.live() == second
        before = content(tmp_path / "snapshots" / first)
        assert publish(store, n=1) == first
        assert store.live() == first
    assert content(tmp_path / "snapshots" / first) == before
    assert sorted(p.name for p in (tmp_path / "snapshots").iterdir()) == sorted([first, second])


def test_an_equal_snapshot_is_kept_as_it_is(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        name = publish(store)
    folder = tmp_path / "snapshots" / name
    before = folder.stat().st_ino
    with open_store(tmp_path) as store:
        assert publish(store) == name
    assert folder.stat().st_ino == before


@pytest.mark.parametrize("damage", ["flip", "cut", "remove", "manifest", "file"])
def test_a_damaged_snapshot_is_replaced(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(tmp_path) as store:
        name = publish(store)
    folder = tmp_path / "snapshots" / name
    whole = content(folder)
    part = folder / "files" / "00000.parquet"
    if damage == "flip":
        part.write_bytes(bytes([part.read_bytes()[0] ^ 1]) + part.read_bytes()[1:])
    elif damage == "cut":
        part.write_bytes(part.read_bytes()[:-1])
    elif damage == "remove":
        part.unlink()
    elif damage == "manifest":
        (folder / "manifest.json").write_text("{}")
    else:
        folder.rename(tmp_path / "elsewhere")
        folder.write_text("not a folder")
    with open_store(tmp_path) as store, caplog.at_level(logging.WARNING):
        assert publish(store) == name
    assert content(folder) == whole
    assert "was damaged and is replaced" in caplog.text
    assert not (tmp_path / ".staging").exists()


def test_damaged_latest_is_written_again(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        name = publish(store)
    for damage in ("", "{}", "[[" * 50_000, '{"snapshot": "../../etc"}'):
        (tmp_path / "latest.json").write_text(damage)
        with open_store(tmp_path) as store:
            assert store.live() is None
            assert publish(store) == name
        assert json.loads((tmp_path / "latest.json").read_text()) == {"snapshot": name}


def test_what_was_left_unpublished_is_swept(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        publish(store)
    (tmp_path / ".staging" / "snapshot" / "files").mkdir(parents=True)
    (tmp_path / ".staging" / "snapshot" / "files" / "00000.parquet").write_text("half")
    with open_store(tmp_path) as store:
        assert not (tmp_path / ".staging").exists()
        assert list(store.staging("snapshot").iterdir()) == []
        (store.staging("snapshot") / "x").write_text("x")
        assert list(store.staging("snapshot").iterdir()) == []


def test_a_failed_run_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        publish(store, n=1)
    before = content(tmp_path)
    with pytest.raises(ZeroDivisionError), open_store(tmp_path) as store:
        (store.staging("snapshot") / "x").write_bytes(bytes(1 // 0))
    assert content(tmp_path) == before


def test_what_may_lie_in_a_folder_that_becomes_a_store(tmp_path: Path) -> None:
    for name in ("README.md", ".gitignore", ".gitkeep"):
        (tmp_path / name).write_text("mine")
    with open_store(tmp_path) as store:
        publish(store)
    assert (tmp_path / "README.md").read_text() == "mine"


def test_a_store_with_other_things_beside_is_a_store(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        name = publish(store)
    (tmp_path / "notes.txt").write_text("mine")
    with open_store(tmp_path) as store:
        assert store.live() == name
    (tmp_path / "latest.json").unlink()
    with open_store(tmp_path) as store:
        assert publish(store) == name


def test_a_first_run_that_was_killed_is_taken_up(tmp_path: Path) -> None:
    for name in (".staging", "snapshots"):
        (tmp_path / name).mkdir()
    (tmp_path / ".lock").write_text("")
    with open_store(tmp_path) as store:
        publish(store)


@pytest.mark.parametrize("name", ["main.py", "src/x", "manifest.json", "latest.json", "snapshots/a.snap"])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    before = content(tmp_path)
    with pytest.raises(StoreError, match=r"give --out"), open_store(tmp_path):
        pass
    assert content(tmp_path) == before


def test_a_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(StoreError, match="is not a folder"), open_store(tmp_path / "out"):
        pass
    with pytest.raises(StoreError, match="cannot be written"), open_store(tmp_path / "out" / "deeper"):
        pass


@pytest.mark.parametrize("name", ["snapshots", ".staging"])
def test_links_inside_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is a link"), open_store(tmp_path / "out"):
        pass


HOLD = """
    import sys, time
    from pathlib import Path
    from codequarry.pipeline.publish import open_store
    with open_store(Path(sys.argv[1])):
        print("held", flush=True)
        time.sleep(float(sys.argv[2]))
"""


def test_a_second_writer_is_told_who_holds_the_store(tmp_path: Path) -> None:
    holder = run(HOLD, str(tmp_path), "60")
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(LockedError, match=rf"process {holder.pid} on .*--wait"), open_store(tmp_path):
            pass
    finally:
        holder.kill()
        holder.communicate()
    with open_store(tmp_path) as store:
        publish(store)
    assert (tmp_path / ".lock").read_text() == "{}\n"


def test_a_second_writer_waits(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    holder = run(HOLD, str(tmp_path), "1")
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with caplog.at_level(logging.WARNING), open_store(tmp_path, wait=60) as store:
        publish(store)
    assert holder.communicate()[0] == ""
    assert "waiting for process" in caplog.text


@pytest.mark.parametrize("text", ["", "{}", "not json", '{"pid": 1}', '{"pid": "x", "host": 1}'])
def test_what_a_dead_process_left_in_the_lock_does_not_matter(tmp_path: Path, text: str) -> None:
    (tmp_path / ".lock").write_text(text)
    with open_store(tmp_path) as store:
        publish(store)


@pytest.mark.parametrize(
    ("number", "said"), [(errno.ENOSPC, "no space left"), (errno.EDQUOT, "no space left"), (errno.EFBIG, "too large")]
)
def test_a_full_disk_is_one_sentence(tmp_path: Path, number: int, said: str) -> None:
    with open_store(tmp_path) as store:
        publish(store)
    before = content(tmp_path)
    with pytest.raises(StoreError) as caught, open_store(tmp_path):
        raise OSError(number, os.strerror(number))
    assert said in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert content(tmp_path) == before


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        publish(store)
    before = content(tmp_path)
    limited = run(
        """
        import resource, sys
        from pathlib import Path
        import pyarrow as pa
        from codequarry.pipeline.parquet import TableWriter
        from codequarry.pipeline.publish import open_store
        from codequarry.schemas.errors import StoreError
        from codequarry.schemas.tables import SOURCES
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        texts = [bytes((i * k * 7919) % 251 for k in range(999)).hex() for i in range(100)]
        rows = pa.table({"file": pa.array(range(100), pa.int32()), "repo": texts, "path": texts, "text": texts})
        try:
            with open_store(Path(sys.argv[1])) as store, TableWriter(store.staging("snapshot"), SOURCES) as writer:
                writer.append(rows)
        except StoreError as error:
            print(error)
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        """,
        str(tmp_path),
    )
    said, noise = limited.communicate()
    assert ("too large" in said, str(tmp_path) in said, noise) == (True, True, "")
    assert content(tmp_path) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="check its permissions"), open_store(tmp_path):
        pass


def test_an_error_from_elsewhere_is_not_the_stores(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), open_store(tmp_path / "out"):
        raise PermissionError(errno.EACCES, "no", str(tmp_path / "source"))
    with pytest.raises(StoreError, match=r"out cannot be written \(no\)"), open_store(tmp_path / "out"):
        raise PermissionError(errno.EACCES, "no", str(tmp_path / "out" / "x"))
    with pytest.raises(OSError, match="odd"), open_store(tmp_path / "out"):
        raise OSError(errno.EIO, "odd")


KILL = """
    import os, shutil, signal, sys
    from pathlib import Path
    from codequarry.pipeline.publish import open_store
    from codequarry.schemas.manifest import parse

    old, new, folder = map(Path, sys.argv[1:])
    manifest = parse((new / "manifest.json").read_bytes(), new)

    def publish(root, left):
        def kill(event, args):
            nonlocal left
            if event in ("open", "os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.truncate"):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(kill)
        with open_store(root) as store:
            staged = store.staging("snapshot")
            shutil.copytree(new, staged, dirs_exist_ok=True, ignore=lambda *_: ["manifest.json"])
            store.publish(staged, manifest)

    step, status = 0, 9
    while status == 9:
        step += 1
        root = folder / str(step)
        shutil.copytree(old, root)
        child = os.fork()
        if not child:
            publish(root, step)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
    print(status)
"""


def test_a_kill_at_any_step_leaves_the_old_snapshot_or_the_new(tmp_path: Path) -> None:
    """A process is killed at its n-th call that touches the disk, for every n; a reader and a writer follow."""
    with open_store(tmp_path / "old") as store:
        old = publish(store, n=0)
    with open_store(tmp_path / "clean") as store:
        assert publish(store, n=0) == old
        new = publish(store, n=1)
    clean = content(tmp_path / "clean")
    (tmp_path / "killed").mkdir()
    child = run(KILL, str(tmp_path / "old"), str(tmp_path / "clean" / "snapshots" / new), str(tmp_path / "killed"))
    assert child.communicate() == ("0\n", "")
    roots = sorted((tmp_path / "killed").iterdir(), key=lambda path: int(path.name))
    seen = [open_snapshot(root).id for root in roots]
    assert len(roots) > 20
    assert seen == sorted(seen, key=[old, new].index)
    assert {*seen[:-1]} == {old, new}
    for root in roots:
        with open_store(root) as store:
            assert publish(store, n=1) == new
        assert content(root) == clean
