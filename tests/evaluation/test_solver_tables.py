"""The tables and figures that compare solvers, judged by plain loops over stored rows."""

import numpy as np
import pandas as pd
import pytest
from audit import collected_results
from made_up import make_tables
from studies import SMALL
from workspaces import ROOT

from altfs.catalogue import figures, tables
from altfs.errors import AltfsError
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.columns import described
from altfs.study.config import parse_config

NAMES = ("solvers", "solvers_pairwise")
FIGURES = ("objective_by_evaluations", "overfitting_by_solver")
SEARCHES = [
    {"name": "sequential", "n_alternatives": 1},
    {"name": "forward", "type": "sequential", "n_alternatives": 1, "solver": "forward"},
    {"name": "annealing", "type": "sequential", "n_alternatives": 1, "solver": "annealing",
     "selectors": ["box"]},
]  # fmt: skip
CONFIG = {
    **SMALL,
    "datasets": ["sklearn:wine", "sklearn:diabetes"],
    "selectors": ["model_gain",
                  {"name": "box", "type": "greedy_wrapper", "options": {"max_iterations": 12}}],
    "taus": ["1"],
    "searches": SEARCHES,
}  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    with collected_results(tmp_path_factory.mktemp("solvers"), CONFIG) as results:
        yield results


@pytest.mark.exhaustive
def test_solvers_are_compared_with_the_best_of_each_case(results):
    made = make_tables(results, NAMES)
    assert all(c.meaning for name in NAMES for c in described(name, made[name]))
    table = made["solvers"]
    rows = results.sets.astype({"selector": str, "search": str, "dataset": str})
    assert {*table["search"]} == {"sequential", "forward", "annealing"}
    assert {*table.loc[table["selector"] == "model_gain", "search"]} == {"sequential", "forward"}
    wine = rows[(rows["selector"] == "box") & (rows["dataset"] == "wine")]
    means = wine.groupby(["fold", "search"])["train_objective"].mean().unstack()
    behind = (means.max(axis=1) - means.T).T.mean()
    chosen = table[
        (table["target_type"] == "classification") & (table["selector"] == "box")
        & (table["measure"] == "train_objective")
    ].set_index("search")  # fmt: skip
    for search in behind.index:
        assert chosen.loc[search, "behind"] == pytest.approx(behind[search])
        assert chosen.loc[search, "value"] == pytest.approx(means[search].mean())
        share = np.isclose(means[search], means.max(axis=1)).mean()
        assert chosen.loc[search, "best"] == pytest.approx(share)
        work = wine[wine["search"] == search].groupby("fold")["work"].sum().mean()
        assert chosen.loc[search, "evaluations"] == pytest.approx(work)
    exact = table[(table["selector"] == "model_gain") & (table["search"] == "sequential")]
    assert exact["evaluations"].isna().all()


@pytest.mark.exhaustive
def test_pairs_are_those_of_searches_that_every_selector_has(results):
    table = make_tables(results, NAMES)["solvers_pairwise"]
    assert {(r.first, r.second) for r in table.itertuples()} == {("forward", "sequential")}
    # One dataset of each kind is not tested.
    assert table["p_holm"].isna().all()
    assert np.allclose(table["first_mean"] + table["second_mean"], 1)


@pytest.mark.exhaustive
def test_figures_have_a_point_for_each_search(results):
    made = make_tables(results, NAMES)
    for name in FIGURES:
        drawn = make_figure(name, results, made).to_dict()
        rows = pd.concat(pd.DataFrame(data) for data in drawn["datasets"].values())
        assert {"forward", "annealing"} <= {*rows["search"]}


def test_only_studies_that_name_solvers_have_them(results):
    config = parse_config(CONFIG)
    plain = parse_config(SMALL)
    for catalogue, names in ((tables, NAMES), (figures, FIGURES)):
        assert set(names) <= set(catalogue.order(config)) <= set(catalogue.order())
        assert not set(names) & set(catalogue.order(plain))


def test_a_search_can_be_for_some_selectors():
    with pytest.raises(AltfsError, match=r"searches\[2\].selectors: 'bax' is not .* 'box'"):
        parse_config({**CONFIG, "searches": [*SEARCHES[:2], {**SEARCHES[2], "selectors": ["bax"]}]})


def test_the_study_of_wrappers_uses_every_named_solver(pmlb_cache):
    import yaml

    from altfs.solvers import solvers

    raw = yaml.safe_load((ROOT / "workflow" / "studies" / "wrappers.yaml").read_text())
    config = parse_config(raw)
    named = {search.solver.type for search in config.searches if search.solver}
    assert named == {solver.name for solver in solvers if solver.by_name_only}
