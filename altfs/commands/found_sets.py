"""Results of ``altfs find``, printed as a table or written as JSON or Parquet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.constraint_options import Asked
from altfs.errors import AltfsError

if TYPE_CHECKING:
    from rich.console import Console

    from altfs.datasets import Dataset
    from altfs.library.estimator import AlternativeFeatures

_ENDINGS = (".json", ".parquet")


@dataclass(frozen=True)
class Found:
    """Feature sets that were found in a table under constraints."""

    dataset: Dataset
    alternatives: AlternativeFeatures
    asked: Asked


def as_text(found: Found, console: Console) -> None:
    """Print the sets as a table."""
    from rich.markup import escape
    from rich.table import Table

    data, alternatives = found.dataset, found.alternatives
    result, sets = alternatives.search_result_, alternatives.feature_sets_
    console.print(
        f"{escape(data.name)}: {len(data.y)} rows, {data.n_total} features, "
        f"target {escape(data.target)} ({data.target_type})"
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
        console.print(
            f"{result.aggregation} of the qualities: {result.run_objective:.4g}, "
            f"at most {result.run_bound:.4g} is possible"
        )
    # Estimates of the information of constant columns are noise.
    X = data.X
    for j in sorted({j for one in sets for j in one.indices if (X[:, j] == X[0, j]).all()}):
        console.print(
            f"{escape(data.feature_names[j])} has the same value in every row and tells nothing, "
            "leave it out with --exclude.",
            soft_wrap=True,
        )
    if alternatives.shortfall_:
        console.print(escape(alternatives.shortfall_), soft_wrap=True)


def as_data(found: Found) -> dict[str, Any]:
    """Return the request and the sets as data for JSON."""
    from altfs.library.request import tau_asked

    data, alternatives = found.dataset, found.alternatives
    result, sizes = alternatives.search_result_, alternatives.n_features
    return {
        "dataset": data.name,
        "sha256": data.info["sha256"],
        "target": data.target,
        "target_type": data.target_type,
        "selector": alternatives.selector,
        "search": alternatives.search,
        "random_state": alternatives.random_state,
        "work": alternatives.work,
        "tau": tau_asked(alternatives.tau, alternatives.max_overlap),
        "max_overlap": alternatives.max_overlap,
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
    }


def _number(value: float) -> float | None:
    # JSON has no NaN.
    return None if isnan(value) else float(value)


def check_output(output: Path, path: Path) -> None:
    """Check that a file can be written and is not the table itself."""
    if output.suffix not in _ENDINGS:
        raise AltfsError(
            f"output: '{output}' ends in '{output.suffix}', allowed are: {', '.join(_ENDINGS)}."
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
            write_text(output, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        else:
            import pyarrow as pa

            table = pa.Table.from_pylist(content.pop("sets"))
            write_table(output, table, {"kind": "find", **content})
    except OSError as error:
        raise AltfsError(
            f"output: '{output}' cannot be written ({error.strerror}), name another file."
        ) from None
