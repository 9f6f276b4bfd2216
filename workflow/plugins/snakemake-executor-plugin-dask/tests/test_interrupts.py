"""Signals that stop a run."""

import os
import signal
import subprocess
import sys
import time

import pytest
from snakemake_executor_plugin_dask import interrupts


@pytest.fixture
def handlers():
    """Set the handlers again that a test replaces."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGURG)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def test_signals_within_a_second_are_one(handlers, monkeypatch):
    now = 100.0
    monkeypatch.setattr(interrupts.time, "monotonic", lambda: now)
    interrupts.stop_on_signals()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    now += 0.5
    signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGINT)
    now += 1.5
    # A user who waits may insist.
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_signal_is_ignored_also_while_its_handler_changes(handlers, monkeypatch):
    unraisable: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: unraisable.append(str(error)))
    signal.signal(signal.SIGINT, lambda *_: None)
    program = "import os, sys\nwhile True: os.kill(int(sys.argv[1]), 2)"
    sender = subprocess.Popen([sys.executable, "-c", program, str(os.getpid())])
    end = time.monotonic() + 1.0
    try:
        while time.monotonic() < end:
            with interrupts.interrupts_ignored():
                pass
    finally:
        sender.kill()
        sender.wait()
    assert unraisable == []
