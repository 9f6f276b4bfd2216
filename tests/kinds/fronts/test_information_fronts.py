"""Pareto search against information, in the library and in studies, judged by listing families.

They take about four seconds of CPU.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from audit import assert_named, edit, results_of, verify
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people
from studies import SMALL

from altfs import AlternativeFeatures, Constraints
from altfs.errors import AltfsError, ConfigError
from altfs.kinds.fronts.figures.quality_information_front import steps
from altfs.kinds.fronts.searches.pareto import Pareto, ParetoOptions
from altfs.problem import Problem
from altfs.quality import BlackBox, Linear, Pairwise
from altfs.solvers import Limits
from altfs.study.qualities import qualities_of
from altfs.study.session import check_study
from altfs.study.sharding import problem_of
from altfs.study.store import others_of, read_table

CONFIG = {
    **SMALL, "results": "results/informed", "datasets": [{
        "name": "people", "type": "synthetic", "options": {
            "design": "mixed", "rows": 90, "informative": 3, "combinations": 1, "noise": 6,
            "categorical_share": 0.5, "categories": 3}}],
    "selectors": ["mutual_information", "mrmr"], "n_features": 2, "taus": ["0.5"],
    "searches": [
        {"name": "told", "type": "pareto", "n_alternatives": 1, "aggregation": ["sum", "min"],
         "options": {"against": "information"}},
        {"name": "sequential", "n_alternatives": 1},
    ],
    "constraints": [
        {"sensitive": "informative2"}, {"searches": ["sequential"], "most_information": 0.05},
    ],
    "models": ["naive_bayes"],
}  # fmt: skip


def pareto(seed=0, **options):
    return Pareto(seed, ParetoOptions(against="information", **options))


def objectives(problem, family):
    values = problem.quality.exact_values(family)
    bits = problem.constraints.information
    told = max(sum(round(bits[j] * 10**6) for j in s) for s in family)
    return (sum(values) if problem.aggregation == "sum" else min(values)), told


def listed(problem):
    """The objectives of all families that no other one reaches."""
    sets = combinations(range(problem.quality.n_total), problem.n_features)
    families = combinations([*sets], problem.n_sets)
    reached = {objectives(problem, f) for f in families if problem.violation(f) is None}
    return sorted(
        (a for a in reached if not any(b[0] >= a[0] and b[1] <= a[1] and a != b for b in reached)),
        reverse=True,
    )


@st.composite
def problems(draw):
    n = draw(st.integers(2, 6))
    k = draw(st.integers(1, min(n, 3)))
    values = draw(st.lists(st.integers(-2, 4), min_size=n, max_size=n))
    quality = Linear(values)
    if draw(st.booleans()):
        costs = np.array(draw(st.lists(st.integers(0, 3), min_size=n * n, max_size=n * n)))
        costs = costs.reshape(n, n)
        quality = Pairwise(values, costs + costs.T)
    bits = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    limits = {"information": [b / 8 for b in bits]}
    limits |= {"most_information": 0.75} if draw(st.booleans()) else {}
    limits |= {"exclude": (0,)} if draw(st.booleans()) and n > k else {}
    aggregation = draw(st.sampled_from(["sum", "min"]))
    overlap = draw(st.integers(0, k - 1))
    return Problem(
        quality, k, overlap, draw(st.integers(1, 2)), aggregation, (), Constraints(**limits)
    )


@pytest.mark.exhaustive
@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_the_front_is_that_of_all_families(problem):
    front = pareto().front(problem, Limits())
    assert front.proven
    assert [objectives(problem, family) for family in front.families] == listed(problem)
    result = pareto().search(problem, Limits())
    assert tuple(s.indices for s in result) == (
        front.families[0] if front.families else ((),) * problem.n_sets
    )
    assert front.names == ("quality", "information")


def test_qualities_of_whole_sets_are_left_to_nsga():
    values = [4.0, 3.0, 2.0, 1.0, 0.5]
    quality = BlackBox(lambda s: sum(values[j] for j in s), 5, 10.0)
    limits = Constraints(information=[1.0, 0.5, 0.25, 0.0, 0.0])
    problem = Problem(quality, 2, 1, 2, "sum", (), limits)
    front = pareto().front(problem, Limits())
    assert not front.proven
    assert [objectives(problem, family) for family in front.families] == listed(problem)


@pytest.fixture(scope="module")
def table():
    X, y, sex = people(300)
    return X.assign(sex=sex), y


def test_the_library_has_the_front_and_its_picture(table):
    X, y = table
    afs = AlternativeFeatures(
        "mutual_information", {"type": "pareto", "options": {"against": "information"}},
        n_features=2, n_alternatives=1, tau=0.5, constraints={"sensitive": "sex"}, n_shuffles=0,
    ).fit(X, y)  # fmt: skip
    front = afs.front_
    assert not any("sex" in names for names in front["feature_names"])
    told = afs.sensitive(model="decision_tree").information
    largest = front.groupby("point").agg({"feature_names": list, "information": "first"})
    for row in largest.itertuples():
        sums = [told[names].sum() for names in row.feature_names]
        assert row.information == pytest.approx(max(sums), abs=1e-5)
    assert largest["information"].is_monotonic_decreasing and len(largest) > 1
    chart = afs.plot("front").to_dict()
    assert chart["layer"][0]["encoding"]["x"]["field"] == "information"


def test_an_attribute_is_needed(table):
    search = {"type": "pareto", "options": {"against": "information"}}
    afs = AlternativeFeatures("mutual_information", search, n_features=2)
    with pytest.raises(AltfsError, match="needs a sensitive attribute, name its column"):
        afs.fit(*table)
    with pytest.raises(ConfigError, match=r"searches\[0\]: .* needs a sensitive attribute"):
        check_study({**CONFIG, "constraints": []})


def shards(plan, search):
    for place in plan.places():
        if place.search == search:
            task = plan.search_task(place)
            yield task, read_table(Path(task.path))[0]


@pytest.mark.exhaustive
def test_the_front_of_a_study_is_that_of_all_families(plan):
    n_points = 0
    for task, whole in shards(plan, "told"):
        quality = qualities_of(task).train
        points = others_of(whole).to_pandas()
        for aggregation, rows in points.groupby("aggregation"):
            problem = problem_of(task, quality, (2, 1, aggregation))
            families = [tuple(map(tuple, f["selected"])) for _, f in rows.groupby("point")]
            assert [objectives(problem, family) for family in families] == listed(problem)
            n_points += len(families)
        assert "informative2" not in task.data.feature_names
    assert n_points > 8


def test_a_limit_of_information_holds_in_every_fold(plan):
    for task, whole in shards(plan, "sequential"):
        bits = problem_of(
            task, qualities_of(task).train, next(iter(task.runs()))
        ).constraints.information
        told = [sum(bits[j] for j in s) for s in whole["selected"].to_pylist()]
        assert max(told) <= 0.05 < sum(sorted(bits)[-2:])


def test_the_audit_finds_nothing(plan, capsys):
    assert verify(capsys, plan, "--full")[0] == 0


@pytest.mark.exhaustive
def test_the_audit_names_a_family_that_is_gone(plan, capsys):
    task, _ = next(shards(plan, "told"))

    def change(rows):
        last = max(row["point"] for row in rows if row["point"] is not None)
        rows[:] = [row for row in rows if row["point"] != last]

    edit(task.path, change)
    assert_named(capsys, plan, Path(task.path), "of the families that tell less than", "--full")


def test_the_picture_has_the_best_family_for_each_limit(plan):
    data = steps(results_of(plan))
    assert set(data["search"]) == {"told, sum", "told, min"}
    training = data[data["part"] == "training"]
    assert (training.groupby(["search", "selector"])["quality"].max() == 1.0).all()
    assert training["information"].min() >= 0


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"sensitive": "nobody"}, r"constraints\[0\].sensitive: 'nobody' is not a column"),
        ({"sensitive": "class"}, r"constraints\[0\].sensitive: 'class' is the target"),
        ({"sensitive": "noise1"}, "'noise1' has 90 values, use 2 to 20 groups"),
        ({"most_information": 1}, "constraints: most_information: there is no sensitive attribute"),
        ({"most_information": -1, "sensitive": "informative2"}, "most_information: -1 is not"),
        ({"sensitive": "informative2", "include": ["informative2"]}, "'informative2' is not a fea"),
    ],
)
def test_bad_attributes_are_refused(entry, said):
    with pytest.raises(ConfigError, match=said):
        check_study({**CONFIG, "searches": CONFIG["searches"][1:], "constraints": [entry]})
