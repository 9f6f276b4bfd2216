"""Notes about features, on a table with every kind of mistake."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from altfs import AlternativeFeatures
from altfs.errors import DataWarning, NoSignalWarning
from altfs.library.leaks import leaks_of, possible_leaks
from altfs.library.notes import Note, sentences_of
from altfs.scores.base import Part

N = 200
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
PLAIN = pd.DataFrame(
    {"age": RNG.integers(20, 90, N), "hours": RNG.normal(40, 9, N), "grade": RNG.integers(0, 9, N)}
)


def notes(X, y=Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoSignalWarning)
        warnings.simplefilter("error", DataWarning)
        try:
            AlternativeFeatures("mutual_information", n_features=1).fit(X, y)
        except DataWarning as warning:
            text = str(warning)
        else:
            text = ""
        warnings.simplefilter("ignore", DataWarning)
        found = AlternativeFeatures("mutual_information", n_features=1).fit(X, y).notes_
    assert bool(found) == bool(text)
    return text, {note.kind: note.features for note in found}


def test_a_plain_table_has_no_note():
    assert notes(PLAIN) == ("", {})


MISTAKES = {
    "leak": ({"said": np.where(Y, "yes", "no")}, ("said",)),
    "near leak": ({"paid": np.where(np.arange(N) < 2, 1 - Y, Y)}, ("paid",)),
    "constant": ({"unit": "cm"}, ("unit",)),
    "id": ({"number": RNG.permutation(N) + 1000}, ("number",)),
    "copies": ({"months": PLAIN["age"] * 12}, ("age", "months")),
    "function": ({"band": PLAIN["grade"] // 3}, ("grade", "band")),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_each_mistake_has_its_note(kind):
    columns, features = MISTAKES[kind]
    text, found = notes(PLAIN.assign(**columns))
    assert found == {kind: features}
    assert features[0] in text


def test_numbers_of_nearly_the_same_order_are_near_copies():
    close = PLAIN["hours"] + 0.001 * PLAIN["hours"].std() * RNG.normal(size=N)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        fitted = AlternativeFeatures("mutual_information", n_features=1)
        found = fitted.fit(PLAIN.assign(close=close), Y).notes_
    assert [(n.kind, n.features) for n in found] == [("near copies", ("hours", "close"))]
    assert str(found[0].sentence).startswith("'hours' and 'close' say nearly the same")


def test_falling_and_renamed_columns_are_copies():
    text, found = notes(
        PLAIN.assign(left=-PLAIN["hours"], name=PLAIN["grade"].map("abcdefghij".__getitem__))
    )
    assert "copies: hours = left, grade = name" in text
    assert found["copies"] == ("grade", "name")


def test_numbers_that_rise_with_a_target_of_numbers_are_leaks():
    y = RNG.normal(size=N)
    assert notes(PLAIN.assign(log=np.exp(-y)), y)[1] == {"leak": ("log",)}


def test_numbers_that_nearly_rise_with_a_target_of_numbers_are_near_leaks():
    y = RNG.normal(size=N)
    X = PLAIN.assign(close=y + 0.01 * RNG.normal(size=N), far=y + RNG.normal(size=N))
    assert notes(X, y)[1] == {"near leak": ("close",)}


@pytest.mark.parametrize("container", [pd.DataFrame, csr_matrix])
def test_constants_are_in_no_set_unless_there_are_too_few_others(container):
    X = PLAIN.assign(one=1.0, two=2.0)
    X = X if container is pd.DataFrame else csr_matrix(X.to_numpy(dtype=float))
    selector = AlternativeFeatures("correlation", n_features=2, n_alternatives=4, tau=0.5)

    def members(**parameters):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sets = selector.set_params(**parameters).fit(X, Y).feature_sets_
        return [set(features.indices) for features in sets]

    assert len(members()) == 3 and not {3, 4} & set().union(*members())
    # The default size is for the other columns.
    assert all(len(features) == 1 for features in members(n_features=None))
    # Constraints may name them, and large sets need them.
    assert all(4 in features for features in members(n_features=2, constraints={"include": [4]}))
    assert {3, 4} & members(n_features=4, constraints=None)[0]


@pytest.mark.parametrize(("kind", "n_wrong"), [("leak", 0), ("near leak", 2)])
def test_leaks_are_judged_in_the_rows_without_gaps(kind, n_wrong):
    paid = np.where(np.arange(N) < n_wrong, 1 - Y, Y).astype(float)
    X = PLAIN.assign(paid=np.where(np.arange(N) % 4 == 3, np.nan, paid))
    selector = AlternativeFeatures("mutual_information", n_features=1, missing="impute")
    with pytest.warns(DataWarning, match="paid"):
        note = selector.fit(X, Y).notes_[0]
    assert (note.kind, note.features, note.rows) == (kind, ("paid",), (3 * N // 4, N))
    assert f"the {3 * N // 4} of {N} rows without gaps" in note.sentence
    # Few values, or those of one class, say nothing.
    for given in (np.arange(N) < 15, Y == 1):
        selector.fit(X.assign(paid=np.where(given, Y, np.nan)), Y)
        assert not any("leak" in note.kind for note in selector.notes_)


def test_a_category_that_nearly_says_the_class_is_a_near_leak():
    wrong = np.arange(N) % 33 == 0
    assert wrong.sum() <= 0.04 * N
    assert notes(PLAIN.assign(paid=np.where(wrong, 1 - Y, Y)))[1] == {"near leak": ("paid",)}
    # Of a rare class nobody is surprised.
    assert "near leak" not in notes(PLAIN, (np.arange(N) % 33 == 0).astype(int))[1]


def test_values_of_few_rows_each_say_nothing():
    # With a value of its own, each row would say its class.
    X = pd.DataFrame({"a": RNG.normal(size=18), "b": RNG.integers(0, 9, 18)})
    assert "near leak" not in notes(X, np.arange(18) % 2)[1]


def test_repeated_rows_are_noted():
    rows = np.repeat(np.arange(N // 2), 2)
    text, found = notes(PLAIN.iloc[rows].reset_index(drop=True), Y[rows])
    assert found["repeats"] == () and f"{N // 2} repeated rows" in text
    # Few combinations of values repeat by themselves.
    table = PLAIN[["grade"]].assign(other=PLAIN["grade"] % 3)
    assert "repeats" not in notes(table, Y)[1]


def test_every_sentence_names_its_features():
    columns = {name: values for made, _ in MISTAKES.values() for name, values in made.items()}
    said = "^X: leaks: said; near leaks: paid; constants: unit; .* notes_ says what to do.$"
    with pytest.warns(DataWarning, match=said):
        afs = AlternativeFeatures("mutual_information", n_features=1).fit(
            PLAIN.assign(**columns), Y
        )
    for note in afs.notes_:
        assert all(f"'{name}'" in note.sentence for name in note.features)


def test_copies_are_noted_where_neither_is_missing():
    X = PLAIN[["age"]].assign(
        months=(12 * PLAIN["age"]).where(RNG.random(N) > 0.2),
        city=RNG.choice(list("abc"), N),
        near=(PLAIN["age"] + (np.arange(N) == 7)).where(RNG.random(N) > 0.2),
    )
    X["town"] = X["city"].map({"a": "x", "b": "z", "c": "y"}).where(RNG.random(N) > 0.2)
    with pytest.warns(DataWarning, match="copies but for gaps: age = months, city = town"):
        afs = AlternativeFeatures("mutual_information", n_features=1, missing="impute").fit(X, Y)
    assert [note.features for note in afs.notes_] == [("age", "months"), ("city", "town")]
    assert f"in the {X['months'].count()} of {N} rows without gaps" in afs.notes_[0].sentence


def test_an_id_of_rows_that_are_sorted_by_class_is_a_leak():
    numbers = np.argsort(np.argsort(Y, kind="stable"))
    assert notes(PLAIN.assign(number=numbers))[1] == {"leak": ("number",)}


def test_a_class_of_few_rows_is_noted():
    text, found = notes(PLAIN, (np.arange(N) % 29 == 0).astype(int))
    assert found == {"rare class": ()} and "7 rows of the rarest class" in text


def panel_of_persons(n_persons=60, years=8):
    rng = np.random.default_rng(5)
    person = np.repeat(np.arange(n_persons), years)
    # The class is that of the person in most years, and nothing else tells it.
    y = (rng.random(n_persons) < 0.5)[person] ^ (rng.random(len(person)) < 0.15)
    table = {"age": rng.integers(20, 60, len(person)), "hours": rng.normal(size=len(person))}
    return pd.DataFrame({"person": person, **table}), y.astype(int)


def test_rows_of_a_person_are_noted_unless_they_are_held_out_together():
    X, y = panel_of_persons()
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    with pytest.warns(DataWarning, match="columns whose rows are alike: person"):
        afs = AlternativeFeatures("mutual_information", n_features=1).fit(X, y)
    assert [(note.kind, note.features) for note in afs.notes_] == [("alike rows", ("person",))]
    # A column that is left out does not keep its rows together.
    with pytest.warns(DataWarning, match="columns whose rows are alike: person"):
        AlternativeFeatures(
            "mutual_information", n_features=1, constraints={"exclude": ["person"]}
        ).fit(X, y)
    afs.fit(X.drop(columns="person"), y, groups=X["person"])
    assert afs.notes_ == []


def test_texts_of_few_persons_are_noted_in_any_order_of_rows_and_of_names():
    X, y = panel_of_persons(28, 14)
    # Neighbours in the alphabet have the same class more often than not, and sort the rows.
    means = y.reshape(28, 14).mean(axis=1)
    order = (np.argsort(means)[:, None] * 14 + np.arange(14)).ravel()
    X["person"], y = [f"P{i // 14:02d}" for i in range(28 * 14)], y[order]
    with pytest.warns(DataWarning, match="columns whose rows are alike: person;"):
        afs = AlternativeFeatures("mutual_information", n_features=1, n_shuffles=0).fit(X, y)
    assert [(note.kind, note.features) for note in afs.notes_] == [("alike rows", ("person",))]
    # Without a relation to the target, texts are not noted.
    afs.fit(X, np.random.default_rng(0).permutation(y))
    assert afs.notes_ == []


def test_rows_in_the_order_of_a_time_are_noted_while_they_are():
    rng = np.random.default_rng(1)
    day = np.arange(300) // 5
    X = pd.DataFrame({"day": day, "size": rng.normal(size=300)})
    price = X["size"] - 0.05 * day + 0.3 * rng.normal(size=300)
    kinds = []
    for rows in (np.arange(300), rng.permutation(300)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            afs = AlternativeFeatures("f_statistic", n_features=1).fit(X.iloc[rows], price[rows])
        kinds.append([(note.kind, note.features) for note in afs.notes_])
    assert kinds == [[("row order", ("day",))], []]


def test_numbers_and_categories_that_tell_something_about_new_rows_are_not_noted():
    rng = np.random.default_rng(2)
    age, job = rng.integers(18, 90, 2000), rng.integers(0, 12, 2000)
    y = age / 40 + np.sin(job) + 0.3 * rng.normal(size=2000)
    X = pd.DataFrame({"age": age, "job": pd.Categorical(job), "zero": np.maximum(age - 60, 0)})
    afs = AlternativeFeatures("mutual_information", n_features=1).fit(X, y)
    assert [note.kind for note in afs.notes_ if note.kind in ("alike rows", "row order")] == []


def test_a_number_whose_order_says_two_classes_is_a_near_leak():
    y = np.repeat([0, 1], 300)
    for shift, kinds in ((3.9, ["near leak"]), (3.3, ["possible leak"])):
        x = np.random.default_rng(4).normal(size=600) + shift * y
        area = (x[:300, None] < x[None, 300:]).mean()
        assert (area > 0.995) == (kinds == ["near leak"])
        for column in (x, -x):
            frame = pd.DataFrame({"x": column, "z": np.random.default_rng(5).normal(size=600)})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DataWarning)
                afs = AlternativeFeatures("mutual_information", n_features=1).fit(frame, y)
            assert [note.kind for note in afs.notes_] == kinds


def strong(part, leak):
    """The possible leaks of a part, beside a column that is its target or not."""
    X = np.column_stack([part.X, part.y]) if leak else part.X
    beside = Part(X, part.y, part.target_type, 0)
    return [*possible_leaks(beside, leaks_of(beside))]


@pytest.mark.parametrize("is_number", [False, True])
def test_weaker_leaks_are_named_beside_a_leak(is_number):
    rng = np.random.default_rng(0)
    target = rng.normal(size=1000) if is_number else rng.integers(0, 2, 1000)
    shares = (1.6, 1.4, 0.3, 0.3, 0.2, 0) if is_number else (2, 1.7, 0.5, 0.4, 0.3, 0)
    X = target[:, None] * shares + rng.normal(size=(1000, 6))
    part = Part(X, target, "regression" if is_number else "binary", 0)
    assert strong(part, leak=True) == [0, 1] and strong(part, leak=False) == []
    names = [*"abcdef", "said"]
    _, found = notes(pd.DataFrame(np.column_stack([X, target]), columns=names), target)
    assert found == {"leak": ("said",), "possible leak": ("b",)}


def test_ordinary_strong_features_are_no_leaks():
    for load in (load_iris, load_wine, load_breast_cancer):
        X, y = load(return_X_y=True)
        part = Part(X, y, "binary" if len(np.unique(y)) == 2 else "multiclass", 0)
        assert strong(part, leak=True) == strong(part, leak=False) == []


def test_columns_that_tell_given_groups_apart_are_no_leaks():
    random = np.random.default_rng(4)
    person = np.repeat(np.arange(120), 6)
    y = random.integers(0, 2, 120)[person]
    table = pd.DataFrame({
        "born": random.permutation(4000)[:120][person],
        "distance": random.normal(size=120)[person].round(3),
        "told": y + random.normal(size=720) / 8,
        **{name: random.normal(size=720) for name in "abcd"},
    })  # fmt: skip
    of_kinds = [
        {(note.kind, *note.features) for note in notes_of_fit(table, y, groups)}
        for groups in (None, person)
    ]
    assert ("groups", "born") in of_kinds[0] and ("groups", "distance") in of_kinds[0]
    # A note on groups says what one on alike rows would.
    assert not [kind for kind, *_ in of_kinds[0] if kind == "alike rows"]
    assert of_kinds[1] == {("leak", "told")}


def notes_of_fit(table, y, groups):
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=0, n_shuffles=0)
    with pytest.warns(DataWarning):
        return afs.fit(table, y, groups=groups).notes_


def test_two_columns_whose_rows_are_alike_are_one_sentence():
    [said] = sentences_of([Note("alike rows", ("person",)), Note("alike rows", ("place",))])
    assert said.endswith("; the same holds for 'place'.")
