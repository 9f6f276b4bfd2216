"""Run one task from the command line: ``python -m altfs.study.run TASK JSON``.

The shell command of a rule does this if no Dask worker calls the task. Its output is the log.
As on a Dask worker, the log's times tell how long the task took: it was modified when the
task began, and accessed when it ended. Its last line has the CPU time of the process.
"""

from __future__ import annotations

import importlib
import json
import os
import stat
import sys
import time


def main(task: str, arguments: str) -> None:
    """Call the function that ``module:function`` names with a JSON object as keywords."""
    start = time.time()
    module, _, function = task.partition(":")
    getattr(importlib.import_module(module), function)(**json.loads(arguments))
    # Processes that the task started, and that have ended, count.
    sys.stdout.write(f"CPU time: {sum(os.times()[:4]):.3f} s\n")
    sys.stdout.flush()
    if stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode):
        os.utime(sys.stdout.fileno(), (time.time(), start))


if __name__ == "__main__":
    main(*sys.argv[1:])
