"""Groups of shards: one job makes all shards of a selector on a fold.

Each shard is a file of its own, as if a job had made it alone. The file of the group has the hash
of its task, and a digest of the sizes and times of the shards. So a study of a million shards knows
their state without reading them.
"""

from __future__ import annotations

import hashlib
import json
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from altfs._files import read_json
from altfs.errors import AltfsError
from altfs.study.store import stamp_of, write_text

if TYPE_CHECKING:
    from altfs.study.plan import Plan
    from altfs.study.state import Ledger, Standing, State
    from altfs.study.tasks import SearchesTask, SearchTask

# The states of a file, from the worst to the best.
_STATES: tuple[State, ...] = ("damaged", "stale", "missing", "done")


def run_group(task: SearchesTask, members: Sequence[SearchTask]) -> None:
    """Make all shards that are not whole and up to date, then the file of the group.

    If a shard fails, the others are made nevertheless.
    """
    errors: list[Exception] = []
    for i, member in enumerate(members, 1):
        print(f"shard {i} of {len(members)}: {member.path}", flush=True)
        try:
            member.run()
        except Exception as error:
            traceback.print_exc()
            errors.append(error)
    if errors:
        raise AltfsError(f"{len(errors)} of {len(members)} shards failed, the first: {errors[0]}")
    write_note(task, [member.path for member in members])


def write_note(task: SearchesTask, paths: Iterable[str]) -> None:
    """Write the file of a group whose shards are all made."""
    note = {"task_hash": task.hash, "digest": _digest(paths)}
    write_text(Path(task.path), json.dumps(note) + "\n")


def state_of_group(task: SearchesTask, plan: Plan, ledger: Ledger) -> State:
    """Return the state of a group. Its shards are read only if they have changed since it."""
    try:
        note = read_json(task.path)
        noted, digest = note["task_hash"], note["digest"]
    except FileNotFoundError:
        return "missing"
    except (OSError, ValueError, KeyError, TypeError):
        return "damaged"
    if noted != task.hash:
        return "stale"
    if _digest(plan.shard_paths(task.dataset, task.fold, task.selector)) == digest:
        return "done"
    states = {member.state(plan, ledger) for member in task.members(plan)}
    return next(state for state in _STATES if state in states)


def states_of_shards(
    task: SearchesTask, plan: Plan, ledger: Ledger, standing: Standing
) -> Counter[Standing]:
    """Count the states of the shards of a group; those without a file have that of the group."""
    paths = list(plan.shard_paths(task.dataset, task.fold, task.selector))
    if standing == "done" or not any(map(stamp_of, paths)):
        return Counter({standing: len(paths)})
    states = (member.state(plan, ledger) for member in task.members(plan))
    return Counter(standing if state == "missing" else state for state in states)


def _digest(paths: Iterable[str]) -> str:
    """Return the digest of the sizes and times of files."""
    return hashlib.sha256(repr([stamp_of(path) for path in paths]).encode()).hexdigest()[:32]
