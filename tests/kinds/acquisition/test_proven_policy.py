"""The proven policy, judged by recursion over states and by all policies that can be written."""

from fractions import Fraction
from itertools import combinations, product
from time import perf_counter

import numpy as np
import pytest
from recursion import Judge

from altfs import AlternativeAcquisition
from altfs.errors import AltfsError

EXACT = {"type": "exact", "options": {"alpha": 0, "min_rows": 1}}
BITS = np.array(list(product([0, 1], repeat=5)))
CONTEXT = np.where(BITS[:, 0] == 0, BITS[:, 1] ^ BITS[:, 2], BITS[:, 3] ^ BITS[:, 4])


def drawn(seed, n_rows=24, n_features=3, n_codes=2, n_classes=2):
    random = np.random.RandomState(seed)
    y = np.concatenate([np.arange(n_classes), random.randint(0, n_classes, n_rows - n_classes)])
    return random.randint(0, n_codes, (n_rows, n_features)), y


def exact(X, y, **parameters):
    return AlternativeAcquisition(**{"method": EXACT, "price": 0.05} | parameters).fit(X, y)


def states_of(acquisition, judge, known=None, rows=None, done=frozenset(), names=None):
    """Yield what both say of every state that a row of the table can be in."""
    known, rows = known or {}, list(range(len(judge.y))) if rows is None else rows
    yield acquisition.next(known), judge.values(rows, done), rows
    for a in range(len(judge.actions)):
        if a not in done:
            for part in judge.parts(rows, a):
                further = {f"x{j}": int(judge.codes[part[0], j]) for j in judge.actions[a]}
                yield from states_of(acquisition, judge, known | further, part, done | {a})


def assert_same(said, judged, names):
    stop, values = judged
    least = min([stop, *values.values()])
    assert said.value == float(least) and said.status == "optimal" and said.bound == said.value
    # To stop comes first, and then the lower column.
    best = next((names[a] for a, q in values.items() if q == least), None)
    assert said.measure == (None if stop == least else best) and said.stop == (stop == least)
    switches = {name: switch for name, switch, _ in said.alternatives}
    expected = {names[a]: float(q - least) for a, q in values.items() if names[a] != said.measure}
    assert switches == pytest.approx(expected, abs=1e-12)


def test_context_has_the_values_of_the_sheet():
    acquisition = exact(BITS, CONTEXT)
    said = acquisition.next()
    assert said.value == 0.15 and acquisition.method_.n_states == 243
    assert said.measure == "x0" and said.outage == 0.2
    assert said.alternatives == [(f"x{j}", 0.025, 0.2) for j in range(1, 5)]
    assert acquisition.method_.judge(acquisition.method_.task.start).stop == 0.5
    prices = acquisition.outages()
    assert prices["outage"].tolist() == [0.2] * 5
    assert prices["switch"].tolist() == [0.025, 0, 0, 0, 0]
    assert prices["instead"].tolist()[:1] == ["x1"]
    for k, value in zip(range(1, 6), (0.5, 0.35, 0.35, 0.35, 0.15), strict=True):
        kits = exact(BITS, CONTEXT, n_features=k, n_alternatives=0).kits_
        assert [-kit.train_objective for kit in kits] == [value]
        assert kits[0].status == "optimal" and kits[0].bound == kits[0].train_objective


@pytest.mark.parametrize("seed", range(8))
def test_no_policy_of_three_features_is_better(seed):
    X, y = drawn(seed)
    costs = [1, 2, 0.5]
    acquisition = exact(X, y, costs=costs, price=0.04)
    policies = list(Judge(X, y, costs, 0.04).policies())
    assert len(policies) == 244
    assert acquisition.next().value == float(min(policies) / len(y))


@pytest.mark.exhaustive
def test_no_drawn_policy_of_four_features_is_better():
    X, y = drawn(3, 40, 4)
    value = exact(X, y).next().value
    policies = Judge(X, y, [1] * 4, 0.05).policies()
    below = [Fraction(p) for i, p in enumerate(policies) if i % 97 == 0 and i < 97 * 1500]
    assert len(below) > 1000 and float(min(below) / len(y)) >= value


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("seed", "sizes", "options", "parameters"),
    [
        (0, (30, 4, 2, 2), {}, {}),
        (1, (30, 4, 3, 3), {}, {}),
        (2, (40, 3, 3, 2), {"budget": 3}, {"budget": 3}),
        (3, (40, 4, 2, 3), {"budget": 2.5}, {"budget": 2.5}),
        (4, (40, 4, 2, 2), {"min_rows": 6}, {"method": {**EXACT, "options": {
            "alpha": 0, "min_rows": 6}}}),
        (5, (40, 4, 3, 3), {"most": 2}, {"most": 2}),
        (6, (40, 4, 2, 2), {"most": 1}, {"most": 1}),
        (7, (40, 4, 3, 2), {"loss": [[0, 5], [1, 0]]}, {"loss": [[0, 5], [1, 0]]}),
        (8, (40, 4, 3, 3), {"loss": [[0, 2, 0.5], [1, 0, 1], [3, 1, 0.25]]},
         {"loss": [[0, 2, 0.5], [1, 0, 1], [3, 1, 0.25]]}),
    ],
)  # fmt: skip
def test_every_state_is_that_of_the_recursion(seed, sizes, options, parameters):
    X, y = drawn(seed, *sizes)
    costs = [1, 0.5, 2, 1.25][: sizes[1]]
    judge = Judge(X, y, costs, 0.05, **options)
    names = [f"x{j}" for j in range(sizes[1])]
    for said, judged, rows in states_of(exact(X, y, costs=costs, **parameters), judge):
        assert_same(said, judged, names)
        if parameters.get("loss") is None:
            counts = np.bincount(y[rows])
            assert said.answer == counts.argmax()
            assert said.certainty == pytest.approx(counts.max() / len(rows))


def test_alpha_smooths_the_risk_of_small_cells():
    X, y = drawn(4, 40, 3, 3, 3)
    method = {"type": "exact", "options": {"alpha": 0.5, "min_rows": 3}}
    judge = Judge(X, y, [1] * 3, 0.02, alpha=Fraction(1, 2), min_rows=3)
    for said, (stop, values), _ in states_of(exact(X, y, method=method, price=0.02), judge):
        assert said.value == pytest.approx(float(min([stop, *values.values()])), abs=1e-12)


def test_outages_are_those_of_the_recursion_without_a_feature():
    X, y = drawn(9, 60, 4, 3, 3)
    acquisition, value = exact(X, y), Judge(X, y, [1] * 4, 0.05).value()
    expected = {
        f"x{j}": float(Judge(X, y, [1] * 4, 0.05, allowed={0, 1, 2, 3} - {j}).value() - value)
        for j in range(4)
    }
    prices = acquisition.outages()
    found = dict(zip(prices["measurement"], prices["outage"], strict=True))
    assert found == pytest.approx(expected, abs=1e-12)
    said = acquisition.next()
    assert {n: o for n, _, o in said.alternatives} | {said.measure: said.outage} == found
    # A switch never costs more than the outage.
    assert prices["switch"].iloc[0] <= prices["outage"].max()


def test_a_policy_run_on_its_rows_has_its_value():
    for seed in range(4):
        X, y = drawn(seed, 60, 4, 3, 3)
        acquisition = exact(X, y, price=0.03)
        run = acquisition.simulate(X, y)
        value = 1 - run.accuracy + 0.03 * run.mean_cost
        assert value == pytest.approx(acquisition.next().value, abs=1e-12)
        tree = acquisition.policy().to_frame()
        leaves = tree[tree["measure"].isna()]
        assert leaves["rows"].sum() == 60
        assert (leaves["depth"] * leaves["rows"]).sum() / 60 == pytest.approx(run.mean_cost)


def test_panels_and_what_is_known_from_the_start():
    X, y = drawn(5, 50, 4, 2, 2)
    panels = {"blood": {"features": ["x1", "x3"], "cost": 1.5}}
    acquisition = exact(X, y, panels=panels, costs={"x0": 1, "x2": 0.5})
    judge = Judge(X, y, [1, 1.5, 0.5], 0.05, actions=[(0,), (1, 3), (2,)])
    assert acquisition.measurements_ == ["x0", "blood", "x2"]
    for said, judged, _ in states_of(acquisition, judge):
        assert_same(said, judged, acquisition.measurements_)
    given = exact(X, y, constraints={"include": ["x1"], "exclude": ["x3"]})
    free = Judge(X, y, [1, 0, 1, 1], 0.05, allowed={0, 2})
    parts = free.parts(list(range(50)), 1)
    values = [free.value(part, frozenset({1})) * len(part) for part in parts]
    assert given.method_.start_value(range(2)) == pytest.approx(float(sum(values) / 50))
    assert {n.verdict.value for n in given.policy().nodes if n.depth == 0} == {
        float(value / len(part)) for value, part in zip(values, parts, strict=True)
    }


def test_kits_are_those_of_a_listing():
    X, y = drawn(11, 60, 5, 2, 2)
    listed = Judge(X, y, [1] * 5, 0.01).kits(2)
    for overlap in (0, 1):
        kits = exact(X, y, price=0.01, n_features=2, n_alternatives=1, max_overlap=overlap).kits_
        left = [k for k in listed if len({*k[1]} & {*listed[0][1]}) <= overlap]
        assert [kit.indices for kit in kits] == [listed[0][1], left[0][1]]
        assert [-kit.train_objective for kit in kits] == [float(listed[0][0]), float(left[0][0])]
    plan = exact(X, y, price=0.01, n_features=2).plan_for_outages(["x0", "x1"], relative_floor=1)
    assert plan.proven
    for _, row in plan.table.iterrows():
        missing = {int(name[1]) for name in row["missing"]}
        best = next(value for value, kit in listed if not missing & {*kit})
        assert -row["train_objective"] == float(best)


@pytest.mark.parametrize("alpha", [0, None, 1.5])
@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_kits_are_below_their_values(alpha, seed):
    X, y = drawn(seed, 40, 6, 3, 3)
    method = {"type": "exact", "options": {"alpha": alpha, "min_rows": 1 + seed}}
    panels = {"both": {"features": ["x1", "x2"], "cost": 3}} if seed == 3 else None
    known = {"include": ["x0"]} if seed > 1 else None
    costs = {f"x{j}": 1 + j % 3 for j in range(6)}
    policy = exact(X, y, method=method, costs=costs, panels=panels, constraints=known).method_
    actions = range(len(policy.task.actions))
    sets = [s for k in range(4) for s in combinations(actions, k)]
    bounds = policy.least_values(sets)
    values = [policy.start_value(s) for s in sets]
    assert np.all(np.array(bounds) <= np.array(values) + 1e-12)
    # Without rows added to cells, all that a single action can do is in its bound.
    if not alpha and alpha is not None and seed == 0:
        assert bounds[1] == pytest.approx(values[1])
    odd = np.array([[0, 1, 2], [3, 0, 1], [1, 1, 0]])
    policy = exact(X, y, method=method, loss=odd).method_
    bounds, values = policy.least_values(sets[:20]), [policy.start_value(s) for s in sets[:20]]
    assert np.all(np.array(bounds) <= np.array(values) + 1e-12)


def test_a_row_that_leaves_the_known_cells_gets_the_last_answer():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 0]] * 3)
    acquisition = exact(X, [0, 1, 1, 1] * 3)
    said = acquisition.next({"x0": 1, "x1": 1})
    assert said.stop and said.answer == 1 and said.certainty == 1
    assert acquisition.next({"x1": 1, "x0": 1}).answer == 1


def test_it_is_fast():
    random = np.random.RandomState(0)
    X, y = random.randint(0, 2, (400, 22)), random.randint(0, 2, 400)
    # Compiles.
    exact(X, y, price=0.001, most=2).next()
    start = perf_counter()
    exact(X, y, price=0.001, most=4).next()
    assert perf_counter() - start < 1
    acquisition = exact(random.rand(455, 10), y[:400].tolist() + [0] * 55, price=0.005)
    start = perf_counter()
    acquisition.next()
    assert perf_counter() - start < 0.15


def test_too_many_sets_are_refused_with_a_number_that_fits():
    X, y = drawn(0, 40, 30)
    sentence = "most: 6 of 30 features are 768,212 sets, more than 200,000, use 5."
    with pytest.raises(AltfsError) as error:
        exact(X, y, most=6)
    assert str(error.value) == sentence
