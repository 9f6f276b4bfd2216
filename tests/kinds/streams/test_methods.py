"""Each streaming method, judged by a plain loop or by another library."""

from itertools import pairwise

import numpy as np
import plain
import pytest
from plain import sets_of
from sklearn.linear_model import Lasso, LogisticRegression

from altfs.kinds.streams.measures import FisherZ, GSquare, SymmetricUncertainty
from altfs.kinds.streams.measures.codes import coded
from altfs.kinds.streams.methods.alpha_investing import AlphaInvesting
from altfs.kinds.streams.methods.fast_osfs import FastOsfs
from altfs.kinds.streams.methods.grafting import Grafting
from altfs.kinds.streams.methods.group_saola import GroupSaola
from altfs.kinds.streams.methods.ofs_a3m import OfsA3m
from altfs.kinds.streams.methods.ofs_density import OfsDensity
from altfs.kinds.streams.methods.osfs import Osfs
from altfs.kinds.streams.methods.ossfs_dd import OssfsDd
from altfs.kinds.streams.methods.saola import Saola


def data(seed, n_rows=80, width=14):
    """Columns with copies, near copies and a constant one; a target of two classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, width))
    y = (X[:, :3].sum(axis=1) + rng.normal(size=n_rows) > 0).astype(int)
    for j in range(4, width - 2):
        X[:, j] += X[:, rng.integers(0, 4)] * rng.uniform(0, 3)
    X[:, width - 2] = X[:, 1]
    X[:, width - 1] = 2.0
    return X[:, rng.permutation(width)], y


def numbers_between(measure, X):
    """Functions of the relevance of a feature and of the dependence of two."""
    relevance = measure.dependences(X, range(X.shape[1]))
    kept = measure.kept(X, np.arange(X.shape[1]))

    def between(f, g):
        from altfs.kinds.streams.base import Column

        shelf = measure.shelf()
        shelf.add(Column(g, 1.0, kept[g]))
        return shelf.between(Column(f, 1.0, kept[f]))[0]

    return relevance.__getitem__, between


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("slides", [False, True])
@pytest.mark.parametrize("kind", [FisherZ, SymmetricUncertainty])
def test_saola_is_the_plain_loop(seed, slides, kind):
    X, y = data(seed)
    measure = kind(y, "binary")
    functions = numbers_between(measure, X)
    equal = kind is FisherZ and not slides
    expected = plain.saola(X.shape[1], *functions, equal_loses=equal, touching=slides)
    assert sets_of(Saola(measure, slides), X) == [expected]
    assert expected


def test_saola_with_one_group_for_each_column_needs_no_groups():
    X, y = data(1, n_rows=203)
    measure = FisherZ(y, "binary")
    plain_one, one_each = GroupSaola(measure), GroupSaola(measure, group_size=1)
    assert sets_of(plain_one, X, n_sets=3) == sets_of(one_each, X, n_sets=3)
    assert plain_one.tests == one_each.tests == X.shape[1]


@pytest.mark.parametrize("seed", range(4))
def test_no_two_features_of_saola_exclude_each_other_in_fcbf(seed):
    """Neither tells more about the other than about the target, by the same measure."""
    X, y = data(seed, width=20)
    measure = SymmetricUncertainty(y, "binary")
    relevance, between = numbers_between(measure, X)
    (chosen,) = sets_of(Saola(measure), X)
    for f in chosen:
        for g in chosen:
            if f != g and relevance(f) != relevance(g):
                assert between(f, g) <= min(relevance(f), relevance(g))


@pytest.mark.parametrize("seed", range(3))
def test_a_group_of_each_column_is_saola(seed):
    X, y = data(seed)
    one = SymmetricUncertainty(y, "binary")
    # Between groups, the new one of two equal features stays.
    relevance = one.dependences(X, range(X.shape[1]))
    distinct = np.unique(relevance, return_index=True)[1]
    X = X[:, np.sort(distinct)]
    assert sets_of(GroupSaola(one, group_size=1), X) == sets_of(Saola(one), X)


def plain_groups(groups, relevance, between, slides):
    kept = []
    for group in groups:
        new = []
        for f in filter(relevance, group):
            for g in list(new):
                r, least = between(f, g), min(relevance(f), relevance(g))
                close = r >= least if slides else r > least
                if not (r and close):
                    continue
                if relevance(g) > relevance(f) or (relevance(g) == relevance(f) and not slides):
                    break
                if relevance(f) > relevance(g):
                    new.remove(g)
            else:
                new.append(f)
        refused = set()
        for old in kept:
            gone = set()
            for f in new:
                if slides and f in refused:
                    continue
                for g in old:
                    r, least = between(f, g), min(relevance(f), relevance(g))
                    if not r or not (r >= least if slides else r > least):
                        continue
                    if relevance(g) > relevance(f):
                        refused.add(f)
                        break
                    if relevance(f) > relevance(g) or not slides:
                        gone.add(g)
            old[:] = [g for g in old if g not in gone]
        kept = [old for old in [*kept, [f for f in new if f not in refused]] if old]
    return [f for group in kept for f in group]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("slides", [False, True])
def test_group_saola_is_the_plain_loop(seed, slides):
    X, y = data(seed, width=24)
    measure = FisherZ(y, "binary", alpha=0.1)
    groups = [range(a, min(a + 5, 24)) for a in range(0, 24, 5)]
    expected = plain_groups(groups, *numbers_between(measure, X), slides)
    assert sets_of(GroupSaola(measure, group_size=5, slides=slides), X) == [expected]
    assert expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("method", "loop"), [(Osfs, plain.osfs), (FastOsfs, plain.fast_osfs)])
def test_osfs_with_fisher_z_tries_all_subsets(seed, method, loop):
    X, y = data(seed, n_rows=120, width=10)
    measure = FisherZ(y, "binary")

    def independent(f, given):
        r = plain.partial_correlation(X[:, f], y.astype(float), [X[:, g] for g in given])
        return abs(r) < measure.cutoffs[len(given)]

    for most in (1, 3):
        assert sets_of(method(measure, most), X) == [loop(10, independent, most)]


@pytest.mark.parametrize(("method", "loop"), [(Osfs, plain.osfs), (FastOsfs, plain.fast_osfs)])
def test_osfs_with_g_square_tries_all_subsets(method, loop):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 7)).astype(float)
    y = (X[:, :3].sum(axis=1) + rng.integers(0, 2, 400) > 1).astype(int)
    X[:, 4] = np.where(rng.random(400) < 0.9, X[:, 0], X[:, 4])
    measure = GSquare(y, "binary")
    codes = [coded(x) for x in X.T]

    def independent(f, given):
        return measure.independent(codes[f], measure.target.own, [codes[g] for g in given])

    (found,) = sets_of(method(measure), X)
    assert found == loop(7, independent)
    assert 2 <= len(found) < 7


def test_alpha_investing_accepts_what_skfeature_accepts():
    from skfeature.function.streaming.alpha_investing import alpha_investing

    for seed in range(5):
        X, y = data(seed)
        assert (
            sets_of(AlphaInvesting(y, "binary"), X)[0] == alpha_investing(X, y, 0.5, 0.5).tolist()
        )


def test_two_classes_are_the_same_as_one_indicator():
    X, y = data(1)
    both = AlphaInvesting(y, "multiclass")
    assert sets_of(both, X) == sets_of(AlphaInvesting(y, "binary"), X)
    assert both.objective(X[:, :3]) == pytest.approx(
        AlphaInvesting(y, "binary").objective(X[:, :3])
    )


@pytest.mark.parametrize("target_type", ["binary", "multiclass", "regression"])
def test_grafting_reaches_the_batch_problem_of_its_set(target_type):
    X, y = data(2, n_rows=120)
    if target_type != "binary":
        y = y + (X[:, 2] > 1) if target_type == "multiclass" else X[:, :3].sum(axis=1) + y
    method = Grafting(y, target_type)
    state = method.state()
    for _, group in method.arrivals(X, range(14), np.arange(14), ()):
        state.offer(group)
    chosen = [column.number for column in state.columns]
    Z = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    if target_type == "regression":
        batch = Lasso(alpha=0.05, tol=1e-10, max_iter=100_000).fit(Z[:, chosen], y)
        weights = batch.coef_[:, None]
    else:
        batch = LogisticRegression(
            C=1 / (0.05 * len(y)), l1_ratio=1, solver="saga", tol=1e-9, max_iter=100_000
        ).fit(Z[:, chosen], y)
        weights = batch.coef_.T
    assert np.abs(weights - state.weights).max() < 1e-4
    assert (state.weights != 0).any(axis=1).all()
    assert 3 <= len(chosen) < 14
    # The set is that of the problem with all columns if a second pass adds nothing.
    slopes = np.abs(Z.T @ state.errors / len(y)).max(axis=1)
    assert (slopes[chosen] < 0.05 + 1e-8).all()


def plain_gamma(X, classes, by_density):
    used = X[:, X.std(axis=0) > 0]
    if not used.shape[1]:
        return 0.0
    used = used / used.std(axis=0)
    shares, n = [], len(X)
    for i in range(n):
        d = np.sqrt(((used - used[i]) ** 2).sum(axis=1))
        order = [j for j in np.argsort(d.round(10), kind="stable") if j != i]
        away = d.round(10)[order]
        widest = 1.5 * (away[-1] - away[0]) / (n - 2)
        count = 1
        for (a, b), j in zip(pairwise(away), range(1, n), strict=False):
            if by_density:
                going = b == 0 or b / (j + 1) <= a / j * (1 + 1e-9)
            else:
                going = b - a < widest * (1 - 1e-9)
            if not going:
                break
            count += 1
        shares.append((classes[order[:count]] == classes[i]).mean())
    return float(np.mean(shares))


def plain_rough(X, y, by_density, tolerance=0.05):
    def gamma(s):
        return round(plain_gamma(X[:, sorted(s)], y, by_density), 9) if s else 0.0

    chosen = []
    for f in range(X.shape[1]):
        own, now = gamma([f]), gamma(chosen)
        if by_density:
            mean = np.mean([gamma([g]) for g in chosen]) if chosen else 0
            if own < mean - 1e-12 or np.ptp(X[:, f]) == 0:
                continue
        elif own <= now / max(len(chosen), 1):
            continue
        after = gamma([*chosen, f])
        if after > now:
            chosen.append(f)
        elif after == now or (by_density and now and abs(after - now) / now <= tolerance):
            before = [*chosen, f]
            left = list(before)
            for g in sorted(chosen, key=lambda g: (gamma([g]), g)):
                without = gamma([h for h in left if h != g])
                if without == gamma(left) or (by_density and without > gamma(left)):
                    left.remove(g)
            chosen = before if by_density and gamma(left) < now else left
    return chosen


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("method", "by_density"), [(OfsA3m, False), (OfsDensity, True)])
def test_neighbourhoods_are_those_of_sorted_distances(method, by_density, whole):
    X, y = data(0, n_rows=30, width=8)
    X = np.rint(X) if whole else X
    judge = method(y, "binary")
    for s in ([0], [1, 4], [2, 3, 5, 7]):
        expected = plain_gamma(X[:, s], y, by_density)
        assert judge.objective(X[:, s]) == pytest.approx(expected, abs=1e-9)
    assert sets_of(method(y, "binary"), X) == [plain_rough(X, y, by_density)]


def test_a_sample_of_rows_has_the_shares_of_the_classes():
    y = np.repeat([0, 1, 2], [700, 200, 100])
    method = OfsA3m(y, "multiclass", max_rows=100, seed=3)
    assert np.bincount(method.classes).tolist() == [70, 20, 10]
    assert np.array_equal(y[method.rows], method.classes)
    again = OfsA3m(y, "multiclass", max_rows=100, seed=4)
    assert not np.array_equal(again.rows, method.rows)


def plain_ossfs(X, y, pool_size, sigmas):
    """OSSFS-DD in the words of its formulas."""
    codes = [coded(x).values for x in X.T]

    def gamma(f):
        return plain.uncertainty(codes[f], y)

    def joint(f, g):
        h = plain.entropy
        x, z = codes[f], codes[g]
        return gamma(f) + h(x, z) - h(z) - h(x, y, z) + h(y, z)

    chosen, pool, seen = [], [], []
    for f in range(X.shape[1]):
        seen.append(gamma(f))
        if len(seen) < 3:
            continue
        low, high = (np.mean(seen) + k * np.std(seen, ddof=1) for k in sigmas)
        if gamma(f) > low:
            if gamma(f) >= high:
                chosen.append(f)
                for g in chosen[:-1]:
                    if joint(g, f) < 2 * high:
                        if gamma(f) < gamma(g):
                            chosen.remove(f)
                            break
                        chosen.remove(g)
            else:
                pool.append(f)
        if len(pool) >= pool_size or f == X.shape[1] - 1:
            both = set()
            for i, a in enumerate(pool):
                b = next((b for b in pool[i + 1 :] if joint(a, b) > 2 * high), None)
                both |= set() if b is None else {a, b}
            chosen += [f for f in pool if f in both]
            pool = []
    return chosen


def test_ossfs_dd_follows_its_formulas():
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, size=(60, 24)).astype(float)
        y = ((X[:, 20] + X[:, 21] + rng.integers(0, 2, 60)) > 2).astype(int)
        X[:, 10:14] = np.where(rng.random((60, 4)) < 0.6, y[:, None], X[:, 10:14])
        for pool, sigmas in ((100, (1, 2)), (4, (-1, 0.5))):
            expected = plain_ossfs(X, y, pool, sigmas)
            assert sets_of(OssfsDd(y, "binary", *sigmas, pool=pool), X) == [expected]
            found.append(len(expected))
    assert max(found) > 2
