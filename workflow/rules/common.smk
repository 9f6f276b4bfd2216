# What all rules share: the plan of the study, and how a task is called.
import gc
import json
import sys

import snakemake_logger_plugin_altfs as progress
from snakemake.settings.types import DeploymentMethod

from altfs.errors import AltfsError
from altfs.evaluation.report.for_snakemake import shown_as
from altfs.progress import line_every
from altfs.selectors.part import PAIR_KINDS
from altfs.study.costs import dataset_ranks
from altfs.study.forecast import next_seconds
from altfs.study.inventory import files_to_evaluate
from altfs.study.ledger import Ledger
from altfs.study.layout import ShardKey
from altfs.study.reported import look_at_report
from altfs.study.session import begin_study, check_study, join_study
from altfs.study.survey import look_at_files

# The DAG is made of a million objects that all stay; looking for garbage among them again and
# again would be a fifth of planning.
gc.set_threshold(100_000)

try:
    if workflow.is_main_process:
        plan = check_study(config)
        # What is damaged or was made with other settings, data or code is made again, also
        # where Snakemake, which goes by times and its own records, would take it for good;
        # and so is what was deleted, also where nothing else is to be made from it.
        ledger = Ledger(plan.results)
        again = look_at_files(plan, ledger, line_every("results read", sys.stderr))
        report_there = look_at_report(again)
        to_make_again = again.to_make_again() + report_there.to_make_again()
        for path in again.damaged() + report_there.damaged:
            print(f"altfs: '{path}' is damaged and will be made again", file=sys.stderr)
    else:
        plan = join_study(config)
        to_make_again = []
except AltfsError as error:
    sys.exit(f"altfs: {error}")
except KeyboardInterrupt:
    sys.exit("altfs: stopped while planning, nothing was run")


# Looking at a study (--dry-run, --summary, --lint) writes nothing; running it does.
onstart:
    if workflow.is_main_process and not workflow.touch:
        try:
            begin_study(plan)
            ledger.save()
            progress.expect(next_seconds(again), workflow.dag)
        except AltfsError as error:
            sys.exit(f"altfs: {error}")


RANKS = dataset_ranks(plan)


def costly_first(wildcards):
    """The priority of a job: that of its dataset."""
    return RANKS[wildcards.dataset]


USES_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method


def interpreter(wildcards, input):
    """The Python that runs a task; not a reason to rerun, hence a function of the input."""
    return "python" if USES_CONDA else sys.executable


def no_files(wildcards):
    """The input of what depends on no file, and so the way into every DAG before it is judged."""
    if to_make_again:
        workflow.dag.forcefiles.update(to_make_again)
    return []


def as_json(arguments):
    return json.dumps(arguments, sort_keys=True)


def in_report(path):
    """A file of the evaluation, with what `snakemake --report` says of it."""
    shown = shown_as(path)
    if shown is None:
        return path
    caption = f"../report/{shown.caption}"
    return report(path, caption, category=shown.category, labels=shown.labels)


def shard_key(wildcards):
    return ShardKey(
        wildcards.dataset,
        int(wildcards.fold),
        wildcards.selector,
        wildcards.tau,
        wildcards.search,
    )


wildcard_constraints:
    dataset="[^/=]+",
    fold=r"\d+",
    score="[a-z-]+",
    # A score of feature pairs, of the training or the test part.
    pairs=rf"(?:{'|'.join(PAIR_KINDS)})(?:-[a-z]+)?(?:\.test)?",
    part=r"\d+",
    selector="[^/=]+",
    tau=r"[\d.]+",
    search="[^/=]+",
    model="[a-z_]+",
