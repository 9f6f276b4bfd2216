"""Results of ``altfs find``, printed as a table or as data for JSON and Parquet."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from math import isfinite
from textwrap import fill
from typing import TYPE_CHECKING, Any

from altfs.commands.output import finite_or_none

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    from rich.console import Console
    from rich.table import Table

    from altfs.datasets import RawTable
    from altfs.library.answers.equivalents import EquivalentSets
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.answers.near_optimal import NearlyOptimalSets
    from altfs.library.answers.outages import OutagePlan
    from altfs.library.answers.sensitive import Sensitivity
    from altfs.library.answers.stability import Stability
    from altfs.library.estimator import AlternativeFeatures
    from altfs.library.signal import Signal
    from altfs.problem.results import FeatureSet

_TIMES = ["fit_seconds", "score_seconds"]
# A smaller difference of qualities is an error of rounding.
_NO_CHANGE = 1e-12


@dataclass(frozen=True)
class FindResult:
    """The feature sets of a table, and what else was to be answered about them; else None."""

    name: str
    raw: RawTable
    X: pd.DataFrame
    alternatives: AlternativeFeatures
    #: What looks like a mistake in the table.
    notes: Sequence[str]
    evaluation: Evaluation | None = None
    stability: Stability | None = None
    #: Features, and the best set without them.
    missing: Sequence[str] = ()
    without: FeatureSet | None = None
    outages: OutagePlan | None = None
    near: NearlyOptimalSets | None = None
    sensitive: Sensitivity | None = None
    equivalents: EquivalentSets | None = None
    #: The column of `groups` or `times` of the rows, and the number of groups.
    labels: Mapping[str, str] = field(default_factory=dict)
    n_groups: int = 0
    #: The score of the original set in random folds, if there are groups or times.
    random_score: float | None = None


def print_result(result: FindResult, console: Console) -> None:
    """Print the sets as a table, and what they are worth below it."""
    from rich.markup import escape

    from altfs.commands.find_words import answers, sections, signal_words
    from altfs.library.notes import FIRST, sentences_of

    alternatives = result.alternatives
    of_rows = ""
    for kind, column in result.labels.items():
        of_rows = f" in {result.n_groups} groups of '{column}'"
        if kind == "times":
            of_rows = f" in the order of '{column}'"
    n_features = result.X.shape[1] - len(alternatives._request.constraints.exclude)
    console.print(
        f"{escape(result.name)}: {len(result.X)} rows{escape(of_rows)}, "
        f"{n_features} features, target {escape(result.raw.target)} "
        f"({alternatives.target_type_})"
    )
    # Leaks make all scores too good, that of the signal, too.
    lines = sentences_of([note for note in alternatives.notes_ if note.kind in FIRST])
    lines += [line for line in [signal_words(result)] if line]
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)
    console.print()
    console.print(_table_of_sets(result))
    for line in answers(result):
        console.print(line, markup=False, soft_wrap=True)
    for title, lines in sections(result):
        if lines:
            console.print(f"\n[bold]{title}[/]")
            for line in lines:
                text = fill(
                    line,
                    console.width,
                    initial_indent=" - ",
                    subsequent_indent="   ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                console.print(text, markup=False, soft_wrap=True)


def _table_of_sets(result: FindResult) -> Table:
    """Return a row for each set, and for smaller sizes, all features and none if scored."""
    from rich.markup import escape
    from rich.table import Table

    from altfs.commands.find_words import versions
    from altfs.library.answers.words import proof_words
    from altfs.library.feature_sets import set_name
    from altfs.library.short_names import short_names

    alternatives = result.alternatives
    search, sets = alternatives._request.search, alternatives.feature_sets_
    proof = "best" if search is None else search.proof
    measure, scores = alternatives.quality_.measure, _scores(result.evaluation)
    table = Table(box=None, pad_edge=False)
    table.add_column("set")
    titles = [
        "quality",
        *([measure.unit] if measure else []),
        *(["of best"] if measure else [] if scores else ["change"]),
        "shared",
        *(["nested score", "95 % interval", "difference"] if scores else []),
    ]
    for title in titles:
        table.add_column(title, justify="right")
    table.add_column("by quality,\non these rows")
    table.add_column("features", overflow="fold")
    copies = versions(alternatives)
    best, short = sets[0], short_names(name for features in sets for name in features.names)
    for i, features in enumerate(sets):
        objective = features.train_objective
        # Features that are not in the original set are printed in bold.
        names = (
            escape(short[n]) if n in best.names else f"[bold]{escape(short[n])}[/]"
            for n in features.names
        )
        beside = _beside_best(objective, best.train_objective, measure is not None) if i else ""
        table.add_row(
            str(i or "original"),
            f"{objective:.4g}",
            *([f"{objective * measure.size:.3g}"] if measure else []),
            *([beside] if measure or not scores else []),
            _shared(len({*features.names} & {*best.names}), len(copies[i])) if i else "",
            *(scores.get(set_name(i), ("", "", "")) if scores else ()),
            proof_words(features.status, proof),
            ", ".join(names),
        )
    names_of_sets = {set_name(i) for i in range(alternatives.n_alternatives + 1)}
    for name in (one for one in scores if one not in names_of_sets):
        table.add_row(name, *[""] * (len(titles) - 3), *scores[name], "", "")
    return table


def _shared(n_shared: int, n_copies: int) -> str:
    """Return the number of shared features, and of copies and near copies of others."""
    copies = "copy" if n_copies == 1 else "copies"
    return f"{n_shared} + {n_copies} {copies}" if n_copies else str(n_shared)


def _beside_best(objective: float, best: float, from_zero: bool) -> str:
    """Return a quality beside the best one: a share, or a difference if 0 is not its floor."""
    if not from_zero:
        return f"{objective - best:+.2g}" if abs(objective - best) > _NO_CHANGE else "0"
    return f"{objective / best:.1%}" if best > 0 else ""


def _scores(evaluation: Evaluation | None) -> dict[str, tuple[str, str, str]]:
    """Return the held-out scores of the sets, and their differences, with intervals."""
    from altfs.library.answers.words import signed
    from altfs.library.feature_sets import EMPTY, set_name

    if evaluation is None:
        return {}
    scores = {}
    *sets, of_all, of_none = evaluation.table.to_dict("records")
    for row in [*sets, *evaluation.sizes.to_dict("records"), of_all, of_none]:
        score = f"{row['score']:.3f}" if isfinite(row["score"]) else ""
        interval = f"{row['low']:.2f} to {row['high']:.2f}" if isfinite(row["low"]) else ""
        apart = ""
        if row["set"] not in (set_name(0), EMPTY) and isfinite(row["difference_low"]):
            low, high = (signed(row[f"difference_{end}"]) for end in ("low", "high"))
            apart = f"{signed(row['difference'])} ({low} to {high})"
        scores[str(row["set"])] = score, interval, apart
    return scores


def as_data(result: FindResult) -> dict[str, Any]:
    """Return the request and the sets as data for JSON."""
    from altfs.library.inputs import chosen_selector, read_constraints, search_for
    from altfs.library.searching import tau_or_default

    alternatives, search_result = result.alternatives, result.alternatives.search_result_
    signal = alternatives.signal_
    tau = tau_or_default(alternatives.tau, alternatives.max_overlap)
    # With 0, sets differ by a feature.
    tau = tau if alternatives.tau is None else alternatives.tau
    sizes, among = alternatives.n_features, alternatives.feature_sets_[0].among
    content: dict[str, Any] = {
        "dataset": result.name,
        "sha256": result.raw.sha256,
        "target": result.raw.target,
        "target_type": alternatives.target_type_,
        "categorical": list(alternatives.categorical),
        "missing": alternatives.missing,
        "selector": alternatives.selector,
        "search": search_for(chosen_selector(alternatives.selector), alternatives.search),
        **({} if alternatives.solver is None else {"solver": alternatives.solver}),
        **({} if among is None else {"prescreen": among}),
        **result.labels,
        "random_state": alternatives.random_state,
        "work": alternatives.work,
        "tau": tau,
        "max_overlap": alternatives.max_overlap,
        **({} if alternatives.overlap == "pairwise" else {"overlap": alternatives.overlap}),
        "dissimilarity": alternatives.dissimilarity,
        "constraints": read_constraints(alternatives.constraints).model_dump(mode="json") or None,
        "n_features": sizes if isinstance(sizes, str) else search_result.n_features,
        "n_alternatives": search_result.n_alternatives,
        "aggregation": search_result.aggregation,
        "run_objective": finite_or_none(search_result.run_objective),
        "run_bound": finite_or_none(search_result.run_bound),
        "signal": None if signal is None else _signal_data(signal),
        "notes": [asdict(note) for note in alternatives.notes_],
        "shortfall": alternatives.shortfall_ or None,
        "sets": _finite_rows(alternatives.to_frame()),
    }
    if (evaluation := result.evaluation) is not None:
        content["evaluation"] = {
            "model": evaluation.model,
            "scoring": evaluation.scoring,
            "nested": evaluation.nested,
            "sets": _finite_rows(evaluation.table.drop(columns=_TIMES)),
            "sizes": _finite_rows(evaluation.sizes.drop(columns=_TIMES)),
        }
        if result.random_score is not None:
            content["evaluation"]["in_random_folds"] = finite_or_none(result.random_score)
    if (stable := result.stability) is not None:
        content["stability"] = {
            **{key: getattr(stable, key) for key in ("value", "low", "high", "n_halves")},
            "features": _finite_rows(stable.features),
            "sets": _finite_rows(stable.sets),
            "unordered": stable.unordered,
            "within_error": None if stable.within_error is None else asdict(stable.within_error),
        }
    if (features := result.without) is not None:
        content["without"] = {
            "features": list(result.missing),
            "feature_names": list(features.names),
            "train_objective": features.train_objective,
            "status": str(features.status),
        }
    if (near := result.near) is not None:
        content["near"] = {
            **{key: getattr(near, key) for key in ("best", "least", "how")},
            # They may be larger than the whole numbers of readers of JSON.
            "at_least": str(near.at_least),
            "at_most": str(near.at_most),
            "features": _finite_rows(near.features),
        }
    if (told := result.sensitive) is not None:
        content["sensitive"] = {
            "name": told.name,
            "groups": told.groups,
            "sets": _finite_rows(told.table),
            "information": told.information.to_dict(),
            "front": _finite_rows(told.front),
        }
    if (others := result.equivalents) is not None:
        content["equivalents"] = {
            "test": others.test,
            "by_chance": others.by_chance,
            "number": str(others.number),
            "classes": [list(names) for names in others.classes],
            "sets": _finite_rows(others.table),
        }
    if (plan := result.outages) is not None:
        content["outages"] = {
            "sets": [list(features.names) for features in plan],
            "proven": plan.proven,
            "table": json.loads(plan.table.to_json(orient="records")),
        }
    return content


def _signal_data(signal: Signal) -> dict[str, Any]:
    keys = ("score", "floor", "unit", "n_rows", "n_total")
    content = {key: getattr(signal, key) for key in keys}
    return content | {"p_values": [finite_or_none(p) for p in signal.p_values]}


def _finite_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(key): finite_or_none(v) if isinstance(v, float) else v for key, v in row.items()}
        for row in table.to_dict("records")
    ]
