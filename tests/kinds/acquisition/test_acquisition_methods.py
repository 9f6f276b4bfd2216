"""Methods and models, each against its formula written out."""

from itertools import combinations, product

import numpy as np
import pytest
from recursion import Judge
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

from altfs import AlternativeAcquisition
from altfs._numbers import quantiles
from altfs.datasets import make_dataset, sources
from altfs.datasets.context_designs import draw_in_context
from altfs.kinds.acquisition.base import methods, subset_models
from altfs.kinds.acquisition.methods.plan import plan_values

BITS = np.array(list(product([0, 1], repeat=5)))
CONTEXT = np.where(BITS[:, 0] == 0, BITS[:, 1] ^ BITS[:, 2], BITS[:, 3] ^ BITS[:, 4])


def table(seed=0, n_rows=60, n_features=4, n_classes=3):
    """Columns that tell something of the classes."""
    random = np.random.RandomState(seed)
    y = random.permutation(np.arange(n_rows) % n_classes)
    X = random.standard_normal((n_rows, n_features))
    X[:, 0] += 1.5 * y
    X[:, 1] -= y == 1
    X[:, -1] = random.randint(0, 3, n_rows) + (y == 0)
    return X, y


def fitted(method, X, y, **parameters):
    return AlternativeAcquisition(method, **{"price": 0.01} | parameters).fit(X, y).method_


def all_masks(n):
    return np.array(list(product([False, True], repeat=n)))


def naive_bayes(codes, y, x, sizes, n_classes):
    """Return the probabilities of classes for codes of features, with Laplace's correction."""
    p = np.array([(y == c).sum() + 1 for c in range(n_classes)]) / (len(y) + n_classes)
    for j, code in x.items():
        for c in range(n_classes):
            of_class = codes[y == c, j]
            p[c] *= ((of_class == code).sum() + 1) / (len(of_class) + sizes[j])
    return p / p.sum()


def test_naive_bayes_knows_what_is_known_and_leaves_out_the_own_row():
    X, y = table()
    model = fitted("static", X, y).model
    codes, sizes = model.coding.codes, model.coding.sizes
    assert sizes[:3] == [5, 5, 5] and sizes[3] == len(np.unique(X[:, 3]))
    # A value that equals a cut is below it.
    cut = quantiles(X[:, 0], 5)[0]
    assert (
        codes[:, 0].tolist()
        == np.searchsorted(
            [np.quantile(X[:, 0], q) for q in (0.2, 0.4, 0.6, 0.8)], X[:, 0]
        ).tolist()
    )
    assert model.coding.of(0, cut) == 0 and model.coding.of(0, np.nextafter(cut, 9)) == 1
    masks = all_masks(4)
    losses = model.losses(masks)
    for i in (0, 7, 31):
        others = np.arange(60) != i
        for mask, loss in zip(masks, losses[i], strict=True):
            x = {j: codes[i, j] for j in np.flatnonzero(mask)}
            p = naive_bayes(codes[others], y[others], x, sizes, 3)
            assert loss == pytest.approx(-np.log(p[y[i]]), rel=1e-5)
            seen = model.proba(np.where(mask, X[i], np.nan)[None])[0]
            assert seen == pytest.approx(naive_bayes(codes, y, x, sizes, 3))


def test_the_nearest_rows_vote_without_the_own_one_and_with_ties():
    X, y = table(1)
    X[:, 1] = X[:, 1].round()
    model = fitted("static", X, y, model={"type": "nearest", "options": {"rows": 7}}).model
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    masks = all_masks(4)
    losses = model.losses(masks)
    for i in (3, 20):
        for mask, loss in zip(masks, losses[i], strict=True):
            distances = ((Z[:, mask] - Z[i, mask]) ** 2).sum(axis=1)
            for own, expected in ((True, None), (False, loss)):
                kept = np.ones(60, bool) if own else np.arange(60) != i
                near = distances[kept] <= np.sort(distances[kept])[6] + 1e-9
                if not mask.any():
                    near[:] = True
                votes = np.bincount(y[kept][near], minlength=3)
                p = (votes + 1 / 3) / (votes.sum() + 1)
                if own:
                    seen = model.proba(np.where(mask, X[i], np.nan)[None])[0]
                    assert seen == pytest.approx(p)
                else:
                    assert expected == pytest.approx(-np.log(p[y[i]]))


def test_categories_differ_or_not():
    import pandas as pd

    X = pd.DataFrame({"colour": list("abc") * 10, "size": np.arange(30.0)})
    y = (X["colour"] == "a").to_numpy().astype(int)
    model = {"type": "nearest", "options": {"rows": 10}}
    acquisition = AlternativeAcquisition("greedy", model=model, price=0.01).fit(X, y)
    assert acquisition.next({"colour": "a"}).certainty > 0.95
    near = acquisition.method_.model.neighbours.nearest(np.array([2.0, np.nan]), 3)
    assert near.tolist() == list(range(2, 30, 3))


@pytest.mark.exhaustive
def test_the_masked_model_learns_from_random_parts_of_rows():
    X, y = BITS[np.repeat(np.arange(32), 4)], np.repeat(CONTEXT, 4)
    model = {"type": "masked", "options": {"copies": 10, "folds": 2}}
    acquisition = AlternativeAcquisition("static", model=model, budget=5).fit(X, y)
    seen = acquisition.method_.model
    assert (seen.proba(X.astype(float)).argmax(axis=1) == y).all()
    assert abs(seen.proba(np.full((1, 5), np.nan))[0, 0] - 0.5) < 0.1
    everything, nothing = seen.losses(np.array([[True] * 5, [False] * 5])).mean(axis=0)
    assert everything < 0.2 < nothing < 1
    assert (
        seen.losses(np.ones((1, 5), bool)).tolist() == seen.losses(np.ones((1, 5), bool)).tolist()
    )


@pytest.mark.parametrize("gain", ["information", "risk"])
def test_greedy_takes_the_largest_expected_gain_per_cost(gain):
    X, y = table(2)
    costs = [3, 1, 0.5, 2]
    method = fitted({"type": "greedy", "options": {"gain": gain}}, X, y, costs=costs)
    codes, sizes = method.model.coding.codes, method.model.coding.sizes

    def worth(p):
        return 1 - p.max() if gain == "risk" else -(p * np.log(p)).sum()

    state = method.task.start.told([1], [X[5, 1]])
    p = naive_bayes(codes, y, {1: codes[5, 1]}, sizes, 3)
    expected = {}
    for j in (0, 2, 3):
        left = worth(p)
        for v in range(sizes[j]):
            of_class = [
                ((codes[y == c, j] == v).sum() + 1) / ((y == c).sum() + sizes[j]) for c in range(3)
            ]
            left -= p @ of_class * worth(naive_bayes(codes, y, {1: codes[5, 1], j: v}, sizes, 3))
        expected[j] = left / costs[j]
    said = method.judge(state)
    assert {a: -q for a, q in said.choices} == pytest.approx(expected, abs=1e-12)
    best = max(expected, key=expected.get)
    assert said.best == (best if expected[best] > 0.01 else None)


def test_greedy_sees_nothing_in_context_and_stops_if_it_is_sure():
    said = fitted("greedy", BITS, CONTEXT).judge
    task = fitted("greedy", BITS, CONTEXT).task
    assert [q for _, q in said(task.start).choices] == [0] * 5
    X, y = table(2)
    sure = {"type": "greedy", "options": {"sure": 0.4}}
    run = AlternativeAcquisition(sure, budget=4).fit(X, y).simulate(X, y)
    rows = run.rows()
    assert (rows[rows["feature"].notna()]["certainty"] < 0.4).all()


def test_what_is_free_is_measured_at_once():
    X, y = table(3)
    for method in ("static", "greedy"):
        acquisition = AlternativeAcquisition(method, price=9, costs=[1, 1, 0, 1]).fit(X, y)
        assert acquisition.next().measure == "x2"
        assert acquisition.next({"x2": 0}).stop


def test_static_is_forward_selection_by_saved_loss_per_cost():
    X, y = table(4)
    costs = [2, 1, 0.5, 1]
    method = fitted("static", X, y, costs=costs)
    masks = {m.tobytes(): loss for m, loss in zip(
        all_masks(4), method.model.losses(all_masks(4)).mean(axis=0), strict=True)}  # fmt: skip
    known, order = np.zeros(4, bool), []
    while not known.all():
        saved = {}
        for j in np.flatnonzero(~known):
            mask = known.copy()
            mask[j] = True
            saved[j] = (masks[known.tobytes()] - masks[mask.tobytes()]) / costs[j]
        best = max(saved, key=saved.get)
        order.append(int(best))
        known[best] = True
    assert method.order(range(4)) == tuple(order)
    run = AlternativeAcquisition("static", costs=costs, budget=4.5).fit(X, y).simulate(X, y).rows()
    paths = run[run["feature"].notna()].groupby("row")["feature"].agg(tuple)
    assert set(paths) == {tuple(f"x{j}" for j in order)}


def test_stopping_is_the_recursion_over_its_order():
    X, y = table(5, 80, 4, 2)
    price, costs = 0.02, [1, 2, 1, 0.5]
    acquisition = AlternativeAcquisition(
        {"type": "stopping", "options": {"grid": 20001}}, price=price, costs=costs
    ).fit(X, y)
    method = acquisition.method_

    def value(p, order):
        if not order:
            return p.min()
        first, *rest = order
        going = price * costs[first]
        for row in method.model.table([first]):
            likely = float(row @ p)
            going += likely * value(row * p / likely, rest)
        return min(p.min(), going)

    p = method.model.proba(method.task.start.x[None])[0]
    assert acquisition.next().value == pytest.approx(value(p, list(method.order)), abs=1e-5)
    others = dict(method.judge(method.task.start).choices)
    assert len(others) == 4
    without = method.order[1:]
    left = method.judge(method.task.start, [method.order[0]]).value
    assert left == pytest.approx(value(p, list(without)), abs=1e-5)
    # More cannot be afforded than the budget allows.
    run = AlternativeAcquisition("stopping", price=0.0001, budget=1.5, costs=costs).fit(X, y)
    assert run.simulate(X, y).rows()["spent"].max() <= 1.5


def cell_risks(X, y):
    sets = [s for k in range(X.shape[1] + 1) for s in combinations(range(X.shape[1]), k)]
    losses = np.zeros((len(y), len(sets)))
    for i, chosen in enumerate(sets):
        cells = np.unique(X[:, list(chosen)], axis=0, return_inverse=True)[1].ravel()
        for cell in np.unique(cells):
            rows = cells == cell
            losses[rows, i] = 1 - np.bincount(y[rows]).max() / rows.sum()
    return sets, losses


def test_plans_of_context_have_the_values_of_the_sheet():
    sets, losses = cell_risks(BITS, CONTEXT)
    holds = np.array([[a in s for s in sets] for a in range(5)])
    charges = 0.05 * np.array([len(s) for s in sets])
    values = plan_values(losses, charges, holds, BITS.T)
    assert values.stop == 0.5
    assert values.open == pytest.approx([0.25] * 5)
    assert values.closed == pytest.approx([0.15, 0.25, 0.25, 0.25, 0.25])
    # A closed plan is at least what any policy of the same losses can reach.
    assert values.closed.min() >= float(Judge(BITS, CONTEXT, [1] * 5, 0.05).value()) - 1e-12


@pytest.mark.parametrize("order", ["closed", "open"])
def test_plans_are_the_formula_over_the_nearest_rows(order):
    X, y = table(6)
    costs, price = [2, 1, 0.5, 1], 0.05
    options = {"order": order, "neighbours": 12}
    acquisition = AlternativeAcquisition(
        {"type": "plan", "options": options}, price=price, costs=costs, model="nearest"
    ).fit(X, y)
    method, model = acquisition.method_, acquisition.method_.model
    masks = all_masks(4)
    losses = model.losses(masks)
    known = np.array([False, True, False, False])
    x = np.where(known, X[9], np.nan)
    near = model.neighbours.nearest(x, 12)
    g = {
        tuple(m): price * (m & ~known) @ costs + losses[near, i].mean()
        for i, m in enumerate(masks) if (m >= known).all()
    }  # fmt: skip
    codes = np.searchsorted(np.quantile(X[:, 0], [0.2, 0.4, 0.6, 0.8]), X[near, 0])
    closed = 0.0
    for v in np.unique(codes):
        least = min(
            price * (m & ~known) @ costs + losses[near[codes == v], i].mean()
            for i, m in enumerate(masks) if (m >= known).all() and m[0]
        )  # fmt: skip
        closed += (codes == v).mean() * least
    opened = min(value for m, value in g.items() if m[0])
    said = dict(method.judge(method.task.start.told([1], [X[9, 1]])).choices)
    assert said[0] == pytest.approx(closed if order == "closed" else opened, abs=1e-6)
    # The mean of the least is at most the least mean.
    assert closed <= opened + 1e-9


def test_plans_have_alternatives_that_are_proven():
    X, y = table(7)
    acquisition = AlternativeAcquisition(
        "plan", price=0.001, model="nearest", n_alternatives=1, max_overlap=1
    ).fit(X, y)
    plans = acquisition.plans()
    method = acquisition.method_
    size = len(plans[0])
    listed = sorted(
        (method.plans(method.task.start, [s])[0], s) for s in combinations(range(4), size)
    )
    assert -plans[0].train_objective == pytest.approx(listed[0][0])
    second = next((v for v, s in listed if len({*s} & {*plans[0].indices}) <= 1), None)
    assert [-p.train_objective for p in plans[1:]] == pytest.approx([second] if second else [])
    assert all(plan.status == "optimal" for plan in plans)
    assert AlternativeAcquisition("plan", price=9.0).fit(X, y).plans() == []


def test_drawn_plans_are_enough_to_go_on():
    X, y = table(8)
    drawn = {"type": "plan", "options": {"drawn": 5}}
    run = AlternativeAcquisition(drawn, budget=3, price=0.0001).fit(X, y).simulate(X, y)
    assert run.rows()["spent"].max() > 1


def test_every_method_and_model_has_its_own_file():
    # The networks of two have tests in tests/networks.
    names = ["dime", "exact", "gdfs", "greedy", "plan", "static", "stopping"]
    assert methods.names() == names
    assert subset_models.names() == ["masked", "naive_bayes", "nearest"]


def accuracy(method, design, budget, **parameters):
    scores = []
    for seed in range(3):
        (X, y), (new, true) = (draw_in_context(design, None, s) for s in (seed, seed + 100))
        acquisition = AlternativeAcquisition(method, budget=budget, price=0.0001, **parameters)
        scores.append(acquisition.fit(X, y).simulate(new, true).accuracy)
    return np.mean(scores)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("budget", "expected"), [(1, 0.61), (2, 0.95), (3, 0.95)])
def test_new_rows_of_decoys_are_answered_as_well_as_in_the_sheet(budget, expected):
    assert accuracy("exact", "xor_decoys", budget) == pytest.approx(expected, abs=0.03)
    if budget < 3:
        found = accuracy("plan", "xor_decoys", budget, model="nearest", most=2)
        assert found == pytest.approx(expected, abs=0.03)
    # It measures one decoy after the other.
    assert accuracy("greedy", "xor_decoys", budget) == pytest.approx(0.61, abs=0.05)


@pytest.mark.exhaustive
def test_new_rows_of_context_are_answered_with_three_measurements():
    assert accuracy("exact", "xor_context", 3) == 1
    assert accuracy("plan", "xor_context", 3, model="nearest") == pytest.approx(1, abs=0.01)
    assert accuracy("greedy", "xor_context", 3) < 0.65


# Shares of right answers with one, two, ... measurements, or with a price.
IN_THE_SHEET = {
    "cube": {
        "static": [0.32, 0.53, 0.69, 0.79], "greedy": [0.32, 0.58, 0.77, 0.86],
        "open": [0.33, 0.59, 0.77, 0.85], "exact": [0.33, 0.60, 0.78, 0.84],
    },
    "wdbc": {
        "static": [0.91, 0.92, 0.95], "greedy": [0.91, 0.93, 0.92], "open": [0.91, 0.92, 0.94],
        "stopping": 0.953,
    },
    "ionosphere": {
        "static": [0.83, 0.85, 0.88], "greedy": [0.83, 0.86, 0.84], "open": [0.83, 0.88, 0.87],
        "stopping": 0.900,
    },
}  # fmt: skip
FOLDS, DRAWS = 5, 10
# What parts deviate by at least; their mean is compared.
LEAST_DEVIATION = 0.01


def parts_of(table, pmlb_cache):
    """Return rows to learn from and new ones: draws of a design, or folds of a dataset."""
    if table == "cube":
        for seed in range(DRAWS):
            yield draw_in_context(table, None, seed), draw_in_context(table, 200, seed + 100)
        return
    X, y = load_breast_cancer(return_X_y=True)
    if table == "ionosphere":
        source = sources.get("pmlb")
        raw = source(table, source.Options(dataset=table), pmlb_cache).load()
        X, y = (data := make_dataset(table, raw)).X, data.y
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
        yield (X[train], y[train]), (X[test], y[test])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("table", "method"), [(t, m) for t in IN_THE_SHEET for m in IN_THE_SHEET[t]]
)
def test_new_rows_are_answered_within_two_deviations_of_the_sheet(table, method, pmlb_cache):
    expected = IN_THE_SHEET[table][method]
    limits = [{"price": 0.02}]
    if method != "stopping":
        limits = [{"price": 0.0001, "budget": n} for n in range(1, len(expected) + 1)]
    plan = {"type": "plan", "options": {"order": "open"}}
    for limit, share in zip(limits, np.ravel(expected), strict=True):
        most = {"most": limit["budget"]} if method == "open" else {}
        shares = [
            AlternativeAcquisition(plan if most else method, **limit, **most)
            .fit(*train).simulate(*new).accuracy
            for train, new in parts_of(table, pmlb_cache)
        ]  # fmt: skip
        deviation = max(np.std(shares, ddof=1), LEAST_DEVIATION)
        assert np.mean(shares) == pytest.approx(share, abs=2 * deviation), limit
