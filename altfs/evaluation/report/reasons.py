"""Why alternatives are missing, and which features the sets have, in a line each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from altfs.evaluation.names import selector_name, size_name
from altfs.evaluation.report.overview import OBJECTIVE, differing
from altfs.evaluation.report.phrases import listed
from altfs.evaluation.tables import Tables, rows_of

# The largest number of lines, and of datasets in one.
_MOST = 3


def reasons(tables: Tables) -> list[str]:
    """Say what does not exist: what counting forbids apart from what conditions forbid."""
    rows = rows_of(tables, "gaps")
    if not len(rows):
        return []
    lines = [*_by_counting(rows[rows["n_counting"] > 0]), *_others(rows)]
    more = len(lines) - _MOST
    return lines[:_MOST] + [f"And {more} more reasons."] * (more > 0)


def _by_counting(rows: pd.DataFrame) -> Iterator[str]:
    """Say how many sets are possible at most, once for each number of them and condition."""
    groups: Any = rows.groupby(["n_features", "max_overlap", "most_sets"], sort=False)
    for (_, _, most), own in groups:
        widths = own.drop_duplicates("dataset")
        of = [f"{row.dataset} has {int(row.n_total)}" for row in widths.head(_MOST).itertuples()]
        rest = f", and {len(widths) - _MOST} more" * (len(widths) > _MOST)
        several = "sets" if most > 1 else "set"
        yield (
            f"By counting, at most {most} {several} with {differing(own)} features different can "
            f"exist, the original one included ({', '.join(of)} features{rest})."
        )


def _others(rows: pd.DataFrame) -> Iterator[str]:
    for name, own in rows.groupby("selector", sort=False):
        gone, unknown = int(own["n_conditions"].sum()), int(own["n_unknown"].sum())
        if gone:
            datasets = own.loc[own["n_conditions"] > 0, "dataset"].unique()
            few = len(datasets) <= _MOST
            where = listed([*map(str, datasets)]) if few else f"{len(datasets)} datasets"

            yield (
                f"{selector_name(str(name))}: {_alternatives(gone, 'does', 'do')} not exist, "
                "because no set that satisfies all conditions differs enough from those before it "
                f"({where})."
            )
        if unknown:
            yield (
                f"{selector_name(str(name))}: {_alternatives(unknown, 'was', 'were')} not found "
                "within the limits of the search and may exist."
            )


def _alternatives(n: int, verb: str, verbs: str) -> str:
    return f"{n:,} alternatives {verbs}" if n > 1 else f"{n} alternative {verb}"


@dataclass(frozen=True)
class Features:
    """The features of each dataset's original sets, and what takes their places."""

    selector: str
    size: str
    #: The name of a dataset, and words.
    rows: list[tuple[str, str]]


def features_of_datasets(tables: Tables, sizes: Mapping[int, str]) -> Features | None:
    """List the features of the original sets of the selector whose sets predict best."""
    chosen = rows_of(tables, "selection_frequency", sets="original")
    scored = rows_of(tables, "overview", dataset="")
    if not len(chosen) or not len(scored):
        return None
    tests = scored[scored["measure"] != OBJECTIVE]
    means = (tests if len(tests) else scored).groupby("selector", sort=False)["original"].mean()
    best, k = str(means.idxmax()), chosen["n_features"].max()
    own = chosen[(chosen["selector"] == best) & (chosen["n_features"] == k)]
    swaps = rows_of(tables, "substitutes", selector=best, n_features=k)
    listed_rows = []
    groups: Any = own.groupby("dataset", sort=False)
    for dataset, features in groups:
        features = features.drop_duplicates("feature")
        top = features.sort_values("n_selected", ascending=False, kind="stable").head(int(k))
        names = [f"{row.feature} ({row.n_selected}/{row.n_sets})" for row in top.itertuples()]
        taken = swaps[swaps["dataset"] == dataset] if len(swaps) else swaps
        if len(taken):
            taken = taken[taken["feature"].isin(top["feature"])]
            taken = taken.sort_values("n_together", ascending=False, kind="stable").head(2)
        swapped = taken.to_dict("records")
        pairs = ", ".join(f"{row['feature']} ⇄ {row['substitute']}" for row in swapped)
        listed_rows.append((str(dataset), "; ".join(filter(None, [", ".join(names), pairs]))))
    return Features(selector_name(best), size_name(k, sizes), listed_rows)
