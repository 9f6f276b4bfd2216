"""Run one task from the command line: ``python -m altfs.study.run TASK JSON``.

The shell command of a rule does this if no Dask worker calls the task.
"""

from __future__ import annotations

import importlib
import json
import sys


def main(task: str, arguments: str) -> None:
    """Call the function that ``module:function`` names with a JSON object as keywords."""
    module, _, function = task.partition(":")
    getattr(importlib.import_module(module), function)(**json.loads(arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
