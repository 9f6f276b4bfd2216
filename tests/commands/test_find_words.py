"""What `altfs find` says of the worth of sets, on tables with and without a signal."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from altfs import AlternativeFeatures
from altfs.commands.find_words import recurrence_words, stability_words
from altfs.commands.main import main
from altfs.library.answers.evaluation import Evaluation
from altfs.library.answers.parameter_names import IN_COMMANDS, IN_PYTHON

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
        return [line.removeprefix(" - ") for line in capsys.readouterr().out.splitlines()]

    return of


def steps(lines):
    return " ".join(lines[lines.index("What to do") + 1 :])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("selector", "said"),
    [
        (
            "mutual_information",
            "mutual_information, what features tell alone, summed, as a share of the ",
        ),
        ("mrmr", "mrmr, divided by the largest value of a column or a pair, "),
        ("jmi", "jmi, divided by the largest value of a column or a pair, "),
        ("f_statistic", "selector f_statistic, "),
    ],
)
def test_the_unit_of_the_quality_is_said(words, selector, said):
    lines = words(NOISE.assign(y=NOISE["a"] > 0), "-a", "0", "--selector", selector)
    [line] = [line for line in lines if line.startswith("quality: ")]
    assert said in line
    # A value of 1 has the bits that are named.
    afs = AlternativeFeatures(selector, n_features=2, n_alternatives=0)
    measure = afs.fit(NOISE, NOISE["a"] > 0).quality_.measure
    assert measure is None or f"{measure.size:.3g} bits" in line


@pytest.mark.exhaustive
def test_the_advice_is_not_to_rely_on_noise(words):
    lines = words(NOISE.assign(y=np.arange(N) % 2), "-a", "1", "--tau", "0.5")
    assert lines[1].startswith("No signal shown: ")
    assert steps(lines) == (
        "Do not rely on these sets. Collect more rows, or try --selector forest, for effects of "
        "any form, unless you have done so, and nothing else on these rows, as each try makes it "
        "more likely that chance looks good."
    )
    # An interval that reaches so far leaves room for a signal.
    [score] = [
        line for line in lines if line.startswith("The nested score of the original set is ")
    ]
    high = float(score.partition(" to ")[2][:4])
    assert score.endswith(f"A signal with scores of up to {high:.2f} is possible.") == (high >= 0.6)
    # Another selector is one that was not used.
    lines = words(NOISE.assign(y=np.arange(N) % 2), "-a", "0", "--selector", "f_statistic")
    assert "or try --selector forest, " in steps(lines)
    # All features are noise, so none is named.
    assert not any("are not shown to tell more" in line for line in lines)


def test_without_a_comparison_with_chance_the_missing_advice_is_explained(words):
    lines = words(NOISE.assign(y=np.arange(N) % 2), "-a", "0", "--shuffles", "0")
    said = "There is no advice without the comparison with chance (--shuffles)."
    assert steps(lines) == said


@pytest.mark.exhaustive
def test_the_words_name_the_set_and_the_score_to_expect(words):
    lines = words(NOISE.assign(y=NOISE["a"] > 0), "-a", "1", "--tau", "0.5", "--exclude", "b")
    assert steps(lines).startswith("If a is not known before the target, search again with --excl")
    y = NOISE["a"] + NOISE["b"] + np.random.default_rng(7).normal(size=N) / 3 > 0
    lines = words(NOISE.assign(y=y), "-a", "1", "--tau", "0.5")
    original = next(line for line in lines if line.startswith("original"))
    low = original.split(" to ")[0].split()[-1]
    # All that the alternative has besides is noise.
    assert steps(lines).startswith("Use the original set. If one of its features is missing, ")
    # What all sets have has no alternative.
    assert " All of these sets have " in steps(lines)
    assert any(line.startswith("On new rows, expect") and f"({low} to " in line for line in lines)


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
    (line,) = [x for x in lines if x.startswith("The searches of the folds found the original ")]
    times = int(line.split(" of 5 folds")[0].split()[-1])
    counts = [int(part.rstrip(".").split()[-1]) for part in line.split(", ")[1:]]
    assert times < 5 and min(counts) >= times
    worth = lines[lines.index("What the sets are worth (95 % intervals)") :]
    assert any("than the original set" in line for line in worth)


def test_the_feature_that_stands_in_for_a_member_is_named():
    scores = pd.DataFrame({
        "set": ["original"] * 4, "feature_names": [["b", "c"], ["b", "c"], ["b", "c"], ["a", "c"]],
    })  # fmt: skip
    table = pd.DataFrame({"set": ["original"], "same": [1], "folds": [4]})
    evaluation = Evaluation(table, scores, "", "", True, 1.0, 100, 100, None)
    a = RNG.normal(size=100)
    X = pd.DataFrame({"a": a, "b": 2 * a + 0.1 * RNG.normal(size=100), "c": RNG.normal(size=100)})
    both = {"include": ["a", "c"]}
    afs = AlternativeFeatures(
        "f_statistic", n_features=2, n_alternatives=0, n_shuffles=0, constraints=both
    )
    assert recurrence_words(evaluation, afs.fit(X, a > 0), {"a": "a", "c": "c"}) == (
        "The searches of the folds found the original set itself in 1 of 4 folds, and of its "
        "features c in 4, a in 1 (b, which is like it, in 3)."
    )
    assert stability_words(evaluation, afs) == (
        "Nearly stable: no set comes back in most folds, but 2 of its 2 features, or features like "
        "them, come back in most folds."
    )
    same = replace(evaluation, table=table.assign(same=3))
    assert stability_words(same, afs) == "Stable: most folds found the original set itself."
    afs.fit(X.assign(b=X["c"]), a > 0)
    said = "Partly stable: 1 of its 2 features comes back in most folds."
    assert stability_words(evaluation, afs) == said
    other = scores.assign(feature_names=[["a"], ["b"], ["c"], ["c"]])
    assert stability_words(replace(evaluation, scores=other), afs) == (
        "Unstable: none of its 2 features comes back in most folds. Other rows may give another "
        "set."
    )
    apart = recurrence_words(evaluation, afs, {"a": "a", "c": "c"})
    assert "c in 4, a in 1." in apart


def test_sets_that_are_nearly_as_good_are_counted_if_all_are_known(words):
    rows = np.random.default_rng(0)
    y = NOISE["a"] + NOISE["b"] + rows.normal(size=N) / 2
    options = ("-a", "1", "--tau", "0.5", "--evaluate", "none", "--selector")
    near = np.exp(NOISE["a"])
    margin = "within 0.04 of the best, by as much as other folds change it"
    for frame, said in (
        (NOISE.assign(y=y), f"No other set has a quality {margin}."),
        (NOISE.assign(near=near, y=y), f"One other set (alternative 1) has a quality {margin}; o"),
        (NOISE.assign(y=y > 0, a=2 * y), "2 other sets (alternative 1 among them) have a quality "),
    ):
        assert any(x.startswith(said) for x in words(frame, *options, "forest"))
    lines = words(NOISE.assign(y=y), *options, "f_statistic")
    assert not any("of the best" in x for x in lines)


@pytest.mark.exhaustive
def test_advice_begins_with_copies_and_offers_no_set_whose_features_add_nothing(words):
    y = NOISE["a"] + NOISE["b"] + np.random.default_rng(6).normal(size=N) / 3 > 0
    frame = NOISE.assign(twice=2 * NOISE["a"], y=y)
    said = steps(words(frame, "-a", "1", "--tau", "0.5"))
    assert said.startswith(
        "Search again without twice (--exclude twice), which the notes name and these sets have."
    )
    alone = NOISE["a"] + np.random.default_rng(6).normal(size=N) / 2 > 0
    frame = NOISE[["a", "b"]].assign(c=NOISE["a"] + NOISE["c"] / 2, y=alone)
    said = steps(words(frame, "-a", "1", "--tau", "0.5"))
    assert said.startswith("Use the original set: what alternative 1 has besides its features is ")
    many = pd.DataFrame(np.random.default_rng(1).normal(size=(500, 4)), columns=list("abcd"))
    near = {name: many["a"] + many[name] / 1000 for name in "bcd"}
    frame = many[["a"]].assign(**near, y=many["a"] + many["b"] / 6 > 0)
    said = steps(words(frame, "-a", "1", "--tau", "1"))
    assert "Use any of the sets, such as the cheapest: " in said and " predict alike, " in said


def test_copies_that_count_as_different_features_are_named(tmp_path, capsys):
    frame = NOISE[["a", "b", "c"]].assign(twice=2 * NOISE["a"], near=NOISE["b"] + NOISE["c"] / 99)
    frame.assign(y=NOISE["a"] + NOISE["b"] > 0).to_csv(tmp_path / "t.csv", index=False)
    options = ("-k", "2", "-a", "1", "--tau", "1", "--evaluate", "none")
    assert main(["find", str(tmp_path / "t.csv"), "-t", "y", *options]) == 0
    output = capsys.readouterr().out
    said = "count as different, though they are not new information: in alternative 1 "
    assert said in output and " 0 + 2 copies " in output
    assert " twice for a" in output or " a for twice" in output
    assert "--exclude twice --exclude near" in output


def test_a_column_that_counts_the_rows_is_in_no_set_unless_it_is_named(words):
    frame = NOISE.assign(
        y=NOISE["a"] > 0, **{"row no": range(1, N + 1), "rank": RNG.permutation(N)}
    )
    options = ("-a", "0", "-k", "2", "--selector", "f_statistic", "--evaluate", "none")
    said = "'row no' numbers the rows and is left out; --at-most 1 'row no' allows it."
    lines = words(frame, *options)
    assert said in lines and f"{len(NOISE.columns) + 1} features," in lines[0]
    # An order that is not that of the rows may be a rank.
    assert any("'rank' has 120 values" in line for line in lines)
    lines = words(frame, *options, "--at-most", "1", "row no")
    assert said not in lines and f"{len(NOISE.columns) + 2} features," in lines[0]
    # They can be times, in the order of which the target changes.
    slow = frame.assign(y=np.arange(N) / 30 + NOISE["a"])
    lines = words(slow, *options)
    assert said in lines and any("in the order of 'row no'" in x for x in lines)
    # Streams take no constraints.
    assert said in words(frame, "-a", "0", "--selector", "alpha_investing", "--evaluate", "none")


@pytest.mark.exhaustive
def test_one_screen_does_not_advise_larger_sets_and_smaller_ones(words):
    many = pd.DataFrame(np.random.default_rng(2).normal(size=(400, 6)), columns=list("abcdef"))
    frame = many.assign(y=many[["a", "b", "c", "d"]].sum(axis=1))
    options = ("-k", "2", "-a", "1", "--tau", "1", "--selector", "f_statistic")
    lines = words(frame, *options, "--evaluate", "linear_regression")
    said = steps(lines)
    assert "Try larger sets (-k above 2): all features predict better. Of sets of 2 feat" in said
    assert not any("alone has most" in line or "falls by less" in line for line in lines)


def test_a_member_that_adds_nothing_by_the_scores_is_named_and_not_advised_against(words):
    y = 2 * NOISE["a"] + np.random.default_rng(0).normal(size=N)
    lines = words(NOISE.assign(y=y), "-a", "0", "--evaluate", "none")
    (idle,) = [x for x in lines if x.startswith("Features that alone are not shown to tell more")]
    assert idle.endswith(" (the original set).")
    # No smaller set was evaluated.
    assert steps(lines) == "Use the original set."


@pytest.mark.exhaustive
def test_alternatives_that_predict_no_better_than_nothing_do_not_replace_the_original(words):
    y = NOISE["a"] + NOISE["b"] + np.random.default_rng(4).normal(size=N) / 3 > 0
    frame = NOISE.assign(y=y)
    lines = words(frame, "-a", "1", "--tau", "1")
    assert "Alternative 1 is not shown to predict better than no feature." in lines
    alone = "Use the original set: no alternative is shown to gain half as much over no feature"
    assert alone in steps(lines)
    # Without scores, the comparison with chance says so.
    lines = words(frame, "-a", "1", "--tau", "1", "--evaluate", "none")
    assert steps(lines).startswith(alone)
    # In Python, the parameters are those of Python.
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1, tau=1)
    assert alone in str(afs.fit(frame[list("abcd")], y).evaluate("decision_tree"))
    noise = afs.fit(frame[list("abcd")], np.arange(N) % 2).evaluate("decision_tree")
    assert "or try selector='forest', for effects of any form, unless you have done so" in str(
        noise
    )


@pytest.mark.exhaustive
def test_a_score_that_rests_on_one_feature_asks_whether_it_is_known_before(words):
    random = np.random.default_rng(3)
    y = random.integers(0, 2, N)
    frame = NOISE.assign(after=y + random.normal(size=N) / 3, y=y)
    lines = words(frame, "-a", "0", "-k", "1", "--evaluate", "random_forest")
    assert "Check that after is known before the target" in steps(lines)


def test_a_weaker_leak_is_named_before_the_scores_and_left_out_with_the_first(words):
    random = np.random.default_rng(3)
    y = random.integers(0, 2, N)
    weaker = 2.5 * y + random.normal(size=N)
    lines = words(NOISE.assign(said=y, weaker=weaker, y=y), "-a", "0", "--evaluate", "none")
    assert lines[2].startswith("'weaker' alone tells much of the target (0.")
    both = "--exclude said --exclude weaker"
    assert f"To search without what the notes name: {both}" in lines
    first = f"If said or weaker is not known before the target, search again with {both}"
    assert steps(lines).startswith(first)
    assert "All scores here count only if said, weaker are known before the target." in lines


def test_few_rows_of_a_class_are_said_with_how_sure_the_scores_are(words):
    y = NOISE["a"] > NOISE["a"].nlargest(9).min()
    lines = words(NOISE.assign(y=y), "-a", "0", "--evaluate", "none")
    start, end = lines.index("How sure that is"), lines.index("What the table has")
    assert any(line.startswith("Only 8 of 120 rows have the rar") for line in lines[start:end])


def test_columns_are_quoted_as_the_door_reads_them():
    for names, said in ((IN_PYTHON, "groups=X['Date Egg']"), (IN_COMMANDS, "--groups 'Date Egg'")):
        assert names.groups.format(names.quote("Date Egg")) == said


def test_a_target_of_which_few_rows_decide_is_noted(words):
    y = np.exp(3 * NOISE["a"] + np.random.default_rng(5).normal(size=N))
    lines = words(NOISE.assign(y=y), "-a", "0")
    assert any(line.startswith("1 of 120 rows has most of the target's") for line in lines)
    assert "there is a signal, but nested scores do not show" in steps(lines)
    end = "take the logarithm of the target if that makes sense, or collect more rows."
    assert steps(lines).endswith(end)


def test_rows_of_a_group_with_one_class_come_first(words):
    group, random = np.repeat(np.arange(40), 3), np.random.default_rng(2)
    frame = NOISE.assign(patient=random.permutation(40)[group], y=random.integers(0, 2, 40)[group])
    lines = words(frame, "-a", "0")
    # Before the signal, which it makes too good.
    assert lines[1].startswith("Nearly all rows with the same value of 'patient' have the same")
    assert "chance" in lines[2]
    limits = "All scores here are of rows whose values of patient the search saw, too; those of "
    assert lines[lines.index("What the sets are worth (95 % intervals)") + 1].startswith(limits)
    assert steps(lines) == (
        "If rows with the same patient belong together, search again with --groups patient; if "
        "patient is not known before the target, with --exclude patient."
    )


def test_an_excluded_column_of_groups_comes_first_and_the_sets_are_still_judged(words):
    random = np.random.default_rng(2)
    group = np.repeat(np.arange(60), 2)
    trait = random.normal(size=60)[group]
    frame = NOISE.assign(
        a=trait + random.normal(size=N) / 3, patient=random.permutation(60)[group],
        y=(trait > 0).astype(int),
    )  # fmt: skip
    lines = words(frame, "-a", "0", "--exclude", "patient")
    said = steps(lines)
    assert said.startswith("Search again with --groups patient, unless rows with the same value")
    assert not any("--exclude patient" in line for line in lines)
    assert any(line.endswith("--exclude patient") for line in words(frame, "-a", "0"))
    assert said.endswith(" Otherwise: use the original set.")
    expected = "On new rows with values of patient like those here, "
    [line] = [line for line in lines if line.startswith(expected)]
    assert line.endswith(" With other values of patient, it may be as low as that of no feature.")


def test_a_level_that_drifts_is_named_where_times_leave_no_signal(words):
    frame = NOISE.assign(day=np.arange(N), y=3 * np.arange(N) + NOISE["a"])
    assert "take the trend out of the target" in steps(words(frame, "-a", "0", "--times", "day"))
    lines = words(NOISE.assign(y=RNG.normal(size=N)), "-a", "0")
    assert "trend" not in steps(lines)
    # Without a signal, the score still stands beside that of no feature.
    (worth,) = [line for line in lines if line.startswith("The nested score of the original set")]
    assert worth.endswith("), that of no feature 0.00.")


def test_a_feature_that_has_most_of_the_score_is_named(tmp_path, capsys):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 6)), columns=list("abcdef"))
    together = (frame["a"] + frame["b"] > 0).astype(int)
    most = np.where(rng.random(300) < 0.06, 1 - together, together) + 0.2 * frame["f"]
    chance = rng.integers(0, 2, 300)
    cases = (
        (frame, together, ""),
        (frame.assign(most=most), together, "most alone has most of the quality on these rows: 0."),
        (frame, chance, ""),
    )
    for table, y, alone in cases:
        path = tmp_path / "table.csv"
        table.assign(y=y).to_csv(path, index=False)
        options = ("-k", "3", "-a", "0", "--evaluate", "none")
        assert main(["find", str(path), "-t", "y", *options]) == 0
        output = capsys.readouterr().out
        assert (" alone has most of the quality" in output) == bool(alone) and alone in output


def test_a_proof_names_the_quality_and_the_rows_that_it_is_about(words):
    lines = words(NOISE.assign(y=NOISE["a"] > 0), "-a", "0", "--evaluate", "none", "--without", "a")
    header = next(i for i, line in enumerate(lines) if line.startswith("set "))
    assert "by quality," in lines[header - 1] and "on these rows" in lines[header]
    assert any(line.endswith(", proven best by this quality, on these rows.") for line in lines)
    (quality,) = [line for line in lines if line.startswith("quality: ")]
    assert "on these rows, among sets of the sizes asked for that differ enough; " in quality


def test_what_random_folds_would_say_is_beside_scores_by_group_or_time(words, tmp_path):
    random = np.random.default_rng(3)
    group = np.repeat(np.arange(30), 4)
    trait = random.normal(size=30)[group]
    frame = NOISE.assign(a=trait, person=group, y=trait + random.normal(size=30)[group] * 3)
    output = ("--output", str(tmp_path / "sets.json"))
    lines = words(frame, "-a", "0", "--groups", "person", *output)
    (line,) = [line for line in lines if "Random folds, with rows of the same person in" in line]
    evaluation = json.loads((tmp_path / "sets.json").read_text())["evaluation"]
    nested = evaluation["sets"][0]
    assert evaluation["in_random_folds"] > nested["score"] + 0.5
    assert line == (
        "Held out by person, the original set scores {score:.2f} ({low:.2f} to {high:.2f}). "
        "Random folds, with rows of the same person in both parts, would give {:.2f}."
    ).format(evaluation["in_random_folds"], **nested)
    # More rows of the same persons would not help.
    assert "ollect more groups" in steps(lines)
    lines = words(frame, "-a", "0", "--times", "person")
    assert any(". Random folds, with rows from before and after" in x for x in lines)
    assert not any("Random folds" in x for x in words(frame, "-a", "0"))
