import time

from snakemake_executor_plugin_dask.wall_clock import WallClock


def test_a_clock_that_is_set_back_is_noticed_once(monkeypatch):
    clock, now = WallClock(), time.time
    assert clock.seconds_back() == 0
    monkeypatch.setattr(time, "time", lambda: now() - 3600)
    assert 3599 < clock.seconds_back() < 3601
    assert clock.seconds_back() == 0
    monkeypatch.setattr(time, "time", lambda: now() + 3600)
    assert clock.seconds_back() == 0
