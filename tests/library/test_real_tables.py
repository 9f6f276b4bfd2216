"""Real tables, from a file to evaluated sets: with the library and with the command."""

import json

import pandas as pd
import pytest
from conftest import exhaustive
from sklearn import datasets

from altfs import AlternativeFeatures
from altfs.commands.main import main

# A table, and its selector: the default one takes long for large tables.
BUNDLED = ["iris", "wine", "breast_cancer", "diabetes"]
LARGE = {
    "coil2000": "f_statistic",
    "soybean": "f_statistic",
    "mfeat_pixel": "f_statistic",
    "197_cpu_act": "correlation",
}
LARGE["GAMETES_Epistasis_2_Way_1000atts_0.4H_EDM_1_EDM_1_1"] = "f_statistic"
PMLB = ["credit_g", "horse_colic", "560_bodyfat", *LARGE]
GAPS = {"diabetes", "soybean"}


@pytest.fixture
def file_of(tmp_path, request):
    def made(name):
        if name in PMLB:
            cache = request.getfixturevalue("pmlb_cache")
            path = cache / name / f"{name}.tsv.gz"
        else:
            path = tmp_path / f"{name}.csv"
            getattr(datasets, f"load_{name}")(as_frame=True).frame.to_csv(path, index=False)
        if name not in GAPS:
            return path
        # No table of scikit-learn or PMLB has gaps.
        table = pd.read_csv(path, sep=None, engine="python")
        table.iloc[::7, 2] = None
        table.to_csv(tmp_path / "gaps.csv", index=False)
        return tmp_path / "gaps.csv"

    return made


@pytest.mark.parametrize("name", ["iris", *exhaustive(*BUNDLED[1:], *PMLB)])
def test_a_real_table_is_evaluated(name, file_of, capsys):
    path, selector = file_of(name), LARGE.get(name, "mutual_information")
    # Five lines.
    table = pd.read_csv(path, sep="," if path.suffix == ".csv" else "\t")
    y = table.pop("target")
    afs = AlternativeFeatures(selector, n_features=2, tau=1, missing="impute").fit(table, y)
    found = afs.evaluate("decision_tree").table
    assert found["score"].notna().all()
    # One command.
    options = f"-k 2 -a 1 --tau 1 --selector {selector} --missing impute --evaluate decision_tree"
    assert main(["find", str(path), "--target", "target", "--json", *options.split()]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [s["feature_names"] for s in said["sets"]] == [list(s.names) for s in afs.feature_sets_]
    assert [s["score"] for s in said["evaluation"]["sets"]] == list(found["score"])
