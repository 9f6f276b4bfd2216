"""The HTML of a fitted estimator, and the text of a set."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context

from altfs import AlternativeFeatures
from altfs.errors import NoSignalWarning
from altfs.library.short_names import short_names


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


def test_a_notebook_says_first_whether_there_is_a_signal():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(80, 4)), columns=list("abcd"))
    afs = AlternativeFeatures("mutual_information", n_features=2, n_alternatives=1)
    assert html(afs.fit(X, X["a"] > X["b"])).startswith("<p>The original set is better than ch")
    with pytest.warns(NoSignalWarning):
        afs.fit(X, np.arange(80) % 2)
    assert html(afs).startswith("<p>No signal shown: ")


def test_a_set_prints_its_names_quality_and_status():
    afs = AlternativeFeatures(np.ones(50), n_features=12, n_alternatives=0).fit(np.zeros((2, 50)))
    names = ", ".join(f"x{j}" for j in range(10))
    assert repr(afs.feature_sets_[0]) == f"<FeatureSet {names} and 2 more; quality 12, optimal>"
    assert "10 more" not in html(afs)


def test_long_names_keep_what_tells_them_apart():
    same = "share_of_households_with_children_under_"
    ends = "_years_in_all_parts_of_the_country"
    names = [f"{same}{age}{ends}" for age in (6, 14)] + ["age", same + "x", "share_of_chi..._x"]
    short = short_names(names)
    assert len(set(short.values())) == len(names)
    assert all(len(short[name]) <= 30 for name in names[2:])
    for name, text in short.items():
        start, dots, end = text.partition("...")
        assert text == name or (dots and name.startswith(start) and name.endswith(end))
    # Names that begin and end alike are as long as it takes.
    assert len(short[names[0]]) > 30 and "6" in short[names[0]]
    assert short_names(["a" * 30, "b" * 31])["b" * 31] == "b" * 13 + "..." + "b" * 13
    X = pd.DataFrame(np.zeros((2, 5)), columns=names)
    afs = AlternativeFeatures([5.0, 4, 3, 2, 1], n_features=5, n_alternatives=0).fit(X)
    assert re.findall("<th>(.*?)</th>", html(afs))[3:8] == list(short.values())
    # A chart has the whole names in its data.
    axis = afs.plot().to_dict()["hconcat"][0]["encoding"]["x"]["axis"]
    assert json.dumps(short[names[0]]) in axis["labelExpr"] and axis["labelLimit"] == 0
