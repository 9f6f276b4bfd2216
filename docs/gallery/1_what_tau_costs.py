"""What alternatives cost: the quality of each set, by the dissimilarity that is asked for."""

import altair as alt
import pandas as pd
from sklearn.datasets import load_breast_cancer

from altfs import AlternativeFeatures

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
rows = []
for tau in ("0.2", "0.4", "0.6", "0.8", "1"):
    afs = AlternativeFeatures("model_gain", n_features=5, n_alternatives=4, tau=tau).fit(X, y)
    best = afs.feature_sets_[0].train_objective
    rows += [
        {"tau": tau, "alternative": i, "share of the best": found.train_objective / best}
        for i, found in enumerate(afs.feature_sets_)
    ]
chart = (
    alt.Chart(pd.DataFrame(rows), width=420, height=260)
    .mark_line(point=True)
    .encode(x="alternative:O", y="share of the best:Q", color="tau:N")
)
