"""Run one task from the command line: ``python -m altfs.study.run FUNCTION JSON``.

The shell command of a rule does this if no Dask worker calls the function. Its output is the log,
which ends, as on a Dask worker, with a line about the times of the task.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
from typing import Any


def run_task(rule: str, task: dict[str, Any]) -> None:
    """Run the task of a rule, given as plain data."""
    from altfs.study.plan import load_plan
    from altfs.study.tasks import task_types

    of_rule = {one.rule: one for one in task_types()}
    parsed = of_rule[rule].model_validate(task)
    parsed.run(load_plan(parsed.results) if parsed.needs_plan else None)


def main(function: str, arguments: str) -> None:
    """Call the function that ``module:function`` names with a JSON object as keywords."""
    began = time.time()
    # Compiled functions turn Python's exception into a SystemError, which looks like a failure.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    module, _, name = function.partition(":")
    getattr(importlib.import_module(module), name)(**json.loads(arguments))
    # Processes that the task started, and that have ended, count.
    cpu_seconds = sum(os.times()[:4])
    print(f"Ran from {began:.3f} to {time.time():.3f}, CPU time: {cpu_seconds:.3f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
