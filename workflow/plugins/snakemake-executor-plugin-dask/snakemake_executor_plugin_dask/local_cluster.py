"""Workers of this machine, and their scheduler in a process of its own.

In Snakemake's process, the scheduler would make each job cost half as much again. Both would
wait for Python's lock.
"""

from __future__ import annotations

import atexit
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from queue import SimpleQueue
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError

from snakemake_executor_plugin_dask.access import NO_PAGES, key_of_run

SETTINGS = {
    # Tasks talk to files; Dask's profiler would only cost time.
    "distributed.worker.profile.enabled": False,
    # A task that ends two workers is refused.
    "distributed.scheduler.allowed-failures": 2,
    # A task may block its worker's heartbeat for as long as it runs, as Numba holds Python's lock.
    # Ctrl-Z stops all processes. A worker that died is noticed at once, as its process is a child.
    "distributed.scheduler.worker-ttl": None,
    "distributed.worker.preload": ["snakemake_executor_plugin_dask.call"],
    # Dask lets the allocator return memory after each large array. The kernel then takes 5 % of the
    # CPU time of numeric tasks, and a third of that of networks (PyTorch), else less than 1 %.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}
_NOT_STARTED = "Dask's scheduler and workers did not start"
_SECONDS_TO_END = 5.0


class LocalCluster:
    """Workers of one thread each on this machine. They end with the process that started them.

    Parameters
    ----------
    n_workers : int
    mem_mb : int or None
        Memory that the workers share, at most the machine's. All of it if None.
    dashboard : str or None
        Address of Dask's dashboard, for example ``:8787``. No dashboard if None.
    settings : dict
        Settings of Dask in all processes of the cluster.
    """

    def __init__(
        self,
        n_workers: int,
        mem_mb: int | None,
        dashboard: str | None,
        settings: dict[str, Any],
    ) -> None:
        context = multiprocessing.get_context("spawn")
        try:
            self._pipe, theirs = context.Pipe()
            arguments = (theirs, n_workers, mem_mb, dashboard, settings)
            self._process = context.Process(target=_serve, args=arguments, name="Dask scheduler")
            with theirs, nothing_of_main(), _kept_from_children():
                self._process.start()
        except OSError as error:
            raise WorkflowError(f"{_NOT_STARTED}: {error}.") from None
        # Python waits for its child processes at its end. This child waits for a message.
        atexit.register(self.close)

    def wait(self) -> tuple[str, Any]:
        """Wait for all workers, and return the scheduler's address and the key to it."""
        try:
            address, key, problem = self._pipe.recv()
        except EOFError:
            address, key, problem = "", None, "its process ended"
        if problem:
            self.close()
            raise WorkflowError(f"{_NOT_STARTED}: {problem}.")
        return str(address), key

    def close(self, timeout: float = 15.0) -> None:
        """End workers and scheduler. After `timeout` seconds they are killed."""
        atexit.unregister(self.close)
        with suppress(OSError):
            self._pipe.send(timeout)
        self._process.join(timeout + _SECONDS_TO_END)
        if self._process.is_alive():
            # The workers notice and end.
            self._process.kill()
            self._process.join()
        self._pipe.close()


def _serve(
    pipe: Any,
    n_workers: int,
    mem_mb: int | None,
    dashboard: str | None,
    settings: dict[str, Any],
) -> None:
    """Run scheduler and workers until a request to close, or until the caller has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A signal to the process group reaches Snakemake, too, which stops the run in order. The
    # handler does nothing. If the signal were ignored, workers would inherit that.
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    import dask
    import distributed
    from distributed.system import MEMORY_LIMIT

    memory = int(min(MEMORY_LIMIT, mem_mb * 2**20 if mem_mb else MEMORY_LIMIT) / n_workers)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    dask.config.set({**settings, **SETTINGS, **({} if dashboard else NO_PAGES)})
    asked: SimpleQueue[float] = SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, asked), daemon=True).start()
    try:
        key = key_of_run()
        with nothing_of_main():
            cluster = distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=memory,
                # Other users of this machine reach the ports, too.
                protocol="tls",
                security=key,
                dashboard_address=dashboard,
                # By default, Dask would try the port of another run's dashboard, and warn. It
                # would also listen to the whole network.
                scheduler_kwargs={"dashboard_address": dashboard or "127.0.0.1:0"},
                silence_logs=logging.CRITICAL,
                resources={"threads": 1, "mem_mb": memory // 2**20},
            )
    except Exception as error:  # Any error is reported by the process that waits.
        pipe.send(("", None, _reason(error)))
        return
    pipe.send((cluster.scheduler_address, key, ""))
    timeout = asked.get()
    # Dask no longer knows its processes if closing takes too long.
    workers = [getattr(nanny, "pid", None) for nanny in cluster.workers.values()]
    try:
        cluster.close(timeout=timeout)
    except TimeoutError:
        for worker in filter(None, workers):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
    os._exit(0)


def _reason(error: BaseException) -> str:
    """Return what an error says, and what the operating system refused before it."""
    said, cause = str(error) or type(error).__name__, error.__cause__ or error.__context__
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    return said if cause is None else f"{said.rstrip('.')} ({cause.strerror or cause})"


def _listen(pipe: Any, asked: SimpleQueue[float]) -> None:
    try:
        asked.put(pipe.recv())
    except (EOFError, OSError):
        # Snakemake was killed. The next run repeats its jobs, so nothing has to be finished.
        os._exit(1)


@contextmanager
def nothing_of_main() -> Iterator[None]:
    """Start processes without running this process's main file in them.

    That file is Snakemake's. It would cost each worker a second and 100 MB.
    """
    main = sys.modules["__main__"].__dict__
    # Python finds the main file by these: of `snakemake`, and of `python -m snakemake`.
    names: tuple[str, ...] = ("__file__", "__spec__")
    hidden = {name: main[name] for name in names if name in main}
    main.update(dict.fromkeys(hidden))
    try:
        yield
    finally:
        main.update(hidden)


@contextmanager
def _kept_from_children() -> Iterator[None]:
    """Block Ctrl-C for a process that starts, until the process itself ignores it."""
    # Python starts the resource tracker with the first process, and unblocks Ctrl-C then.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
