"""Starting or joining a Dask cluster."""

from __future__ import annotations

import importlib
import importlib.util
import json
import logging
import math
import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError

from snakemake_executor_plugin_dask import call
from snakemake_executor_plugin_dask.local_cluster import LocalCluster

# By default, Dask measures itself all the time. For tasks of seconds, that is more than half of
# the scheduler's CPU time.
SPARING = {
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.low-level-log-length": 0,
    # The check of a worker's memory. The default of ten times a second suits tasks of milliseconds.
    "distributed.worker.memory.monitor-interval": "500ms",
}
_SECONDS_TO_LEAVE = 5.0
_SECONDS_TO_CLOSE = 15.0
_SECONDS_BETWEEN_LOOKS = 0.2
# Seconds without any worker after which the user hears of it, and between checks.
_SECONDS_WITHOUT_WORKERS = 60.0
_SECONDS_BETWEEN_CHECKS = 10.0


@dataclass
class Workers:
    """A connection to Dask workers."""

    client: Any
    #: The cluster that this run started, here or on SLURM; None for a cluster that it joined.
    cluster: Any
    #: The resources of every worker, if the number of workers changes.
    declared: dict[str, float] | None = None
    #: When workers were last looked for, and last there.
    checked: float = field(default_factory=time.monotonic)
    present: float = field(default_factory=time.monotonic)
    #: What the user can do if none of the workers that this run asked for arrives.
    advice: str = ""

    def take_failure(self) -> WorkflowError | None:
        """Return the reason why no worker will arrive, once; None if workers may arrive."""
        failure: WorkflowError | None = getattr(self.cluster, "failure", None)
        if failure is not None:
            self.cluster.failure = None
        return failure

    @property
    def dashboard(self) -> str:
        """The address of Dask's dashboard; empty without one."""
        return str(self.client.dashboard_link or "")

    def fitting_resources(self, threads: int, mem_mb: int | None) -> dict[str, float]:
        """Return the resources to request: only those that some worker declares.

        A request that no worker can fulfil would wait forever. The number of threads is
        limited to the largest worker's, as Snakemake limits it to ``--cores``. More memory
        than the largest worker has is an error.
        """
        if self.declared is not None:
            # The workers may not have arrived yet.
            declared = [self.declared]
        else:
            declared = [info["resources"] for info in self._present()]
        wanted: dict[str, float] = {}
        most_memory = max((r.get("mem_mb", 0) for r in declared), default=0)
        if mem_mb and most_memory:
            if mem_mb > most_memory:
                raise WorkflowError(
                    f"A job needs mem_mb={mem_mb}, the largest worker has {int(most_memory)}."
                )
            wanted["mem_mb"] = mem_mb
            # Workers with enough memory may have fewer threads than others.
            declared = [r for r in declared if r.get("mem_mb", 0) >= mem_mb]
        most_threads = max((r.get("threads", 0) for r in declared), default=0)
        if threads > 1 and most_threads:
            wanted["threads"] = min(threads, most_threads)
        return wanted

    def wait_for_one(self, say: Callable[[str], None]) -> None:
        """Wait for the first worker of a cluster that this run joined."""
        if self.declared is None and not self._present():
            say("The Dask scheduler has no worker yet, waiting for one")
            while self.client.status == "running" and not self._present():
                time.sleep(_SECONDS_BETWEEN_LOOKS)

    def check_presence(self, say: Callable[[str], None]) -> None:
        """Say so, once, if a cluster has had no worker for a minute."""
        now = time.monotonic()
        watched = self.cluster is None or self.advice
        if not watched or now - self.checked < _SECONDS_BETWEEN_CHECKS:
            return
        self.checked = now
        if self._present():
            self.present = now
        elif now - self.present >= _SECONDS_WITHOUT_WORKERS:
            self.present = math.inf
            start = f"start one with: dask worker {self.client.scheduler.address} --nthreads 1"
            say(f"The Dask scheduler has had no worker for a minute, {self.advice or start}")

    def _present(self) -> list[dict[str, Any]]:
        # A scheduler that is lost says nothing, which the executor notices by itself.
        workers: dict[str, Any] = self.client.scheduler_info(n_workers=-1).get("workers", {})
        return list(workers.values())

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        try:
            with suppress(OSError):
                self.client.close(timeout=_SECONDS_TO_LEAVE)
        finally:
            if self.cluster is not None:
                self.cluster.close(timeout=_SECONDS_TO_CLOSE)


def start_whole(start: Callable[[], Workers]) -> Workers:
    """Start workers completely, even if Ctrl-C is pressed meanwhile.

    A cluster that was started in part can be neither used nor closed. So another thread
    starts it: signals interrupt the main thread alone. dask-jobqueue has to be imported by
    the main thread, and closes its cluster by itself.
    """
    with ThreadPoolExecutor(1) as starter:
        started = starter.submit(start)
        try:
            return started.result()
        except KeyboardInterrupt:
            with suppress(WorkflowError):
                started.result().close()
            raise


def start_local(n_workers: int, mem_mb: int | None = None, dashboard: str | None = None) -> Workers:
    """Start workers of one thread each on this machine; see `LocalCluster`."""
    if dashboard and importlib.util.find_spec("bokeh") is None:
        raise WorkflowError(
            "dask-dashboard needs the package bokeh, install it with: pip install bokeh"
        )
    cluster = LocalCluster(n_workers, mem_mb, dashboard, SPARING)
    # This import takes time, so it happens while the cluster starts.
    from distributed import Client

    _silence()
    address, key = cluster.wait()
    try:
        return Workers(Client(address, security=key), cluster)
    except OSError as error:
        cluster.close()
        raise WorkflowError(f"Dask's scheduler does not answer ({error}).") from None


def join(address: str | None, scheduler_file: str | None) -> Workers:
    """Connect to a scheduler that is already running."""
    from distributed import Client

    if scheduler_file and not os.path.isfile(scheduler_file):
        # Dask would wait for the file forever.
        raise WorkflowError(f"There is no scheduler file '{scheduler_file}'.")
    _silence()
    try:
        check_answer(address or _address_in(scheduler_file))
        client = Client(address) if address else Client(scheduler_file=scheduler_file)
    except (OSError, ValueError) as error:
        place = address or scheduler_file
        raise WorkflowError(f"No Dask scheduler answers at '{place}' ({error}).") from None
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    # Tasks check the workers that arrive later.
    several = [info for info in workers if info["nthreads"] > 1]
    if several:
        client.close()
        raise WorkflowError(call.crowded(several[0]["name"], several[0]["nthreads"]))
    if problem := differing_versions(client.get_versions()) or _without_plugin(client):
        client.close()
        raise WorkflowError(problem)
    return Workers(client, None)


def _address_in(scheduler_file: str | None) -> str:
    """Return the address in a scheduler's file; empty if there is none."""
    with open(scheduler_file or os.devnull, encoding="utf-8") as file:
        content = json.loads(file.read() or "{}")
    return str(content.get("address", "")) if isinstance(content, dict) else ""


def check_answer(address: str) -> None:
    """Check that a program which says something listens at an address without TLS.

    Dask would wait for ever for one that is silent. Its scheduler speaks first.
    """
    import dask
    from dask.utils import parse_timedelta

    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", "tcp") or not port.isdigit():
        return
    seconds = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    with socket.create_connection((host.strip("[]"), int(port)), timeout=seconds) as connection:
        if not connection.recv(1):
            raise OSError("it closes the connection")


def _without_plugin(client: Any) -> str | None:
    """Return the message about a worker without this plugin, which a job would end."""
    package = __name__.partition(".")[0]
    found = client.run(importlib.import_module, package, on_error="return")
    for worker, imported in found.items():
        if isinstance(imported, Exception):
            return (
                f"Dask's worker {worker} cannot import {package}, "
                "install snakemake-executor-plugin-dask in its environment."
            )
    return None


def differing_versions(versions: dict[str, Any]) -> str | None:
    """Return the message about a scheduler or worker whose versions are not those of this process.

    `versions` are those of `Client.get_versions`.
    """
    here = versions["client"]["packages"]
    others = {"scheduler": versions["scheduler"], **versions["workers"]}
    for place, there in others.items():
        for package in ("python", "distributed"):
            # Of Python, 3.11.7.final.0, the minor version matters.
            parts = 2 if package == "python" else None
            one, other = (
                ".".join(str(packages[package]).split(".")[:parts])
                for packages in (here, there["packages"])
            )
            if one != other:
                return (
                    f"Dask's {place if place == 'scheduler' else f'worker {place}'} has {package} "
                    f"{other}, and Snakemake runs with {one}, install the same version in both."
                )
    return None


def _silence() -> None:
    """Turn off Dask's messages, because Snakemake reports each failure once."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
