"""Signals that stop a run."""

import signal

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
