"""``altfs find``: alternatives for a table in a file, printed and written."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.constraint_options import (
    NOTHING,
    Asked,
    add_constraint_options,
    asked_constraints,
)
from altfs.errors import AltfsError, FewerSetsWarning

if TYPE_CHECKING:
    from rich.console import Console

    from altfs.datasets import Dataset
    from altfs.datasets.base import Task
    from altfs.estimators import AlternativeFeatures

_ENDINGS = (".json", ".parquet")
#: What a target can be said to be.
TASKS = ("auto", "classification", "regression")
# Arguments that are parameters of the estimator as they are.
_PARAMETERS = ("selector", "search", "n_features", "n_alternatives", "tau", "max_overlap",
               "dissimilarity", "aggregation", "work")  # fmt: skip
# Lines are as long as they need to be where no terminal's width is to be kept.
_NO_WIDTH = 10_000

_DESCRIPTION = """\
Finds sets of features in a table that are all good for predicting its target,
and different enough from one another. A column of text becomes numbers in
the order of its values.

exit code: 0 all sets are there; 1 there are not so many; 2 wrong arguments or data
examples:
  altfs find data.csv --target outcome
  altfs find data.csv --target outcome -k 5 -a 4 --tau 0.4 --output sets.json
  altfs find data.parquet --target price --selector mrmr --exclude age --exclude sex
  altfs find data.tsv --target y --search simultaneous --aggregation min --max-overlap 2
  altfs find data.csv --target y --cost scan=120 --cost blood=15 --budget 150
  altfs find data.csv --target y --exclusive age birth_year --at-most 1 kg lb stone
  altfs find data.csv --target y --relative-floor 0.9 --given age income
  altfs find data.csv --target y --constraints wishes.yaml"""


def is_table(path: Path) -> bool:
    """Whether a file's name ends as those of tables do."""
    return path.name.lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet"))


def add_find(commands: Any) -> None:
    """Add the command to those of ``altfs``."""
    parser = commands.add_parser(
        "find",
        help="find alternatives in a table",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("data", type=Path, help="a .csv, .tsv (both also with .gz) or .parquet file")
    add("-t", "--target", required=True, metavar="COLUMN", help="the column of the target")
    add("-k", "--n-features", type=_sizes, metavar="N", help="features in each set (5, or half of "
        "the columns if they are fewer than ten); or the smallest and the largest number, as in "
        "2-4")  # fmt: skip
    add("-a", "--n-alternatives", type=int, default=4, metavar="N",
        help="sets beyond the original one (4)")  # fmt: skip
    add("--tau", help="how different two sets have to be, from 0 to 1 (0.4)")
    add("--max-overlap", type=int, metavar="N", help="features that two sets may share, in place "
        "of tau")  # fmt: skip
    add("--dissimilarity", default="dice", help="of tau: dice or jaccard (dice)")
    add("--selector", default="mutual_information", help="what makes a set good "
        "(mutual_information), see docs/library.md")  # fmt: skip
    add("--search", default="sequential", help="sequential, simultaneous, or another one in "
        "docs/library.md (sequential)")  # fmt: skip
    add("--aggregation", help="of simultaneous and local search: sum or min (sum)")
    add("--task", default="auto", choices=TASKS, metavar="TASK",
        help=f"what the target is: {', '.join(TASKS)} (auto)")  # fmt: skip
    add("--seed", type=int, default=0, help="random state of scores (0)")
    add("--work", type=float, default=20.0, metavar="N", help="limit of a solver's work, in "
        "counts (20)")  # fmt: skip
    add("--jobs", type=int, default=1, metavar="N", help="threads for scores of pairs (1)")
    add("-o", "--output", type=Path, metavar="FILE", help="a .json or .parquet file to write")
    add("-v", "--verbose", action="store_true", help="say how far it is")
    add_constraint_options(parser)


def run_find(chosen: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    from rich.console import Console

    found = find(
        chosen.data,
        chosen.target,
        task=chosen.task,
        output=chosen.output,
        asked=asked_constraints(chosen, chosen.data.name),
        random_state=chosen.seed,
        n_jobs=chosen.jobs,
        verbose=int(chosen.verbose),
        **{name: getattr(chosen, name) for name in _PARAMETERS},
    )
    as_text(found, Console(width=None if sys.stdout.isatty() else _NO_WIDTH))
    return 1 if found.alternatives.shortfall_ else 0


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


def find(
    path: Path,
    target: str,
    *,
    asked: Asked = NOTHING,
    task: Task = "auto",
    output: Path | None = None,
    **parameters: Any,
) -> Found:
    """Find alternatives in a CSV, TSV or Parquet file.

    Parameters
    ----------
    path : Path
        The table.
    target : str
        Its target column.
    asked : Asked, optional
        What the sets have to satisfy, sets that there are already among it.
    task : {"auto", "classification", "regression"}
        What the target is.
    output : Path, optional
        A ``.json`` or ``.parquet`` file to write, with a row per feature set.
    **parameters
        Of :class:`altfs.AlternativeFeatures`; names of features are columns.

    Raises
    ------
    AltfsError
        If something is wrong with the table or a parameter, or there is no set;
        then nothing is written.
    """
    import pandas as pd

    from altfs.datasets import make_dataset
    from altfs.datasets.file import FileOptions, FileSource
    from altfs.estimators import AlternativeFeatures

    if output is not None:
        _check_output(output, path)
    seed = parameters.get("random_state", 0)
    if not (isinstance(seed, int) and 0 <= seed < 2**32):
        raise AltfsError(f"seed: {seed} is not allowed, use a number from 0 to {2**32 - 1}.")
    name = path.name
    dataset = make_dataset(
        name, FileSource(name, FileOptions(path=path, target=target, task=task)).load(), "find"
    )
    frame = pd.DataFrame(dataset.X, columns=list(dataset.feature_names))
    # The file's reader has decided already what the target is.
    known: Task = "regression" if dataset.target_type == "regression" else "classification"
    alternatives = AlternativeFeatures(
        task=known,
        constraints=asked.constraints(),
        given=asked.given,
        **parameters,
    )
    with warnings.catch_warnings():
        # It is said with the table.
        warnings.simplefilter("ignore", FewerSetsWarning)
        alternatives.fit(frame, dataset.y)
    found = Found(dataset, alternatives, asked)
    if output is not None:
        _write(output, found)
    return found


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
    if found.alternatives.shortfall_:
        console.print(escape(found.alternatives.shortfall_), highlight=False, soft_wrap=True)


def as_data(found: Found) -> dict[str, Any]:
    """What was asked and the sets, as JSON holds them."""
    from altfs._request import _TAU

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
        "tau": alternatives.tau or (_TAU if alternatives.max_overlap is None else None),
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


def _sizes(text: str) -> int | tuple[int, int]:
    """A number, or two: the first dash may be a sign."""
    place = text.find("-", 1)
    try:
        return int(text) if place < 0 else (int(text[:place]), int(text[place + 1 :]))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not allowed, use a whole number or two such as 2-4"
        ) from None


def _number(value: float) -> float | None:
    # JSON has no NaN.
    return None if value != value else float(value)


def _check_output(output: Path, path: Path) -> None:
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


def _write(output: Path, found: Found) -> None:
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
