"""Explanations of rows as charts (Altair)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altfs._numbers import FloatArray, is_whole
from altfs.errors import AltfsError
from altfs.evaluation.figures._charts import alt
from altfs.evaluation.names import COLOURS
from altfs.kinds.rows.comparison import agreement_of_rows

if TYPE_CHECKING:
    from altfs.kinds.rows.explanations import Explanations

# A grey that has enough contrast on white.
_BAR = "#767676"
_STEP = 24
# More rows or features than these cannot be read.
_MOST_ROWS, _MOST_FEATURES = 500, 40


def plot(explained: Explanations, row: int | str) -> Any:
    """Draw a chart, see :meth:`altfs.kinds.rows.explanations.Explanations.plot`."""
    if row == "rows":
        return _rows(explained)
    if row == "agreement":
        return _agreement(explained)
    if not is_whole(row):
        raise AltfsError.of_value("row", row, "use a number, 'rows' or 'agreement'")
    return _row(explained, int(row))


def _name(rank: int) -> str:
    return "first" if rank == 0 else f"alternative {rank}"


def _row(explained: Explanations, row: int) -> Any:
    """Draw what each explanation of a row holds, with its share beside it."""
    sets, values = explained.sets(row), explained.values[row]
    bars = pd.DataFrame(
        [(_name(i), reason.share, reason.verdict) for i, reason in enumerate(sets)],
        columns=["explanation", "share", "verdict"],
    )
    cells = pd.DataFrame(
        [(_name(i), j, values[j]) for i, reason in enumerate(sets) for j in reason.indices],
        columns=["explanation", "place", "value"],
    ).sort_values(["value", "place"], ascending=[False, True])
    cells = cells.assign(
        feature=[explained.names[j] for j in cells["place"]], share=cells["value"] / values.sum()
    )[["explanation", "feature", "share"]]
    sort, share = bars["explanation"].tolist(), alt.Tooltip("share", format=".1%")
    matrix = alt.Chart(cells).mark_rect(stroke="white").encode(
        x=alt.X("feature:N", sort=list(dict.fromkeys(cells["feature"])), title="Feature"),
        y=alt.Y("explanation:N", sort=sort, title="Explanation"),
        color=alt.Color("share:Q", scale=alt.Scale(scheme="blues"), title="Share"),
        tooltip=["explanation", "feature", share],
    ).properties(width=alt.Step(_STEP), height=alt.Step(_STEP))  # fmt: skip
    shares = alt.Chart(bars).mark_bar(color=_BAR).encode(
        x=alt.X("share:Q", title="Share of the attribution", axis=alt.Axis(format="%")),
        y=alt.Y("explanation:N", sort=sort, axis=None),
        tooltip=["explanation", share, "verdict"],
    ).properties(width=120, height=alt.Step(_STEP))  # fmt: skip
    text = shares.mark_text(align="left", dx=3).encode(text="verdict:N")
    return (matrix | (shares + text)).properties(title=f"Row {row}")


def _rows(explained: Explanations) -> Any:
    """Draw rows x features: in how many explanations of the row each feature is."""
    counts = explained.held.sum(axis=1)
    most_used = np.argsort(-counts.sum(axis=0), kind="stable")[:_MOST_FEATURES]
    used = most_used[counts[:, most_used].any(axis=0)]
    counts, names = counts[:_MOST_ROWS, used], [explained.names[j] for j in used]
    order = _similar(counts.astype(np.float64))
    data = pd.DataFrame(
        {
            "row": np.repeat(order, len(used)),
            "place": np.repeat(np.arange(len(order)), len(used)),
            "feature": names * len(order),
            "explanations": counts[order].ravel(),
        }
    )
    scale = alt.Scale(domain=[0, explained.held.shape[1]], range=["#F2F2F2", COLOURS[0]])
    return alt.Chart(data).mark_rect().encode(
        x=alt.X("feature:N", sort=names, title="Feature"),
        y=alt.Y("place:O", axis=None, title="Row"),
        color=alt.Color("explanations:Q", scale=scale, title="In so many explanations"),
        tooltip=["row", "feature", "explanations"],
    ).properties(width=alt.Step(16), height=400,
                 title="Explanations of rows, similar ones together")  # fmt: skip


def _similar(counts: FloatArray) -> Any:
    """Return an order of rows in which similar ones are near."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    if len(counts) < 3:
        return np.arange(len(counts))
    return leaves_list(linkage(counts, "average"))


def _agreement(explained: Explanations) -> Any:
    """Draw how many features the explanations of two rows have in common, by rank."""
    names = [_name(i) for i in range(explained.held.shape[1])]
    values = [
        agreement_of_rows(explained.held[there, i]) for i, there in enumerate(explained.exists.T)
    ]
    title = "Dice similarity of two rows"
    return alt.Chart(pd.DataFrame({"explanation": names, "agreement": values})).mark_bar(
        color=_BAR
    ).encode(
        x=alt.X("explanation:N", sort=names, title="Explanation"),
        y=alt.Y("agreement:Q", scale=alt.Scale(domain=[0, 1]), title=title),
        tooltip=["explanation", alt.Tooltip("agreement", format=".2f")],
    ).properties(width=alt.Step(60), title="Agreement of rows, by rank of explanation")  # fmt: skip
