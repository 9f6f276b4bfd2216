"""The HTML of a fitted estimator, and the text of a set."""

import re

import numpy as np
import pandas as pd
from sklearn import config_context

from altfs import AlternativeFeatures


def html(afs):
    return afs._repr_mimebundle_()["text/html"]


def test_a_notebook_shows_the_sets_as_a_matrix():
    X = pd.DataFrame(np.zeros((2, 4)), columns=["a", "<b>", "c", "d"])
    afs = AlternativeFeatures([4.0, 3.0, 2.0, 1.0], n_features=2, max_overlap=1)
    assert "<th>set</th>" not in html(afs)
    text = html(afs.fit(X))
    # Features of many sets come first, and names are escaped.
    heads = re.findall("<th>(.*?)</th>", text)[:6]
    assert heads == ["set", "quality", "status", "a", "&lt;b&gt;", "c"]
    cells = re.findall("<td>(.*?)</td>", text)[:12]
    first, second = cells[:6], cells[6:]
    assert first == ["original", "7", "optimal", "●", "●", "·"]
    assert second == ["alternative 1", "6", "optimal", "●", "·", "●"]
    assert "2 of 2 sets are proven to be optimal." in text
    assert afs._repr_html_().startswith(text[: text.index("2 of 2")])
    with config_context(display="text"):
        assert "text/html" not in afs._repr_mimebundle_()


def test_a_set_prints_its_names_quality_and_status():
    afs = AlternativeFeatures(np.ones(50), n_features=12, n_alternatives=0).fit(np.zeros((2, 50)))
    names = ", ".join(f"x{j}" for j in range(10))
    assert repr(afs.feature_sets_[0]) == f"<FeatureSet {names} and 2 more; quality 12, optimal>"
    assert "10 more" not in html(afs)
