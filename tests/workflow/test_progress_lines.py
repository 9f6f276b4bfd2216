"""The line of progress: the time that is left."""

import logging
from types import SimpleNamespace

import pytest
import snakemake_logger_plugin_altfs as progress
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent


def record(event, **about):
    made = logging.LogRecord("snakemake", logging.INFO, "", 0, "", (), None)
    made.__dict__.update(event=event, **about)
    return made


class Job:
    def __init__(self, output):
        self.output, self.log = [output], [f"{output}.log"]
        self.rule = SimpleNamespace(name=output)


class Jobs:
    """As much of a DAG as the display reads: the jobs to run, and their dependencies."""

    def __init__(self, outputs, waiting=(), cores=1, executor="dask"):
        jobs = {output: Job(output) for output in outputs}
        self.jobs = jobs.values()
        self.dependencies, self.depending = ({job: [] for job in self.jobs} for _ in range(2))
        for first, then in waiting:
            self.depending[jobs[first]].append(jobs[then])
            self.dependencies[jobs[then]].append(jobs[first])
        self.workflow = SimpleNamespace(
            executor_settings=None,
            executor_plugin=SimpleNamespace(name=executor),
            resource_settings=SimpleNamespace(cores=cores),
        )

    def needrun_jobs(self):
        return self.jobs

    def bfs(self, depending, job):
        yield job
        for then in depending[job]:
            yield from self.bfs(depending, then)


def expect(seconds, rest=(), unknown=(), **dag):
    expected = {
        output: ((output.rstrip("0123456789"), "wine"), cost, output not in unknown)
        for output, cost in seconds.items()
    }
    expected |= {output: ((output,), cost, True) for output, cost in dict(rest).items()}
    progress.expect(expected, 0.0, Jobs(**{"outputs": list(seconds), **dag}))


class Clock:
    now = 1e9

    def time(self):
        return self.now

    monotonic = time


@pytest.fixture
def display(monkeypatch):
    # Lines at once, as to a file; time passes as the test says.
    clock, times = Clock(), {}
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_ESTIMATES", 0.0)
    monkeypatch.setattr(progress, "_work", None)
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(progress, "_times", times.get)
    handler = progress.LogHandler(OutputSettings(), None)

    def run(jobs, total, failing=()):
        for number, (output, seconds) in enumerate(jobs):
            about = {"output": [f"{output} (update)"], "log": [], "rule_name": "", "rule_msg": ""}
            handler.emit(record(LogEvent.JOB_INFO, jobid=number, **about))
            began = clock.now
            times[f"{output}.log"] = began, began
            clock.now += seconds
            if output in failing:
                handler.emit(record(LogEvent.JOB_ERROR, jobid=number, **about))
                continue
            times[f"{output}.log"] = began, clock.now
            handler.emit(record(LogEvent.JOB_FINISHED, job_id=number))
            handler.emit(record(LogEvent.PROGRESS, done=number + 1, total=total))

    return run


def test_long_jobs_first_do_not_frighten(display, capsys):
    # One long job and a thousand short ones: by their number it would be days.
    expect({"long": 300.0, **{f"short{i}": 0.01 for i in range(1000)}})
    display([("long", 300.0)], 1001)
    assert "1 of 1001 jobs (0%), 5 min 0 s passed, about 10 s left" in capsys.readouterr().err


def test_the_first_hundredth_tells_nothing(display, capsys):
    expect({"long": 300.0, **{f"short{i}": 0.01 for i in range(1000)}})
    display([(f"short{i}", 0.01) for i in range(50)], 1001)
    assert "left" not in capsys.readouterr().err


def test_before_a_run_nothing_is_said_of_the_time_left(display, capsys):
    display([(f"job{i}", 2.0) for i in range(30)], 60)
    assert capsys.readouterr().err.endswith("30 of 60 jobs (50%), 1 min 0 s passed\n")


def test_jobs_of_unknown_time_are_not_counted_before_one_has_finished(display, capsys):
    known = {f"a{i}": 10.0 for i in range(4)}
    strange = {f"b{i}": 1e-6 for i in range(4)}
    expect({**known, **strange}, unknown=strange)
    display([("a0", 10.0)], 8)
    assert capsys.readouterr().err.endswith("at least 30 s left\n")
    display([("b0", 20.0)], 8)
    assert capsys.readouterr().err.endswith("about 1 min 30 s left\n")


def test_executors_without_workers_start_a_process_for_each_job(display, capsys):
    expect({f"a{i}": 0.01 for i in range(100)}, cores=1, executor="local")
    display([(f"a{i}", 4.0) for i in range(20)], 100)
    left = progress._work.left(progress.time.time())
    assert left == pytest.approx(320, rel=0.1)


def test_a_slower_machine_than_that_of_the_forecast(display):
    expect({f"job{i}": 2.0 for i in range(60)})
    display([(f"job{i}", 6.0) for i in range(30)], 60)
    assert progress._work.left(progress.time.time()) == pytest.approx(180, rel=0.05)


def test_what_is_not_to_run_is_not_waited_for(display, capsys):
    # As with --until: the study has a job of five minutes more, this run has not.
    costs = {"long": 300.0, **{f"short{i}": 1.0 for i in range(20)}}
    expect(costs, outputs=[f"short{i}" for i in range(20)])
    display([(f"short{i}", 1.0) for i in range(19)], 20)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("19 of 20 jobs (95%)")
    assert last.endswith("about 1 s left")


def test_what_waits_for_a_failed_job_is_not_waited_for(display, capsys):
    costs = {"fails": 1.0, "long": 300.0, "last": 300.0, **{f"short{i}": 1.0 for i in range(20)}}
    waiting = [("fails", "long"), ("long", "last")]
    short = [(f"short{i}", 1.0) for i in range(19)]
    expect(costs, waiting=waiting)
    display([("fails", 0.0), *short], 23, failing=["fails"])
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("20 of 23 jobs (87%)")
    assert last.endswith("about 1 s left, 1 failed")
    # Tried again, it counts again.
    display([("fails", 1.0)], 23)
    assert "about 10 min 1 s left" in capsys.readouterr().err


def test_jobs_without_costs_come_last_in_stages(display, capsys):
    # Tables and figures after all shards, then the page.
    rest = {"tables": 10.0, "figures": 10.0, "page": 10.0}
    outputs = ["shard", "tables", "figures", "page"]
    waiting = [("shard", "tables"), ("shard", "figures"), ("tables", "page"), ("figures", "page")]
    expect({"shard": 10.0}, rest, outputs=outputs, waiting=waiting, cores=2)
    display([("shard", 10.0)], 4)
    assert "about 20 s left" in capsys.readouterr().err


def test_a_log_of_an_earlier_run_is_no_beginning(tmp_path, monkeypatch):
    output = str(tmp_path / "shard")
    (tmp_path / "shard.log").touch()
    expect({output: 10.0})
    work = progress._work
    now = (tmp_path / "shard.log").stat().st_mtime
    work.begin(output, now + 60)
    assert work._began(output) is None
    work.begin(output, now)
    assert work._began(output) == now


def test_an_estimate_is_reused_for_two_seconds(monkeypatch):
    expect({"first": 10.0, "second": 10.0})
    work, estimates = progress._work, [30.0, 20.0]
    monkeypatch.setattr(work._left, "seconds", lambda now: estimates.pop(0))
    assert [work.left(now) for now in (100.0, 101.0, 102.0)] == [30.0, 29.0, 20.0]
