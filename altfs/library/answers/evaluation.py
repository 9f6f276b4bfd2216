"""The scores of a model on each feature set, by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from altfs.errors import AltfsError
from altfs.library.answers.advice import advice
from altfs.library.answers.folds import (
    FittedOn,
    cross_validated,
    sampled,
    search_on,
    splits_of,
)
from altfs.library.answers.intervals import BY_ROWS, ByRows, interval
from altfs.library.answers.parameter_names import IN_PYTHON
from altfs.library.answers.sizes import size_name, smaller_sizes
from altfs.library.answers.themes import Theme, in_theme
from altfs.library.answers.words import (
    WHAT_TO_DO,
    WORTH,
    Section,
    evaluation_lines,
    loss_words,
    section_html,
    section_text,
    span_words,
)
from altfs.library.feature_sets import ALL, EMPTY, set_name, sets_named
from altfs.quality import BatchedBox
from altfs.scores.row_groups import group_codes
from altfs.selectors._inner_folds import metric_of

COLUMNS = [
    "set", "n_features", "score", "low", "high", "difference", "difference_low",
    "difference_high", "folds", "same", "fit_seconds", "score_seconds",
]  # fmt: skip
_SCORE_COLUMNS = [
    "set", "fold", "feature_names", "score", "fit_seconds", "score_seconds", "variance",
    "difference_variance",
]  # fmt: skip
# The smallest and the largest possible score.
_LIMITS = {
    "matthews_corrcoef": (-1.0, 1.0),
    "r2": (-np.inf, 1.0),
    "accuracy": (0.0, 1.0),
    "balanced_accuracy": (0.0, 1.0),
    "f1_macro": (0.0, 1.0),
    "roc_auc": (0.0, 1.0),
    "roc_auc_ovr": (0.0, 1.0),
}
# Smaller losses of a score are not worth a word, and smaller gains with all features.
_NO_LOSS, _WORTH_MORE = 0.0005, 0.01
# The most sets of forest that the search of a fold evaluates.
_MOST_EVALUATIONS = 1000


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The cross-validated scores of a model on each feature set and on all features.

    Attributes
    ----------
    table : DataFrame
        A row per set, one for all features that may be selected, and one for no feature (the
        empty set). The columns are set,
        n_features, score (mean over the folds), low and high (its 95 % interval), difference
        (to the original set) with difference_low and difference_high (of all alternatives
        together 95 %), folds (the number in
        which the set was found), same (the number in which it was the set of the fit), fit_seconds
        and score_seconds (means over the folds).
    scores : DataFrame
        A row per set and fold: set, fold, feature_names, score, fit_seconds, score_seconds,
        variance and difference_variance (of the score, and of its difference to the original
        set, over draws of the test rows; NaN if they are not known, of differences also for R²).
    model, scoring : str
        Their names.
    nested : bool
        True if the sets were searched for inside every fold.
    search_seconds : float
        The mean seconds of the search of a fold; NaN unless `nested`.
    n_rows, n_total : int
        The number of rows that were used, and of all rows.
    most_sets : int, optional
        The number of sets that the search of a fold evaluated at most, if that of the fit
        evaluated more.
    sizes : DataFrame
        A row with the same columns for each smaller size that is worth comparing: that of the
        features of the original set that add to its quality, and 1 if one has most of it. Each
        fold searches for the best set of the size, so there is no column same. Empty unless
        `nested`.
    advice : sequence of str
        What to do with the sets, in sentences.
    expectation : str
        The score to expect on new rows, in words; empty if there are doubts.
    """

    table: pd.DataFrame
    scores: pd.DataFrame
    model: str
    scoring: str
    nested: bool
    search_seconds: float
    n_rows: int = 0
    n_total: int = 0
    most_sets: int | None = None
    sizes: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=COLUMNS))
    advice: Sequence[str] = ()
    expectation: str = ""

    @property
    def nothing(self) -> float:
        """The score of the empty set; of R² at least 0, as the mean of other rows has less."""
        score = float(self.table["score"][self.table["set"] == EMPTY].max())
        return max(score, 0.0) if self.scoring == "r2" else score

    @property
    def all_are_better(self) -> bool:
        """True if all features together are shown to predict better than the original set."""
        return bool((self.table["difference_low"][self.table["set"] == ALL] > 0).any())

    @property
    def comparison(self) -> list[str]:
        """The sets and all features beside the original set and the empty one, in sentences."""
        rows = self.table.dropna(subset=["difference_low", "difference_high"])
        rows = rows[rows["set"] != set_name(0)]
        sets, whole = rows[~rows["set"].isin([ALL, EMPTY])], rows[rows["set"] == ALL]
        original = self.table.iloc[0]
        others = self.nested and 2 * original["same"] < original["folds"]
        where = " in the folds, most of which found other sets" * bool(others)
        better = [*sets["set"][sets["difference_low"] > 0]]
        worse = [*sets["set"][sets["difference_high"] < 0]]
        rest = sets[~sets["set"].isin([*better, *worse])].sort_values("difference_low")
        lines = [
            f"{_begun(sets_named(names))} predict{'s' * (len(names) == 1)} {words} than the "
            f"original set{where}."
            for names, words in ((better, "better"), (worse, "worse")) if names
        ]  # fmt: skip
        if len(rest):
            least = rest.iloc[0]
            first = (
                f"{_begun(sets_named(sorted(rest['set'])))} {'are' if len(rest) > 1 else 'is'} not"
            )
            if len(rest) == len(sets) > 1:
                first = "No alternative is"
            line = f"{first} shown to predict worse or better than the original set"
            if -least["difference_low"] > _NO_LOSS:
                span = span_words([*rest["difference"]])
                several = (
                    f"they score {span} here, and {least['set']} may be worse by "
                    f"{-least['difference_low']:.2g}"
                )
                line += f"; {several if len(rest) > 1 else f'it {loss_words(least.to_dict())}'}"
            lines.append(f"{line}.")
        no_better = ["the original set"] * bool(original["low"] <= self.nothing)
        useless = [*sets["set"][sets["low"] <= self.nothing]]
        if no_better or useless:
            names = " and ".join([*no_better, *([sets_named(useless)] if useless else [])])
            are = "is" if len(no_better) + len(useless) == 1 else "are"
            lines.append(f"{_begun(names)} {are} not shown to predict better than no feature.")
        if len(whole) and (row := whole.iloc[0])["difference"] > _WORTH_MORE:
            low, high = (f"{row[name]:.2g}" for name in ("difference_low", "difference_high"))
            scores = f"{row['difference']:.2g} more here ({low} to {high})"
            shown = (
                "predict better" if row["difference_low"] > 0 else "are not shown to predict better"
            )
            lines.append(f"All features together {shown}: they score {scores}.")
        return lines

    @property
    def recurrence(self) -> pd.DataFrame:
        """The features of the original sets that the folds found, most frequent first.

        The columns are feature and share (of the folds whose original set has it). It is empty
        unless the sets were searched for inside every fold.
        """
        first = self.scores[self.scores["set"] == self.table["set"].iloc[0]]
        names = first["feature_names"].explode() if self.nested else first["feature_names"][:0]
        shares: pd.Series[float] = names.value_counts() / max(1, len(first))
        return shares.rename_axis("feature").reset_index(name="share")

    @property
    def sentence(self) -> str:
        """The meaning of the scores."""
        folds = int(self.table["folds"].max())
        scored = f"{self.scoring} of {self.model} on held-out rows, the mean of {folds} folds"
        if self.n_rows < self.n_total:
            scored += f" of {self.n_rows:,} of {self.n_total:,} rows"
        if self.nested:
            fewer = "" if self.most_sets is None else f" among at most {self.most_sets:,} sets"
            return (
                f"{scored}. Each fold searches anew{fewer} without these rows: the score is that "
                "of a search and a model, not of one set."
            )
        return f"{scored}. The search saw these rows, so the scores are too good."

    def __str__(self) -> str:
        every = pd.concat([self.table, self.sizes.assign(same=self.sizes["folds"])])
        return section_text([(self.sentence, [*evaluation_lines(every)]), *self._sections])

    def _repr_html_(self) -> str:
        # Sizes have no value of same, which leaves whole numbers whole.
        every = pd.concat([self.table.astype({"same": "Int64"}), self.sizes])
        shown = every.drop(columns=["fit_seconds", "score_seconds"]).round(3)
        table = shown.to_html(index=False, na_rep="")
        return f"{table}<p>{escape(self.sentence)}</p>{section_html(self._sections)}"

    @property
    def _sections(self) -> list[Section]:
        worth = [self.expectation] * bool(self.expectation) + self.comparison
        return [(WORTH, worth), (WHAT_TO_DO, [*self.advice])]

    def plot(self, *, theme: Theme = "light") -> Any:
        """Draw the scores with their intervals.

        Parameters
        ----------
        theme : {"light", "dark"}, default="light"
            The page for which it is drawn.

        Returns
        -------
        altair.LayerChart
        """
        import altair as alt

        first = self.table[self.table["set"] == self.table["set"].iloc[0]]
        base = alt.Chart(self.table, title=self.sentence).encode(
            y=alt.Y("set:N", sort=list(self.table["set"]), title="Feature set")
        )
        score = alt.X("score:Q", title=self.scoring, scale=alt.Scale(zero=False))
        points = base.mark_point(filled=True, size=80, opacity=1).encode(x=score, tooltip=COLUMNS)
        bars = base.mark_rule().encode(x=alt.X("low:Q"), x2="high:Q")
        original = alt.Chart(first).mark_rule(strokeDash=[4, 3], color="#666").encode(x="score:Q")
        return in_theme(original + bars + points, theme)


def _begun(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def evaluate(
    fitted: Any, model: Any, cv: Any, scoring: Any, nested: bool, groups: Any, max_rows: int | None
) -> Evaluation:
    """Cross-validate a model on the sets of a fitted `AlternativeFeatures`; see its `evaluate`."""
    model = fitted._model(model)
    data: FittedOn | None = getattr(fitted, "_fitted_on", None)
    if data is None:
        raise AltfsError(
            "evaluate", "copies and pickles do not hold the data", "call fit again before"
        )
    if not fitted._has_target:
        raise AltfsError("evaluate", "fit had no target", "call fit with y before")
    n_total, part = len(data.y), fitted._part_fitted_on
    order = np.arange(n_total) if part is None else part.canonical_rows()
    if groups is not None:
        data = replace(data, groups=group_codes(groups, n_total), times=None)
    if max_rows is not None and n_total > max_rows:
        data = sampled(data, order, max_rows)
        order = np.arange(max_rows)
    X, y = data.X, data.y
    splits, ranks = splits_of(cv, data, fitted.target_type_, order), data.ranks(cv, order)
    if scoring is None:
        scoring = _usual_scoring(fitted.target_type_, model, y, splits)
    scoring, scoring_name = _scoring(scoring)
    scorers = {"score": scoring}
    # Rows of a group, and those near in time, do not vary by themselves.
    alone = data.groups is None and data.times is None
    by_rows = ByRows(scoring_name) if alone and scoring_name in BY_ROWS else None
    if by_rows is not None:
        scorers["variance"] = by_rows.scorer
    labels = ["original", *(f"alternative {i}" for i in range(1, len(fitted.feature_sets_)))]
    smaller = {size_name(n): n for n in smaller_sizes(fitted)} if nested else {}
    excluded = set(fitted._request.constraints.exclude)
    allowed = [j for j in range(fitted.n_features_in_) if j not in excluded]
    rows: list[list[Any]] = []
    seconds = []
    for fold, (train, test) in enumerate(splits):
        fitted._say("folds evaluated", fold, len(splits))
        searched, where = fitted, f"evaluate: fold {fold}"
        if nested:
            start = perf_counter()
            searched = search_on(fitted, data, train, where, _MOST_EVALUATIONS)
            seconds.append(perf_counter() - start)
        influence_of_original = None
        sets = [*zip(labels, _sets_of(searched), strict=False)]
        for label, size in smaller.items():
            again = search_on(
                fitted, data, train, where, _MOST_EVALUATIONS,
                n_features=size, n_alternatives=0, alternative=0, max_overlap=None,
            )  # fmt: skip
            sets += zip([label], _sets_of(again), strict=False)
        for label, (of, columns) in [*sets, (ALL, (fitted, allowed))]:
            pipeline = of._pipeline(sorted(columns, key=ranks.__getitem__), model)
            scored = cross_validated(pipeline, X, y, (train, test), scorers, label)
            names = [data.names[j] for j in columns]
            times = scored["fit_time"][0], scored["score_time"][0]
            variances = [np.nan, np.nan]
            if by_rows is not None:
                if label == labels[0]:
                    influence_of_original = by_rows.influence
                variances[0] = scored["test_variance"][0]
                if by_rows.of_differences and influence_of_original is not None:
                    change = by_rows.influence - influence_of_original
                    variances[1] = float(change @ change)
            rows.append([label, fold, names, scored["test_score"][0], *times, *variances])
        empty = _empty_model(fitted.target_type_)
        scored = cross_validated(empty, np.zeros((len(y), 1)), y, (train, test), scorers, EMPTY)
        times = scored["fit_time"][0], scored["score_time"][0]
        rows.append([EMPTY, fold, [], scored["test_score"][0], *times, np.nan, np.nan])
    scores = pd.DataFrame(rows, columns=_SCORE_COLUMNS)
    ratio = float(np.mean([len(test) / len(train) for train, test in splits]))
    of_fit = {
        **dict(zip(labels, (s.indices for s in fitted.feature_sets_), strict=True)),
        ALL: tuple(allowed),
        EMPTY: (),
        **dict.fromkeys(smaller, ()),
    }
    names_of = {label: frozenset(data.names[j] for j in chosen) for label, chosen in of_fit.items()}
    n_together = dict.fromkeys(labels, max(1, len(labels) - 1))
    limits = _LIMITS.get(scoring_name)
    table = _evaluation_table(scores, names_of, len(splits), ratio, limits, n_together)
    # Scores of sizes are beside those of sets, and no set of the fit is theirs.
    scores, n_sets = scores[~scores["set"].isin(smaller)], len(table) - len(smaller)
    sizes = table[n_sets:].assign(n_features=[*smaller.values()])
    table, sizes = table[:n_sets], sizes.drop(columns="same").reset_index(drop=True)
    mean_seconds = float(np.mean(seconds)) if nested else float("nan")
    name = type(getattr(model, "steps", [("", model)])[-1][1]).__name__
    quality = fitted.quality_
    fewer = nested and isinstance(quality, BatchedBox) and quality.n_evaluations > _MOST_EVALUATIONS
    most = _MOST_EVALUATIONS if fewer else None
    evaluation = Evaluation(
        table, scores, name, scoring_name, nested, mean_seconds, len(y), n_total, most, sizes
    )
    # Scores of sets that saw the test rows decide nothing.
    if not nested:
        return evaluation
    steps, expectation = advice(fitted, evaluation, IN_PYTHON)
    return replace(evaluation, advice=steps, expectation=expectation)


def _sets_of(searched: Any) -> list[tuple[Any, tuple[int, ...]]]:
    """Return the sets of an estimator, each with it; none if it has none."""
    return [(searched, one.indices) for one in getattr(searched, "feature_sets_", ())]


def _empty_model(target_type: str) -> Any:
    """Return a model that sees no feature."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    return DummyRegressor() if target_type == "regression" else DummyClassifier()


def _usual_scoring(target_type: str, model: Any, y: Any, splits: Sequence[Any]) -> str:
    """Return the name of the usual score: R², or the area under the curve where it is defined.

    It needs probabilities, and every class on both sides of every fold.
    """
    if target_type == "regression" or not hasattr(model, "predict_proba"):
        return str(metric_of("auto", target_type)[0])
    n_classes = len(np.unique(y))
    if any(len(np.unique(y[rows])) < n_classes for split in splits for rows in split):
        return str(metric_of("auto", target_type)[0])
    return "roc_auc" if n_classes == 2 else "roc_auc_ovr"


def _scoring(scoring: Any) -> tuple[Any, str]:
    """Return a scorer of scikit-learn and its name."""
    from sklearn.metrics import get_scorer_names

    if callable(scoring):
        return scoring, getattr(scoring, "__name__", str(scoring))
    if scoring not in get_scorer_names():
        reason = f"{scoring!r} is not a score of scikit-learn"
        advice = "use a name such as 'accuracy', 'roc_auc' or 'r2', or a function"
        raise AltfsError.of_name("scoring", reason, scoring, get_scorer_names(), advice)
    return scoring, scoring


def _evaluation_table(
    scores: pd.DataFrame,
    sets: Mapping[str, frozenset[str]],
    folds: int,
    ratio: float,
    limits: tuple[float, float] | None,
    n_together: Mapping[str, int],
) -> pd.DataFrame:
    """Return a row per set; the differences of `n_together` sets hold together."""
    by_fold = scores.pivot_table("score", "fold", "set").reindex(range(folds))
    seconds = scores.groupby("set")[["fit_seconds", "score_seconds"]].mean()
    rows = []
    by_fold = by_fold.reindex(columns=list(sets))
    variances = scores.groupby("set")[["variance", "difference_variance"]].mean()
    first = by_fold.iloc[:, 0]
    returned = scores["feature_names"].map(frozenset) == scores["set"].map(sets)
    for label, features in sets.items():
        here = by_fold[label].dropna().to_numpy()
        against = (by_fold[label] - first).dropna().to_numpy()
        times = seconds.reindex([label]).to_numpy()[0]
        of_score, of_difference = variances.reindex([label]).to_numpy()[0]
        mean, low, high = interval(here, ratio, variance=of_score)
        if limits is not None:
            low, high = max(low, limits[0]), min(high, limits[1])
        # Those of alternatives hold together, as the best of several looks good by chance.
        difference = interval(against, ratio, n_together.get(label, 1), of_difference)
        scored = [mean, low, high, *difference]
        same = int(returned[scores["set"] == label].sum())
        rows.append([label, len(features), *scored, len(here), same, *times])
    return pd.DataFrame(rows, columns=COLUMNS)
