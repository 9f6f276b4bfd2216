"""The making of `weka_uncertainty.csv`: symmetric uncertainties and CFS merits of Weka itself.

Run by hand as `weka_relief.py`. A row without a feature is the best subset that Weka's
forward search found: its features, by number, and its merit.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from weka_relief import load, write_arff

TABLE = Path(__file__).parent / "weka_uncertainty.csv"
NAMES = ("sklearn:iris", "sklearn:wine", "sklearn:breast_cancer", "pmlb:sonar", "pmlb:ionosphere")
#: Weka needs it on Java from 16.
OPEN = ("--add-opens", "java.base/java.lang=ALL-UNNAMED")


def main(jars: Path) -> None:
    """Ask Weka, and write what it says."""
    class_path = os.pathsep.join(map(str, sorted(jars.glob("*.jar"))))
    cache = os.environ.get("ALTFS_PMLB_CACHE")
    rows = []

    def said(evaluator: str, search: str, arff: Path, *options: str) -> str:
        judge = f"weka.attributeSelection.{evaluator}"
        ask = ["java", *OPEN, "-cp", class_path, judge, "-i", str(arff), "-s", search, *options]
        return subprocess.run(ask, capture_output=True, text=True, check=True).stdout

    with tempfile.TemporaryDirectory() as folder:
        arff = Path(folder) / "table.arff"
        for name in NAMES:
            write_arff(load(name, None if cache is None else Path(cache)), arff)
            text = said("SymmetricalUncertAttributeEval", "weka.attributeSelection.Ranker", arff)
            found = re.findall(r"^\s*([\d.]+)\s+\d+\s+a(\d+)\s*$", text, re.M)
            rows += [(name, int(j), "", value) for value, j in found]
            # Without -L, Weka adds features to the subset that it has found.
            forward = "weka.attributeSelection.BestFirst -D 1 -N 5"
            text = said("CfsSubsetEval", forward, arff, "-L")
            merit = re.findall(r"Merit of best subset found:\s*([\d.]+)", text)[0]
            numbers = re.findall(r"Selected attributes: ([\d,]+)", text)[0].split(",")
            rows.append((name, "", " ".join(str(int(j) - 1) for j in numbers), merit))
    columns = ["dataset", "feature", "subset", "value"]
    pd.DataFrame(rows, columns=columns).to_csv(TABLE, index=False, lineterminator="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
