# What all rules share: the plan of the study, and how a task is called.
import json
import sys

from snakemake.settings.types import DeploymentMethod

from altfs.errors import AltfsError
from altfs.selectors.part import PAIR_KINDS
from altfs.study.plan import ShardKey
from altfs.study.session import begin_study, check_study, join_study

try:
    if workflow.is_main_process:
        plan = check_study(config)
    else:
        plan = join_study(config)
except AltfsError as error:
    sys.exit(f"altfs: {error}")


# Looking at a study (--dry-run, --summary, --lint) writes nothing; running it does.
onstart:
    if workflow.is_main_process and not workflow.touch:
        try:
            begin_study(plan)
        except AltfsError as error:
            sys.exit(f"altfs: {error}")


USES_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method


def interpreter(wildcards, input):
    """The Python that runs a task; not a reason to rerun, hence a function of the input."""
    return "python" if USES_CONDA else sys.executable


def as_json(arguments):
    return json.dumps(arguments, sort_keys=True)


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
