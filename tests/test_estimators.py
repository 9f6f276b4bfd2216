"""The scikit-learn door: its manners, and that it says what the searches say."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from altfs import AlternativeFeatures
from altfs.searches import searches
from altfs.selectors import selectors

COMBINATIONS = [
    AlternativeFeatures(selector, search, **sizes)
    for selector in selectors.names()
    for search in searches.names()
    for sizes in ({}, {"n_features": 1, "n_alternatives": 1})
]


@parametrize_with_checks(COMBINATIONS)
def test_it_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)
