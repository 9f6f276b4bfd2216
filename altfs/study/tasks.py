"""The tasks of a study, as rules call them.

Every function takes the arguments that the plan made as keywords, and writes one file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altfs.errors import StaleResultError

if TYPE_CHECKING:
    from altfs.study.store import Result


def data(**arguments: Any) -> None:
    """Store a dataset as the study uses it."""
    from altfs.study.facts import load_dataset
    from altfs.study.folds import save_dataset
    from altfs.study.plan import load_plan

    config = load_plan(arguments["study"]).config
    entry = next(e for e in config.datasets if e.name == arguments["dataset"])
    dataset = load_dataset(entry, config.pmlb_cache, f"dataset '{entry.name}'")
    if dataset.identity != arguments["identity"]:
        raise StaleResultError(
            f"dataset '{entry.name}' has changed since the run began, start the run again."
        )
    for column in dataset.info["constant"]:
        print(f"column '{column}' is constant; it is kept")
    for column, same in dataset.info["duplicated"].items():
        print(f"column '{column}' has the values of '{same}'; it is kept")
    save_dataset(Path(arguments["output"]), dataset)


def score(**arguments: Any) -> None:
    """Compute a score of a fold, or a part of it, or join its parts."""
    from altfs.study.scoring import make_score

    _unless_current(make_score, "score", arguments)


def quality(**arguments: Any) -> None:
    """Learn and store the qualities of a selector on a fold."""
    from altfs.study.qualities import make_qualities

    _unless_current(make_qualities, "quality", arguments)


def search(**arguments: Any) -> None:
    """Make one shard."""
    from altfs.study.sharding import make_shard

    _unless_current(make_shard, "shard", arguments)


def explain(**arguments: Any) -> None:
    """Explain rows of the test part of a fold."""
    from altfs.study.explaining import make_explanations

    _unless_current(make_explanations, "explanations", arguments)


def predict(**arguments: Any) -> None:
    """Train one model on every distinct feature set of a fold."""
    from altfs.study.plan import load_plan, shard_hash
    from altfs.study.predicting import make_predictions
    from altfs.study.store import read_shard

    plan = load_plan(arguments["study"])
    sets = []
    for key in plan.shard_keys(arguments["dataset"], arguments["fold"]):
        table, _ = read_shard(Path(plan.shard_path(key)), shard_hash(plan, key))
        sets += [tuple(s) for s in table["selected"].to_pylist() if s]
    make_predictions(arguments, sets)


def _unless_current(
    make: Callable[[dict[str, Any]], Result], kind: str, arguments: dict[str, Any]
) -> None:
    """Make a result, unless its file holds exactly this one.

    Snakemake does not notice the finished results of a killed run. It takes a file that was only
    touched for a new one.
    """
    from altfs._clock import cpu_clock
    from altfs.study.store import read_current, task_hash, write_result

    path = Path(arguments["output"])
    if read_current(path, task_hash(arguments)) is not None:
        print(f"{path} is whole and up to date")
    else:
        _check_inputs(arguments)
        before = cpu_clock()
        result = make(arguments)
        write_result(arguments, kind, result, cpu_clock() - before)


def _check_inputs(arguments: dict[str, Any]) -> None:
    """Check that the scores, parts and qualities of a task were made for it."""
    from altfs.study.store import read_metadata, task_hash

    files = arguments["files"]
    expected = {path: arguments["scores"][name] for name, path in files.get("scores", {}).items()}
    if "quality" in files:
        expected[files["quality"]] = arguments["quality"]
    parts = files.get("parts", ())
    for part, path in enumerate(parts):
        # A part depends on its number, and on everything that the whole depends on.
        expected[path] = task_hash({**arguments, "part": part, "parts": len(parts)})
    for path, text in expected.items():
        if read_metadata(Path(path)).get("task_hash") != text:
            raise StaleResultError(
                f"'{path}' was made with other settings, data or code than the study has now, "
                "delete it and run the study again."
            )
