"""``altfs find``: alternative feature sets for a table in a file."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.commands.constraint_options import Asked, add_constraint_options, asked_constraints
from altfs.commands.exit_codes import NO, OK
from altfs.commands.found_sets import Found, as_text, check_output, write
from altfs.commands.terminal import console
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError

if TYPE_CHECKING:
    from altfs.datasets.base import Task
    from altfs.library.estimator import AlternativeFeatures

#: Types of target that a user can name.
TASKS = ("auto", "classification", "regression")
# Arguments that are parameters of the estimator as they are.
_PARAMETERS = ("selector", "search", "n_features", "n_alternatives", "tau", "max_overlap",
               "dissimilarity", "aggregation", "work")  # fmt: skip
# The width of lines in a file or a pipe.
_NO_WIDTH = 10_000

HELP = "find alternatives in a table"
DESCRIPTION = """\
Finds sets of features in a table that are all good for predicting its target,
and different enough from one another. A column of text becomes numbers in
the order of its values.

exit code: 0 all sets are there; 1 there are fewer; 2 wrong arguments or data
examples:
  altfs find data.csv --target outcome
  altfs find data.csv --target outcome -k 5 -a 4 --tau 0.4 --output sets.json
  altfs find data.parquet --target price --selector mrmr --exclude age --exclude sex
  altfs find data.tsv --target y --search simultaneous --aggregation min --max-overlap 2
  altfs find data.csv --target y --cost scan=120 --cost blood=15 --budget 150
  altfs find data.csv --target y --exclusive age birth_year --at-most 1 kg lb stone
  altfs find data.csv --target y --relative-floor 0.9 --given age income
  altfs find data.csv --target y --constraints wishes.yaml --explain"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
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
    add("--explain", action="store_true", help="explain which features change, which "
        "replace others, the price of tau and the number of sets; for missing sets, suggest other "
        "arguments")  # fmt: skip
    add("-v", "--verbose", action="store_true", help="print progress")
    add_constraint_options(parser)


def run(chosen: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    terminal = console(width=None if sys.stdout.isatty() else _NO_WIDTH)

    def explain(alternatives: AlternativeFeatures) -> None:
        if chosen.explain:
            terminal.print(str(alternatives.explain()), markup=False, soft_wrap=True)

    found = find(
        chosen.data,
        chosen.target,
        task=chosen.task,
        output=chosen.output,
        asked=asked_constraints(chosen, chosen.data.name),
        if_none=explain,
        random_state=chosen.seed,
        n_jobs=chosen.jobs,
        verbose=int(chosen.verbose),
        **{name: getattr(chosen, name) for name in _PARAMETERS},
    )
    as_text(found, terminal)
    if chosen.explain:
        terminal.print()
    explain(found.alternatives)
    return NO if found.alternatives.shortfall_ else OK


def find(
    path: Path,
    target: str,
    *,
    asked: Asked | None = None,
    task: Task = "auto",
    output: Path | None = None,
    if_none: Callable[[AlternativeFeatures], None] | None = None,
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
        The constraints on the sets, with the given sets.
    task : {"auto", "classification", "regression"}
        Type of the target.
    output : Path, optional
        A ``.json`` or ``.parquet`` file to write, with a row per feature set.
    if_none : callable, optional
        Called with the estimator if it found no set, so that it can explain why.
    **parameters
        Of :class:`altfs.AlternativeFeatures`; names of features are columns.

    Raises
    ------
    AltfsError
        If something is wrong with the table or a parameter, or no set exists.
        Then nothing is written.
    """
    import pandas as pd

    from altfs.datasets import make_dataset
    from altfs.datasets.file import FileOptions, FileSource
    from altfs.library.estimator import AlternativeFeatures

    if output is not None:
        check_output(output, path)
    seed = parameters.get("random_state", 0)
    if not (isinstance(seed, int) and 0 <= seed < 2**32):
        raise AltfsError(f"seed: {seed} is not allowed, use a number from 0 to {2**32 - 1}.")
    wanted = asked or Asked()
    source = FileSource(path.name, FileOptions(path=path, target=target, task=task))
    dataset = make_dataset(path.name, source.load(), "find")
    frame = pd.DataFrame(dataset.X, columns=list(dataset.feature_names))
    # The reader of the file has determined the type of the target.
    known: Task = "regression" if dataset.target_type == "regression" else "classification"
    alternatives = AlternativeFeatures(
        task=known, constraints=wanted.constraints(), given=wanted.given, **parameters
    )
    with warnings.catch_warnings():
        # The printed table says that there are fewer sets.
        warnings.simplefilter("ignore", FewerSetsWarning)
        try:
            alternatives.fit(frame, dataset.y)
        except NoFeatureSetError:
            if if_none is not None:
                if_none(alternatives)
            raise
    found = Found(dataset, alternatives, wanted)
    if output is not None:
        write(output, found)
    return found


def _sizes(text: str) -> int | str:
    """Return a number as an integer, and any other text unchanged."""
    return int(text) if text.lstrip("-").isdigit() else text
