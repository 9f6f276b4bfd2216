"""The report of a real study, which the site has as an example page.

A small study is run while the site is built, so that the page is never older than the code. The
variable ALTFS_EXAMPLE names the results folder of another study, such as the complete one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

#: The folder that Sphinx copies into the site.
MADE = Path(__file__).parent / "example"
CONFIG: dict[str, Any] = {
    "name": "example",
    "datasets": ["sklearn:breast_cancer", "sklearn:wine"],
    "folds": 2,
    "seed": 25,
    "selectors": ["mutual_information", "fcbf", "mrmr"],
    "n_features": 5,
    "taus": "attainable",
    "searches": [
        {"name": "sequential", "n_alternatives": 3},
        {"name": "random", "n_alternatives": 2},
    ],
    "models": ["decision_tree"],
}


def run_example(folder: Path) -> Path:
    """Run all tasks of the example one after the other, and return its report."""
    from altfs.commands.report import report
    from altfs.study.session import begin_study, check_study

    plan = check_study(CONFIG | {"results": str(folder)})
    begin_study(plan)
    for task in plan.tasks.values():
        task.run(plan)
    return report(folder).path


def make_example(app: Any) -> None:
    """Write the report and the files that it links into the folder of the site."""
    shutil.rmtree(MADE, ignore_errors=True)
    with TemporaryDirectory() as folder:
        finished = os.environ.get("ALTFS_EXAMPLE")
        page = Path(finished, "report.html") if finished else run_example(Path(folder, "results"))
        shown = MADE / "example"
        for part in ("datasets", "figures", "tables"):
            shutil.copytree(page.parent / part, shown / part)
        shutil.copy(page, shown)
