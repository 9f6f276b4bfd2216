"""The sets that are nearly as good as the best one (the Rashomon set of a quality)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from altfs.errors import UnsupportedProblemError
from altfs.library.answers.fitted import FittedRequest, check_without_prices
from altfs.library.answers.themes import Theme, in_theme
from altfs.library.feature_sets import named
from altfs.problem import Problem
from altfs.problem.results import FeatureSet, FeatureSets, Status
from altfs.quality import BlackBox, Quality
from altfs.solvers.near_best import NearBest, margin_of, near_best

# Features of a figure, and the colours of those that all sets hold and of others.
_MOST_BARS = 30
_ALL, _SOME = "#0072B2", "#767676"


@dataclass(frozen=True)
class NearlyOptimalSets(FeatureSets):
    """Sets whose quality is within a limit of the best one.

    Attributes
    ----------
    feature_sets : list of FeatureSet
        The sets: all of them, or some (`how`), the best first.
    best : float
        The quality of the best set.
    least : float
        The lowest quality that counts.
    at_least, at_most : int
        Bounds of the number of sets.
    how : {"all", "uniform", "some"}
        Whether the listed sets are all sets, a sample drawn uniformly, or any of them.
    features : DataFrame
        A row per feature, the most frequent first: feature, held ("in all", "in some", "in none",
        or "unknown"), share (of the listed sets that hold it), least_importance and
        most_importance (the quality that a listed set loses without it; missing for qualities
        that are known only by evaluating sets).
    sentence : str
        The number in words.
    """

    feature_sets: list[FeatureSet]
    best: float
    least: float
    at_least: int
    at_most: int
    how: str
    features: pd.DataFrame
    sentence: str

    @property
    def exact(self) -> bool:
        """True if the number of sets is known exactly."""
        return self.at_least == self.at_most

    @property
    def number(self) -> int | None:
        """The number of sets, not only of the listed ones; None if only bounds are known."""
        return self.at_least if self.exact else None

    def __str__(self) -> str:
        return self.sentence

    def to_frame(self) -> pd.DataFrame:
        """Return a row per listed set: feature_names, selected (indices), train_objective."""
        rows = [[list(s.names), list(s.indices), s.train_objective] for s in self]
        return pd.DataFrame(rows, columns=["feature_names", "selected", "train_objective"])

    def plot(self, *, theme: Theme = "light") -> Any:
        """Draw the share of the listed sets that hold each feature, at most 30 features.

        Parameters
        ----------
        theme : {"light", "dark"}, default="light"
            The page for which it is drawn.

        Returns
        -------
        altair chart
        """
        import altair as alt

        shown = self.features[self.features["share"] > 0].head(_MOST_BARS)
        which = {"all": "all sets", "uniform": "a uniform sample of the sets"}
        said = which.get(self.how, "the listed sets")
        chart = (
            alt.Chart(shown, title=alt.Title(self.sentence, anchor="start", fontSize=12))
            .mark_bar()
            .encode(
                x=alt.X("share:Q", title=f"share of {said} ({len(self)})").axis(format="%"),
                y=alt.Y("feature:N", sort=shown["feature"].tolist(), title=None),
                color=alt.Color(
                    "held:N",
                    title=None,
                    scale=alt.Scale(
                        domain=["in all", "in some", "unknown"], range=[_ALL, _SOME, _SOME]
                    ),
                ),
                tooltip=[*shown.columns],
            )
        )
        return in_theme(chart, theme)


def nearly_optimal(
    fitted: FittedRequest,
    share: float,
    loss: float | None,
    alternatives: bool,
    sample: tuple[int, int],
) -> NearlyOptimalSets:
    """Return the sets within a share of the best quality, or within a loss.

    With `alternatives` they differ from the original set. `sample` is its largest size and its
    seed.
    """
    problem, limits = _checked_problem(fitted), fitted.request.limits
    margin = margin_of(problem, limits, share, loss)
    if alternatives:
        problem = replace(problem, given=(*problem.given, fitted.result.sets[0]))
    near = near_best(problem, margin.best, margin.in_unit, limits.work, sample)
    return _answer(fitted, problem.quality, near, (margin.top, margin.least))


def _checked_problem(fitted: FittedRequest) -> Problem:
    """Return the problem of one set, if its sets can be compared."""
    check_without_prices(fitted, "nearly_optimal")
    if fitted.request.averages or len(fitted.problem.sizes) > 1:
        reason = "it is for sets of one size and overlap='pairwise'"
        raise UnsupportedProblemError("nearly_optimal", reason, "use one n_features and 'pairwise'")
    (problem,) = fitted.singles()
    return problem


def _answer(
    fitted: FittedRequest, quality: Quality, near: NearBest, ends: tuple[float, float]
) -> NearlyOptimalSets:
    best, least = ends
    ranked = sorted(near.sets, key=lambda s: (-quality.evaluate(s), s))
    sets = (FeatureSet(s, quality.evaluate(s), Status.FEASIBLE) for s in ranked)
    shown = [fitted.shown(named(features, fitted.names)) for features in sets]
    table, sentence = _features(fitted, quality, near), _sentence(near, best, least)
    return NearlyOptimalSets(
        shown, best, least, near.at_least, near.at_most, near.how, table, sentence
    )


def _sentence(near: NearBest, best: float, least: float) -> str:
    if near.at_least == near.at_most:
        one = near.at_least == 1
        number = "1 set has" if one else f"{near.at_least:,} sets have"
    elif near.at_most < float("inf") and near.how == "uniform":
        number = f"{near.at_least:.4g} to {near.at_most:.4g} sets have"
    else:
        number = f"At least {near.at_least:,} sets have"
    said = f"{number} a quality from {least:.4g} to {best:.4g}."
    if near.how == "uniform":
        said += f" A sample of {len(near.sets):,} was drawn uniformly."
    return said


def _features(fitted: FittedRequest, quality: Quality, near: NearBest) -> pd.DataFrame:
    held: dict[int, int] = dict.fromkeys(range(quality.n_total), 0)
    ranges: dict[int, tuple[float, float]] = {}
    for chosen in near.sets:
        whole = quality.evaluate(chosen)
        for j in chosen:
            held[j] += 1
            if not isinstance(quality, BlackBox) and len(chosen) > 1:
                worth = whole - quality.evaluate([i for i in chosen if i != j])
                low, high = ranges.get(j, (worth, worth))
                ranges[j] = min(low, worth), max(high, worth)
    rows = []
    for j, count in held.items():
        low, high = ranges.get(j, (float("nan"), float("nan")))
        share = count / len(near.sets) if near.sets else 0.0
        rows.append([fitted.names[j], _place(j, share, near), share, low, high])
    columns = ["feature", "held", "share", "least_importance", "most_importance"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values("share", ascending=False, kind="stable", ignore_index=True)


def _place(j: int, share: float, near: NearBest) -> str:
    """Return in which sets a feature is, of all that count."""
    if 0 < share < 1:
        return "in some"
    if near.decided is None:
        return "unknown"
    if j not in near.decided:
        return "in some"
    return "in all" if share else "in none"
