"""Snakemake's own SLURM executor: one SLURM job for each (dataset, fold)."""

import re
import signal

from snakemake_runs import wait_for
from support import EDITS, SHARDS, STOPPED, edit

PROFILE = ("--profile", "workflow/profiles/slurm")
JOBS = {
    "rule_data_wildcards_hepatitis",
    "rule_hepatitis-0_predict_quality_score_search",
    "rule_hepatitis-1_predict_quality_score_search",
    "rule_evaluation_collect_combine_figures_report_tables",
}


def ready(work):
    """A workspace whose profile is edited for this SLURM."""
    profile = work.folder / "workflow" / "profiles" / "slurm" / "config.yaml"
    edit(
        profile,
        {
            "cores": "2",
            "slurm-status-command": "squeue",
            "slurm-init-seconds-before-status-checks": "2",
            "seconds-between-status-checks": "2",
        },
    )
    text = profile.read_text().replace("mem_mb=2000", "mem_mb=1500")
    text = text.replace(
        "# - slurm_partition=main", f"- slurm_partition={EDITS['dask-slurm-partition']}"
    )
    profile.write_text(text)
    return work


def jobs_of(slurm, output):
    """State and comment of the SLURM jobs of a run."""
    found = re.search(r"SLURM run ID: (\S+)", output)
    assert found, output
    lines = slurm.ask(
        "squeue", "-h", "-t", "all", "--name", found[1], "-o", "%T %C %k"
    ).splitlines()
    return [line.split() for line in lines]


def test_the_study_finds_what_a_local_run_finds_with_a_job_for_each_fold(slurm, study, local):
    work = ready(study("jobs", datasets=["pmlb:hepatitis"], taus=[0.5]))
    output = work.run(*PROFILE, "--slurm-keep-successful-logs", **slurm.environment)
    last = output.splitlines()[-1]
    assert re.fullmatch(r"Report: results/small/report.html \((\d+) of \1 tasks done, 0 .*", last)
    assert len(work.shards()) == SHARDS / 4
    local.assert_same_shards_as(work, dataset="hepatitis", tau="0.5")
    jobs = jobs_of(slurm, output)
    assert {state for state, *_ in jobs} == {"COMPLETED"}
    assert sorted(comment for *_, comment in jobs) == sorted(JOBS)
    # As many cores as the profile says, however many shards a fold has.
    assert {comment: cores for _, cores, comment in jobs if "search" in comment} == {
        name: "2" for name in JOBS if "search" in name
    }
    assert slurm.left() == []
    # The tasks of a group run in processes that stay, and Snakemake does not start itself again.
    logs = work.folder.glob(".snakemake/slurm_logs/group_*/*.log")
    assert [log.read_text().count("Building DAG of jobs") for log in logs] == [1, 1, 1]
    assert "Nothing to be done" in work.run(*PROFILE, **slurm.environment)


def test_a_task_that_fails_fails_its_group_alone_and_leaves_its_traceback(slurm, study):
    work = ready(study("failing", datasets=["pmlb:hepatitis"], taus=[0.5]))
    shard = "shards/dataset=hepatitis/fold=1/selector=model_gain/tau=0.5/search=sequential"
    # A folder is in the way of a shard.
    in_the_way = work.results / f"{shard}.parquet" / "in the way"
    in_the_way.mkdir(parents=True)
    (work.results / "study.json").write_text("{}")
    output = work.run(*PROFILE, ok=False, **slurm.environment)
    assert "IsADirectoryError" in (work.results / "logs" / f"{shard}.log").read_text()
    assert output.splitlines()[-1].startswith("No report: ")
    # The other fold is complete.
    assert sum("/fold=0/" in str(path) for path in work.shards()) == SHARDS / 8
    assert slurm.left() == []


def test_a_stopped_run_leaves_no_job(slurm, study):
    work = ready(study("stopped"))
    process = work.start(*PROFILE, **slurm.environment)
    wait_for(lambda: slurm.jobs("RUNNING"), process)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGINT
    assert re.fullmatch(STOPPED, output.splitlines()[-1]), output
    assert slurm.wait_until_empty() == []


def test_what_slurm_says_of_a_refused_partition_is_shown(slurm, study):
    work = ready(study("refused"))
    options = ("--default-resources", "slurm_partition=nowhere", "mem_mb=500", "disk_mb=0")
    output = work.run(*PROFILE, *options, ok=False, **slurm.environment)
    assert "invalid partition specified: nowhere" in output
    assert slurm.left() == []
