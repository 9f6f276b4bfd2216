"""Features that stand in for others in the second explanations of single rows."""

from collections import Counter

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results
from altfs.kinds.rows.comparison import stand_in_counts
from altfs.kinds.rows.explained_runs import explained_rows, explained_runs, main_run
from altfs.kinds.rows.figures._explained import NOTHING_EXPLAINED
from altfs.kinds.rows.kind import has_explanations

_TITLE = "Features that stand in for others"
# The largest number of pairs of features in a panel.
_MOST = 6


@figures.add(place=147, applies=has_explanations)
def explanations_stand_ins(results: Results, tables: Tables) -> Chart:
    """Draw the most frequent pairs, a panel per dataset and method."""
    data = stand_in_shares(results)
    if data.empty:
        words = "No second explanation is as good as the first one."
        words = words if len(explained_rows(results)) else NOTHING_EXPLAINED
        return draw.absent(_TITLE, words)
    bars = alt.Chart().mark_bar(color="#0072B2").encode(
        x=alt.X("share:Q", title="Share of the explained rows", axis=alt.Axis(format="%")),
        y=alt.Y("pair:N", title=None, sort="-x", axis=alt.Axis(labelLimit=150)),
        tooltip=draw.tips("panel:N", "pair:N", "share:Q", "rows:Q", "n:Q"),
    )  # fmt: skip
    return draw.captioned(
        draw.panels(
            [bars], data, _panel, free_x=True, first={"selector": data["selector"].iloc[0]}
        ),
        _TITLE,
        "Features that a second explanation names in place of those of the first one, in rows for "
        f"which it is as good: the {_MOST} most frequent pairs. b ← a: b stands in for a.",
        f"n = {draw.number_of(data['dataset'], 'dataset')}.",
        seen=draw.described(data.assign(panel=_panel(data)), "pair", "rows", "share"),
    )


def stand_in_shares(results: Results) -> pd.DataFrame:
    """Return the most frequent pairs of each dataset and selector, with their shares of rows."""
    runs = [run for run in results.once(explained_runs) if run.n_sets > 1]
    columns = ["dataset", "selector", "pair", "share", "rows", "n"]
    if not runs:
        return pd.DataFrame(columns=columns)
    counts: dict[tuple[str, str], Counter[str]] = {}
    totals: Counter[tuple[str, str]] = Counter()
    for place in main_run(pd.DataFrame([run.key for run in runs])).index:
        run = runs[place]
        key = str(run.key["dataset"]), str(run.key["selector"])
        totals[key] += run.n_rows
        pairs = {f"{new} ← {old}": number for new, old, number in stand_in_counts(run.rows)}
        counts.setdefault(key, Counter()).update(pairs)
    rows = [
        (*key, pair, number / totals[key], number, totals[key])
        for key, of_key in counts.items()
        for pair, number in sorted(of_key.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    ]
    return pd.DataFrame(rows, columns=columns)


def _panel(rows: pd.DataFrame) -> pd.Series:
    return rows["dataset"] + ", " + rows["selector"].map(selector_name)
