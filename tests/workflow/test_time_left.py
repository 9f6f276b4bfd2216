"""The estimate of the time left, judged on recorded runs and on made ones."""

import csv
from pathlib import Path

import pytest
from snakemake_logger_plugin_altfs.time_left import TimeLeft

from altfs.study.runs import Forecast

# Jobs of real runs on two cores: kind, dataset, forecast, start, seconds. Kinds up to 0 wait for
# all others, one after the other.
TRACES = sorted(Path(__file__).with_name("traces").glob("*.csv"))
# All later runs find the compiled functions.
FIRST_RUN = next(path for path in TRACES if path.stem == "first_run")
TRACES.remove(FIRST_RUN)
LATE = {"-3.0", "-2.0", "-1.0", "0.0"}
# What a run after an installation expects of each worker.
COMPILING = 30.0
FACTOR = 1.5
# The end of a run need not be known better than this.
SECONDS = 3.0
# Workers import and compile in the first seconds, which a short run has not a tenth of.
START = 5.0


def read(path):
    with path.open(encoding="utf-8") as file:
        rows = [[float(value) for value in row] for row in csv.reader(file)]
    return {
        str(i): (Forecast((str(kind), str(dataset)), cost), start, seconds)
        for i, (kind, dataset, cost, start, seconds) in enumerate(rows)
    }


def replay(jobs, workers, slower=1.0, start_up=0.0):
    """Yield time, estimate and truth whenever a job ends."""
    starts = {job: slower * start for job, (_, start, _) in jobs.items()}
    ends = {job: slower * (start + seconds) for job, (_, start, seconds) in jobs.items()}
    forecasts = {job: forecast for job, (forecast, _, _) in jobs.items()}
    late = sorted({float(f.kind[0]) for f in forecasts.values() if f.kind[0] in LATE})
    last = [[job for job, f in forecasts.items() if f.kind[0] == str(kind)] for kind in late]
    now = 0.0
    left = TimeLeft(
        forecasts,
        last=last,
        n_workers=workers,
        began=lambda job: starts[job] if starts[job] <= now else None,
        start_up=start_up,
    )
    events = [(start, 1, job) for job, start in starts.items()]
    events += [(end, 0, job) for job, end in ends.items()]
    for time, begins, job in sorted(events):
        now = time
        if begins:
            left.begin(job, now)
        else:
            left.end(job, now, ends[job] - starts[job])
            yield now, left.seconds(now), max(ends.values()) - now


def off(told):
    """Return the largest factor between estimate and truth from a tenth of the run on."""
    told = list(told)
    end = told[-1][0]
    factors = [
        max(estimate / truth, truth / max(estimate, 1e-9))
        for now, estimate, truth in told
        if now >= max(end / 10, START) and truth > 0 and abs(estimate - truth) > SECONDS
    ]
    return max(factors, default=1.0)


def test_there_are_recorded_runs():
    assert len(TRACES) >= 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
@pytest.mark.parametrize("slower", [0.8, 1.0, 1.2])
def test_the_estimate_is_right_within_a_factor_from_a_tenth_of_the_run_on(trace, slower):
    assert off(replay(read(trace), 2, slower)) < FACTOR


@pytest.mark.exhaustive
@pytest.mark.parametrize("slower", [0.8, 1.0])
def test_a_first_run_counts_the_time_in_which_workers_compile(slower):
    jobs = read(FIRST_RUN)
    assert off(replay(jobs, 2, slower, COMPILING)) < FACTOR
    assert off(replay(jobs, 2, slower)) > FACTOR


# Half of the third run takes ten seconds, tables and figures apart.
@pytest.mark.parametrize("name", ["default", "with_scores_of_pairs"])
def test_a_resumed_run_counts_what_is_left(name):
    # The second half of the jobs, as after a kill.
    jobs = sorted(read(TRACES[0].with_name(f"{name}.csv")).items(), key=lambda item: item[1][1])
    half = dict(jobs[len(jobs) // 2 :])
    first = min(start for _, start, _ in half.values())
    moved = {job: (cost, start - first, seconds) for job, (cost, start, seconds) in half.items()}
    assert off(replay(moved, 2)) < FACTOR


def schedule(costs, workers):
    """Return jobs as they run in this order on so many workers."""
    free = [0.0] * workers
    jobs = {}
    for i, (kind, forecast, seconds) in enumerate(costs):
        start = min(free)
        free[free.index(start)] = start + seconds
        jobs[str(i)] = (Forecast((kind, "d"), forecast), start, seconds)
    return jobs


def test_start_up_is_not_expected_of_the_jobs_that_follow():
    # The first job of a worker compiles for 20 s.
    costs = [("a", 0.02, 20.0)] * 2 + [("a", 0.02, 0.02)] * 500 + [("b", 20.0, 20.0)] * 10
    assert off(replay(schedule(costs, 2), 2)) < FACTOR


def test_errors_of_kinds_are_learned():
    # One kind takes twice its forecast, another a half.
    costs = [("b", 5.0, 2.5), ("a", 5.0, 10.0), ("b", 5.0, 2.5)] * 30
    assert off(replay(schedule(costs, 2), 2)) < FACTOR


def test_a_kind_is_not_judged_by_its_first_datasets():
    # The trees of two datasets take a third of their forecast, those of the others take it.
    scores = [("scores", dataset, 1.5, 1.5) for dataset in range(20)]
    trees = [("trees", dataset, 6.0, 2.0 if dataset < 2 else 6.0) for dataset in range(20)]
    jobs, start = {}, 0.0
    for kind, dataset, cost, seconds in scores + trees:
        for _ in range(10):
            jobs[str(len(jobs))] = Forecast((kind, str(dataset)), cost), start, seconds
            start += seconds
    assert off(replay(jobs, 1)) < FACTOR


def test_long_jobs_at_the_end_do_not_share_workers():
    # Three long jobs on two workers end after two of them.
    costs = [("a", 1.0, 1.0)] * 40 + [("b", 30.0, 30.0)] * 3
    told = list(replay(schedule(costs, 2), 2))
    now, estimate, truth = next(one for one in told if one[0] >= 19)
    assert (now, truth) == (19.0, 61.0)
    assert estimate == pytest.approx(61, rel=0.05)


def test_the_number_of_workers_is_measured_where_it_is_unknown():
    assert off(replay(schedule([("a", 10.0, 10.0)] * 60, 6), None)) < FACTOR


def test_a_job_that_runs_again_counts_again():
    jobs = {str(i): Forecast(("a",), 10.0) for i in range(4)}
    left = TimeLeft(jobs, n_workers=1)
    left.begin("0", 0.0)
    left.end("0", 10.0, 10.0)
    assert left.seconds(10.0) == pytest.approx(30.0)
    left.begin("1", 10.0)
    left.fail(["1", "2"])
    assert left.seconds(12.0) == pytest.approx(10.0)
    left.retry(["1", "2"])
    assert left.seconds(12.0) == pytest.approx(30.0)


def test_jobs_that_wait_in_a_queue_count_with_their_waiting():
    # Each of the jobs of a batch system runs for a second and waits for nine.
    jobs = {str(i): (Forecast(("a",), 1.0), 10.0 * i + 9.0, 1.0) for i in range(40)}
    assert off(replay(jobs, None)) < FACTOR
