"""The settings of SLURM workers; tests/slurm runs them on a SLURM."""

from types import SimpleNamespace

import pytest
from snakemake_executor_plugin_dask import ExecutorSettings
from snakemake_executor_plugin_dask.cluster import Workers
from snakemake_executor_plugin_dask.slurm import SlurmOptions, parse_memory, parse_time
from snakemake_interface_common.exceptions import WorkflowError


def options(**changes):
    return SlurmOptions.from_settings(ExecutorSettings(**{"slurm_workers": 4, **changes}))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("4:00:00", 14400), ("30:00", 1800), ("1-12", 129600), ("2-0:30", 174600), ("1:30", 90)],
)
def test_times_are_read_as_slurm_reads_them(text, seconds):
    assert parse_time(text) == seconds


@pytest.mark.parametrize(
    ("text", "mib"), [("4G", 4096), ("500 MB", 500), ("1.5GiB", 1536), ("1T", 2**20)]
)
def test_memory_is_read_as_slurm_reads_it(text, mib):
    assert parse_memory(text) == mib


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"slurm_workers": 0}, "dask-slurm-workers: 0 is too small, give a number from 1 on."),
        ({"slurm_min_workers": 5}, "dask-slurm-min-workers: 5 is more than dask-slurm-workers (4)"),
        # What YAML makes of 4:00:00 without quotes.
        ({"slurm_time": "14400"}, "dask-slurm-time: '14400' is not a time limit"),
        ({"slurm_time": "4h"}, "dask-slurm-time: '4h' is not a time limit"),
        ({"slurm_time": "0:30"}, "dask-slurm-time: '0:30' is too short"),
        ({"slurm_memory": "4000"}, "dask-slurm-memory: '4000' is not an amount of memory"),
        ({"slurm_partition": "a b"}, "dask-slurm-partition: 'a b' is not a name"),
        ({"slurm_death_timeout": 0}, "dask-slurm-death-timeout: 0 is too small"),
        ({"scheduler": "tcp://a:1"}, "set only one of them"),
    ],
)
def test_a_wrong_setting_is_one_sentence(changes, message):
    with pytest.raises(WorkflowError) as error:
        options(**changes)
    assert message in str(error.value)
    assert "\n" not in str(error.value).strip()


def test_a_worker_takes_no_job_in_the_last_part_of_its_time():
    assert options(slurm_time="0:10:00").lifetime == 450
    assert options(slurm_time="2-00:00:00").lifetime == 47 * 3600
    assert options(slurm_time="1-2:03:04").time == "26:03:04"


def test_what_a_job_may_ask_for_is_known_before_a_worker_has_arrived():
    workers = Workers(SimpleNamespace(), SimpleNamespace(), {"threads": 1.0, "mem_mb": 4096.0})
    assert workers.fitting_resources(8, 1000) == {"threads": 1, "mem_mb": 1000}
    with pytest.raises(WorkflowError, match="mem_mb=5000, the largest worker has 4096"):
        workers.fitting_resources(1, 5000)
