"""Means over samples of the rows."""

import numpy as np
import pytest
from scipy.stats import rankdata

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, DataError
from altfs.quality import Linear, Pairwise, Ratio
from altfs.selectors import Part, selectors
from altfs.selectors.base import normalised
from altfs.selectors.resampled import Resampled, ResampledOptions

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 6))
Y = (X[:, 0] + X[:, 1] + RNG.normal(size=120) > 0.5).astype(int)


def made(**options):
    return Resampled(ResampledOptions(**{"number": 4, **options}))


def part(X=X, y=Y, target_type="binary", **more):
    return Part(X, y, target_type, 3, **more)


def test_values_are_means_of_shares_over_halves_of_each_class():
    selector = made(of="f_statistic")
    samples = selector._samples(part())
    assert [np.bincount(s.y).tolist() for s in samples] == [(np.bincount(Y) // 2).tolist()] * 4
    values = [normalised(selectors.make("f_statistic").quality(s).values) for s in samples]
    assert selector.quality(part()).values == pytest.approx(np.mean(values, axis=0))
    assert len({s.X.tobytes() for s in samples}) == 4


@pytest.mark.parametrize(("of", "kind"), [("mrmr", Pairwise), ("cfs", Ratio), ("jmi", Pairwise)])
def test_numbers_of_pairs_are_means(of, kind):
    selector = made(of=of, samples="bootstrap")
    learned = [selectors.make(of).quality(s) for s in selector._samples(part())]
    quality = selector.quality(part())
    assert type(quality) is kind
    assert quality.relevance == pytest.approx(np.mean([q.relevance for q in learned], axis=0))
    assert quality.redundancy == pytest.approx(np.mean([q.redundancy for q in learned], axis=0))


def test_several_selectors_vote_with_their_ranks():
    of = ["correlation", {"type": "mutual_information", "options": {"estimator": "regression"}}]
    quality = made(of=of, samples="all", aggregation="ranks").quality(part())
    correlation, information = (
        selectors.make(name, options).quality(part()).values
        for name, options in (("correlation", {}), (of[1]["type"], of[1]["options"]))
    )
    ranks = [(rankdata(values) - 1) / 5 for values in (correlation, information)]
    assert quality.values == pytest.approx(np.mean(ranks, axis=0))
    assert set(np.argsort(-quality.values)[:2]) == {0, 1}


def test_the_mean_of_several_selectors_is_one_of_their_shares():
    of = ["correlation", "f_statistic"]
    quality = made(of=of, samples="all").quality(part())
    values = [normalised(selectors.make(name).quality(part()).values) for name in of]
    assert quality.values == pytest.approx(np.mean(values, axis=0))


@pytest.mark.parametrize("samples", ["half", "bootstrap"])
def test_orders_of_rows_and_codes_of_classes_do_not_matter(samples):
    selector = made(of="f_statistic", samples=samples)
    values = selector.quality(part()).values
    rows = RNG.permutation(len(Y))
    assert selector.quality(part(X[rows], Y[rows])).values == pytest.approx(values)
    assert selector.quality(part(y=1 - Y)).values == pytest.approx(values)


@pytest.mark.parametrize("samples", ["half", "bootstrap"])
@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_groups_are_drawn_whole(samples, target_type):
    groups = np.repeat(np.arange(24), 5)
    for sample in made(samples=samples)._samples(part(target_type=target_type, groups=groups)):
        counts = np.bincount(sample.groups)
        assert set(counts % 5) == {0}
        assert 12 <= counts.sum() / 5 <= 24


def test_samples_without_a_second_class_are_refused():
    with pytest.raises(DataError, match="groups: a sample of whole groups has rows of one class"):
        made().quality(part(groups=Y.astype(np.int64)))


def test_alternatives_of_mean_values_are_proven():
    selector = {"type": "resampled", "options": {"of": ["mrmr"], "number": 3}}
    afs = AlternativeFeatures(selector, n_features=2, n_alternatives=1, tau=1).fit(X, Y)
    assert [one.status for one in afs.feature_sets_] == ["optimal"] * 2
    assert set(afs.feature_sets_[0].indices) == {0, 1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"of": "forest"}, "of: 'forest' has no numbers of features or pairs"),
        ({"of": "saola"}, "of: 'saola' has no numbers"),
        ({"of": ["resampled"]}, "of: 'resampled' has no numbers"),
        ({"of": "fcbf"}, "of: 'fcbf' forbids other sets on each sample"),
        ({"of": "mrmrr"}, "'mrmrr' is not a known selector"),
        ({"of": [{"type": "mrmr", "options": {"bins": 3}}]}, "of.options.bins"),
        ({"of": []}, "of"),
        ({"of": None}, "of: None is not allowed, use names of selectors"),
        ({"of": ["mrmr", 5]}, "of: .* is not allowed, use names of selectors"),
        ({"of": ["mrmr", "correlation"]}, "others numbers of pairs"),
        ({"of": "mrmr", "aggregation": "ranks"}, "aggregation: 'mrmr' has numbers of pairs"),
        ({"number": 0}, "number"),
    ],
)
def test_other_selectors_are_refused(options, message):
    with pytest.raises(AltfsError, match=message):
        ResampledOptions(**options)


def test_kinds_are_not_mixed():
    with pytest.raises(DataError, match="differences and ratios"):
        made(of=["mrmr", "cfs"]).quality(part())
    different = ["mrmr", {"type": "mrmr", "options": {"diagonal": True}}]
    with pytest.raises(DataError, match="diagonal"):
        made(of=different).quality(part())


def test_columns_are_refused_as_by_its_selectors():
    assert made(of="correlation").takes_categories
    assert not made(of="f_statistic").takes_categories
    categorical = np.zeros(6, dtype=bool)
    categorical[0] = True
    text = {"type": "resampled", "options": {"of": "f_statistic"}}
    with pytest.raises(DataError, match="does not take categories"):
        AlternativeFeatures(text, n_features=2, categorical=[0]).fit(X.round(), Y)


def test_linear_qualities_of_conflicts_keep_them():
    first = Linear([1.0, 2.0, 3.0], np.eye(3, k=1, dtype=bool))
    assert Linear.mean([first, Linear([1.0, 2.0, 5.0])]).conflicts.sum() == 4
