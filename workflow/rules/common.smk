# Shared by all rules: the plan of the study, and the call of a task.
import atexit
import gc
import json
import os
import re
import signal
import sys
from contextlib import chdir
from functools import cache
from inspect import getdoc

import snakemake_logger_plugin_altfs as progress
from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake.logging import logger
from snakemake.settings.types import DeploymentMethod
from snakemake_executor_plugin_dask.processes import run_in_processes

from altfs.commands.exit_codes import INTERRUPTED, REFUSED
from altfs.errors import AltfsError
from altfs.progress import line_every
from altfs.catalogue import figures, tables
from altfs.study.costs import dataset_ranks
from altfs.study.forecast import expected_jobs, start_up_seconds
from altfs.study.session import begin_study, check_study, join_study
from altfs.study.state import (
    Ledger,
    bring_to_present,
    look_at_files,
    look_at_report,
    outdated_files,
)
from altfs.study.status import outcome
from altfs.study.task import hash_of, log_of
from altfs.study.tasks import task_types

# The DAG consists of a million lasting objects. Repeated searches for garbage among them would
# take a fifth of planning.
gc.set_threshold(100_000)


def refuse(error):
    """End Snakemake with a sentence, and with the exit code of the command line."""
    print(f"altfs: {error}", file=sys.stderr)
    sys.exit(REFUSED)


try:
    if workflow.is_main_process:
        plan = check_study(config)
        # Snakemake goes by times and its own records. So files are recomputed, too, that are
        # damaged, deleted, or made with other settings, data or code.
        ledger = Ledger(plan.results)
        state = look_at_files(plan, ledger, line_every("results read", sys.stderr))
        report_state = look_at_report(state)
        to_recompute = state.to_recompute() + report_state.to_recompute()
        outdated = outdated_files(state, report_state)
        for path in state.damaged() + report_state.damaged:
            print(f"altfs: '{path}' is damaged and will be recomputed", file=sys.stderr)
    else:
        plan = join_study(config)
        to_recompute = []
except AltfsError as error:
    refuse(error)
except KeyboardInterrupt:
    print("altfs: stopped while planning, nothing was run", file=sys.stderr)
    sys.exit(INTERRUPTED)


# Only a run writes; --dry-run, --summary and --lint do not.
onstart:
    if workflow.is_main_process and not workflow.touch:
        try:
            begin_study(plan)
            ledger.save()
            progress.expect(expected_jobs(plan), start_up_seconds(), workflow.dag)
        except AltfsError as error:
            refuse(error)


# Snakemake writes lines of its own after its hooks.
if workflow.is_main_process and not workflow.touch:
    # Snakemake leaves the folder of its option --directory before it ends.
    FOLDER = os.getcwd()

    def END():
        """Print the last line of a run; one that was stopped ends by its signal, as shells expect."""
        number = progress.stopped()
        with chdir(FOLDER):
            print(outcome(plan, number is not None, outdated), flush=True)
        if number is not None:
            # Snakemake would end with 1. Nothing is left to do after the other ends.
            atexit.unregister(END)
            atexit._run_exitfuncs()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def end_without_jobs(record):
        """Register the last line of a run that has nothing to do, for which there is no hook."""
        if record.getMessage() == NOTHING_TO_BE_DONE_MSG and not workflow.dryrun:
            atexit.register(END)
        return True

    logger.addFilter(end_without_jobs)


onsuccess:
    # Whatever was out of date was made again, or is as it would be made.
    if workflow.is_main_process:
        outdated.clear()
    atexit.register(END)


onerror:
    atexit.register(END)


RANKS = dataset_ranks(plan)


def costly_first(wildcards):
    """Return the priority of a job: that of its dataset."""
    return RANKS[wildcards.dataset]


USES_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method


def interpreter(wildcards, input):
    """Return the Python that runs a task; as a function of the input it is no reason to rerun."""
    return "python" if USES_CONDA else sys.executable


def memory_of_a_job():
    """Return the MB of memory that the profile says; 1000 without a number of its own."""
    said = (workflow.resource_settings.default_resources or {}).get("mem_mb")
    said = getattr(said, "raw", said)
    return said if isinstance(said, int) else 1000


MEMORY = memory_of_a_job()


def force_recomputation(wildcards):
    """Force files to be made again; Snakemake asks each rule for this input, of which there is none.

    Nothing earlier knows the DAG, and nothing later may change what it holds.
    """
    workflow.dag.forcefiles.update(to_recompute)
    restore_times()
    return []


@cache
def restore_times():
    """Give files from the future the present time, before Snakemake compares times."""
    if (
        workflow.is_main_process
        and workflow.executor_plugin is not None
        and not workflow.dryrun
    ):
        bring_to_present(plan)


def as_json(arguments):
    return json.dumps(arguments, sort_keys=True)


def in_report(path, category):
    """Return a table or figure with its entry in `snakemake --report`."""
    kind = path.rpartition(".")[2]
    if kind not in ("csv", "svg", "pdf"):
        return path

    def labels(wildcards):
        (name,) = wildcards
        return {"name": name.replace("_", " ").capitalize(), "format": kind.upper()}

    return report(path, "../report/caption.rst", category=category, labels=labels)


def caption_of(catalogue, wildcard):
    """Return the caption of a table or figure; as a function of the input, no reason to rerun."""

    def caption(wildcards, input):
        text = catalogue.get(wildcards[wildcard]).caption
        # Docutils interprets these marks.
        return re.sub(r"([\\*`|_])", r"\\\1", text)

    return caption


def inputs_of(task_type):
    """Return the input function of the rule of a type of task."""
    return lambda wildcards: task_of(task_type, wildcards).inputs(plan)


def arguments_of(task_type):
    """Return the function of the arguments of a rule's task, for a worker."""

    def arguments(wildcards):
        task = task_of(task_type, wildcards)
        return as_json({"rule": task.rule, "task": task.model_dump(mode="json")})

    return arguments


def task_of(task_type, wildcards):
    """Return the task of a rule."""
    return plan.tasks[f"{plan.results}/{task_type.pattern.format(**wildcards)}"]


# The shell command of a task, if no worker calls it.
COMMAND = "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


wildcard_constraints:
    dataset="[^/=]+",
    fold=r"\d+",
    # Names of scores have no slash; the parts of a score are in a folder of its name.
    score="[^/=]+",
    part=r"\d+",
    selector="[^/=]+",
    tau=r"[\d.]+",
    search="[^/=]+",
    model="[^/=]+",
    table="|".join(tables.names()),
    figure="|".join(figures.names()),
