"""Tables and figures of `docs/reproduction/beyond.md`, from the study of the same name.

    snakemake --cores 2 --configfile workflow/studies/beyond.yaml
    python benchmarks/beyond.py results/beyond docs/reproduction/beyond

A family is an original set with three alternatives. Objectives of selectors have different zeros,
so they are compared in units: 0 is the mean of the random sets of a dataset, fold and selector, 1
its proven best family. All means are over folds first, then over selectors, then over datasets;
intervals are Student's t over datasets, 95 %. Scores are of datasets with classes alone (MCC).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import vl_convert
from scipy import stats

from altfs.evaluation.names import selector_name
from altfs.evaluation.results import Results, read_results

CASE = ["dataset", "fold", "selector", "tau"]
FAMILY = [*CASE, "search", "aggregation"]
N_ALTERNATIVES = 3
# A range from random sets to the best family below this share of the best one has no meaning.
LEAST_RANGE = 0.01
# Random sets show what a difference would look like.
HEURISTICS = ("greedy_replacement", "greedy_balancing", "local_search", "random")
WITHOUT = "GAMETES"


def scored(results: Results) -> pd.DataFrame:
    """Return the feature sets with their test MCC, where there are classes."""
    of_classes = results.scores[results.scores["metric"] == "mcc"]
    score = of_classes.set_index("set")["test_score"]
    return results.sets.assign(score=score.reindex(results.sets.index))


def families(results: Results) -> pd.DataFrame:
    """Return the mean and the least objective and score of each complete family."""
    sets = scored(results)
    text = dict.fromkeys(("dataset", "selector", "tau", "search", "aggregation"), str)
    sets = sets[sets["n_alternatives"] == N_ALTERNATIVES].astype(text)
    groups = sets.groupby(FAMILY, sort=False)
    made = groups.agg(
        n=("train_objective", "count"), mean=("train_objective", "mean"),
        least=("train_objective", "min"), test=("test_objective", "mean"),
        score=("score", "mean"), least_score=("score", "min"),
        proven=("status", lambda status: (status == "optimal").all()),
    )  # fmt: skip
    whole = made[made["n"] == N_ALTERNATIVES + 1].drop(columns="n").reset_index()
    drawn = whole[whole["search"] == "random"].groupby(CASE[:3])["mean"].mean().rename("random")
    return whole.merge(drawn, on=CASE[:3])


def interval(values: pd.Series[float]) -> dict[str, float]:
    """Return the mean of values of datasets, its interval, and their number."""
    known = values.dropna()
    n = len(known)
    half = float(stats.t.ppf(0.975, n - 1) * known.std() / np.sqrt(n)) if n > 1 else np.nan
    mean = float(known.mean())
    return {"mean": mean, "low": mean - half, "high": mean + half, "n_datasets": n}


def over_datasets(rows: pd.DataFrame, column: str) -> pd.Series[float]:
    """Return the means over folds, then over selectors, of each dataset."""
    of_selectors = rows.groupby(["dataset", "selector"])[column].mean()
    return of_selectors.groupby("dataset").mean()


def summaries(
    rows: pd.DataFrame, by: list[str], columns: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield the interval of each column for each group, of all datasets and of some."""
    for key, group in rows.groupby(by, sort=False):
        for column, words in columns.items():
            each = over_datasets(group, column)
            some = each[~each.index.str.startswith(WITHOUT)]
            yield {
                **dict(zip(by, key, strict=True)), "what": words, **interval(each),
                "mean_without_gametes": float(some.mean()),
            }  # fmt: skip


def paired(of: pd.DataFrame, peer: pd.DataFrame) -> pd.DataFrame:
    """Return families beside their peers of the same case, with the differences."""
    rows = of.merge(peer, on=CASE, suffixes=("", "_peer"))
    span = rows["mean_peer"] - rows["random"]
    span = span.where(span > LEAST_RANGE * rows["mean_peer"].abs())
    return rows.assign(
        mean_change=(rows["mean"] - rows["mean_peer"]) / span,
        least_change=(rows["least"] - rows["least_peer"]) / span,
        test_change=(rows["test"] - rows["test_peer"]) / span,
        score_change=rows["score"] - rows["score_peer"],
        least_score_change=rows["least_score"] - rows["least_score_peer"],
        equal=np.isclose(rows["mean"], rows["mean_peer"], rtol=1e-9, atol=1e-12).astype(float),
        equal_least=np.isclose(rows["least"], rows["least_peer"], 1e-9, 1e-12).astype(float),
    )


CHANGES = {
    "mean_change": "mean objective, units", "least_change": "least objective, units",
    "test_change": "mean objective on held-out rows, units",
    "score_change": "mean test MCC", "least_score_change": "least test MCC",
    "equal": "share with the same mean objective",
    "equal_least": "share with the same least objective",
}  # fmt: skip


def proven(of: pd.DataFrame, aggregation: str) -> pd.DataFrame:
    """Return the proven best families of an aggregation."""
    best = (of["search"] == "simultaneous") & (of["aggregation"] == aggregation) & of["proven"]
    return of[best]


def heuristics(of: pd.DataFrame) -> pd.DataFrame:
    """Compare heuristics with proven best families of the same aggregation."""
    rows = []
    for aggregation in ("sum", "min"):
        peer = proven(of, aggregation)
        some = of[of["search"].isin(HEURISTICS)]
        mine = some[some["aggregation"].isin(["none", aggregation])].assign(peer=aggregation)
        rows.append(paired(mine, peer))
    return pd.DataFrame(summaries(pd.concat(rows), ["peer", "search", "tau"], CHANGES))


def aggregations(of: pd.DataFrame) -> pd.DataFrame:
    """Compare the best least quality with the best sum."""
    return compared(paired(proven(of, "min"), proven(of, "sum")))


def compared(rows: pd.DataFrame) -> pd.DataFrame:
    """Summarise the differences of families from their peers."""
    return pd.DataFrame(summaries(rows, ["search", "tau"], CHANGES))


def order_by_dataset(rows: pd.DataFrame, widths: dict[str, float]) -> pd.DataFrame:
    """Return what sequential search loses on each dataset, against its number of features."""
    each = rows.groupby(["dataset", "tau", "selector"])[["mean_change", "equal"]].mean()
    table = each.groupby(["dataset", "tau"]).mean().reset_index()
    return table.assign(n_total=table["dataset"].map(widths))


def transfer(results: Results) -> pd.DataFrame:
    """Correlate objectives with scores over random sets, for each selector and dataset.

    Those with the objective and the score of an earlier set of the fold do not count.
    """
    sets = scored(results)
    sets = sets.dropna(subset=["train_objective", "score"])
    sets = sets.drop_duplicates(["dataset", "fold", "selector", "train_objective", "score"])
    rows = []
    for key, group in sets.groupby(["dataset", "selector", "fold"], observed=True):
        drawn = group[group["search"].astype(str) == "random"]
        value = rank_correlation(drawn["train_objective"], drawn["score"])
        held_out = rank_correlation(drawn["train_objective"], drawn["test_objective"])
        rows.append((*map(str, key[:2]), value, held_out))
    columns = ["dataset", "selector", "with_score", "with_test_objective"]
    return pd.DataFrame(rows, columns=columns).groupby(columns[:2]).mean().reset_index()


def rank_correlation(a: pd.Series[float], b: pd.Series[float]) -> float:
    """Return Spearman's correlation; NaN for fewer than five pairs, or if one is constant."""
    known = a.notna() & b.notna()
    if known.sum() < 5 or a[known].nunique() < 2 or b[known].nunique() < 2:
        return float("nan")
    return float(stats.spearmanr(a[known], b[known]).statistic)


def originals(results: Results) -> pd.DataFrame:
    """Return the mean test score of the original sets of each dataset and selector."""
    sets = scored(results)
    first = (sets["search"].astype(str) == "sequential") & (sets["set_index"] == 0)
    each = sets[first].astype({"dataset": str, "selector": str})
    return each.groupby(["dataset", "selector"])["score"].mean().reset_index()


def transfers(of: pd.DataFrame, first: pd.DataFrame) -> pd.DataFrame:
    """Summarise correlations and scores, and their differences from mutual information.

    Each selector is compared on the datasets that both have.
    """
    rows = of.merge(first, on=["dataset", "selector"]).set_index("dataset")
    peer = rows[rows["selector"] == "mutual_information"]
    made = []
    for selector, own in rows.groupby("selector", sort=False):
        for column in ("with_score", "with_test_objective", "score"):
            change = interval((own[column] - peer[column]).dropna())
            each = interval(own.loc[own.index.isin(peer[column].dropna().index), column])
            compared = {f"change_{key}": value for key, value in change.items()}
            made.append({"selector": selector, "what": column, **each, **compared})
    return pd.DataFrame(made)


def instability(results: Results, folder: Path) -> pd.DataFrame:
    """Return the stability of original sets, and what the third alternative loses, in units."""
    table = pd.read_csv(folder / "tables" / "stability.csv")
    first = table[(table["set_index"] == 0) & (table["sets"] == "by rank")]
    stable = first.groupby(["dataset", "selector"])["nogueira"].first()
    sets = results.sets.astype({"dataset": str, "selector": str, "tau": str, "search": str})
    drawn = sets[sets["search"] == "random"].groupby(CASE[:3])["train_objective"].mean()
    ranked = sets[sets["search"] == "sequential"].set_index(CASE[:3])
    rows = []
    for tau, group in ranked.groupby("tau"):
        values = group.set_index("set_index", append=True)["train_objective"].unstack()
        span = values[0] - drawn.reindex(values.index)
        span = span.where(span > LEAST_RANGE * values[0].abs())
        loss = ((values[0] - values[N_ALTERNATIVES]) / span).groupby(CASE[:3:2]).mean()
        rows.append(pd.DataFrame({"loss": loss, "nogueira": stable}).reset_index().assign(tau=tau))
    return pd.concat(rows)


def instabilities(
    each: pd.DataFrame, widths: dict[str, float], n_draws: int = 10_000
) -> pd.DataFrame:
    """Correlate stability and loss over datasets.

    `p` is that of permutations, `p_holm` corrected for all rows. `rho_same_width` is the partial
    correlation that leaves out the ranks of the numbers of features.
    """
    rng = np.random.default_rng(0)
    rows = []
    for (selector, tau), group in each.dropna().groupby(["selector", "tau"]):
        stable, loss = (stats.rankdata(group[c]) for c in ("nogueira", "loss"))
        if len(group) < 6:
            continue
        rho = float(np.corrcoef(stable, loss)[0, 1])
        drawn = [np.corrcoef(rng.permutation(stable), loss)[0, 1] for _ in range(n_draws)]
        p = (1 + np.sum(np.abs(drawn) >= abs(rho) - 1e-12)) / (n_draws + 1)
        wide = stats.rankdata(group["dataset"].map(widths))
        rest = [v - np.polyval(np.polyfit(wide, v, 1), wide) for v in (stable, loss)]
        some = group[~group["dataset"].str.startswith(WITHOUT)]
        rows.append({
            "selector": selector, "tau": tau, "rho": rho, "p": p, "n_datasets": len(group),
            "rho_same_width": float(np.corrcoef(*rest)[0, 1]),
            "rho_without_gametes": rank_correlation(some["nogueira"], some["loss"]),
        })  # fmt: skip
    table = pd.DataFrame(rows)
    order = table["p"].rank(method="first")
    holm = (table["p"] * (len(table) - order + 1)).clip(upper=1)
    table.insert(4, "p_holm", holm[order.sort_values().index].cummax())
    return table


def draw(chart: alt.TopLevelMixin, path: Path) -> None:
    """Write a figure as SVG."""
    path.write_text(vl_convert.vegalite_to_svg(chart.to_json()), "utf-8")


def main(folder: str, target: str) -> None:
    """Write the tables and the figures."""
    results, to = read_results(folder), Path(target)
    to.mkdir(parents=True, exist_ok=True)
    of = families(results)
    widths = results.design.widths
    sequential = paired(of[of["search"] == "sequential"], proven(of, "sum"))
    correlated = transfer(results)
    each = instability(results, Path(folder))
    tables: dict[str, Callable[[], pd.DataFrame]] = {
        "heuristics": lambda: heuristics(of),
        "aggregations": lambda: aggregations(of),
        "order": lambda: compared(sequential),
        "order_by_dataset": lambda: order_by_dataset(sequential, widths),
        "transfer": lambda: transfers(correlated, originals(results)),
        "instability": lambda: instabilities(each, widths),
    }
    made = {}
    for name, make in tables.items():
        made[name] = make()
        made[name].to_csv(to / f"{name}.csv", index=False, float_format="%.3g")
        print(f"{name}\n{made[name].round(3).to_string()}\n")
    figures(made, correlated, each, to)


def figures(
    made: dict[str, pd.DataFrame], correlated: pd.DataFrame, each: pd.DataFrame, to: Path
) -> None:
    """Draw the four figures of the page."""
    gaps = made["heuristics"]
    best = gaps[gaps["peer"] == "sum"].assign(
        heuristic=lambda t: t["search"].str.replace("_", " ") + ", τ = " + t["tau"].astype(str)
    )
    panels = []
    for what, title in (
        ("mean objective, units", "objective (0: best sum, −1: random sets)"),
        ("mean test MCC", "test MCC, difference from the best sum"),
    ):
        y = alt.Y("heuristic:N", title=None, axis=alt.Axis(labelLimit=220))
        base = alt.Chart(best[best["what"] == what], width=260).encode(y=y)
        dots = base.mark_point(filled=True, size=60).encode(x=alt.X("mean:Q", title=title))
        panels.append(dots + base.mark_rule().encode(x="low:Q", x2="high:Q"))
    draw(alt.hconcat(*panels), to / "heuristics.svg")
    shown = correlated.assign(selector=lambda t: t["selector"].map(selector_name)).dropna()
    draw(
        alt.Chart(shown).mark_boxplot(size=12).encode(
            x=alt.X("with_score:Q", title="Spearman correlation of objective and test MCC over "
                    "random sets, a value per dataset"),
            y=alt.Y("selector:N", title=None, sort=alt.EncodingSortField("with_score", "median",
                                                                         "descending")),
        ).properties(width=420),
        to / "transfer.svg",
    )  # fmt: skip
    draw(
        alt.Chart(made["order_by_dataset"].assign(loss=lambda t: -t["mean_change"]))
        .mark_circle(size=50).encode(
            x=alt.X("n_total:Q", title="features", scale=alt.Scale(type="log")),
            y=alt.Y("loss:Q", title="loss of sequential search, units"),
            column=alt.Column("tau:N", title="τ"),
        ).properties(width=260),
        to / "order.svg",
    )  # fmt: skip
    points = each.dropna().assign(selector=lambda t: t["selector"].map(selector_name))
    draw(
        alt.Chart(points[points["tau"] == "0.8"]).mark_circle(size=40).encode(
            x=alt.X("nogueira:Q", title="stability"),
            y=alt.Y("loss:Q", title="loss, units"),
            facet=alt.Facet("selector:N", columns=5, title=None),
        ).properties(width=120, height=120),
        to / "stability.svg",
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
