"""The making of `weka_trees.txt`: the C4.5 trees that Weka itself (J48) grows on real tables.

Run by hand as `weka_relief.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from weka_relief import HERE, load
from weka_uncertainty import OPEN

from altfs.datasets import Dataset

TABLE = HERE / "weka_trees.txt"
NAMES = ("sklearn:iris", "sklearn:wine", "pmlb:house_votes_84", "pmlb:ionosphere",
         "pmlb:credit_a", "pmlb:hypothyroid", "pmlb:chess", "pmlb:horse_colic")  # fmt: skip
#: The largest number of values of a category. Numbers with more values stay numbers.
MOST_VALUES = 8


def categories(name: str, data: Dataset) -> np.ndarray:
    """The columns that count as categories: of PMLB's tables those of few whole numbers."""
    few = [len(np.unique(x)) <= MOST_VALUES and (x == np.rint(x)).all() for x in data.X.T]
    return np.array(few) & name.startswith("pmlb:")


def write_arff(data: Dataset, categorical: np.ndarray, path: Path) -> None:
    """A table as Weka reads it: numbers and categories, the classes last."""
    kinds, columns = [], []
    for x, is_category in zip(data.X.T, categorical, strict=True):
        texts = [repr(float(value)) for value in x]
        allowed = "{" + ",".join(sorted(set(texts), key=float)) + "}"
        kinds.append(allowed if is_category else "numeric")
        columns.append(texts)
    columns.append([str(value) for value in data.y])
    kinds.append("{" + ",".join(map(str, np.unique(data.y))) + "}")
    lines = ["@relation r", *(f"@attribute a{j} {kind}" for j, kind in enumerate(kinds)), "@data"]
    lines += [",".join(row) for row in zip(*columns, strict=True)]
    path.write_text("\n".join(lines) + "\n")


def main(jars: Path) -> None:
    """Ask Weka, and write its trees."""
    class_path = os.pathsep.join(map(str, sorted(jars.glob("*.jar"))))
    cache = os.environ.get("ALTFS_PMLB_CACHE")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        arff = Path(folder) / "table.arff"
        for name in NAMES:
            data = load(name, None if cache is None else Path(cache))
            write_arff(data, categories(name, data), arff)
            ask = ["java", *OPEN, "-cp", class_path, "weka.classifiers.trees.J48", "-t", str(arff),
                   "-C", ".25", "-M", "2", "-no-cv"]  # fmt: skip
            said = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
            tree = said.split("J48 pruned tree\n------------------\n")[1]
            tree = tree.split("Number of Leaves")[0].strip()
            found += [f"# {name}", *tree.splitlines()]
    TABLE.write_text("\n".join(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
