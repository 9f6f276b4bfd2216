"""Quality between random sets and original sets."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import (
    CHOOSE,
    best_first,
    ends_of,
    longest_of,
    search_names,
)
from altfs.evaluation.names import (
    LATER,
    METRICS,
    RANK,
    count,
    in_words,
    selector_name,
    size_name,
    tau_in_words,
)
from altfs.evaluation.report.phrases import few_of
from altfs.evaluation.results import Results, text_columns_as_text
from altfs.evaluation.rules import enough, whole_population
from altfs.evaluation.stats.controls import (
    NOISE,
    compared_with_controls,
    missing_controls,
    relative_quality,
)
from altfs.evaluation.stats.summaries import measures
from altfs.evaluation.tables import rows_of
from altfs.evaluation.tables.overview import OBJECTIVE, best_measure

_TITLE = "Quality between random sets and the original set, by number of alternative"
_KEYS = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau", "set_index"]
_LINE = ["dataset", "selector", "search", "n_features", "measured", "tau"]


@figures.add(place=4, needs=("controls", "overview"))
def quality_between_controls(results: Results, tables: Tables) -> Chart:
    """Draw quality relative to random sets and to the original set, by rank and τ.

    It is the training objective, and the score of the model that predicts best, of sets of the
    largest size. Of few datasets, the selector that predicts best is shown at first.
    """
    measure, model = best_measure(rows_of(tables, "overview", dataset=""))
    score = METRICS.get(measure.removeprefix("test_"), measure)
    shown = {(OBJECTIVE, ""): "training"}
    shown.setdefault((measure, model), f"test {score}")
    rows = pd.concat([
        _between(results, tables["controls"], *key).assign(measured=words)
        for key, words in shown.items()
    ], ignore_index=True)  # fmt: skip
    if rows.empty:
        words = missing_controls(results) or ["Too few original sets are better than random ones."]
        return draw.absent(_TITLE, " ".join(words))
    k = rows["n_features"].max()
    rows = longest_of(rows[rows["n_features"] == k])
    taus = draw.thresholds(rows["tau"])
    # Points of one rank lie beside one another.
    beside = rows["tau"].map({tau: 0.08 * (i - (len(taus) - 1) / 2) for i, tau in enumerate(taus)})
    rows = rows.assign(run=search_names(rows), at=rows["set_index"].astype(int) + beside)
    rows = rows.assign(same=whole_population(rows, _LINE))
    # The best selector comes first.
    ranked = [*dict.fromkeys(rows_of(tables, "overview", measure=measure, model=model)["selector"])]
    rows = rows.assign(at_rank=rows["selector"].map(ranked.index))
    rows = rows.sort_values(["dataset", "at_rank", "n_features"], kind="stable")
    searches, many = list(rows["run"].unique()), not rows["dataset"].any()
    rows = best_first(rows, tables)
    has_choice, several = bool((rows["selector"] == "").any()), len(searches) > 1

    def label(part: pd.DataFrame) -> list[str]:
        # The caption names the selector that is shown at first.
        columns = part[["dataset", "selector", "run", "measured"]]
        return [
            ", ".join(filter(None, [name, selector_name(own), run * several, measured]))
            for name, own, run, measured in columns.itertuples(index=False)
        ]

    ranks = alt.Axis(values=sorted(rows["set_index"].unique()), format="d", grid=False)
    fields = ("panel:N", "tau:N", "set_index:O", "relative:Q", "low:Q", "high:Q", "n:Q")
    x = alt.X("at:Q", title=RANK, axis=ranks, scale=alt.Scale(nice=False, padding=8))
    base = alt.Chart().encode(
        x=x, color=draw.shades("tau", "τ", [*taus.values()]), tooltip=draw.tips(*fields)
    )
    y = alt.Y("relative:Q", title="Relative quality", scale=alt.Scale(zero=False))
    ends = alt.Chart().mark_rule(color="#767676", strokeDash=[4, 3])
    layers = [
        *draw.line_and_points(base, y, alt.ShapeValue("circle")),
        base.mark_rule(strokeWidth=0.8).encode(
            y=alt.Y("low:Q", title="Relative quality"), y2="high:Q"
        ),
        *(ends.encode(y=alt.datum(end)) for end in (0.0, 1.0)),
    ]
    n = rows["n_datasets"].max() if many else rows["dataset"].nunique()
    kept = [*_LINE, "method", "run", "set_index", "at", "n", "same", "relative", "low", "high"]
    missing = [words for words in shown.values() if words not in set(rows["measured"])]
    every = {*label(rows.assign(measured=[*shown.values()][-1]))}
    gone = sorted(every - {*label(rows)}) * (not missing)
    of = f" and {shown[measure, model]} ({in_words(model).lower()})" * bool(model and not missing)
    left = (
        "Too few datasets count (table controls):"
        if many
        else "Left out, as random sets vary by more than the lead:"
    )
    return draw.captioned(
        draw.panels(layers, rows[kept], label, shared_y=True),
        _TITLE,
        "A relative quality of 0 is that of random sets, 1 that of the original set.",
        f"{', '.join(searches)} search, {size_name(k, results.sizes)}, a line per τ.",
        f"Training objective{of}.",
        CHOOSE.format(selector_name(rows["method"].iloc[0])) * has_choice,
        "Medians over six datasets or more of means over folds, with 95 % intervals."
        if many
        else "Means over folds; lines: the smallest and the largest change of a fold.",
        "" if rows["same"].all() else LATER,
        "A dataset counts if its original sets exceed random ones by more than these vary.",
        f"n = {'up to ' * bool(many and rows['n_datasets'].min() < n)}{count(n, 'dataset')}.",
        f"{left} {few_of([*missing, *gone])}." * bool(missing or gone),
        *missing_controls(results),
        seen=draw.described(
            rows.assign(panel=label(rows), line="τ = " + rows["tau"]), "line", "set_index",
            "relative", selector="",
        ),
        finding=_of_first_alternatives(rows[rows["selector"] != ""]),
    )  # fmt: skip


def _of_first_alternatives(rows: pd.DataFrame) -> str:
    """Say the quality of the first selector's first alternatives at the ends of tau."""
    columns = ["selector", "run", "measured"]
    rows = rows[(rows[columns] == rows[columns].iloc[0]).all(axis="columns")]
    firsts = rows[rows["set_index"].astype(int) == 1].astype({"tau": float})
    if firsts.empty:
        return ""
    name, measured = selector_name(firsts["selector"].iloc[0]), firsts["measured"].iloc[0]
    ends = ends_of(firsts, "tau", "relative", lambda tau: f"at τ = {tau_in_words(tau)}")
    return f"First alternatives of {name} have a relative quality ({measured}) of {ends}."


def _between(results: Results, table: pd.DataFrame, measure: str, model: str) -> pd.DataFrame:
    """Return relative quality by line and rank: of all datasets, or of each of a few."""
    if enough(results.sets["dataset"].nunique()):
        rows = rows_of({"": table}, "", measure=measure, model=model).assign(dataset="")
        names = {f"relative_median{end}": new for end, new in
                 (("", "relative"), ("_low", "low"), ("_high", "high"))}  # fmt: skip
        rows = rows[rows["tau"].notna() & rows["set_index"].notna()].rename(columns=names)
        rows["n_datasets"] -= rows["n_without_span"]
        rows = rows[enough(rows["n_datasets"])]
    else:
        parts = [part for one, of, part in measures(results) if (one, of) == (measure, model)]
        folds = compared_with_controls(results, parts[0])
        folds = folds[folds["aggregation"] == "none"]
        folds = folds.assign(change=folds["value"] - folds["ceiling"])
        groups = folds.groupby(["dataset", *_KEYS], observed=True)
        means = groups[["value", "floor", "ceiling", NOISE]].mean()
        span = means["ceiling"] - means["floor"]
        relative = relative_quality(*(means[c] for c in ("value", "floor", "ceiling", NOISE)))
        rows = text_columns_as_text(means.assign(
            n=groups.size(), n_datasets=1, relative=relative,
            low=1 + groups["change"].min() / span, high=1 + groups["change"].max() / span,
        ).reset_index())  # fmt: skip
    rows = rows[rows["relative"].notna()]
    # Vega warns of a panel without any interval, so those of few datasets have no length.
    return rows.assign(**{end: rows[end].fillna(rows["relative"]) for end in ("low", "high")})
