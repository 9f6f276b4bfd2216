"""OFS, with partial inputs too, and SOFS, judged by plain loops over all columns."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from altfs.kinds.streams.selectors.ofs import Ofs
from altfs.kinds.streams.selectors.ofs_partial import OfsPartial
from altfs.kinds.streams.selectors.sofs import Sofs
from altfs.quality import Linear
from altfs.searches.request import Request
from altfs.searches.sequential import search_sequentially


def plain_kept(order, others, size, shared):
    """The first columns of an order that share few with each other support."""
    kept, common = [], [0] * len(others)
    for j in order:
        inside = [j in other for other in others]
        if len(kept) < size and all(
            not a or c < shared for a, c in zip(inside, common, strict=True)
        ):
            kept.append(j)
            common = [c + a for c, a in zip(common, inside, strict=True)]
    return kept


class Plain:
    """A method in the words of its paper; every row goes through all columns."""

    def __init__(self, n_columns, n_vectors, n_sets, size, shared):
        self.W = np.zeros((n_sets, n_vectors, n_columns))
        self.size, self.shared = size, shared
        self.mistakes = [0] * n_sets
        self.drawn = None

    def supports(self):
        return [np.flatnonzero((w != 0).any(axis=0)).tolist() for w in self.W]

    def seen(self, i, x):
        return x

    def rank(self, i):
        return -np.abs(self.W[i]).sum(axis=0)

    def learn(self, x, signs):
        changed = False
        for i in range(len(self.W)):
            before = self.supports()[i]
            seen = self.seen(i, x)
            scores = self.W[i] @ seen
            wrong = signs[0] != (1 if scores[0] > 0 else -1)
            self.mistakes[i] += wrong if len(signs) == 1 else signs[np.argmax(scores)] < 0
            hit = self.update(i, seen, scores, signs)
            if hit or changed:
                order = np.argsort(self.rank(i), kind="stable").tolist()
                kept = plain_kept(order, self.supports()[:i], self.size, self.shared)
                self.W[i][:, np.setdiff1d(np.arange(len(x)), kept)] = 0
            changed |= self.supports()[i] != before


class PlainOfs(Plain):
    eta, penalty, radius = 0.2, 0.01, 10.0
    decay, truncation, epsilon = "always", False, None

    def seen(self, i, x):
        if self.drawn is None:
            return x
        features = self.supports()[i] if self.drawn[0] < 0 else self.drawn
        return np.where(np.isin(np.arange(len(x)), features), x, 0)

    def update(self, i, x, scores, signs):
        hit = False
        share = 1 - self.penalty * self.eta
        had = (self.W[i] != 0).any(axis=0)
        for c, y in enumerate(signs):
            w = self.W[i, c]
            if y * scores[c] > (0 if self.truncation else 1):
                w *= share if self.decay == "always" and not self.truncation else 1
                continue
            hit = True
            if self.truncation:
                w += y * x
                continue
            step = x
            if self.epsilon is not None:
                step = x / (self.size * self.epsilon / len(x) + had * (1 - self.epsilon))
            w *= share if self.epsilon is None else 1
            w += self.eta * y * step
            w *= min(1, self.radius / max(np.linalg.norm(w), 1e-300))
        return hit


class PlainSofs(Plain):
    def rank(self, i):
        return self.S[i].sum(axis=0)

    def update(self, i, x, scores, signs):
        if not hasattr(self, "S"):
            self.S = np.ones_like(self.W)
        hit = False
        for c, y in enumerate(signs):
            if y * scores[c] < 1:
                hit, S = True, self.S[i, c]
                beta = 1 / ((S * x**2).sum() + 1)
                self.W[i, c] += (1 - y * scores[c]) * beta * y * S * x
                S /= 1 + S * x**2
        return hit


def table(seed, n_rows=120, width=12, n_classes=2, share=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, width)) * rng.uniform(0.3, 3, width)
    X[rng.random(X.shape) > share] = 0
    scores = X @ rng.normal(size=(width, n_classes)) + rng.normal(size=(n_rows, n_classes))
    return X, scores.argmax(axis=1)


CASES = {
    "ofs": (Ofs, {}, PlainOfs, {}),
    "ofs_updates": (Ofs, {"decay": "updates"}, PlainOfs, {"decay": "updates"}),
    "ofs_truncation": (Ofs, {"rule": "truncation"}, PlainOfs, {"truncation": True}),
    "ofs_partial": (OfsPartial, {}, PlainOfs, {"decay": "updates", "penalty": 0.0, "epsilon": 0.2}),
    "sofs": (Sofs, {}, PlainSofs, {}),
}


@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", CASES)
def test_learners_are_the_plain_loop(name, n_classes, share):
    kind, options, loop, changes = CASES[name]
    selector = kind(kind.Options(**options))
    X, y = table(1, n_classes=n_classes, share=share)
    n_vectors = 1 if n_classes == 2 else n_classes
    learners = selector.begin(n_classes, 3, 4, 2, seed=3)
    plain = loop(12, n_vectors, 3, 4, 2)
    vars(plain).update(changes)
    chance = np.random.RandomState(3)
    given = csr_array(X) if share < 1 else X
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        if name == "ofs_partial":
            explores = chance.random_sample() < 0.2
            plain.drawn = chance.permutation(12)[:4] if explores else np.full(4, -1)
        plain.learn(
            x, [2 * label - 1] if n_classes == 2 else np.where(np.arange(3) == label, 1, -1)
        )
        learners.learn_rows(given[t : t + 1], y[t : t + 1])
        assert [list(s) for s in learners.sets()] == plain.supports()
        for i, features in enumerate(learners.sets()):
            assert len(features) <= 4
            assert all(len(set(features) & set(other)) <= 2 for other in learners.sets()[:i])
    assert np.allclose(learners.weights[:, :, :12], plain.W, rtol=1e-9, atol=1e-12)
    assert learners.mistakes.tolist() == plain.mistakes
    assert all(learners.sets())
    whole = selector.begin(n_classes, 3, 4, 2, seed=3)
    whole.learn_rows(given, y)
    assert np.array_equal(whole.weights[:, :, :12], learners.weights[:, :, :12])
    assert whole.updates == learners.updates > 0
    alone = selector.begin(n_classes, 1, 4, 0, seed=3)
    alone.learn_rows(given, y)
    assert np.array_equal(alone.weights[0], whole.weights[0])


def test_an_alternative_has_the_best_features_that_sequential_search_finds():
    """If the sets before it are disjoint, taking features in order of their weights is optimal."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        values = rng.permutation(np.arange(1.0, 13))
        first, second = np.split(rng.permutation(12)[:8], 2)
        kept = plain_kept(np.argsort(-values).tolist(), [set(first), set(second)], 4, 2)
        best = search_sequentially(
            Linear(values), n_features=4, n_alternatives=0, max_overlap=2,
            given=[first.tolist(), second.tolist()],
        )  # fmt: skip
        assert tuple(sorted(kept)) == best.sets[0]


def test_small_sets_are_read_with_the_overlap_of_their_sizes():
    X, y = table(0, width=6)
    learners = Ofs().begin(2, 2, 5, 3)
    learners.learn_rows(X, y)
    assert [len(s) for s in learners.sets()] == [5, 4]
    overlap = Request(n_features=5, n_alternatives=1, tau=0.4).problem(Linear(np.ones(6))).overlap
    first, second = map(set, learners.sets(overlap))
    assert len(first & second) <= overlap(len(first), len(second)) < 3


def test_equal_squares_are_a_reason_for_doubt():
    X, y = table(0)
    raw, scaled = Sofs().begin(2, 1, 3, 0), Sofs().begin(2, 1, 3, 0)
    raw.learn_rows(X, y)
    scaled.learn_rows((X - X.mean(axis=0)) / X.std(axis=0), y)
    assert not raw.doubt()
    assert "'sofs' cannot tell them apart" in scaled.doubt()
