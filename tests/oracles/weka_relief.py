"""The making of `weka_relief.csv`: ReliefF weights that Weka itself gives to real tables.

Run by hand, as it needs Java (a JDK) and Weka; tests read the file that it wrote::

    pip download --no-deps python-weka-wrapper3   # an archive that holds weka.jar
    python tests/oracles/weka_relief.py FOLDER_OF_ITS_JARS

PMLB data come from the folder that ``ALTFS_PMLB_CACHE`` names.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from altfs.datasets import Dataset
from altfs.study.config import DatasetEntry
from altfs.study.facts import load_dataset

HERE = Path(__file__).parent
TABLE = HERE / "weka_relief.csv"
#: Tables, each with the numbers of neighbours and sigmas that Weka was asked for.
CASES = {
    "sklearn:wine": [(10, 0), (5, 0), (10, 2)],
    "sklearn:breast_cancer": [(10, 0)],
    "sklearn:iris": [(10, 0)],
    "sklearn:diabetes": [(10, 0), (5, 0), (10, 2)],
    "pmlb:sonar": [(10, 0)],
    "pmlb:ionosphere": [(10, 0)],
    "pmlb:560_bodyfat": [(10, 0)],
}


def load(name: str, pmlb_cache: Path | None) -> Dataset:
    """One of the tables."""
    return load_dataset(DatasetEntry.model_validate(name), pmlb_cache)


def write_arff(data: Dataset, path: Path) -> None:
    """A table as Weka reads it: numbers, the target last."""
    classes = "numeric"
    target = [repr(float(value)) for value in data.y]
    if data.target_type != "regression":
        target = [f"c{value}" for value in data.y]
        classes = "{" + ",".join(sorted(set(target))) + "}"
    lines = ["@relation r"]
    lines += [f"@attribute a{j} numeric" for j in range(data.n_total)]
    lines += [f"@attribute y {classes}", "@data"]
    lines += [
        ",".join([*(repr(float(value)) for value in row), y])
        for row, y in zip(data.X, target, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")


def main(jars: Path) -> None:
    """Ask Weka, and write what it says."""
    class_path = os.pathsep.join(map(str, sorted(jars.glob("*.jar"))))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        arff = Path(folder) / "table.arff"
        for name, settings in CASES.items():
            cache = os.environ.get("ALTFS_PMLB_CACHE")
            data = load(name, None if cache is None else Path(cache))
            write_arff(data, arff)
            for n_neighbours, sigma in settings:
                said = subprocess.run(
                    ["java", "-cp", class_path, str(HERE / "ReliefReference.java"), str(arff),
                     str(n_neighbours), str(sigma)],
                    capture_output=True, text=True, check=True,
                ).stdout.split()  # fmt: skip
                asked = {"weka": said[0], "dataset": name, "n_neighbours": n_neighbours}
                rows += [
                    {**asked, "sigma": sigma, "feature": feature, "weight": weight}
                    for feature, weight in zip(data.feature_names, said[1:], strict=True)
                ]
    pd.DataFrame(rows).to_csv(TABLE, index=False, lineterminator="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
