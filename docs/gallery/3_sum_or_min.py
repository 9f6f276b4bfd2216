"""Sum or minimum: the best family in total, or the one whose worst set is best."""

import altair as alt
import pandas as pd

from altfs import quality, search_simultaneously

q = quality.Linear([0.50, 0.32, 0.27, 0.20, 0.16, 0.11, 0.09, 0.05])
rows = []
for aggregation in ("sum", "min"):
    result = search_simultaneously(
        q, n_features=3, n_alternatives=3, max_overlap=1, aggregation=aggregation
    )
    rows += [
        {"aggregation": aggregation, "set": str(set_), "quality": value}
        for set_, value in zip(result.sets, result.objectives, strict=True)
    ]
chart = (
    alt.Chart(pd.DataFrame(rows), width=200, height=220)
    .mark_bar(color="#d55e00")
    .encode(x=alt.X("set:N", sort="-y"), y="quality:Q", column="aggregation:N")
    .resolve_scale(x="independent")
)
