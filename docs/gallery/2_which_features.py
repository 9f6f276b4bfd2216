"""Which features the sets hold: a row for every set, a column for every feature."""

import altair as alt
import pandas as pd
from sklearn.datasets import load_wine

from altfs import AlternativeFeatures

X, y = load_wine(return_X_y=True, as_frame=True)
afs = AlternativeFeatures(n_features=4, n_alternatives=4, tau=0.5).fit(X, y)
rows = [
    {"set": "original" if i == 0 else f"alternative {i}", "feature": name}
    for i, found in enumerate(afs.feature_sets_)
    for name in found.names
]
chart = (
    alt.Chart(pd.DataFrame(rows), height=alt.Step(26))
    .mark_rect(stroke="white", color="#0072b2")
    .encode(x=alt.X("feature:N", sort=None), y=alt.Y("set:N", sort=None))
)
