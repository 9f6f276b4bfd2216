"""The uses that the documentation offers pass a strict type check: mypy reads this file, too."""

import pandas as pd

from altfs import (
    AlternativeFeatures,
    Constraints,
    FeatureSet,
    Group,
    quality,
    search_sequentially,
)

X = pd.DataFrame({name: [float(j), 1.0] for j, name in enumerate("abcd")})


def test_features_by_name_and_by_number() -> None:
    for constraints in (
        Constraints(
            include=["a"],
            exclude=("d",),
            costs={"a": 1.0, "c": 9},
            budget=2,
            groups=[Group(("a", "b"), at_least=1)],
            exclusive=(("b", "c"),),
        ),
        Constraints((0,), (3,), (Group((0, 1), 1),), (1, 0, 9.0, 0), 2, exclusive=[(1, 2)]),
    ):
        afs = AlternativeFeatures([0.4, 0.3, 0.2, 0.1], n_features=2, constraints=constraints)
        first: FeatureSet = afs.set_params(n_alternatives=0).fit(X).feature_sets_[0]
        names: tuple[str, ...] = first.names
        assert list(first) == list(names) == ["a", "b"]


def test_sets_of_another_fit_and_sizes() -> None:
    afs = AlternativeFeatures([0.4, 0.3, 0.2, 0.1], n_features=(1, 2), tau=1).fit(X)
    again = AlternativeFeatures([0.4, 0.3, 0.2, 0.1], n_features=1, given=afs.feature_sets_[:1])
    assert again.set_params(n_alternatives=0, tau=1).fit(X).feature_sets_[0].indices == (2,)
    assert again.all_optimal()[0].status == "optimal"


def test_a_search_returns_typed_sets() -> None:
    found = search_sequentially(
        quality.Linear([0.3, 0.2, 0.1]), n_features=1, n_alternatives=1, tau="0.5"
    )
    sets: list[tuple[int, ...]] = found.sets
    assert sets == [(0,), (1,)]
