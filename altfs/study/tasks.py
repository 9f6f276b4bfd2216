"""The tasks of a study, as rules call them.

Every function takes its arguments by keyword, exactly as the plan made them,
and writes exactly one file. A rule's shell command and its in-process form call the same function.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from altfs.errors import StaleResultError


def data(**arguments: Any) -> None:
    """Store a dataset as the study uses it."""
    from altfs.datasets.table import identity_of
    from altfs.study.facts import load_dataset
    from altfs.study.folds import save_dataset
    from altfs.study.plan import load_plan

    config = load_plan(arguments["study"]).config
    entry = next(e for e in config.datasets if e.name == arguments["dataset"])
    dataset = load_dataset(entry, config.pmlb_cache, f"dataset '{entry.name}'")
    planned = identity_of(arguments["digest"], arguments.get("encodings", ""))
    if dataset.identity != planned:
        raise StaleResultError(
            f"dataset '{entry.name}' has changed since the run began, start the run again."
        )
    for column in dataset.info["constant"]:
        print(f"column '{column}' is constant; it is kept")
    for column, same in dataset.info["duplicated"].items():
        print(f"column '{column}' has the values of '{same}'; it is kept")
    save_dataset(Path(arguments["output"]), dataset)


def score(**arguments: Any) -> None:
    """Compute a score of single features on a fold."""
    from altfs.study.scoring import make_score

    _unless_current(make_score, arguments)


def score_part(**arguments: Any) -> None:
    """Compute a part of a score of feature pairs on a fold."""
    from altfs.study.scoring import make_score_part

    _unless_current(make_score_part, arguments)


def score_join(**arguments: Any) -> None:
    """Join the parts of a score of feature pairs."""
    from altfs.study.scoring import join_score_parts

    _unless_current(join_score_parts, arguments)


def search(**arguments: Any) -> None:
    """Make one shard."""
    from altfs.study.special_shards import make_shard

    _unless_current(make_shard, arguments)


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


def gather(**arguments: Any) -> None:
    """Note how many files the evaluation has to read, and a hash that changes with any of them."""
    import hashlib
    import json

    from altfs.study.inventory import files_to_evaluate
    from altfs.study.plan import load_plan
    from altfs.study.store import write_atomically

    files = files_to_evaluate(load_plan(arguments["study"]))
    seen = hashlib.sha256()
    for file in files:
        # Whoever makes a file moves a new one to its place, so its time tells.
        status = Path(file).stat()
        seen.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    text = json.dumps({"files": len(files), "sha256": seen.hexdigest()}) + "\n"

    def write(partial: Path) -> None:
        partial.write_text(text)

    write_atomically(Path(arguments["output"]), write)


def _unless_current(make: Callable[[dict[str, Any]], None], arguments: dict[str, Any]) -> None:
    """Make a result, unless exactly this one is there.

    A run that was killed leaves results of which Snakemake does not know that
    they were finished; a file that was only touched looks new to it.
    """
    from altfs.study.store import is_current, task_hash

    path = Path(arguments["output"])
    if is_current(path, task_hash(arguments)):
        print(f"{path} is whole and up to date")
    else:
        _check_scores(arguments)
        make(arguments)


def _check_scores(arguments: dict[str, Any]) -> None:
    """Refuse scores, or parts of one, that were made for another task than this one needs."""
    from altfs.study.store import read_metadata, task_hash

    files = arguments["files"]
    expected = {files["scores"][name]: text for name, text in files.get("hashes", {}).items()}
    parts = files.get("parts", ())
    for part, path in enumerate(parts):
        # A part depends on what the whole depends on, and on which part it is.
        expected[path] = task_hash({**arguments, "part": part, "parts": len(parts)})
    for path, text in expected.items():
        if read_metadata(Path(path)).get("task_hash") != text:
            raise StaleResultError(
                f"'{path}' was made with other settings, data or code than the study has now, "
                "delete it and run the study again."
            )
