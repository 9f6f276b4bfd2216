"""Categories as they come against one-hot columns of which a set has all or none.

They are two questions, and the page of the library says which sets are the same.
"""

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures, Constraints
from altfs.problem.constraints import Group

# How many of the three sets name the same features.
SAME = {"horse_colic": 1, "credit_g": 1, "soybean": 0}
ASKED = {"n_alternatives": 2, "tau": 1}


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
    native = AlternativeFeatures(n_features=3, categorical=list(table), **ASKED).fit(table, y)
    most = sum(sorted(map(len, of.values()))[-3:])
    hot = AlternativeFeatures(
        n_features=(3, most), categorical=list(columns), constraints=limits, **ASKED
    ).fit(columns, y)
    pairs = list(zip(native.feature_sets_, hot.feature_sets_, strict=True))
    assert all(one.status == "optimal" for pair in pairs for one in pair)
    same = [set(one.names) == {origin[name] for name in other.names} for one, other in pairs]
    assert sum(same) == SAME[name]
    assert same[0] == bool(SAME[name])
    # The reason: a sum over columns is another number than the information of the category.
    value = dict(zip(columns, hot.quality_.values, strict=True))
    sums = np.array([sum(value[name] for name in of[c]) for c in table])
    ratio = sums / native.quality_.values
    assert ratio.min() < 0.95
    assert ratio.max() > 1.03
