"""Each streaming method, judged by a plain loop or by another library."""

from itertools import pairwise

import numpy as np
import plain
import pytest
from plain import begun, dependences, sets_of
from sklearn.linear_model import Lasso, LogisticRegression

from altfs.kinds.streams.base import StreamColumn
from altfs.kinds.streams.measures import FisherZ, GSquare, SymmetricUncertainty
from altfs.kinds.streams.measures.counts import coded
from altfs.kinds.streams.selectors.alpha_investing import AlphaInvesting
from altfs.kinds.streams.selectors.fast_osfs import FastOsfs
from altfs.kinds.streams.selectors.grafting import Grafting
from altfs.kinds.streams.selectors.group_saola import GroupSaola
from altfs.kinds.streams.selectors.ofs_a3m import OfsA3m
from altfs.kinds.streams.selectors.ofs_density import OfsDensity
from altfs.kinds.streams.selectors.osfs import Osfs
from altfs.kinds.streams.selectors.ossfs_dd import OssfsDd
from altfs.kinds.streams.selectors.saola import Saola


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
    relevance = dependences(measure, X)
    values = {j: kept for j, _, kept in measure.relevant(X, range(X.shape[1]))}

    def between(f, g):
        members = measure.members()
        members.append(StreamColumn(g, 1.0, values[g]))
        return members.between(StreamColumn(f, 1.0, values[f]))[0]

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
    names = {FisherZ: "fisher_z", SymmetricUncertainty: "symmetric_uncertainty"}
    options = {"measure": names[kind], "rule": "slides" if slides else "code"}
    assert sets_of(begun(Saola, y, **options), X) == [expected]
    assert expected


def test_saola_with_one_group_for_each_column_needs_no_groups():
    X, y = data(1, n_rows=203)
    plain_one, one_each = begun(GroupSaola, y), begun(GroupSaola, y, group_size=1)
    assert sets_of(plain_one, X, n_sets=3) == sets_of(one_each, X, n_sets=3)
    assert plain_one.tests == one_each.tests == X.shape[1]


@pytest.mark.parametrize("seed", range(4))
def test_no_two_features_of_saola_exclude_each_other_in_fcbf(seed):
    """Neither tells more about the other than about the target, by the same measure."""
    X, y = data(seed, width=20)
    measure = SymmetricUncertainty(y, "binary")
    relevance, between = numbers_between(measure, X)
    (chosen,) = sets_of(begun(Saola, y, measure="symmetric_uncertainty"), X)
    for f in chosen:
        for g in chosen:
            if f != g and relevance(f) != relevance(g):
                assert between(f, g) <= min(relevance(f), relevance(g))


@pytest.mark.parametrize("seed", range(3))
def test_a_group_of_each_column_is_saola(seed):
    X, y = data(seed)
    # Between groups, the new one of two equal features stays.
    relevance = dependences(SymmetricUncertainty(y, "binary"), X)
    distinct = np.unique(relevance, return_index=True)[1]
    X = X[:, np.sort(distinct)]
    options = {"measure": "symmetric_uncertainty"}
    one_each = begun(GroupSaola, y, group_size=1, **options)
    assert sets_of(one_each, X) == sets_of(begun(Saola, y, **options), X)


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
    options = {"alpha": 0.1, "group_size": 5, "rule": "slides" if slides else "code"}
    assert sets_of(begun(GroupSaola, y, **options), X) == [expected]
    assert expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("selector", "loop"), [(Osfs, plain.osfs), (FastOsfs, plain.fast_osfs)])
def test_osfs_with_fisher_z_tries_all_subsets(seed, selector, loop):
    X, y = data(seed, n_rows=120, width=10)
    measure = FisherZ(y, "binary")

    def independent(f, given):
        r = plain.partial_correlation(X[:, f], y.astype(float), [X[:, g] for g in given])
        return abs(r) < measure.cutoffs[len(given)]

    for most in (1, 3):
        reader = begun(selector, y, max_conditioning=most)
        assert sets_of(reader, X) == [loop(10, independent, most)]


@pytest.mark.parametrize(("selector", "loop"), [(Osfs, plain.osfs), (FastOsfs, plain.fast_osfs)])
def test_osfs_with_g_square_tries_all_subsets(selector, loop):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 7)).astype(float)
    y = (X[:, :3].sum(axis=1) + rng.integers(0, 2, 400) > 1).astype(int)
    X[:, 4] = np.where(rng.random(400) < 0.9, X[:, 0], X[:, 4])
    measure = GSquare(y, "binary")
    codes = [coded(x) for x in X.T]

    def independent(f, given):
        return measure.independent(codes[f], [codes[g] for g in given])

    (found,) = sets_of(begun(selector, y, measure="g2"), X)
    assert found == loop(7, independent)
    assert 2 <= len(found) < 7


def test_alpha_investing_accepts_what_skfeature_accepts():
    from skfeature.function.streaming.alpha_investing import alpha_investing

    for seed in range(5):
        X, y = data(seed)
        (columns,) = sets_of(begun(AlphaInvesting, y), X)
        assert columns == alpha_investing(X, y, 0.5, 0.5).tolist()


def test_two_classes_are_the_same_as_one_indicator():
    X, y = data(1)
    both, one = begun(AlphaInvesting, y, "multiclass"), begun(AlphaInvesting, y)
    assert sets_of(both, X) == sets_of(one, X)
    assert both.objective(X[:, :3]) == pytest.approx(one.objective(X[:, :3]))


@pytest.mark.parametrize("target_type", ["binary", "multiclass", "regression"])
def test_grafting_reaches_the_batch_problem_of_its_set(target_type):
    X, y = data(2, n_rows=120)
    if target_type != "binary":
        y = y + (X[:, 2] > 1) if target_type == "multiclass" else X[:, :3].sum(axis=1) + y
    reader = begun(Grafting, y, target_type)
    members = reader.empty_set()
    for _, group in reader.arrivals(X, range(14), np.arange(14), ()):
        members.offer(group)
    chosen = [column.number for column in members.columns]
    Z = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    if target_type == "regression":
        batch = Lasso(alpha=0.05, tol=1e-10, max_iter=100_000).fit(Z[:, chosen], y)
        weights = batch.coef_[:, None]
    else:
        batch = LogisticRegression(
            C=1 / (0.05 * len(y)), l1_ratio=1, solver="saga", tol=1e-9, max_iter=100_000
        ).fit(Z[:, chosen], y)
        weights = batch.coef_.T
    assert np.abs(weights - members.weights).max() < 1e-4
    assert (members.weights != 0).any(axis=1).all()
    assert 3 <= len(chosen) < 14
    # The set is that of the problem with all columns if a second pass adds nothing.
    slopes = np.abs(Z.T @ members.errors / len(y)).max(axis=1)
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
@pytest.mark.parametrize(("selector", "by_density"), [(OfsA3m, False), (OfsDensity, True)])
def test_neighbourhoods_are_those_of_sorted_distances(selector, by_density, whole):
    X, y = data(0, n_rows=30, width=8)
    X = np.rint(X) if whole else X
    judge = begun(selector, y)
    for s in ([0], [1, 4], [2, 3, 5, 7]):
        expected = plain_gamma(X[:, s], y, by_density)
        assert judge.objective(X[:, s]) == pytest.approx(expected, abs=1e-9)
    assert sets_of(begun(selector, y), X) == [plain_rough(X, y, by_density)]


def test_a_sample_of_rows_has_the_shares_of_the_classes():
    y = np.repeat([0, 1, 2], [700, 200, 100])
    reader = begun(OfsA3m, y, "multiclass", max_rows=100, seed=3)
    assert np.bincount(reader.classes).tolist() == [70, 20, 10]
    assert np.array_equal(y[reader.rows], reader.classes)
    again = begun(OfsA3m, y, "multiclass", max_rows=100, seed=4)
    assert not np.array_equal(again.rows, reader.rows)


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
            options = {"sigma_low": sigmas[0], "sigma_high": sigmas[1], "pool": pool}
            assert sets_of(begun(OssfsDd, y, **options), X) == [expected]
            found.append(len(expected))
    assert max(found) > 2
