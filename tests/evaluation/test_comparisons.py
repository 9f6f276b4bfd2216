"""Tests of hypotheses, against published examples and other implementations."""

import made_up
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from altfs.evaluation.stats import bootstrap
from altfs.evaluation.stats.bootstrap import draw_datasets, median_intervals
from altfs.evaluation.stats.comparisons import Family
from altfs.evaluation.stats.summaries import Summaries
from altfs.evaluation.tables.correlation import correlation
from altfs.evaluation.tables.friedman import critical_difference, friedman_of
from altfs.evaluation.tables.pairwise import holm, pairwise_of

# Demšar (2006), "Statistical Comparisons of Classifiers over Multiple Data Sets", table 6:
# AUC of C4.5 with and without tuning m and cf on 14 datasets. Voting (the last but one) is
# printed as 0.975 twice, with the ranks 2 and 3.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9754, 0.9752], [0.957, 0.978, 0.946, 0.970],
    ]
)  # fmt: skip
LABELS = {
    "compared": "x", "measure": "auc", "model": "", "selector": "", "n_features": None,
    "n_alternatives": None, "sets": "all", "n_cases": 14,
}  # fmt: skip


def family():
    names = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    return Family(LABELS, pd.DataFrame(DEMSAR, columns=names, index=[f"d{i}" for i in range(14)]))


def test_ranks_and_critical_difference_are_those_of_demsar():
    table = friedman_of([family()])
    ranks = table.set_index("treatment")["average_rank"]
    assert ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert round(critical_difference(4, 14), 2) == 1.25
    # His statistic has no correction for ties, which only makes it larger.
    plain = 12 * 14 / (4 * 5) * ((ranks**2).sum() - 4 * 25 / 4)
    assert plain == pytest.approx(9.28, abs=0.01)
    assert table["friedman_chi2"].iloc[0] > plain
    assert table["p"].iloc[0] < 0.05
    assert table["kendall_w"].iloc[0] == pytest.approx(table["friedman_chi2"].iloc[0] / 42)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_the_step_down_procedure_rejects(p):
    adjusted, alpha = holm(p), 0.05
    rejected = set()
    for step, i in enumerate(np.argsort(p, kind="stable")):
        if p[i] * (len(p) - step) > alpha:
            break
        rejected.add(int(i))
    assert set(np.flatnonzero(adjusted <= alpha)) == rejected


def test_pairs_are_compared_by_wins_and_p_values():
    results = made_up.results()
    other = Family(LABELS, family().values.set_axis([f"e{i}" for i in range(14)]))
    summaries = Summaries(results)
    summaries._datasets = [f"d{i}" for i in range(14)] + [f"e{i}" for i in range(14)]
    summaries._draws = draw_datasets(28, 0)
    table = pairwise_of([family(), other], summaries)
    assert len(table) == 12
    row = table[(table["first"] == "C4.5") & (table["second"] == "C4.5+m+cf")].iloc[0]
    # C4.5+m+cf is worse on breast cancer and iris, and equal on mushroom.
    assert (row["first_better"], row["second_better"]) == (2, 11)
    assert row["rank_biserial"] < -0.7
    assert row["p"] <= row["p_holm"] < 0.1
    assert row["difference_median_low"] <= row["difference_median"] <= row["difference_median_high"]


@given(st.integers(0, 2**32 - 1))
def test_intervals_are_those_of_the_repeated_values(seed):
    rng = np.random.default_rng(seed)
    values, owners = rng.normal(size=20), rng.integers(0, 4, 20)
    groups = np.sort(rng.integers(0, 2, 20))
    groups -= groups.min()
    draws = draw_datasets(4, seed, resamples=50)
    low, high = median_intervals(values, groups, owners, draws)
    for group in range(groups.max() + 1):
        own, of = values[groups == group], owners[groups == group]
        repeated = [np.repeat(own, draw[of]) for draw in draws]
        medians = [np.median(r) for r in repeated if len(r)]
        if len(set(of)) > 1:
            assert np.allclose([low[group], high[group]], np.quantile(medians, [0.025, 0.975]))
        else:
            assert np.isnan(low[group])


def test_intervals_do_not_depend_on_how_the_work_is_divided(monkeypatch):
    rng = np.random.default_rng(0)
    values, owners = rng.normal(size=5000), rng.integers(0, 6, 5000)
    # Groups of one value, of many, of a single dataset, and of datasets that a draw may lack.
    groups = np.sort(np.minimum(rng.geometric(0.02, 5000) - 1, 200))
    groups = np.unique(groups, return_inverse=True)[1]
    owners[groups == 3] = 2
    owners[groups == 5] %= 2
    draws = draw_datasets(6, 1)
    tails = [(1 - bootstrap.LEVEL) / 2, (1 + bootstrap.LEVEL) / 2]
    for parts in (1, 2, 8, 10_000):
        monkeypatch.setattr(bootstrap, "_PARTS", parts)
        for few, found in ((len(values) + 1, []), (0, [])):
            monkeypatch.setattr(bootstrap, "_FEW", few)
            found.extend(median_intervals(values, groups, owners, draws))
            order = np.lexsort((values, groups))
            starts = np.concatenate(([0], np.cumsum(np.bincount(groups)))).astype(np.int64)
            medians = bootstrap._medians(values[order], owners[order], starts, draws)
            several = np.array([len(set(owners[groups == g])) > 1 for g in range(len(starts) - 1)])
            assert 2 < several.sum() < len(several) and np.isnan(medians[several]).any()
            expected = np.nanquantile(medians[several], tails, axis=1)
            assert np.array_equal(np.array(found)[:, several], expected)
            assert np.isnan(np.array(found)[:, ~several]).all()


def test_spearman_is_that_of_scipy():
    from scipy.stats import spearmanr

    rng = np.random.default_rng(0)
    frame = pd.concat([made_up.sets().assign(fold=i) for i in range(10)], ignore_index=True)
    frame = frame[frame["status"] == "optimal"]
    frame = frame.assign(train_objective=rng.integers(0, 5, len(frame)) / 5.0)
    frame = frame.assign(test_objective=frame["train_objective"] + rng.normal(size=len(frame)))
    table = correlation(made_up.results(frame)).set_index(
        ["dataset", "selector", "metric_1", "metric_2"]
    )
    for name, own in frame.groupby("dataset"):
        expected = spearmanr(own["train_objective"], own["test_objective"]).statistic
        found = table.loc[(name, "s", "train_objective", "test_objective")]
        assert found["rho"] == pytest.approx(expected)
        assert (found["n"], found["n_datasets"]) == (len(own), 1)
    each = table.loc[(["a", "b"], "s", "train_objective", "test_objective"), "rho"]
    found = table.loc[("", "", "train_objective", "test_objective")]
    assert found["rho"] == pytest.approx(each.median())
    assert (found["n"], found["n_datasets"]) == (len(frame), 2)
    # A constant metric correlates with nothing.
    assert np.isnan(table.loc[("", "", "train_objective", "decision_tree_test_mcc"), "rho"])
