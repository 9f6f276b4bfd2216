"""Results of ``altfs find``, printed as a table or written as JSON or Parquet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite, isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.constraint_options import Asked
from altfs.errors import AltfsError

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from altfs.datasets import RawTable
    from altfs.library.answers.evaluation import Evaluation
    from altfs.library.answers.outages import OutagePlan
    from altfs.library.estimator import AlternativeFeatures
    from altfs.problem.results import FeatureSet

_ENDINGS = (".json", ".parquet")


@dataclass(frozen=True)
class Fallback:
    """The best set without some features, and the sets for outages; None if not asked for."""

    features: tuple[str, ...] = ()
    without: FeatureSet | None = None
    plan: OutagePlan | None = None


@dataclass(frozen=True)
class Found:
    """Feature sets that were found in a table under constraints."""

    name: str
    raw: RawTable
    X: pd.DataFrame
    alternatives: AlternativeFeatures
    asked: Asked
    #: What looks like a mistake in the table.
    notes: tuple[str, ...]
    evaluation: Evaluation | None = None
    fallback: Fallback = Fallback()


def as_text(found: Found, console: Console) -> None:
    """Print the sets as a table."""
    from rich.markup import escape
    from rich.table import Table

    alternatives = found.alternatives
    result, sets = alternatives.search_result_, alternatives.feature_sets_
    console.print(
        f"{escape(found.name)}: {len(found.X)} rows, {found.X.shape[1]} features, "
        f"target {escape(found.raw.target)} ({alternatives.target_type_})"
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("set")
    for title in ("quality", "of best", "dissimilarity"):
        table.add_column(title, justify="right")
    table.add_column("status")
    table.add_column("features", overflow="fold")
    best = sets[0]
    for i, one in enumerate(sets):
        share = one.train_objective / best.train_objective if best.train_objective > 0 else nan
        # Features that are not in the original set are printed in bold.
        names = (escape(n) if n in best.names else f"[bold]{escape(n)}[/]" for n in one.names)
        table.add_row(
            str(i or "original"),
            f"{one.train_objective:.4g}",
            "" if isnan(share) else f"{share:.1%}",
            f"{alternatives.dissimilarities_[0, i]:.3g}" if i else "",
            str(one.status),
            ", ".join(names),
        )
    console.print(table)
    if result.aggregation != "none" and len(sets) > 1:
        most = f", at most {result.run_bound:.4g} is possible"
        console.print(
            f"{result.aggregation} of the qualities: {result.run_objective:.4g}"
            f"{most if isfinite(result.run_bound) else ''}"
        )
    # Estimates of the information of constant columns are noise.
    chosen = sorted({j for one in sets for j in one.indices})
    for name in (n for n in found.X.columns[chosen] if found.X[n].isin(found.X[n][:1]).all()):
        console.print(
            f"{escape(name)} has the same value in every row and tells nothing, "
            "leave it out with --exclude.",
            soft_wrap=True,
        )
    if sets[0].among is not None:
        console.print(
            f"The search saw the {sets[0].among:,} most relevant features (--prescreen), and what "
            "is proven is proven among these.",
            soft_wrap=True,
        )
    for note in found.notes:
        console.print(escape(note), soft_wrap=True)
    if alternatives.shortfall_:
        console.print(escape(alternatives.shortfall_), soft_wrap=True)
    if found.evaluation is not None:
        console.print(str(found.evaluation), markup=False, soft_wrap=True)
    fallback = found.fallback
    if fallback.without is not None:
        one = fallback.without
        console.print(
            f"Without {', '.join(fallback.features)}: {', '.join(one.names)}; quality "
            f"{one.train_objective:.4g}, {one.status}.",
            markup=False,
            soft_wrap=True,
        )
    if fallback.plan is not None:
        console.print(str(fallback.plan), markup=False, soft_wrap=True)


def as_data(found: Found) -> dict[str, Any]:
    """Return the request and the sets as data for JSON."""
    from altfs.library.inputs import chosen_selector, search_for
    from altfs.library.request import tau_asked

    alternatives = found.alternatives
    result, sizes = alternatives.search_result_, alternatives.n_features
    sets = alternatives.feature_sets_
    return {
        "dataset": found.name,
        "sha256": found.raw.sha256,
        "target": found.raw.target,
        "target_type": alternatives.target_type_,
        "categorical": list(alternatives.categorical),
        "missing": alternatives.missing,
        "selector": alternatives.selector,
        "search": search_for(chosen_selector(alternatives.selector), alternatives.search),
        **({} if alternatives.solver is None else {"solver": alternatives.solver}),
        **({} if sets[0].among is None else {"prescreen": sets[0].among}),
        "random_state": alternatives.random_state,
        "work": alternatives.work,
        "tau": tau_asked(alternatives.tau, alternatives.max_overlap),
        "max_overlap": alternatives.max_overlap,
        **({} if alternatives.overlap == "pairwise" else {"overlap": alternatives.overlap}),
        "dissimilarity": alternatives.dissimilarity,
        "constraints": dict(found.asked.content) or None,
        "n_features": sizes if isinstance(sizes, str) else result.n_features,
        "n_alternatives": result.n_alternatives,
        "aggregation": result.aggregation,
        "run_objective": _number(result.run_objective),
        "run_bound": _number(result.run_bound),
        "shortfall": alternatives.shortfall_ or None,
        "sets": [
            {**row, "bound": _number(row["bound"])}
            for row in alternatives.to_frame().to_dict("records")
        ],
        **({} if found.evaluation is None else {"evaluation": _evaluation(found.evaluation)}),
        **_fallback(found.fallback),
    }


def json_text(found: Found) -> str:
    """Return the request and the sets as JSON."""
    return json.dumps(as_data(found), indent=1, ensure_ascii=False)


def _evaluation(found: Evaluation) -> dict[str, Any]:
    rows = found.table.to_dict("records")
    return {
        "model": found.model,
        "scoring": found.scoring,
        "nested": found.nested,
        "sets": [
            {k: _number(v) if isinstance(v, float) else v for k, v in row.items()} for row in rows
        ],
    }


def _fallback(found: Fallback) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if (one := found.without) is not None:
        content["without"] = {
            "features": list(found.features),
            "feature_names": list(one.names),
            "train_objective": one.train_objective,
            "status": str(one.status),
        }
    if found.plan is not None:
        table = json.loads(found.plan.table.to_json(orient="records"))
        sets = [list(one.names) for one in found.plan]
        content["outages"] = {"sets": sets, "proven": found.plan.proven, "table": table}
    return content


def _number(value: float) -> float | None:
    # JSON has no NaN and no infinity.
    return float(value) if isfinite(value) else None


def check_output(output: Path, path: Path, endings: tuple[str, ...] = _ENDINGS) -> None:
    """Check that a file can be written and is not the table itself."""
    if output.suffix not in endings:
        raise AltfsError(
            f"output: '{output}' ends in '{output.suffix}', allowed are: {', '.join(endings)}."
        )
    if output.is_dir() or not output.parent.is_dir():
        raise AltfsError(
            f"output: '{output}' cannot be written, name a file in a folder that exists."
        )
    if output.exists() and path.exists() and output.samefile(path):
        raise AltfsError(f"output: '{output}' is the table itself, name another file.")


def write(output: Path, found: Found) -> None:
    """Write the sets to a file, atomically."""
    from altfs.study.store import write_table, write_text

    content = as_data(found)
    try:
        if output.suffix == ".json":
            write_text(output, json_text(found) + "\n")
        else:
            import pyarrow as pa

            table = pa.Table.from_pylist(content.pop("sets"))
            write_table(output, table, {"kind": "find", **content})
    except OSError as error:
        raise AltfsError(
            f"output: '{output}' cannot be written ({error.strerror}), name another file."
        ) from None
