"""Functions that run inside a worker: a task, or a command."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import importlib
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from snakemake_executor_plugin_dask import watch

# The jobs that this worker runs, so that they can be stopped: key -> thread or process.
_running: dict[str, int | subprocess.Popen[bytes]] = {}
# The last jobs that it began, which the run may not know of yet, and the jobs not to begin.
_begun: deque[str] = deque(maxlen=1000)
_refused: set[str] = set()
_STOPPED = "stopped because the run was cancelled"
# Jobs begin in one thread and are refused in another.
_beginning = threading.Lock()
# The loggers that Dask gives handlers of their own.
_LOGGERS = ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application")


class TaskError(Exception):
    """Failure of a task. The message is its traceback as text."""


class NotBegunError(TaskError):
    """Refusal of a job that was held back before it began."""


class TaskCancelled(BaseException):
    """Exception that stops a task."""


def dask_setup(worker: Any) -> None:
    """Let the worker ignore Ctrl-C; Dask calls this when the worker starts.

    A terminal sends it to every process. Workers would end with tracebacks while
    Snakemake stops the run in order.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_task(
    key: str,
    task: str,
    arguments: str,
    outputs: dict[str, bool],
    log: str | None,
    folder: str,
    times: str | None,
) -> None:
    """Call a task with its arguments (a JSON object) as keywords.

    Before the task begins, the folders of all `outputs` are created. Outputs marked True
    are removed, as a worker that died may have begun the job.

    All output goes to the log, also that of native code. So does the traceback of a
    failure. It is raised as text, because the exception itself may not be picklable.
    The last line of the log has the times of a task that succeeded.
    With the folder `times`, a file of this worker in it gets a line about the job.
    """
    _refuse_threads()
    _begin(key, threading.get_ident())
    start = time.time()
    try:
        if os.getcwd() != folder:
            os.chdir(folder)
        call_task(task, arguments, outputs, log, key)
        if times:
            _write_time(times, key, task, start, arguments)
    finally:
        _running.pop(key, None)


def call_task(
    task: str, arguments: str, outputs: dict[str, bool], log: str | None, key: str = ""
) -> None:
    """Call a task in this process, as :func:`run_task` describes it."""
    start = time.time()
    with _output_to(log):
        try:
            _make_way(outputs)
            before = _cpu_seconds()
            _function_of(task)(**json.loads(arguments))
            if log:
                cpu = _cpu_seconds() - before
                print(f"Ran from {start:.3f} to {time.time():.3f}, CPU time: {cpu:.3f} s")
        except TaskCancelled:
            raise TaskError(_STOPPED) from None
        except TaskError as error:
            print(error, file=sys.stderr)
            raise
        except SystemExit as error:
            # It would end the worker's event loop. Its code is that of a shell command.
            if error.code not in (None, 0):
                raise TaskError(_told(error)) from None
        except (Exception, KeyboardInterrupt) as error:
            if key in _refused:
                # Compiled functions turn the exception that stops a task into a SystemError.
                raise TaskError(_STOPPED) from None
            raise TaskError(_told(error)) from None


def _function_of(task: str) -> Callable[..., Any]:
    """Import the function of a task; an error is a sentence for the user."""
    name, _, attribute = task.partition(":")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        # The traceback names a module that the task's module lacks.
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise TaskError(
            f"A Dask worker cannot import the module of the task '{task}', install it in the "
            "environment of the workers, or name its folder in their PYTHONPATH."
        ) from None
    function: Callable[..., Any] | None = getattr(module, attribute, None)
    if function is None:
        raise TaskError(f"The module of the task '{task}' has no such function, correct the name.")
    return function


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _refuse_threads() -> None:
    """Refuse a task in a worker that may run another one at the same time."""
    from distributed import get_worker

    worker = get_worker()
    if worker.state.nthreads > 1:
        raise TaskError(crowded(worker.name, worker.state.nthreads))


def crowded(name: object, n_threads: int) -> str:
    """Return the message about a worker of several threads."""
    return (
        f"Worker {name} runs {n_threads} tasks at once, but a task's working folder and output "
        "are the process's, start workers with --nthreads 1."
    )


def _begin(key: str, thread: int | None = None) -> None:
    with _beginning:
        if key in _refused:
            raise NotBegunError("the job was not started, as the run ends")
        _begun.append(key)
        if thread:
            _running[key] = thread


def _make_way(outputs: dict[str, bool]) -> None:
    for path, afresh in outputs.items():
        if not afresh or not os.path.lexists(path):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        elif os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def _told(error: BaseException) -> str:
    """Return the traceback of a task's error, and print it to the task's log."""
    # The frame of run_task says nothing about the task.
    trace = error.__traceback__ and error.__traceback__.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace))
    print(text, file=sys.stderr)
    return text


def _write_time(folder: str, key: str, task: str, start: float, arguments: str) -> None:
    """Append a finished job: key, task, start and end (seconds since 1970), arguments."""
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, f"{socket.gethostname()}-{os.getpid()}.tsv")
    with open(file, "a", encoding="utf-8") as target:
        target.write(f"{key}\t{task}\t{start:.3f}\t{time.time():.3f}\t{arguments}\n")


def run_command(key: str, command: str, folder: str, own_python: bool) -> None:
    """Run a shell command. It and all processes that it starts end with this worker.

    With `own_python`, the Python of this worker is the first on the PATH.
    """
    _begin(key)
    environment = dict(os.environ)
    if own_python:
        programs = [os.path.dirname(sys.executable), environment.get("PATH", os.defpath)]
        environment["PATH"] = os.pathsep.join(programs)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", watch.__file__, "/bin/bash", "-c", command],
        cwd=folder,
        env=environment,
        # The pipe closes when this worker ends, in whatever way.
        stdin=subprocess.PIPE,
        # Ctrl-C in the terminal reaches Snakemake alone, which stops the run in order.
        start_new_session=True,
    )
    _running[key] = process
    if key in _refused:
        # The request to stop came before the process existed.
        process.terminate()
    try:
        code = process.wait()
    finally:
        _running.pop(key, None)
        if process.stdin:
            process.stdin.close()
    if code != 0:
        raise TaskError(f"the command ended with exit code {code}")


def hold_back(keys: list[str]) -> list[str]:
    """Refuse these jobs from now on, and return those that this worker has begun."""
    with _beginning:
        begun = set(_begun).intersection(keys)
        _refused.update(set(keys) - begun)
    return list(begun)


async def stop(keys: list[str]) -> None:
    """Stop the jobs of the given keys on this worker.

    Tasks stop as soon as they reach Python. Commands have ended when this returns.
    """
    commands = []
    with _beginning:
        _refused.update(keys)
    for key in keys:
        running = _running.get(key)
        if isinstance(running, int):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(running), ctypes.py_object(TaskCancelled)
            )
        elif running is not None:
            running.terminate()
            commands.append(running)
    end = time.monotonic() + 2 * watch.SECONDS_TO_END
    while any(command.poll() is None for command in commands) and time.monotonic() < end:
        await asyncio.sleep(0.05)


@contextlib.contextmanager
def _output_to(log: str | None) -> Iterator[None]:
    """Redirect file descriptors 1 and 2 to a file. The worker has one thread for tasks.

    Dask's own messages do not belong to the task, so they go where they went before.
    """
    if log is None:
        yield
        return
    os.makedirs(os.path.dirname(log) or ".", exist_ok=True)
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    kept = [os.dup(1), os.dup(2)]
    try:
        with _dask_writes_to(kept[1]):
            try:
                os.dup2(target, 1)
                os.dup2(target, 2)
                yield
            finally:
                for stream in (sys.stdout, sys.stderr):
                    with contextlib.suppress(OSError, ValueError):
                        stream.flush()
                for descriptor, number in zip(kept, (1, 2), strict=True):
                    os.dup2(descriptor, number)
    finally:
        for descriptor in (*kept, target):
            os.close(descriptor)


@contextlib.contextmanager
def _dask_writes_to(descriptor: int) -> Iterator[None]:
    """Let Dask's loggers write to a file descriptor."""
    handlers = [
        handler
        for name in _LOGGERS
        for handler in logging.getLogger(name).handlers
        if type(handler) is logging.StreamHandler
    ]
    # Loggers share handlers, of which `setStream` tells the stream before only once.
    before = [handler.stream for handler in handlers]
    with open(descriptor, "w", encoding="utf-8", closefd=False) as stream:
        try:
            for handler in handlers:
                handler.setStream(stream)
            yield
        finally:
            for handler, usual in zip(handlers, before, strict=True):
                handler.setStream(usual)
