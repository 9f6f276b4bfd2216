"""Progress of long work: a bar on a terminal, nothing anywhere else."""

import io
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from altfs import AlternativeFeatures, progress
from altfs.progress import bar, is_shown, tell
from altfs.quality import BlackBox

X = np.random.default_rng(0).random((30, 4))
Y = np.arange(30) % 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def on_terminal(monkeypatch):
    """Standard error as a terminal on which all work is long."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(progress, "_LONG", 0)

    def begin():
        # pytest has its own standard error during set-up.
        monkeypatch.setattr("sys.stderr", terminal := Terminal())
        return terminal

    return begin


def slow(X, y):
    time.sleep(0.15)
    return X.sum(axis=0)


def test_a_bar_counts(on_terminal):
    shown = on_terminal()
    with bar():
        tell("columns [a] read", 1, 3)
        time.sleep(0.1)
    assert "columns [a] read" in shown.getvalue()
    assert "1 of 3" in shown.getvalue()
    tell("nobody listens")
    assert not is_shown()


def test_only_one_bar_is_shown_and_none_by_threads(on_terminal):
    on_terminal()
    seen = []

    def inside():
        with bar():
            seen.append(is_shown())

    with bar():
        first = progress._bar.get()
        with bar():
            assert progress._bar.get() is first
        assert is_shown()
        thread = threading.Thread(target=inside)
        thread.start()
        thread.join()
    assert seen == [False]


def test_the_bar_ends_with_an_error(on_terminal):
    on_terminal()
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), bar():
        raise KeyboardInterrupt
    # Rich lets its thread end, and does not wait for it.
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before
    assert not is_shown()


def test_short_work_shows_nothing(on_terminal, monkeypatch):
    shown = on_terminal()
    monkeypatch.setattr(progress, "_LONG", 5)
    with bar():
        tell("quick")
    assert shown.getvalue() == ""


@pytest.mark.exhaustive
def test_a_fit_shows_a_bar_unless_it_is_not_wanted(on_terminal):
    shown = on_terminal()
    fits = [AlternativeFeatures(slow, n_features=1, verbose=v).fit(X, Y) for v in (None, False)]
    text = shown.getvalue()
    assert "scoring 4 features on 30 rows" in text
    shown.truncate(0)
    quiet = AlternativeFeatures(slow, n_features=1, verbose=0).fit(X, Y)
    assert shown.getvalue() == ""
    assert [fit.feature_sets_ == quiet.feature_sets_ for fit in fits] == [True, True]


def test_scores_of_pairs_are_the_same_with_a_bar(on_terminal):
    on_terminal()
    fit = AlternativeFeatures("mrmr", n_features=2).fit(X, Y)
    plain = AlternativeFeatures("mrmr", n_features=2, verbose=0).fit(X, Y)
    assert fit.quality_.redundancy.tolist() == plain.quality_.redundancy.tolist()


def test_a_log_has_no_bar(on_terminal, monkeypatch):
    monkeypatch.setattr("sys.stderr", log := io.StringIO())
    AlternativeFeatures(slow, n_features=1).fit(X, Y)
    assert log.getvalue() == ""


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_a_terminal_that_cannot_draw_has_no_bar(on_terminal, monkeypatch, name):
    on_terminal()
    monkeypatch.setenv("TERM", name)
    with bar():
        assert not is_shown()


@pytest.mark.parametrize("solver", [None, "evolution"])
def test_a_fit_of_a_wrapper_counts_the_sets_that_are_evaluated(on_terminal, monkeypatch, solver):
    shown = on_terminal()
    slow_box = BlackBox(lambda s: time.sleep(0.05) or float(len(s)), 4, 9.0)
    AlternativeFeatures(slow_box, solver=solver, n_features=2).fit(X, Y)
    assert "feature sets evaluated" in shown.getvalue()
    # In a log, every line is due.
    clock = iter(range(0, 10**9, 10))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    log = on_terminal()
    parameters = {"solver": solver, "n_features": 2, "n_shuffles": 0}
    parameters["selector"] = "greedy_wrapper"
    fit = AlternativeFeatures(**parameters, verbose=1).fit(X, Y)
    counts = [int(s.split()[1]) for s in log.getvalue().splitlines() if s.endswith("evaluated")]
    assert len(counts) >= 2 and counts == [*range(1, len(fit.quality_._values) + 1)]
    log = on_terminal()
    AlternativeFeatures(**parameters, verbose=0).fit(X, Y)
    assert log.getvalue() == ""
