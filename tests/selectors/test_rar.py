"""RaR: its quadratic program, its redundancies by definition, and the truth in GAMETES data."""

from io import StringIO
from itertools import chain, combinations

import numpy as np
import pytest
from joblib import parallel_config
from marks import exhaustive
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from altfs import AlternativeFeatures
from altfs.datasets import make_dataset, sources
from altfs.errors import AltfsError, DataError
from altfs.progress import lines
from altfs.quality import Linear, Pairwise
from altfs.scores._contrast import Contrasts
from altfs.selectors import Part
from altfs.selectors._greedy_redundancy import greedy_scores
from altfs.selectors._relevance_program import relevances
from altfs.selectors.rar import Rar, RarOptions

RNG = np.random.default_rng(5)


def mixed_part(seed=0, target_type="binary"):
    rng = np.random.default_rng(1)
    a, b, c = rng.random((3, 120))
    X = np.column_stack([a, b, c, np.exp(a), rng.integers(0, 3, 120), rng.random(120)])
    y = ((a > 0.5) ^ (b > 0.5)).astype(int) if target_type == "binary" else a * b + 0.1 * c
    is_category = np.arange(6) == 4
    return Part(X, y, target_type, seed, categorical=is_category)


def rar(**options):
    return Rar(RarOptions(**options))


def active_set_solution(sets, bounds, n):
    """The optimum by trying every set of active constraints of the dense program."""
    centred = np.eye(n) - 1 / n
    rows = [np.isin(np.arange(n), s).astype(float) for s in sets]
    sides = [*rows, *np.eye(n), *-np.eye(n)]
    right = np.array([*bounds, *np.zeros(n), *np.full(n, -max(bounds))])
    G = np.array(sides)
    best, least = None, np.inf
    for active in chain.from_iterable(combinations(range(len(G)), k) for k in range(n + 1)):
        chosen = list(active)
        if not chosen or np.linalg.matrix_rank(G[chosen]) < len(chosen):
            continue
        m = len(chosen)
        system = np.block([[2 * centred, -G[chosen].T], [G[chosen], np.zeros((m, m))]])
        if np.linalg.matrix_rank(system) < n + m:
            continue
        r = np.linalg.solve(system, np.concatenate([-np.ones(n), right[chosen]]))[:n]
        value = r.sum() + ((r - r.mean()) ** 2).sum()
        if (G @ r >= right - 1e-9).all() and value < least:
            best, least = r, value
    return best


@pytest.mark.parametrize("n_problems", [10, *exhaustive(60)])
def test_the_program_has_the_solution_of_an_active_set_method(n_problems):
    rng = np.random.default_rng(3)
    for _ in range(n_problems):
        n, most = int(rng.integers(2, 5)), 3
        sets = np.full((int(rng.integers(1, 5)), most), -1)
        for row in sets:
            size = int(rng.integers(1, min(most, n) + 1))
            row[:size] = np.sort(rng.choice(n, size, replace=False))
        bounds = rng.random(len(sets)) * rng.choice([0.3, 1, 4])
        solution = relevances(sets, bounds, n)
        expected = active_set_solution([s[s >= 0] for s in sets], bounds, n)
        assert solution == pytest.approx(expected, abs=1e-6)


def test_the_program_satisfies_its_bounds():
    sets = np.sort(np.array([RNG.choice(60, 4, replace=False) for _ in range(2000)]), axis=1)
    bounds = RNG.random(2000)
    solution = relevances(sets, bounds, 60)
    assert (solution[sets].sum(axis=1) >= bounds - 1e-8).all()
    assert solution.min() >= 0
    assert solution.max() <= bounds.max()


def test_of_equal_subsets_the_largest_contrast_counts():
    sets = np.array([[0, 1], [0, 1], [2, -1]])
    once = relevances(sets[1:], np.array([0.8, 0.3]), 3)
    assert relevances(sets, np.array([0.2, 0.8, 0.3]), 3).tolist() == once.tolist()
    assert once == pytest.approx([0.4, 0.4, 0.3])


def test_a_feature_in_no_subset_gets_what_the_objective_prefers():
    # The mean of the three is 2, and 1 + 2 (r - mean) = 0 for the last one.
    solution = relevances(np.array([[0, -1], [1, -1]]), np.array([2.25, 2.25]), 3)
    assert solution == pytest.approx([2.25, 2.25, 1.5], abs=1e-6)


def test_contrasts_of_zero_are_relevances_of_zero():
    assert relevances(np.array([[0, 1]]), np.zeros(1), 3).tolist() == [0, 0, 0]


def test_a_program_without_an_optimum_is_an_error():
    sets = np.array([[0, 1], [1, 2]])
    with pytest.raises(DataError, match="has no optimum"):
        relevances(sets, np.array([1e200, 3e199]), 3)


@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_order_is_the_papers_score(target_type):
    part, selector = mixed_part(target_type=target_type), rar(subset_size=2)
    relevance = selector.relevance(part)
    assert relevance.max() == 1
    ranking = sorted(range(6), key=lambda j: (-relevance[j], j))
    contrasts = Contrasts(part, selector.options.slices)
    for place, j in enumerate(ranking):
        red, _ = contrasts.of_place(np.array(ranking), place, 2)
        expected = 2 * relevance[j] * (1 - red) / (relevance[j] + 1 - red)
        assert selector.quality(part).evaluate((j,)) == pytest.approx(expected)
        assert (red == 0) == (place == 0)
    # Feature 3 is a copy of feature 0: the second of them is redundant.
    red, groups = selector.redundancy(part, relevance)
    for place, j in enumerate(ranking):
        assert len(groups[j]) <= 2
        assert bool(groups[j]) == (place > 0)
        assert set(groups[j]) <= set(ranking[:place])
    if target_type == "regression":
        assert max(red[0], red[3]) > max(red[[1, 2, 5]])


def plain_order(relevance, records):
    """Return the features as the authors' code ranks them, and their scores at their turns.

    Nothing is redundant while nothing is ranked. The order is that of the turns.
    """
    ordered = {f: sorted(records[f], key=lambda record: record[1]) for f in range(len(relevance))}
    order, scores = [], []
    while len(order) < len(relevance):
        ranked, score = set(order), {}
        for f in sorted(set(range(len(relevance))) - ranked):
            red = 0.0
            for i, (rest, value) in enumerate(ordered[f] if ranked else []):
                common = rest & ranked
                if not any(common <= other for other, _ in ordered[f][i + 1 :]):
                    red = value
                    break
            total = relevance[f] + 1 - red
            score[f] = 2 * relevance[f] * (1 - red) / total if total else 0.0
        order.append(max(score, key=score.get))
        scores.append(score[order[-1]])
    return order, scores


def test_greedy_scores_follow_their_definition():
    rng = np.random.default_rng(2)
    for _ in range(30):
        n = 6
        relevance = rng.random(n)
        records = [
            sorted(
                (
                    (set(rng.choice(n, 2, replace=False).tolist()), float(rng.random()))
                    for _ in range(int(rng.integers(0, 5)))
                ),
                key=lambda record: record[1],
            )
            for _ in range(n)
        ]
        pointer = np.cumsum([0, *map(len, records)])
        entries = [entry for some in records for entry in some]
        sets = np.array([sorted(s) for s, _ in entries], dtype=np.int64).reshape(-1, 2)
        values = np.array([v for _, v in entries], dtype=np.float64)
        scores, record, turn = greedy_scores(relevance, pointer, sets, values)
        order, expected = plain_order(relevance, records)
        assert np.argsort(turn).tolist() == order
        assert scores[order] == pytest.approx(expected, abs=1e-12)
        redundancy = np.append(values, 0.0)[record]
        assert redundancy[order[0]] == 0
        assert scores == pytest.approx(2 / (1 / relevance + 1 / (1 - redundancy)))


CLEAN2 = {"dataset": "clean2", "exclude": ["molecule_name", "conformation_name"]}
ORDERS = [
    ({"dataset": "ionosphere"}, {"n_subsets": 300, "n_slices": 20}, 2),
    *exhaustive(
        ({"dataset": "ionosphere"}, {"n_subsets": 3000, "n_slices": 20}, 2),
        (CLEAN2, {"n_subsets": 1000, "n_slices": 20}, 1),
    ),
]


@pytest.mark.parametrize(("dataset", "options", "n_seeds"), ORDERS)
def test_leaving_out_ranks_as_the_authors_do(dataset, options, n_seeds, pmlb_cache):
    source = sources.get("pmlb")
    data = make_dataset("data", source("data", source.Options(**dataset), pmlb_cache).load())
    selector = rar(sampling="leave_one_out", slice_share=0.05, **options)
    for seed in range(n_seeds):
        part = Part(data.X, data.y, data.target_type, seed)
        sets, values = selector._sets_and_values(part)
        records = [[] for _ in range(data.X.shape[1])]
        for chosen, row in zip(sets.tolist(), values[:, 1::2].tolist(), strict=True):
            present = [j for j in chosen if j >= 0]
            for j, value in zip(chosen, row, strict=True):
                if j >= 0 and value == value:
                    records[j].append((set(present) - {j}, value))
        expected, _ = plain_order(selector.relevance(part), records)
        assert selector.quality(part).order.tolist() == expected


@pytest.mark.exhaustive
def test_two_features_of_ionosphere_reach_the_papers_score(pmlb_cache):
    source = sources.get("pmlb")
    options = source.Options(dataset="ionosphere")
    data = make_dataset("ionosphere", source("ionosphere", options, pmlb_cache).load())
    settings = {"n_subsets": 3000, "n_slices": 1000, "slice_share": 0.05}
    part = Part(data.X, data.y, data.target_type, 0)
    order = rar(sampling="leave_one_out", **settings).quality(part).order
    scores = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(data.X, data.y):
        model = KNeighborsClassifier(20).fit(data.X[train][:, order[:2]], data.y[train])
        predicted = model.predict(data.X[test][:, order[:2]])
        averages = ("macro", "weighted")
        scores.append([f1_score(data.y[test], predicted, average=a) for a in averages])
    assert np.mean(scores, axis=0) == pytest.approx([0.868, 0.880], abs=5e-4)


def test_pairs_never_take_a_copy_while_another_relevant_feature_is_there():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        a, b = rng.random((2, 200))
        X = np.column_stack([a, a**3, b, rng.random((200, 3))])
        y = (2 * a + b > 1.5).astype(int)
        quality = rar(redundancy="pairs", n_subsets=100).quality(Part(X, y, "binary", seed))
        assert isinstance(quality, Pairwise)
        best = max(combinations(range(6), 2), key=quality.evaluate)
        assert not {0, 1} <= set(best)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "options", [{}, {"sampling": "leave_one_out"}, {"redundancy": "pairs"}], ids=str
)
def test_threads_do_not_change_a_value(options):
    part, selector = mixed_part(), rar(n_subsets=60, **options)
    alone = selector.quality(part)
    with parallel_config(backend="threading", n_jobs=2):
        together = selector.quality(mixed_part())
    for chosen in [(0,), (1, 2), (0, 3, 5)]:
        assert alone.evaluate(chosen) == together.evaluate(chosen)
    qualities = [
        AlternativeFeatures(selector, n_features=2, n_alternatives=1, n_jobs=n_jobs, n_shuffles=2)
        .fit(part.X, part.y)
        .quality_
        for n_jobs in (None, 2)
    ]
    assert qualities[0].evaluate((0, 3)) == qualities[1].evaluate((0, 3))


def test_every_combination_of_options_learns():
    for sampling in ("whole", "leave_one_out"):
        for redundancy in ("order", "pairs", "none"):
            for target_type in ("binary", "regression"):
                options = {"sampling": sampling, "redundancy": redundancy, "n_subsets": 40}
                quality = rar(divergence="all", **options).quality(mixed_part(0, target_type))
                assert isinstance(quality, Pairwise if redundancy == "pairs" else Linear)
                assert np.isfinite(quality.evaluate((0, 1, 2)))


@pytest.mark.parametrize(
    ("options", "n_total", "said"),
    [
        ({"subset_size": 7}, 6, "subset_size: 7 is not possible with 6 features, use sizes"),
        ({"subset_size": (3, 3), "sampling": "leave_one_out"}, 3, "of which one is left out"),
        ({"n_subsets": "auto", "interaction": 6}, 9, "interaction: 6 is more than the 5 features"),
        (
            {"n_subsets": "auto", "interaction": 5, "subset_size": (5, 5)},
            200,
            r"auto needs 75961\d+ subsets for 200 features, at most 10000000 are possible",
        ),
        ({"redundancy": "pairs"}, 10_000_000, "redundancy: pairs of 10000000 features need"),
    ],
)
def test_numbers_of_features_that_do_not_fit_are_refused(options, n_total, said):
    with pytest.raises(DataError, match=said):
        rar(**options).check_features(["x"] * n_total)


@pytest.mark.parametrize(
    "options",
    [
        {"subset_size": 0},
        {"subset_size": (3, 2)},
        {"slice_share": 0},
        {"slice_share": 1.1},
        {"n_subsets": 0},
        {"miss": 1},
        {"redundancy": "both"},
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(AltfsError, match=rf"^{next(iter(options))}: .+ is not allowed, [^\n]+\.$"):
        RarOptions(**options)


def test_what_an_option_takes_besides_numbers_is_said():
    with pytest.raises(AltfsError, match="'many' is not allowed, use a whole number or 'auto'"):
        RarOptions(n_subsets="many")
    with pytest.raises(AltfsError, match="use a whole number, or the smallest and the largest"):
        RarOptions(subset_size=(1, 2, 3))


def test_lines_say_how_many_redundancies_are_known():
    part, stream = Part(np.eye(30, 20), np.arange(30) % 2, "binary", 3), StringIO()
    with lines(stream, 0):
        rar(n_subsets=30).quality(part)
    assert stream.getvalue().splitlines() == [
        f"altfs: {n} of 20 redundancies of features" for n in (16, 20)
    ]


def test_no_slice_at_all_is_refused():
    part = Part(RNG.random((12, 6)), np.arange(12) % 2, "binary", 3)
    selector = rar(n_subsets=1, n_slices=1, subset_size=(6, 6), slice_share=1e-9)
    with pytest.raises(DataError, match="no slice of any subset has a row"):
        selector.quality(part)


def test_the_library_refuses_subsets_larger_than_the_table():
    afs = AlternativeFeatures(rar(subset_size=(3, 3)), n_features=1)
    with pytest.raises(AltfsError, match="subset_size: 3 is not possible with 2 features"):
        afs.fit(RNG.random((30, 2)), np.arange(30) % 2)


@pytest.mark.exhaustive
def test_by_default_the_first_features_hardly_depend_on_the_seed():
    X, y = load_breast_cancer(return_X_y=True)
    firsts = []
    for seed in range(10):
        scores = rar().quality(Part(X, y, "binary", seed)).values
        firsts.append({*np.argsort(-scores, kind="stable")[:5].tolist()})
    n, k = X.shape[1], 5
    kuncheva = [(len(a & b) * n - k * k) / (k * (n - k)) for a, b in combinations(firsts, 2)]
    assert np.mean(kuncheva) >= 0.8


GAMETES = "GAMETES_Epistasis_2_Way_20atts_0.{}H_EDM_1_1"
TRIPLE = {"n_subsets": 5000, "subset_size": (3, 3)}
TRUTHS = [
    (GAMETES.format(4), {"n_subsets": 200, "subset_size": (2, 2)}, 2, 1),
    *exhaustive(
        (GAMETES.format(1), {}, 2, 3),
        (GAMETES.format(4), {}, 2, 3),
        ("GAMETES_Heterogeneity_20atts_1600_Het_0.4_0.2_75_EDM_2_001", {}, 5, 5),
        ("GAMETES_Epistasis_3_Way_20atts_0.2H_EDM_1_1", TRIPLE, 3, 3),
    ),
]


@pytest.mark.parametrize(("name", "options", "among", "n_seeds"), TRUTHS)
def test_features_that_tell_only_together_come_first(name, options, among, n_seeds, pmlb_cache):
    source = sources.get("pmlb")
    data = make_dataset(name, source(name, source.Options(dataset=name), pmlb_cache).load())
    truth = {j for j, feature in enumerate(data.feature_names) if "P" in feature}
    n_first = 0
    for seed in range(n_seeds):
        part = Part(data.X, data.y, data.target_type, seed)
        order = np.argsort(-rar(redundancy="none", **options).relevance(part), kind="stable")
        n_first += truth <= set(order[:among].tolist())
    assert n_first >= (n_seeds if len(truth) == 2 else 0.8 * n_seeds)
