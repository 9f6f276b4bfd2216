"""Words about the explanations of many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from altfs.kinds.rows.comparison import AS_GOOD, as_good, stand_in_counts

if TYPE_CHECKING:
    from altfs.kinds.rows.explanations import Explanations

# The largest number of pairs, and of rows, in a sentence.
_MOST = 5


def summary_lines(explained: Explanations) -> list[str]:
    """Answer the questions that one has about explanations of many rows."""
    if not len(explained):
        return ["There are no rows."]
    n_sets = explained.exists.shape[1]
    first = explained.exists[:, 0]
    sizes = sorted(set(explained.held[explained.exists].sum(axis=1).tolist()))
    words = " or ".join(map(str, sizes)) or "no"
    lines = [
        f"{_rows(len(explained))} of {len(explained.names)} features, up to {n_sets} explanations "
        f"of {words} features for each. {explained.limit}"
    ]
    lines += _without(explained)
    lines += [_of_rank(explained, rank) for rank in range(n_sets)]
    lines += _of_classes(explained)
    if not first.all():
        lines.append(f"No set satisfies the constraints for {_rows(int((~first).sum()))}.")
    if n_sets > 1:
        lines += [*_as_good(explained), _only_first(explained)]
    return lines


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def _without(explained: Explanations) -> list[str]:
    """Say for which rows the model needs no feature, if it predicts classes."""
    same = explained.same_without
    if same is None or explained.classes is None:
        return []
    line = (
        f"Without any feature, the model predicts {explained.classes[explained.without.argmax()]}: "
        f"the class of {_rows(int(same.sum()))} of {len(same)}."
    )
    return [line if same.all() else f"{line} An explanation can be sufficient for the others."]


def _of_rank(explained: Explanations, rank: int) -> str:
    """Say what the explanations of one rank have and tell."""
    name = "The first explanation" if rank == 0 else f"Alternative {rank}"
    there = explained.exists[:, rank]
    if not there.any():
        return f"{name} does not exist for any row."
    some = "" if there.all() else f" (it exists for {_rows(int(there.sum()))})"
    share = float(explained.share[there, rank].mean())
    line = f"{name} has {share:.0%} of the attribution on average{some}."
    if explained.sufficient is None or explained.same_without is None:
        r2 = float(explained.r2[rank])
        of_r2 = "" if np.isnan(r2) else f" Alone, it tells the predictions with an R² of {r2:.2f}."
        return line + of_r2
    sufficient, needed = explained.sufficient[there, rank], ~explained.same_without[there]
    if not needed.any():
        return line
    others, have = _rows(int(needed.sum())), "" if there.all() else " that have it"
    return f"{line} It is sufficient for {int(sufficient.sum())} of the other {others}{have}."


def _of_classes(explained: Explanations) -> list[str]:
    """Say what the first explanation does to the probability of each predicted class."""
    if explained.classes is None:
        return []
    lines, table = [], explained.by_class().query("set_index == 0")
    for row in table.head(_MOST).to_dict("records"):
        without = ", also without any feature" if row["same_without"] else ""
        suffices = "" if without else f" and is sufficient for {row['sufficient'] * row['n']:.0f}"
        lines.append(
            f"Predicted {row['predicted']} ({_rows(row['n'])}{without}): the first explanation "
            f"changes the probability by {row['probability_change']:+.2f} on average{suffices}."
        )
    more = len(table) - _MOST
    return [*lines, f"There are {more} more classes, see by_class()."] if more > 0 else lines


def _as_good(explained: Explanations) -> list[str]:
    """Say how often a second explanation is as good, and what takes the place of what in these."""
    frame = explained.to_frame()
    also = "" if explained.classes is None else ", and gives the class alone if that one does"
    return [
        f"A second explanation is as good for {_rows(int(as_good(frame)[:, 1].sum()))} of "
        f"{len(explained)}: it has at least {AS_GOOD:.0%} of the first one's attribution{also}.",
        *(
            f"Of these, {new} stands in for {old} in {_rows(number)}."
            for new, old, number in stand_in_counts(frame)[:_MOST]
        ),
    ]


def _only_first(explained: Explanations) -> str:
    """Say for which rows only one explanation holds."""
    same = explained.sufficient
    if same is None:
        only = explained.exists[:, 0] & ~explained.exists[:, 1:].any(axis=1)
        what = "there is only one explanation"
    else:
        only = same[:, 0] & ~same[:, 1:].any(axis=1)
        what = "the first explanation is the only one that is sufficient"
    rows = np.flatnonzero(only).tolist()
    if not rows:
        return f"Rows for which {what}: none."
    shown = ", ".join(map(str, rows[:_MOST])) + (", ..." if len(rows) > _MOST else "")
    return f"For {_rows(len(rows))} {what} (number {shown})."
