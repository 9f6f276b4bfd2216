"""Disks, file systems and clocks that fail while a study runs. Each test takes 10 to 30 s."""

import os
import resource
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager, suppress

import pytest
from snakemake_runs import wait_for, wait_until_gone
from test_faults import small_disk
from test_interruptions import (
    N_SHARDS,
    SHARDS,
    STUDY,
    assert_found,
    assert_it_goes_on,
    start_and_wait,
)

__all__ = ["small_disk"]


def tool(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True)


def remount(folder, options):
    tool("mount", "-o", f"remount,{options}", folder)


def on(disk):
    """The study with its results on a disk."""
    return {**STUDY, "results": str(disk / "small")}


def test_no_file_can_be_added(workspace, small_disk, finished_results):
    remount(small_disk, "size=99m,nr_inodes=60")
    work = workspace(**on(small_disk))
    output = work.run("--cores", "2", *SHARDS, ok=False)
    assert "No space left on device" in output
    assert not list(work.results.rglob("*.partial"))
    remount(small_disk, "nr_inodes=9999")
    assert_it_goes_on(work, finished_results, *SHARDS)


@pytest.fixture
def quota(tmp_path):
    """A folder of a file system that limits what it takes, and the function that sets the limit."""
    image, folder = tmp_path / "image", tmp_path / "quota"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(200 * 2**20)
    tool("mkfs.btrfs", "-q", image)
    tool("mount", "-o", "loop", image, folder)
    results = folder / "small"
    tool("btrfs", "subvolume", "create", results)
    tool("btrfs", "quota", "enable", folder)
    yield folder, lambda limit: tool("btrfs", "qgroup", "limit", limit, results)
    tool("umount", "--lazy", folder)


def test_a_quota_is_used_up(workspace, quota, finished_results):
    disk, limit = quota
    limit("400k")
    work = workspace(**on(disk))
    output = work.run("--cores", "2", *SHARDS, ok=False)
    assert "Disk quota exceeded" in output
    limit("none")
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


def test_results_that_can_only_be_read(workspace, small_disk, finished_results):
    remount(small_disk, "size=99m")
    work = workspace(**on(small_disk))
    work.run("--cores", "2", *SHARDS)
    work.shards()[0].unlink()
    remount(small_disk, "ro")
    output = work.run("--cores", "2", *SHARDS, ok=False)
    (said,) = [line for line in output.splitlines() if line.startswith("altfs: ")]
    assert "cannot be written to (Read-only file system), name a folder in which you may" in said
    assert "Traceback" not in output
    altfs = shutil.which("altfs", path=os.path.dirname(os.sys.executable))
    status = subprocess.run([altfs, "status", work.results], capture_output=True, text=True)
    assert (status.returncode, status.stderr) == (1, "")
    remount(small_disk, "rw")
    assert_it_goes_on(work, finished_results, *SHARDS)


@contextmanager
def few_files(number):
    """Let processes that begin here open few files at a time."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_process_may_open_few_files(workspace, finished_results):
    work = workspace(**STUDY)
    with few_files(40):
        process = work.start("--cores", "2", *SHARDS)
    output, _ = process.communicate(timeout=300)
    assert wait_until_gone(work.folder) == []
    if process.returncode:
        assert "Too many open files" in output
        work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


@pytest.fixture
def network_disk(tmp_path):
    """A folder whose files are served by a process, and that process."""
    source, folder = tmp_path / "source", tmp_path / "served"
    source.mkdir()
    folder.mkdir()
    servers = []

    def serve(*options):
        servers.append(subprocess.Popen(["bindfs", "-f", *options, source, folder]))
        wait_for(lambda: os.path.ismount(folder), servers[-1])
        return servers[-1]

    yield folder, serve
    for server in servers:
        with suppress(ProcessLookupError):
            server.send_signal(signal.SIGCONT)
            server.terminate()
        server.wait(timeout=30)
        subprocess.run(["umount", "--lazy", folder], capture_output=True)


def test_a_slow_file_system(workspace, network_disk, finished_results):
    disk, serve = network_disk
    serve("--read-rate=200k", "--write-rate=100k")
    work = workspace(**on(disk))
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


def test_a_file_system_that_hangs_for_a_while(workspace, network_disk, finished_results):
    disk, serve = network_disk
    server = serve()
    work = workspace(**on(disk))
    process = start_and_wait(work, 3, *SHARDS)
    server.send_signal(signal.SIGSTOP)
    time.sleep(5)
    assert process.poll() is None
    server.send_signal(signal.SIGCONT)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    assert_found(work, finished_results, *SHARDS)


def test_a_file_system_that_is_gone(workspace, network_disk, finished_results):
    disk, serve = network_disk
    server = serve()
    work = workspace(**on(disk))
    process = start_and_wait(work, 3, *SHARDS)
    server.kill()
    output, _ = process.communicate(timeout=300)
    assert process.returncode != 0, output
    assert wait_until_gone(work.folder) == []
    server.wait()
    tool("umount", "--lazy", disk)
    serve()
    assert_it_goes_on(work, finished_results, *SHARDS)


# The time of day of all programs, more by the seconds in a file.
CLOCK = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile long *more;
__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("SECONDS_MORE"), O_RDONLY);
    more = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    close(file);
}
int clock_gettime(clockid_t id, struct timespec *now) {
    int code = syscall(SYS_clock_gettime, id, now);
    if (id == CLOCK_REALTIME && more) now->tv_sec += *more;
    return code;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int code = syscall(SYS_gettimeofday, now, zone);
    if (more) now->tv_sec += *more;
    return code;
}
time_t time(time_t *now) {
    time_t seconds = syscall(SYS_time, 0) + (more ? *more : 0);
    if (now) *now = seconds;
    return seconds;
}
"""


@pytest.mark.parametrize("hours", [3, -3])
def test_a_clock_that_jumps_while_a_study_runs(workspace, tmp_path, finished_results, hours):
    source, library, more = (tmp_path / name for name in ("clock.c", "clock.so", "seconds"))
    source.write_text(CLOCK)
    more.write_bytes(bytes(8))
    tool("cc", "-shared", "-fPIC", "-o", library, source)
    work = workspace(**STUDY)
    clock = {"LD_PRELOAD": str(library), "SECONDS_MORE": str(more)}
    process = work.start("--cores", "2", *SHARDS, **clock)
    wait_for(lambda: len(work.shards()) >= 4, process)
    with more.open("r+b") as file:
        file.write((hours * 3600).to_bytes(8, "little", signed=True))
    output, _ = process.communicate(timeout=300)
    assert wait_until_gone(work.folder) == []
    if process.returncode:
        # Dask would wait until the clock is where it was.
        assert hours < 0 and "The clock of this machine was set back by 10800 s" in output, output
        assert len(work.shards()) < N_SHARDS
    work.run("--cores", "2", *SHARDS)
    assert_found(work, finished_results, *SHARDS)


def test_a_clock_that_was_ahead(finished_workspace):
    work = finished_workspace(taus=[1])
    tomorrow = time.time_ns() + 86_400 * 10**9
    for path in work.results.rglob("*"):
        if path.is_file():
            os.utime(path, ns=(tomorrow, tomorrow))
    victim = work.shards()[0]
    victim.unlink()
    work.run()
    assert victim.exists()
    assert "Nothing to be done" in work.run()


def test_a_folder_for_temporary_files_that_is_full(workspace, small_disk, finished_results):
    (small_disk / "filler").write_bytes(b"0" * 2**18)
    with suppress(OSError), (small_disk / "more").open("wb", 0) as more:
        while True:
            more.write(b"0" * 512)
    work = workspace(**STUDY)
    work.run("--cores", "2", *SHARDS, TMPDIR=str(small_disk))
    assert_found(work, finished_results, *SHARDS)
