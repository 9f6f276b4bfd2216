"""What ``altfs find`` found: printed as a table, written as JSON or Parquet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.constraint_options import Asked
from altfs.errors import AltfsError

if TYPE_CHECKING:
    from rich.console import Console

    from altfs.datasets import Dataset
    from altfs.estimators import AlternativeFeatures

_ENDINGS = (".json", ".parquet")


@dataclass(frozen=True)
class Found:
    """What was found in a table.

    Attributes
    ----------
    dataset : Dataset
    alternatives : AlternativeFeatures
        Fitted on it.
    asked : Asked
        What the sets have to satisfy.
    """

    dataset: Dataset
    alternatives: AlternativeFeatures
    asked: Asked


def as_text(found: Found, console: Console) -> None:
    """Print the sets as a table."""
    from rich.markup import escape
    from rich.table import Table

    data, result = found.dataset, found.alternatives.search_result_
    console.print(
        f"{escape(data.name)}: {len(data.y)} rows, {data.n_total} features, "
        f"target {escape(data.target)} ({data.target_type})",
        highlight=False,
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("set")
    for title in ("quality", "of best", "dissimilarity"):
        table.add_column(title, justify="right")
    table.add_column("status")
    table.add_column("features", overflow="fold")
    best = found.alternatives.feature_sets_[0]
    common = set(best.names)
    for i, one in enumerate(found.alternatives.feature_sets_):
        share = one.train_objective / best.train_objective if best.train_objective > 0 else 0
        # What an alternative does not share with the original set stands out.
        names = (escape(n) if i == 0 or n in common else f"[bold]{escape(n)}[/]" for n in one.names)
        table.add_row(
            "original" if i == 0 else str(i),
            f"{one.train_objective:.4g}",
            f"{share:.1%}" if best.train_objective > 0 else "",
            f"{found.alternatives.dissimilarities_[0, i]:.3g}" if i else "",
            str(one.status),
            ", ".join(names),
        )
    console.print(table)
    if result.aggregation != "none" and len(found.alternatives.feature_sets_) > 1:
        console.print(
            f"{result.aggregation} of the qualities: {result.run_objective:.4g}, "
            f"at most {result.run_bound:.4g} is possible",
            highlight=False,
        )
    for name in _constant(found):
        console.print(
            f"{escape(name)} has the same value in every row and tells nothing, leave it out with "
            "--exclude.",
            highlight=False,
            soft_wrap=True,
        )
    if found.alternatives.shortfall_:
        console.print(escape(found.alternatives.shortfall_), highlight=False, soft_wrap=True)


def _constant(found: Found) -> list[str]:
    """Columns of one value that are in the sets: estimates of information are noise for them."""
    held = {j for one in found.alternatives.feature_sets_ for j in one.indices}
    X, names = found.dataset.X, found.dataset.feature_names
    return [names[j] for j in sorted(held) if (X[:, j] == X[0, j]).all()]


def as_data(found: Found) -> dict[str, Any]:
    """What was asked and the sets, as JSON holds them."""
    from altfs._request import _TAU

    data, alternatives = found.dataset, found.alternatives
    result, sizes = alternatives.search_result_, alternatives.n_features
    tau = alternatives.tau
    if tau is None and alternatives.max_overlap is None:
        tau = _TAU
    return {
        "dataset": data.name,
        "sha256": data.info["sha256"],
        "target": data.target,
        "target_type": data.target_type,
        "selector": alternatives.selector,
        "search": alternatives.search,
        "random_state": alternatives.random_state,
        "work": alternatives.work,
        "tau": tau,
        "max_overlap": alternatives.max_overlap,
        "dissimilarity": alternatives.dissimilarity,
        "constraints": dict(found.asked.content) or None,
        "n_features": list(sizes) if isinstance(sizes, tuple) else result.n_features,
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
    return None if value != value else float(value)


def check_output(output: Path, path: Path) -> None:
    """Refuse a file that could not be written, or is the table itself, before anything is done.

    Raises
    ------
    AltfsError
        In one sentence.
    """
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
    """Write the sets, whole or not at all.

    Raises
    ------
    AltfsError
        If the file cannot be written.
    """
    from altfs.study.store import write_atomically, write_table

    content = as_data(found)
    try:
        if output.suffix == ".json":
            text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
            write_atomically(output, lambda partial: _write_text(partial, text))
        else:
            import pyarrow as pa

            table = pa.Table.from_pylist(content.pop("sets"))
            write_table(output, table, {"kind": "find", **content})
    except OSError as error:
        raise AltfsError(
            f"output: '{output}' cannot be written ({error.strerror}), name another file."
        ) from None


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
