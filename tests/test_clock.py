import pytest

from altfs import _clock, search_sequentially
from altfs._clock import cpu_clock, starting_up, startup_seconds, work_clock
from altfs._compiled import compiled
from altfs.quality import Linear
from altfs.searches import sequential


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    moved = Clock()
    monkeypatch.setattr(_clock, "perf_counter", moved)
    return moved


def test_a_search_is_not_charged_for_start_up(clock, monkeypatch):
    solve = sequential.solve

    def slow(*arguments):
        with starting_up():
            clock.now += 100
            with starting_up():
                clock.now += 10
        clock.now += 1
        return solve(*arguments)

    monkeypatch.setattr(sequential, "solve", slow)
    before = startup_seconds()
    found = search_sequentially(Linear([3, 2, 1]), n_features=1, n_alternatives=1, tau=1)
    assert [one.seconds for one in found] == pytest.approx([1, 1])
    assert startup_seconds() - before == pytest.approx(220)


def test_the_clock_of_the_processor_stands_still_in_start_up(monkeypatch):
    moved = Clock()
    monkeypatch.setattr(_clock, "process_time", moved)
    before = cpu_clock()
    moved.now += 1
    with starting_up():
        moved.now += 10
        with starting_up():
            moved.now += 100
    assert cpu_clock() - before == pytest.approx(1)


def test_compiling_is_start_up():
    @compiled()
    def doubled(number):
        return 2 * number

    before, working = startup_seconds(), work_clock()
    assert doubled(2) == 4
    spent = startup_seconds() - before
    assert spent > 0
    assert doubled(3) == 6
    assert startup_seconds() - before == spent
    assert work_clock() > working
