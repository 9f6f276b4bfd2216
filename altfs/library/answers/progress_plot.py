"""The way of a search as a chart: objective and features over the evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Any

import pandas as pd

from altfs.errors import UnsupportedProblemError
from altfs.evaluation.names import ramp
from altfs.library.feature_sets import set_name
from altfs.library.short_names import feature_axis
from altfs.problem import Family, FeatureIndices, Problem
from altfs.problem.results import Step

if TYPE_CHECKING:
    from altfs.library.answers.fitted import FittedRequest

# The largest number of features whose lattice is drawn.
_LATTICE = 5
_WIDTH = 460


@dataclass(frozen=True)
class _Run:
    """The trace of a call of the solver, the problem it had, and the number of evaluations."""

    name: str
    problem: Problem
    trace: tuple[Step, ...]
    work: int

    def best(self, walks: bool = False) -> Iterator[tuple[Step, int]]:
        """Yield the valid steps that are better than all before, each with its end.

        If it `walks`, those before the first valid step come first.
        """
        better: list[Step] = []
        valid = False
        for step in self.trace:
            if self.problem.violation(step.sets) is None:
                if not valid or step.objective > better[-1].objective:
                    better.append(step)
                valid = True
            elif walks and not valid:
                better.append(step)
        ends = [*(step.evaluations for step in better[1:]), self.work]
        yield from zip(better, ends, strict=True)


def progress(fitted: FittedRequest) -> Any:
    """Draw the way of the search, see :meth:`altfs.AlternativeFeatures.plot`."""
    import altair as alt

    runs = list(_runs(fitted))
    if not any(run.trace for run in runs):
        solvers = dict.fromkeys(features.solver for features in fitted.result)
        names = ", ".join(f"'{name}'" for name in solvers if name)
        reason = f"'progress' needs a solver that notes its way, {names or 'this search'} does not"
        advice = "use another one such as solver='forward' or solver='evolution'"
        raise UnsupportedProblemError("plot", reason, advice)
    # The last sets of a greedy search are visible, too.
    end = ceil(1.05 * max(run.work for run in runs))
    charts = [
        _draw_objectives(fitted, runs),
        *(_draw_features(fitted, r, end) for r in runs if r.trace),
    ]
    if fitted.quality.n_total <= _LATTICE:
        charts.append(_draw_lattice(fitted, runs))
    return alt.vconcat(*charts).resolve_scale(color="independent")


def _runs(fitted: FittedRequest) -> Iterator[_Run]:
    result, given = fitted.result, fitted.problem.given
    if result.aggregation != "none":
        yield _Run("all sets", fitted.problem, result[0].steps, result[0].work)
        return
    for i, features in enumerate(result):
        problem = replace(fitted.problem, n_sets=1, aggregation="sum", given=given)
        if features:
            yield _Run(set_name(i), problem, features.steps, features.work)
            given = (*given, features.indices)


def _colour(runs: list[_Run]) -> Any:
    import altair as alt

    names = [run.name for run in runs]
    return alt.Color("set:N", title="Set", sort=names, scale=alt.Scale(range=ramp(len(names))))


def _draw_objectives(fitted: FittedRequest, runs: list[_Run]) -> Any:
    """Draw the objective of every step, and that of the best valid sets so far."""
    import altair as alt

    steps, best = [], []
    for run in runs:
        for step in run.trace:
            features = "; ".join(", ".join(fitted.label(s)) for s in step.sets)
            steps.append((run.name, step.evaluations, step.objective, features))
        for step, end in run.best():
            best += [(run.name, at, step.objective) for at in (step.evaluations, end)]
    columns = ["set", "evaluations", "objective", "features"]
    x = alt.X("evaluations:Q", title="Evaluations")
    y = alt.Y("objective:Q", title="Objective", scale=alt.Scale(zero=False))
    points = (
        alt.Chart(pd.DataFrame(steps, columns=columns), title="The way of the search")
        .mark_point(size=14, opacity=0.6)
        .encode(x=x, y=y, color=_colour(runs), tooltip=columns)
    )
    lines = (
        alt.Chart(pd.DataFrame(best, columns=columns[:3]))
        .mark_line()
        .encode(x=x, y=y, color=_colour(runs), order="evaluations:Q")
    )
    return (lines + points).properties(width=_WIDTH)


def _draw_features(fitted: FittedRequest, run: _Run, end: int) -> Any:
    """Draw the features of the best sets of a run so far, over the evaluations up to an end.

    Before the first valid set they are those of the walk.
    """
    import altair as alt

    rows = []
    steps = list(run.best(walks=True))
    for step, until in [*steps[:-1], (steps[-1][0], end)]:
        for j in sorted({j for chosen in step.sets for j in chosen}):
            held = sum(j in chosen for chosen in step.sets)
            rows.append((run.name, step.evaluations, until, fitted.names[j], held))
    columns = ["set", "from", "to", "feature", "sets"]
    data, n_sets = pd.DataFrame(rows, columns=columns), run.problem.n_sets
    shades = alt.Scale(scheme="blues", domain=[0, n_sets])
    legend = alt.Legend(title="Sets with it", tickMinStep=1) if n_sets > 1 else None
    return (
        alt.Chart(data, title=f"Features of the best so far: {run.name}")
        .mark_rect(stroke="white", strokeWidth=0.3)
        .encode(
            x=alt.X("from:Q", title="Evaluations", scale=alt.Scale(domain=[0, end])),
            x2="to:Q",
            y=alt.Y(
                "feature:N",
                title=None,
                sort=list(fitted.names),
                axis=feature_axis(data["feature"].unique()),
            ),
            color=alt.Color("sets:Q", scale=shades, legend=legend),
            tooltip=columns,
        )
        .properties(width=_WIDTH, height=alt.Step(14))
    )


def _draw_lattice(fitted: FittedRequest, runs: list[_Run]) -> Any:
    """Draw all sets by their number of features, and the way from set to set."""
    import altair as alt

    n = fitted.quality.n_total
    place: dict[FeatureIndices, float] = {}
    for size in range(n + 1):
        level = list(combinations(range(n), size))
        place.update({chosen: i - (len(level) - 1) / 2 for i, chosen in enumerate(level)})
    # Other sets may be none that the quality can evaluate.
    passed = {chosen for run in runs for step in run.trace for chosen in step.sets}
    nodes = [
        (
            ", ".join(fitted.label(chosen)) or "none",
            x,
            len(chosen),
            fitted.quality.evaluate(chosen) if chosen in passed else None,
        )
        for chosen, x in place.items()
    ]
    links = [
        {"link": f"{a} {b}", "x": place[s], "size": len(s)}
        for a in place
        for b in place
        if len(b) == len(a) + 1 and set(a) < set(b)
        for s in (a, b)
    ]
    walked = list(_ways(runs))
    ways = [
        {"set": name, "step": number, "x": place[chosen], "size": len(chosen)}
        for name, way in walked
        for number, chosen in enumerate(way)
    ]
    data = pd.DataFrame(nodes, columns=["features", "x", "size", "quality"])
    x = alt.X("x:Q", axis=None)
    y = alt.Y("size:Q", title="Number of features", axis=alt.Axis(tickMinStep=1, grid=False))
    names = [name for name, _ in walked]
    hues = ramp(len(names))
    edges = alt.Chart(pd.DataFrame(links)).mark_line(color="#DDDDDD").encode(x, y, detail="link:N")
    path = (
        alt.Chart(pd.DataFrame(ways))
        .mark_line(strokeWidth=3)
        .encode(
            x,
            y,
            order="step:Q",
            color=alt.Color("set:N", title="Way", sort=names, scale=alt.Scale(range=hues)),
        )
    )
    base = alt.Chart(data).encode(x, y, tooltip=["features", "quality:Q"])
    others = base.mark_circle(size=60, color="#CCCCCC", opacity=1)
    points = (
        base.transform_filter("isValid(datum.quality)")
        .mark_circle(size=150, stroke="black", opacity=1)
        .encode(fill=alt.Fill("quality:Q", title="Quality", scale=alt.Scale(scheme="blues")))
    )
    chart = (edges + others + path + points).resolve_scale(color="independent")
    return chart.properties(width=_WIDTH, height=280, title="All sets")


def _ways(runs: list[_Run]) -> Iterator[tuple[str, list[FeatureIndices]]]:
    """Yield the sets that were passed on the way to each set, with its name."""
    for run in runs:
        families: list[Family] = [step.sets for step in run.trace]
        for i in range(run.problem.n_sets):
            name = run.name if run.problem.n_sets == 1 else set_name(i)
            yield name, [family[i] for family in families]
