"""Real tables, from a file to evaluated sets: with the library and with the command."""

import json

import numpy as np
import pandas as pd
import pytest
from marks import exhaustive
from sklearn import datasets

from altfs import AlternativeFeatures, Constraints
from altfs.commands.main import main
from altfs.problem import Group

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
# How many of the three sets name the same features.
SAME = {"horse_colic": 1, "credit_g": 1, "soybean": 0}
ASKED = {"n_alternatives": 2, "tau": 1}


@pytest.fixture
def file_of(tmp_path, request):
    def built(name):
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

    return built


@pytest.mark.parametrize("name", ["iris", *exhaustive(*BUNDLED[1:], *PMLB)])
def test_a_real_table_is_evaluated(name, file_of, capsys):
    path, selector = file_of(name), LARGE.get(name, "mutual_information")
    # Five lines.
    table = pd.read_csv(path, sep="," if path.suffix == ".csv" else "\t")
    y = table.pop("target")
    afs = AlternativeFeatures(selector, n_features=2, tau=1, missing="impute").fit(table, y)
    result = afs.evaluate("decision_tree", max_rows=5000).table
    assert result["score"].notna().all()
    # One command.
    options = f"-k 2 -a 1 --tau 1 --selector {selector} --missing impute --evaluate decision_tree"
    assert main(["find", str(path), "--target", "target", "--json", *options.split()]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [s["feature_names"] for s in said["sets"]] == [list(s.names) for s in afs.feature_sets_]
    assert [s["score"] for s in said["evaluation"]["sets"]] == list(result["score"])


def categories(cache, name):
    """Return the columns of at most ten different values, and the target."""
    table = pd.read_csv(cache / name / f"{name}.tsv.gz", sep="\t")
    y = table.pop("target")
    return table.loc[:, table.nunique() <= 10], y


def one_hot(table):
    """Return columns of 0 and 1, and the category of each."""
    parts = {c: pd.get_dummies(table[c], prefix=c) for c in table if table[c].nunique() > 2}
    parts |= {c: table[[c]] for c in table if c not in parts}
    columns = pd.concat([parts[c] for c in table], axis=1).astype(int)
    return columns, {str(name): c for c in table for name in parts[c]}


@pytest.mark.exhaustive  # 5 s for all
@pytest.mark.parametrize("name", SAME)
def test_one_hot_columns_in_groups_ask_another_question(name, pmlb_cache):
    table, y = categories(pmlb_cache, name)
    columns, origin = one_hot(table)
    of = {c: [name for name in columns if origin[name] == c] for c in table}
    # A budget of three categories: the first column of each costs 1.
    limits = Constraints(
        groups=tuple(Group(tuple(names), all_or_none=True) for names in of.values() if names[1:]),
        costs={names[0]: 1 for names in of.values()},
        budget=3,
    )
    # The estimate of frequencies as they are: less chance, other numbers of sets are the same.
    plain = {"type": "mutual_information", "options": {"estimator": "sklearn"}}
    native = AlternativeFeatures(plain, n_features=3, categorical=list(table), **ASKED)
    native.fit(table, y)
    most = sum(sorted(map(len, of.values()))[-3:])
    hot = AlternativeFeatures(
        plain, n_features=(3, most), categorical=list(columns), constraints=limits, **ASKED
    ).fit(columns, y)
    pairs = list(zip(native.feature_sets_, hot.feature_sets_, strict=True))
    assert all(features.status == "optimal" for pair in pairs for features in pair)
    same = [
        set(features.names) == {origin[name] for name in other.names} for features, other in pairs
    ]
    assert sum(same) == SAME[name]
    assert same[0] == bool(SAME[name])
    # The reason: a sum over columns is another number than the information of the category.
    value = dict(zip(columns, hot.quality_.values, strict=True))
    sums = np.array([sum(value[name] for name in of[c]) for c in table])
    ratio = sums / native.quality_.values
    assert ratio.min() < 0.95
    assert ratio.max() > 1.03
