"""Folds by group, by time and by a column: rows of scikit-learn, inner folds, audit, bad input."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from audit import results_of, run_tasks, verify
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)
from studies import SMALL

from altfs.errors import ConfigError
from altfs.evaluation.report.summary import summarise_study
from altfs.prediction._compiled_forest import ForestJudge
from altfs.searches.chance import Shuffles
from altfs.selectors._inner_folds import inner_folds, inner_split
from altfs.selectors.forest import Forest
from altfs.study.config import parse_config
from altfs.study.cross_validation import Folds, fold_labels
from altfs.study.facts import gather_facts, load_dataset
from altfs.study.folds import read_dataset, save_dataset
from altfs.study.origin import origin_of
from altfs.study.session import check_study
from altfs.study.store import digest_of, read_table
from altfs.study.verify import verify_study

COLUMNS = {"group": "patient", "time": "day", "given": "part"}
SELECTORS = ["mutual_information", "forest", "wrapper", "greedy_wrapper", "permutation_importance",
             "doquire"]  # fmt: skip


def patients(path, n_patients=24, visits=5, seed=0):
    """Write rows of patients: a day and a part of each row, and a target of each patient."""
    random = np.random.default_rng(seed)
    of_patient = random.normal(size=(n_patients, 6)).repeat(visits, axis=0)
    X = of_patient + 0.05 * random.normal(size=of_patient.shape)
    n = len(X)
    frame = pd.DataFrame(X.round(4), columns=[f"f{j}" for j in range(6)])
    frame["patient"] = [f"p{i // visits}" for i in range(n)]
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.permutation(n) // 2, unit="D")
    frame["day"], frame["part"] = days.strftime("%Y-%m-%d"), random.permutation(n) % 4 + 1
    frame["row"], frame["hole"] = np.arange(n) * 3, frame["day"].where(frame.index != 3)
    frame["y"] = np.repeat(random.permutation(n_patients) % 2, visits)
    frame["early"] = frame["y"] * 1.5
    frame.to_csv(path, index=False)
    return frame


def config(kind, path="d.csv", **changes):
    """A study of that file with folds of this type."""
    names = ("patient", "day", "part", "row", "hole", "early")
    others = [name for name in names if name != COLUMNS.get(kind)]
    options = {"path": str(path), "target": "y", "exclude": others}
    folds = 4 if kind == "stratified" else {"type": kind, "number": 4, "column": COLUMNS[kind]}
    return {
        **SMALL, "datasets": [{"name": "d", "type": "file", "options": options}], "folds": folds,
        "selectors": SELECTORS, "n_features": 2, "taus": [0.5],
        "searches": [{"name": "sequential", "n_alternatives": 1}], **changes,
    }  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The file, and its rows."""
    path = tmp_path_factory.mktemp("patients") / "d.csv"
    return path, patients(path)


def planned(table, kind):
    """The dataset of a study with these folds, and the folds."""
    parsed = parse_config(config(kind, table[0]))
    return load_dataset(parsed.datasets[0], None, folds=parsed.folds), parsed.folds


def test_rows_are_those_of_the_splitters_of_scikit_learn(table):
    _, frame = table
    X, y, seed = np.zeros(len(frame)), frame["y"], 25
    of_time = np.argsort(frame["day"].to_numpy(), kind="stable")
    expected = {
        "stratified": StratifiedKFold(4, shuffle=True, random_state=seed).split(X, y),
        "group": StratifiedGroupKFold(4, shuffle=True, random_state=seed).split(
            X, y, frame["patient"]
        ),
        "time": [(of_time[a], of_time[b]) for a, b in TimeSeriesSplit(4).split(X)],
        "given": PredefinedSplit(frame["part"]).split(),
    }
    for kind, splits in expected.items():
        dataset, folds = planned(table, kind)
        assert dataset.feature_names == tuple(f"f{j}" for j in range(6))
        for ours, theirs in zip(folds.split(dataset, seed), splits, strict=True):
            for side in (0, 1):
                np.testing.assert_array_equal(ours[side], theirs[side])
    numbers = {"target_type": "regression", "y": np.arange(len(y), dtype=float)}
    for kind, splitter in (("stratified", KFold), ("group", GroupKFold)):
        dataset, folds = planned(table, kind)
        dataset = replace(dataset, **numbers)
        splits = splitter(4, shuffle=True, random_state=seed).split(X, y, dataset.fold_labels)
        for ours, theirs in zip(folds.split(dataset, seed), splits, strict=True):
            np.testing.assert_array_equal(ours[1], theirs[1])


def test_random_folds_are_drawn_by_class_with_as_many_rows_as_they_say(table):
    dataset, _ = planned(table, "stratified")
    X, y = np.zeros(len(dataset.y)), dataset.y
    for test in (30, 0.2):
        expected = StratifiedShuffleSplit(6, test_size=test, random_state=3).split(X, y)
        splits = Folds(type="random", number=6, test=test).split(dataset, 3)
        for ours, theirs in zip(splits, expected, strict=True):
            np.testing.assert_array_equal(ours[1], theirs[1])
            assert len(ours[1]) == (30 if test == 30 else 24) and sum(map(len, ours)) == len(y)
    numbers = replace(dataset, target_type="regression", y=np.arange(len(y), dtype=float))
    (train, held_out), *_ = Folds(type="random", number=2, test=119).split(numbers, 3)
    assert len(train) == 1 and len(held_out) == 119


def test_rows_that_no_fold_tests_are_learned_from(table):
    dataset, _ = planned(table, "given")
    labels = np.where(np.arange(len(dataset.y)) < 9, -1, dataset.fold_labels)
    column = pd.Series(labels)
    folds = Folds(type="given", number=4, column="part")
    np.testing.assert_array_equal(fold_labels(column, folds, "d"), labels)
    splits = folds.split(replace(dataset, fold_labels=labels), 0)
    assert len(splits) == 4
    assert all({*range(9)} <= {*train} for train, _ in splits)


def parts_of(table, kind):
    """Both parts of each fold."""
    from altfs.study.folds import part_of

    dataset, folds = planned(table, kind)
    for train, test in folds.split(dataset, 25):
        yield part_of(dataset, train, folds, 25, False), part_of(dataset, test, folds, 25, True)


@pytest.mark.parametrize("folds", [None, 1, 3])
def test_inner_folds_respect_what_the_folds_do(table, folds):
    for kind in ("group", "given"):
        for train, test in parts_of(table, kind):
            for fitting, held_out in [*inner_folds(train, folds), inner_split(train)]:
                assert not {*train.groups[fitting]} & {*train.groups[held_out]}
                assert len(fitting) + len(held_out) == len(train.y)
            assert (test.groups is None) == (kind == "given")
    for sides in parts_of(table, "time"):
        for part in sides:
            for fitting, held_out in [*inner_folds(part, folds), inner_split(part)]:
                assert part.times[fitting].max() <= part.times[held_out].min()
            assert len(inner_folds(part, folds)) == (folds or 5)


def test_a_forest_learns_from_earlier_rows_alone(table):
    train, _ = next(parts_of(table, "time"))
    order = np.argsort(train.times, kind="stable")
    judge = ForestJudge(train.X, train.y, train.categorical, "binary")
    # The first fold learns from the earlier half.
    later = TimeSeriesSplit(5, test_size=len(order) // 10)
    splits = [(order[a], order[b]) for a, b in later.split(order)]
    expected = np.nanmean([judge.score([(0, 1)], *split)[0] for split in splits])
    assert Forest().quality(train).evaluate((0, 1)) == pytest.approx(expected)
    drawn = np.random.default_rng(0).permutation(len(order))
    distinct = replace(train, times=np.argsort(order))
    again = Forest().quality(distinct.with_rows(drawn))
    assert again.evaluate((0, 1)) == Forest().quality(distinct).evaluate((0, 1))


def test_shuffled_targets_stay_as_alike_from_time_to_time(table):
    train, _ = next(parts_of(table, "time"))
    order = np.argsort(train.times, kind="stable")
    train.y = np.zeros_like(train.y)
    train.y[order[: len(order) // 2]] = 1
    for part in Shuffles(train, 5):
        changes = np.count_nonzero(np.diff(part.y[order]))
        assert 1 <= changes <= 2
        assert part.y.sum() == train.y.sum()


def test_a_stored_dataset_keeps_the_labels_of_its_rows(table, tmp_path):
    plain, _ = planned(table, "stratified")
    for kind, column in COLUMNS.items():
        dataset, _ = planned(table, kind)
        save_dataset(tmp_path / "d.parquet", dataset)
        again = read_dataset(tmp_path / "d.parquet")
        assert again.feature_names == dataset.feature_names
        assert again.fold_column == column
        np.testing.assert_array_equal(again.fold_labels, dataset.fold_labels)
        assert digest_of(*read_table(tmp_path / "d.parquet")) == dataset.digest != plain.digest


def test_a_number_is_stored_as_it_was_before_there_were_other_folds(table):
    number = parse_config(config("stratified", table[0]))
    long = parse_config({**config("stratified", table[0]), "folds": {"number": 4}})
    assert number.model_dump(mode="json")["folds"] == 4
    assert number == long
    parsed = parse_config(config("group", table[0]))
    assert parse_config(json.loads(parsed.model_dump_json())) == parsed


def test_each_dataset_can_have_a_column_of_its_own(table):
    content = config("group", table[0])
    second = {**content["datasets"][0], "name": "e"}
    content["datasets"] = [*content["datasets"], second]
    content["folds"]["column"] = {"d": "patient", "e": "part"}
    content["datasets"][1]["options"] = {
        **second["options"], "exclude": ["patient", "day", "row", "hole", "early"],
    }  # fmt: skip
    content["selectors"] = ["mutual_information"]
    facts = gather_facts(parse_config(content))
    assert facts["d"].digest != facts["e"].digest
    plan = {name: parse_config(content).folds.of(name).column for name in "de"}
    assert plan == {"d": "patient", "e": "part"}


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        ({"type": "group", "column": "row"}, "folds.column: each row has a group of its own in "
         "'row', give labels that rows share, or leave it out (dataset 'd')."),
        ({"type": "group", "column": "part", "number": 5}, "folds.number: 5 is more than the 4 "
         "groups in 'part' of dataset 'd', use fewer folds or another column."),
        ({"type": "group", "column": "y"}, "folds.column: 'y' is the target of dataset 'd', name "
         "one of its other columns: f0, f1, f2, f3, f4, f5, patient, day, ..."),
        ({"type": "group", "column": "patent"}, "folds.column: 'patent' is not a column of dataset "
         "'d', did you mean 'patient'? name one of its other columns: f0, f1, f2, f3, f4, f5, "
         "patient, day, ..."),
        ({"type": "time", "column": "hole"}, "folds.column: row 4 has no value in 'hole', fill "
         "it in, or leave out such rows (dataset 'd')."),
        ({"type": "time", "column": "patient"}, "folds.column: values in 'patient' are neither "
         "numbers nor dates, use one of these (dataset 'd')."),
        ({"type": "time", "column": "day", "number": 120}, "folds: times: 120 rows cannot be "
         "divided into 120 folds by time, use fewer folds, or more rows (dataset 'd')."),
        ({"type": "given", "column": "f0"}, "folds.column: 'f0' of dataset 'd' is not a column of "
         "whole numbers, number the folds."),
        ({"type": "given", "column": "part", "number": 3}, "folds.number: 3 is not the number of "
         "folds in 'part' of dataset 'd', use 4 or another column."),
        ({"type": "group"}, "folds.column: folds of type group need a column, name that of the "
         "groups, such as patients."),
        ({"column": "patient"}, "folds.column: 'patient' is for folds of type group, time, given, "
         "name the type or leave the column out."),
        ({"type": "group", "column": {"e": "row"}}, "folds.column: 'e' is not one of the study's "
         "datasets, allowed are: d."),
        ({"type": "group", "column": {}}, "folds.column: folds of type group need a column, name "
         "that of the groups, such as patients."),
        ({"type": "month", "column": "day"}, "folds.type: 'month' is not allowed, use 'stratified'"
         ", 'group', 'time', 'given' or 'random'."),
        ({"type": "time", "column": "early"}, "folds: fold 0 of dataset 'd' learns from one class "
         "alone, use other folds or leave datasets[0] out."),
        ({"type": "random"}, "folds.test: folds of type random need it, use a number of rows, or a "
         "share between 0 and 1."),
        ({"test": 5}, "folds.test: it is for folds of type random, not stratified, name the type "
         "or leave it out."),
        ({"type": "random", "test": float("inf")}, "folds.test: inf is not allowed, use a number "
         "of rows, or a share between 0 and 1."),
        ({"type": "random", "test": "x"}, "folds.test: 'x' is not allowed, use a number."),
        ({"type": "random", "test": 2.5}, "folds.test: 2.5 is not allowed, use a number of rows, "
         "or a share between 0 and 1."),
        ({"type": "random", "test": 119}, "folds: test: 119 of 120 rows does not leave 2 rows, one "
         "of each class, on both sides, use another number (dataset 'd')."),
        ({"type": "random", "test": {"e": 5}}, "folds.test: 'e' is not one of the study's "
         "datasets, allowed are: d."),
        ({"type": "random", "test": 5, "column": "day"}, "folds.column: 'day' is for folds of type "
         "group, time, given, name the type or leave the column out."),
        ({"type": "group", "column": "part", "number": 2}, None),
        ({"type": "random", "test": {"d": 0.5}}, None),
    ],
)  # fmt: skip
def test_bad_folds_are_refused_in_one_sentence(table, tmp_path, monkeypatch, folds, message):
    monkeypatch.chdir(tmp_path)
    content = {**config("stratified", table[0]), "folds": {"number": 4, **folds}}
    if message is None:
        content["selectors"] = ["mutual_information"]
        assert parse_config(json.loads(parse_config(content).model_dump_json())).folds.type
        check_study(content)
        return
    with pytest.raises(ConfigError) as caught:
        check_study(content)
    assert str(caught.value) == message
    assert not list(tmp_path.iterdir())


def test_a_selector_that_cannot_hold_whole_groups_out_is_refused(table):
    content = {**config("given", table[0]), "selectors": ["wrapper"]}
    content["selectors"] = [{"name": "wrapper", "options": {"folds": 4}}]
    with pytest.raises(ConfigError, match=r"cannot learn on fold 0 .* 3 groups cannot be"):
        gather_facts(parse_config(content))


SMALL_STUDY = {"selectors": ["mutual_information", "forest"], "n_shuffles": 4}


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["group", "time"])
def test_a_study_with_such_folds_passes_its_audit_and_says_its_folds(
    capsys, table, tmp_path, monkeypatch, kind
):
    monkeypatch.chdir(tmp_path)
    plan = check_study(config(kind, table[0], **SMALL_STUDY))
    run_tasks(plan)
    capsys.readouterr()
    code, said = verify(capsys, plan, "--full")
    assert code == 0, said
    words = {"group": "4, each of whole groups ('patient')", "time": "4, each tests rows that are "
             "later ('day') than those that it learns from"}[kind]  # fmt: skip
    results = results_of(plan)
    assert results.design.fold_words == words
    assert summarise_study(results, origin_of(plan)).facts["Folds"] == words
    # A splitter that forgets the labels does not pass.
    at_random = Folds(number=4)
    monkeypatch.setattr(
        Folds, "split", lambda _, data, seed: list(
            StratifiedKFold(at_random.number, shuffle=True, random_state=seed).split(data.X, data.y)
        )
    )  # fmt: skip
    report = verify_study(plan.results, sample=0)
    broken = [text for path, text in report.problems if path.endswith("datasets/d.parquet")]
    expected = "groups on both sides" if kind == "group" else "rows that are later than one"
    assert [expected in text for text in broken] == [True, True, False]
    assert broken[2] == "2 more problems"


@pytest.mark.exhaustive
def test_groups_remove_the_optimism_of_repeated_patients(table, tmp_path, monkeypatch):
    """The target of a patient is drawn, so no feature tells anything of another patient."""
    monkeypatch.chdir(tmp_path)
    scores = {}
    for kind in ("stratified", "group"):
        content = config(kind, table[0], selectors=["wrapper"], models=["decision_tree"])
        plan = check_study({**content, "name": kind, "results": kind})
        run_tasks(plan)
        paths = [plan.predict_task("d", fold, "decision_tree").path for fold in range(4)]
        tested = pd.concat(map(pd.read_parquet, paths))["test_score"].mean()
        shards = pd.concat(pd.read_parquet(task.path) for task in plan.shards())
        scores[kind] = (shards["train_objective"].mean(), tested)
    assert scores["stratified"][1] > 0.9
    assert scores["group"][1] < 0.3
    # The wrapper itself is as optimistic inside without groups.
    assert scores["stratified"][0] - scores["group"][0] > 0.3
