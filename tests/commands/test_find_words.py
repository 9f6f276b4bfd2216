"""What `altfs find` says of the worth of sets, on tables with and without a signal."""

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures
from altfs.commands.find_words import recurrence_words
from altfs.commands.main import main
from altfs.library.answers.evaluation import Evaluation
from altfs.problem.results import FeatureSet, Status

N = 120
RNG = np.random.default_rng(1)
NOISE = pd.DataFrame(RNG.normal(size=(N, 4)).round(3), columns=list("abcd"))
FAST = ("--selector", "mutual_information", "--halves", "0", "--evaluate", "decision_tree")


@pytest.fixture
def words(tmp_path, capsys):
    def of(frame, *options):
        frame.to_csv(tmp_path / "table.csv", index=False)
        file = str(tmp_path / "table.csv")
        assert main(["find", file, "-t", "y", "-k", "2", *FAST, *options]) == 0
        return capsys.readouterr().out.splitlines()

    return of


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("mutual_information", "that features tell alone, summed, as a share of the "),
        ("mrmr", "mrmr, divided by the largest value of a column or a pair, "),
        ("jmi", "jmi, divided by the largest value of a column or a pair, "),
        ("f_statistic", "f statistic, "),
    ],
)
def test_the_unit_of_the_quality_is_said(words, selector, said):
    lines = words(NOISE.assign(y=NOISE["a"] > 0), "-a", "0", "--selector", selector)
    [line] = [line for line in lines if line.startswith("Quality: ")]
    assert said in line
    # A value of 1 has the bits that are named.
    afs = AlternativeFeatures(selector, n_features=2, n_alternatives=0)
    measure = afs.fit(NOISE, NOISE["a"] > 0).quality_.measure
    assert measure is None or f"{measure.size:.3g} bits" in line


@pytest.mark.exhaustive
def test_the_last_line_says_not_to_rely_on_noise(words):
    lines = words(NOISE.assign(y=np.arange(N) % 2), "-a", "1", "--tau", "0.5")
    assert lines[1].startswith("No signal shown: ")
    assert lines[-1] == (
        "What to do: do not rely on these sets; collect more rows, or try --selector forest, for "
        "effects of any form, or another -k; each further try makes it more likely that chance "
        "looks like a signal."
    )
    # Another selector is one that was not used.
    (last,) = words(NOISE.assign(y=np.arange(N) % 2), "-a", "0", "--selector", "f_statistic")[-1:]
    assert "or try --selector forest, " in last
    # All features are noise, so none is named.
    assert not any("Others may be noise" in line for line in lines)


@pytest.mark.exhaustive
def test_the_last_line_names_the_set_and_the_score_to_expect(words):
    lines = words(NOISE.assign(y=NOISE["a"] > 0), "-a", "1", "--tau", "0.5", "--exclude", "b")
    assert lines[-1].startswith("What to do: decide about leaks")
    y = NOISE["a"] + NOISE["b"] + np.random.default_rng(7).normal(size=N) / 3 > 0
    lines = words(NOISE.assign(y=y), "-a", "1", "--tau", "0.5")
    original = next(line for line in lines if line.startswith("original"))
    low = original.split("(")[1].split(" to ")[0]
    assert lines[-1].startswith("What to do: choose by cost and by what you know, ")
    # What all sets have has no alternative.
    assert "; all these sets have " in lines[-1] and " finds others; on new rows" in lines[-1]
    assert f"({low} to " in lines[-1]


@pytest.mark.exhaustive
def test_features_that_notes_name_are_left_out_by_a_line_to_paste(words):
    y = NOISE["a"] + RNG.normal(size=N) / 3 > 0
    frame = NOISE.assign(one=1, twice=2 * NOISE["a"], **{"row id": RNG.permutation(N)}, y=y)
    (line,) = [
        x
        for x in words(frame, "-a", "0")
        if x.startswith("To search without what the notes name: ")
    ]
    assert line.endswith("--exclude 'row id' --exclude twice")
    days = pd.date_range("2020-01-01", periods=N).strftime("%Y-%m-%d")
    frame = frame.assign(note=[f"n{i}" for i in range(N)], day=RNG.permutation(days))
    lines = words(frame, "-a", "0", "--exclude", "twice")
    assert "'one' has the same value in every row and is left out." in lines
    assert "'note' has another text in every row, as ids have, and is left out." in lines
    # Dates are no texts.
    assert not any("'day' has another text" in line for line in lines)
    lines = words(frame, "-a", "0", "--exclude", "one")
    assert not any("'one'" in line for line in lines)


@pytest.mark.exhaustive
def test_a_set_that_folds_do_not_return_is_said_to_be_one(words):
    lines = words(NOISE.assign(y=NOISE.sum(axis=1) > 0), "-a", "1")
    (line,) = [x for x in lines if x.startswith("The original set itself came back in ")]
    times = int(line.split(" of 5 folds")[0].split()[-1])
    shares = [int(part.split("%")[0].split()[-1]) for part in line.split(", ")[1:]]
    assert times < 5 and min(shares) >= 20 * times
    (said,) = [x for x in lines if x.startswith("By these scores (95 % intervals), ")]
    assert "worse" in said or "better" in said


def test_the_feature_that_stands_in_for_a_member_is_named():
    scores = pd.DataFrame({
        "set": ["original"] * 4, "feature_names": [["b", "c"], ["b", "c"], ["b", "c"], ["a", "c"]],
    })  # fmt: skip
    table = pd.DataFrame({"set": ["original"], "same": [1], "folds": [4]})
    evaluation = Evaluation(table, scores, "", "", True, 1.0, 100, 100, None)
    a = RNG.normal(size=100)
    X = pd.DataFrame({"a": a, "b": 2 * a + 0.1 * RNG.normal(size=100), "c": RNG.normal(size=100)})
    best = FeatureSet((0, 2), 1.0, Status.OPTIMAL, names=("a", "c"))
    assert recurrence_words(evaluation, best, {"a": "a", "c": "c"}, X) == (
        "The original set itself came back in 1 of 4 folds; of its features, "
        "a in 25% (like it, b in 75%), c in 100%."
    )
    apart = recurrence_words(evaluation, best, {"a": "a", "c": "c"}, X.assign(b=X["c"]))
    assert "a in 25%, c in 100%" in apart


def test_sets_that_are_nearly_as_good_are_counted_if_all_are_known(words):
    rows = np.random.default_rng(0)
    y = NOISE["a"] + NOISE["b"] + rows.normal(size=N) / 2
    options = ("-a", "1", "--tau", "0.5", "--evaluate", "none", "--selector")
    near, margin = (
        np.exp(NOISE["a"]),
        "within 0.04 of the best one, as far as other folds change scores",
    )
    for frame, said in (
        (NOISE.assign(y=y), f"No other set is {margin}."),
        (NOISE.assign(near=near, y=y), f"One other set is {margin}, and other rows may order"),
        (NOISE.assign(y=y > 0, a=2 * y), "2 other sets are within 0.01 of the best one, and"),
    ):
        lines = words(frame, *options, "forest")
        (line,) = [x for x in lines if x.startswith("Quality: forest, ")]
        assert said in line
    lines = words(NOISE.assign(y=y), *options, "f_statistic")
    assert not any("of the best one" in x for x in lines)


@pytest.mark.exhaustive
def test_advice_begins_with_copies_and_says_that_rows_do_not_order_sets(words):
    y = NOISE["a"] + NOISE["b"] + np.random.default_rng(6).normal(size=N) / 3 > 0
    frame = NOISE.assign(twice=2 * NOISE["a"], y=y)
    (last,) = words(frame, "-a", "1", "--tau", "0.5")[-1:]
    assert last == (
        "What to do: search again without twice (--exclude), which the notes name and these sets "
        "have."
    )
    alone = NOISE["a"] + np.random.default_rng(6).normal(size=N) / 2 > 0
    frame = NOISE[["a", "b"]].assign(c=NOISE["a"] + NOISE["c"] / 2, y=alone)
    (last,) = words(frame, "-a", "1", "--tau", "0.5")[-1:]
    assert "these rows do not tell the sets apart, and alternative 1 may be worse" in last
    many = pd.DataFrame(np.random.default_rng(1).normal(size=(500, 4)), columns=list("abcd"))
    near = {name: many["a"] + many[name] / 1000 for name in "bcd"}
    frame = many[["a"]].assign(**near, y=many["a"] + many["b"] / 6 > 0)
    (last,) = words(frame, "-a", "1", "--tau", "1")[-1:]
    assert (
        "use any of the sets, such as the cheapest, as the sets" in last
        and " predict alike: none" in last
    )


def test_smaller_sets_are_advised_where_a_member_adds_nothing(words):
    y = 2 * NOISE["a"] + np.random.default_rng(0).normal(size=N)
    lines = words(NOISE.assign(y=y), "-a", "0", "--evaluate", "none")
    (idle,) = [x for x in lines if x.startswith("Members that alone are not shown to tell more")]
    member = idle.split(": ")[2].split(".")[0]
    assert f"try smaller sets (-k): {member} may add nothing; use the original set" in lines[-1]


@pytest.mark.exhaustive
def test_alternatives_that_predict_no_better_than_nothing_do_not_replace_the_original(words):
    y = NOISE["a"] + NOISE["b"] + np.random.default_rng(4).normal(size=N) / 3 > 0
    frame = NOISE.assign(y=y)
    lines = words(frame, "-a", "1", "--tau", "1")
    (said,) = [x for x in lines if x.startswith("By these scores (95 % intervals), ")]
    assert "alternative 1 is not shown to predict better than no feature" in said
    alone = "use the original set: no alternative is shown to predict better than nothing"
    assert alone in lines[-1]
    # Without scores, the comparison with chance says so.
    (last,) = words(frame, "-a", "1", "--tau", "1", "--evaluate", "none")[-1:]
    assert last.startswith(f"What to do: {alone}")
    # In Python, the parameters are those of Python.
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1, tau=1)
    assert alone in str(afs.fit(frame[list("abcd")], y).evaluate("decision_tree"))
    noise = afs.fit(frame[list("abcd")], np.arange(N) % 2).evaluate("decision_tree")
    assert "or try selector='forest', for effects of any form, or another n_features" in str(noise)


@pytest.mark.exhaustive
def test_a_score_that_rests_on_one_feature_asks_whether_it_is_known_before(words):
    random = np.random.default_rng(3)
    y = random.integers(0, 2, N)
    frame = NOISE.assign(after=y + random.normal(size=N) / 3, y=y)
    (last,) = words(frame, "-a", "0", "-k", "1", "--evaluate", "random_forest")[-1:]
    assert "check that after is known before the target" in last


def test_a_target_of_which_few_rows_decide_is_noted(words):
    y = np.exp(3 * NOISE["a"] + np.random.default_rng(5).normal(size=N))
    lines = words(NOISE.assign(y=y), "-a", "0")
    assert any(line.startswith("1 of 120 rows has most of the target's") for line in lines)
    assert "there is a signal, but nested scores do not show" in lines[-1]
    assert lines[-1].endswith("take the logarithm of the target first, if that makes sense, or "
                              "collect more rows.")  # fmt: skip


def test_rows_of_a_group_with_one_class_come_first(words):
    group, random = np.repeat(np.arange(40), 3), np.random.default_rng(2)
    frame = NOISE.assign(patient=random.permutation(40)[group], y=random.integers(0, 2, 40)[group])
    lines = words(frame, "-a", "0")
    assert lines[2].startswith("Nearly all rows with the same value of 'patient' have the same")
    assert lines[-1].startswith("What to do: decide about leaks and rows that are alike first")


def test_a_feature_that_has_most_of_the_score_is_named(tmp_path, capsys):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 6)), columns=list("abcdef"))
    together = (frame["a"] + frame["b"] > 0).astype(int)
    most = np.where(rng.random(300) < 0.06, 1 - together, together) + 0.2 * frame["f"]
    chance = rng.integers(0, 2, 300)
    cases = (
        (frame, together, ""), (frame.assign(most=most), together, " most alone has 0.9"),
        (frame, chance, ""),
    )  # fmt: skip
    for table, y, alone in cases:
        path = tmp_path / "table.csv"
        table.assign(y=y).to_csv(path, index=False)
        options = ("-k", "3", "-a", "0", "--evaluate", "none")
        assert main(["find", str(path), "-t", "y", *options]) == 0
        output = capsys.readouterr().out
        assert (" alone has " in output) == bool(alone) and alone in output
