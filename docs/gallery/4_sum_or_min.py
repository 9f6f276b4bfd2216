"""Sum or minimum: the best total, or the best worst set."""

import altair as alt
import pandas as pd

from altfs import quality, search_simultaneously

q = quality.Linear([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
rows = []
for aggregation in ("sum", "min"):
    result = search_simultaneously(
        q, n_features=3, n_alternatives=2, tau=1, aggregation=aggregation
    )
    rows += [
        {"aggregation": aggregation, "features": str(set_), "quality": value}
        for set_, value in zip(result.sets, result.objectives, strict=True)
    ]
chart = (
    alt.Chart(pd.DataFrame(rows), width=200, height=220)
    .mark_bar(color="#D55E00")
    .encode(
        x=alt.X("features:N", sort="-y", title="Feature set"),
        y=alt.Y("quality:Q", title="Quality"),
        column=alt.Column("aggregation:N", title=None),
    )
    .resolve_scale(x="independent")
)
