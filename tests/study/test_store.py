import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from altfs.errors import StaleResultError
from altfs.study import store


def shard(path, **changes):
    table = pa.table({"a": [1, 2], "seconds": [0.1, 0.2]})
    metadata = {"kind": "shard", "schema_version": store.SCHEMA_VERSION, "task_hash": "x"}
    store.write_table(path, table, {**metadata, **changes})
    return path


def test_tables_come_back_with_their_metadata(tmp_path):
    table, metadata = store.read_table(shard(tmp_path / "a.parquet"))
    assert table["a"].to_pylist() == [1, 2]
    assert metadata["task_hash"] == "x"


def test_shards_are_stored_as_they_are_read_fastest(tmp_path):
    for kind, compression in (("shard", "SNAPPY"), ("dataset", "ZSTD")):
        group = pq.read_metadata(shard(tmp_path / "a.parquet", kind=kind)).row_group(0)
        assert group.column(0).compression == compression


@pytest.mark.exhaustive
def test_a_program_that_ends_after_it_read_a_table_ends_well(tmp_path):
    """Some programs abort that end while Arrow's threads hold a file of Python. 15 s."""
    table = pa.table({f"c{i}": [i * 0.1] * 400 for i in range(20)})
    store.write_table(tmp_path / "a.parquet", table, {"kind": "dataset"})
    text = "import pathlib, sys; from altfs.study import store\n"
    text += "table, _ = store.read_table(pathlib.Path(sys.argv[1]))"
    program = [sys.executable, "-c", text, str(tmp_path / "a.parquet")]
    with ThreadPoolExecutor(6) as pool:
        codes = list(pool.map(lambda _: subprocess.run(program).returncode, range(48)))
    assert codes == [0] * 48


def test_damage_is_named(tmp_path):
    path = shard(tmp_path / "a.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(StaleResultError, match=r"a\.parquet' is damaged"):
        store.read_table(path)
    with pytest.raises(StaleResultError, match="is missing"):
        store.read_table(tmp_path / "b.parquet")


def test_other_versions_and_other_tasks_are_refused(tmp_path):
    with pytest.raises(StaleResultError, match="schema version 0"):
        store.read_shard(shard(tmp_path / "a.parquet", schema_version=0), "x")
    with pytest.raises(StaleResultError, match="other settings"):
        store.read_shard(shard(tmp_path / "a.parquet"), "y")


def test_a_whole_file_is_told_from_an_edited_one(tmp_path):
    path, table = tmp_path / "a.parquet", pa.table({"a": [1, 2], "seconds": [0.1, 0.2]})
    store.write_result(path, "shard", "x", (table, {}))
    assert store.read_whole(path)[1]["task_hash"] == "x"
    assert store.read_current(path, "x").equals(table)
    assert store.read_current(path, "y") is None
    store.write_table(path, table.slice(1), store.read_metadata(path))
    with pytest.raises(StaleResultError, match="was changed after it was made"):
        store.read_whole(path)
    assert store.read_current(path, "x") is None
    with pytest.raises(StaleResultError, match="is damaged or foreign"):
        store.read_whole(path, "predictions")


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = shard(tmp_path / "a.parquet")
    before = path.read_bytes()

    def fail(partial):
        partial.write_bytes(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        store.write_atomically(path, fail)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.parquet"]


def test_a_write_removes_what_a_killed_process_has_left(tmp_path):
    path = tmp_path / "a.parquet"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    kept = [
        f".a.parquet.{platform.node()}.{os.getppid()}.partial",
        ".a.parquet.other.1.partial",
        f".b.parquet.{platform.node()}.{ended.pid}.partial",
        f".a.parquet.{platform.node()}.x.partial",
    ]
    for name in (*kept, f".a.parquet.{platform.node()}.{ended.pid}.partial"):
        (tmp_path / name).touch()
    shard(path)
    assert {p.name for p in tmp_path.iterdir()} == {*kept, "a.parquet"}


def test_the_digest_is_of_values_and_not_of_times():
    table = pa.table({"a": [1, 2], "seconds": [0.1, 0.2]})
    other_times = table.set_column(1, "seconds", pa.array([9.0, 9.0]))
    other_values = table.set_column(0, "a", pa.array([1, 3]))
    assert store.content_digest(table) == store.content_digest(other_times)
    assert store.content_digest(table) != store.content_digest(other_values)
