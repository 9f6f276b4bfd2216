"""Explanations of single rows in a study: files, audit, tables and figures.

They take about three seconds of CPU.
"""

import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from audit import assert_named, edit, results_of, verify
from made_up import make_tables
from marks import exhaustive
from studies import SMALL

from altfs.catalogue import figures, tables
from altfs.datasets.row_designs import truth_of_rows
from altfs.errors import ConfigError
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.columns import described
from altfs.kinds.rows.alternative_explanations import AlternativeExplanations
from altfs.kinds.rows.comparison import AS_GOOD
from altfs.kinds.rows.explaining import attributed
from altfs.kinds.rows.figures.explanations_stand_ins import stand_in_shares
from altfs.prediction.decision_tree import DecisionTree
from altfs.selectors.row_wise import drawn_rows
from altfs.study.config import parse_config
from altfs.study.cross_validation import Folds
from altfs.study.session import check_study, open_study
from altfs.study.store import read_table

XOR = {"name": "made", "type": "synthetic", "options": {"design": "xor", "rows": 60}}
CONFIG = {
    **SMALL, "results": "results/explained", "datasets": [XOR, "sklearn:diabetes"],
    "selectors": [
        "mutual_information", "shap",
        {"name": "sampled", "type": "shap", "options": {"algorithm": "permutation", "max_rows": 1}},
    ],
    "taus": ["0.5"], "searches": [{"name": "sequential", "n_alternatives": 2}],
    "explanations": {"rows": 5, "background": 8, "model": "decision_tree"},
}  # fmt: skip
TABLES = ["truth", "explanations", "explanation_agreement", "explanations_by_class"]
FIGURES = [name for name in figures.names() if name.startswith("explanations_")]


def explained(plan):
    """Return the tasks that explain rows."""
    return [task for task in plan.tasks.values() if task.rule == "explain"]


def rows_of(results):
    return results.more["explanation_rows"]


def test_the_rows_are_those_of_the_library(plan):
    for key in explained(plan):
        frame = read_table(key.path)[0].to_pandas()
        dataset = key.data
        train, test = Folds(number=2).split(dataset, SMALL["seed"])[key.fold]
        rows = frame["row"].unique()
        assert len(rows) == 5 and set(rows) <= set(test)
        assert (rows == drawn_rows(test, 5, SMALL["seed"])).all()
        model = DecisionTree().estimator(dataset.target_type, SMALL["seed"])
        explainer = AlternativeExplanations(
            plan.selector_entries[key.selector].make(),
            estimator=model.fit(dataset.X[train], dataset.y[train]), n_features=3,
            n_alternatives=2, tau="0.5", background=8, random_state=SMALL["seed"],
        )  # fmt: skip
        expected = explainer.fit(dataset.X[train]).explain(dataset.X[rows]).to_frame()
        assert [tuple(s) for s in frame["selected"]] == expected["selected"].tolist()
        assert frame["share"].tolist() == expected["share"].tolist()
        if key.dataset == "diabetes":
            assert frame[["sufficient", "fidelity", "truth_found"]].isna().all(axis=None)
            continue
        for name in ("predicted", "same_prediction", "same_without", "sufficient"):
            assert frame[name].tolist() == expected[name].tolist()
        for name in ("fidelity", "probability_change"):
            assert frame[name].tolist() == pytest.approx(expected[name].tolist())
        truth = truth_of_rows("xor", dataset.X[frame["row"]])
        hits = [t[s].sum() for t, s in zip(truth, frame["selected"], strict=True)]
        assert frame["truth_found"].tolist() == hits
        assert (frame["truth_found"] + frame["truth_wrong"] == 3).all()


def test_the_jobs_of_a_fold_and_selector_share_its_values_in_any_order(plan):
    tasks = explained(plan)
    values = [attributed(task).values for task in tasks]
    assert all(attributed(task).values is kept for task, kept in zip(tasks, values, strict=True))


def other_answer(rows):
    rows[0]["answer"] += 0.25


def same_set(rows):
    for name in ("selected", "feature_names", "values", "objective"):
        rows[1][name] = rows[0][name]


def other_sum(rows):
    rows[2]["objective"] *= 2


def other_verdict(rows):
    rows[0]["sufficient"] = not rows[0]["sufficient"]


def other_judgement(rows):
    # Consistent, so that only the model tells.
    rows[0].update(same_prediction=not rows[0]["same_prediction"])
    rows[0].update(sufficient=rows[0]["same_prediction"] and not rows[0]["same_without"])


def other_row(rows):
    rows[1]["row"] += 1


def lost_row(rows):
    del rows[-3:]


@pytest.mark.exhaustive
def test_the_audit_recomputes_what_it_reads(plan, capsys):
    code, said = verify(capsys, plan)
    assert code == 0, said
    assert "explanations        8        0        0" in said
    assert "made again and compared: explanations/dataset=" in said
    on_disk = {str(path) for path in Path(plan.results).rglob("*.parquet")}
    assert set(plan.tasks) == on_disk


@pytest.mark.parametrize(
    ("change", "text", "options"),
    [
        (same_set, "two explanations share 3 features, 1 are allowed", ("--sample", "0")),
        *exhaustive(
            (other_sum, "its values have the sum", ("--sample", "0")),
            (other_verdict, "same_prediction and same_without say", ("--sample", "0")),
            (other_judgement, "row 0: same_prediction is", ()),
            (other_row, "row is", ("--sample", "0")),
            (other_answer, "fidelity is .*, its answers give", ("--sample", "0")),
            (lost_row, "has 12 rows, recomputed it has 15", ()),
        ),
    ],
)
def test_the_audit_names_what_is_edited(plan, capsys, change, text, options):
    path = next(task.path for task in explained(plan) if task.dataset == "made")
    edit(path, change)
    assert_named(capsys, plan, path, text, *options)


@pytest.mark.exhaustive
def test_the_audit_names_a_file_of_no_task(plan, capsys):
    path = Path(explained(plan)[0].path)
    foreign = path.with_name("search=other.parquet")
    shutil.copy(path, foreign)
    assert_named(capsys, plan, foreign, "is not in the plan", "--sample", "0")


@pytest.mark.exhaustive
def test_tables_and_figures_are_those_of_plain_loops(own_results, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = open_study(shutil.copytree(own_results, CONFIG["results"]))
    results = results_of(plan)
    built = make_tables(results, TABLES)
    assert all(c.meaning for name, table in built.items() for c in described(name, table))
    rows = rows_of(results).to_pandas()
    keys = ["dataset", "selector", "set_index"]
    by_class = built["explanations_by_class"]
    assert by_class["n"].sum() == (rows["dataset"] == "made").sum()
    for key, group in built["explanations"].groupby(keys):
        place = rows[keys].eq(list(key)).all(axis=1)
        [row], cells = group.to_dict("records"), rows[place]
        first = rows[rows[keys].eq([*key[:2], 0]).all(axis=1)]
        assert row["n"] == row["n_rows"] == len(cells) == 10
        assert row["share"] == pytest.approx(cells["share"].mean())
        good = cells["share"].to_numpy() >= AS_GOOD * first["share"].to_numpy()
        if key[0] == "made":
            same, of_first = (f["same_prediction"].to_numpy(bool) for f in (cells, first))
            without = cells["same_without"].to_numpy(bool)
            assert row["same_without"] == pytest.approx(without.mean())
            assert row["sufficient"] == pytest.approx((same & ~without).mean())
            change = cells["answer_alone"] - cells["answer_without"]
            assert row["probability_change"] == pytest.approx(change.mean())
            for predicted, cell in cells.groupby("predicted"):
                place = [*key, predicted]
                [of_class] = by_class[by_class[[*keys, "predicted"]].eq(place).all(axis=1)].to_dict(
                    "records"
                )
                assert of_class["n"] == len(cell)
                assert of_class["sufficient"] == pytest.approx(
                    cell["sufficient"].astype(float).mean()
                )
                assert of_class["probability_change"] == pytest.approx(change[cell.index].mean())
            good &= same | ~of_first
        assert row["as_good"] == pytest.approx(good.mean())
        alike = [
            len({*a} & {*b}) / 3
            for _, fold in cells.groupby("fold")
            for a, b in combinations(fold["selected"], 2)
        ]
        assert row["row_agreement"] == pytest.approx(np.mean(alike))
    agreed = built["explanation_agreement"].set_index(["dataset", "first", "second", "set_index"])
    sets = rows.set_index(["dataset", "selector", "fold", "row", "set_index"])["selected"]
    for (dataset, selector, other, rank), row in agreed.iterrows():
        places = [p[2:4] for p in sets.index if p[:2] == (dataset, selector) and p[4] == rank]
        mine = [{*sets[dataset, selector, *place, rank]} for place in places]
        theirs = [[{*sets[dataset, other, *place, i]} for i in range(3)] for place in places]
        alike = np.array(
            [[len(a & b) / 3 for b in all_b] for a, all_b in zip(mine, theirs, strict=True)]
        )
        assert row["dice"] == pytest.approx(alike[:, rank].mean())
        assert row["nearest"] == pytest.approx(alike.max(axis=1).mean())
    truth = built["truth"].query("sets == 'single rows'")
    hits = rows[rows["truth_found"].notna()].groupby(["selector", "set_index"])["truth_found"]
    assert truth.set_index(["selector", "set_index"])["hits"].to_dict() == hits.mean().to_dict()
    assert (truth["recall"] == truth["hits"] / 2).all()
    assert len(stand_in_shares(results)) > 0
    for name in FIGURES:
        assert make_figure(name, results, built).usermeta["seen"], name


def test_other_studies_have_none():
    plain = {key: value for key, value in CONFIG.items() if key != "explanations"}
    for catalogue, names in ((tables, TABLES[1:]), (figures, FIGURES)):
        assert not {*names} & {*catalogue.order(parse_config(plain))}
        assert {*names} <= {*catalogue.order(parse_config(CONFIG))}
    assert "explanations" not in parse_config(plain).model_dump()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rows": 0}, r"explanations\.rows: 0 is not allowed, the least is 1"),
        ({"background": 0}, r"explanations\.background"),
        ({"selectors": ["mutual_information"]}, r"selectors\[0\]: 'mutual_information' has no "),
        ({"selectors": ["shep"]}, "'shep' is not one of the study's selectors.*'shap'"),
        ({"searches": ["shap", "x"]}, "'shap' is not one of the study's searches"),
        ({"selectors": ["shap", "shap"]}, "'shap' is listed twice"),
        ({"model": "forest"}, r"explanations\.model.*'forest'"),
        ({"model": "linear_regression"}, r"explanations\.model: .*classification"),
        ({"size": 3}, r"explanations\.size"),
    ],
)
def test_bad_sections_are_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        check_study({**CONFIG, "explanations": changes})


def test_a_study_without_values_for_rows_is_refused():
    with pytest.raises(ConfigError, match="no selector with a search of the study has values for"):
        parse_config({**CONFIG, "selectors": ["fcbf"]})
