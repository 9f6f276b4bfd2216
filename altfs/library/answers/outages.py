"""Sets for the case that features stop being available."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from altfs._numbers import check_whole, is_number
from altfs.errors import AltfsError
from altfs.library.answers.fitted import FittedRequest, Say, share
from altfs.library.answers.words import outage_lines
from altfs.library.inputs import Feature
from altfs.problem.results import NAN, FeatureSet, FeatureSets, Status
from altfs.solvers.cp_sat.cover import smallest_cover
from altfs.solvers.floor import share_of

if TYPE_CHECKING:
    import pandas as pd

# Every choice of the features may need a solver.
_MOST = 6
COLUMNS = [
    "missing", "set_index", "feature_names", "train_objective", "of_original", "of_best", "status",
]  # fmt: skip

Outage = frozenset[int]
Answer = tuple[FeatureSet | None, Status]


@dataclass(frozen=True, eq=False)
class OutagePlan(FeatureSets):
    """A smallest family of sets with a set for every outage.

    An outage is a feature, or several at once, that is missing.

    Attributes
    ----------
    feature_sets : list of FeatureSet
        The family, the best set first.
    table : DataFrame
        A row per outage. The columns are missing (the features), set_index (of the best set in
        the family without them), feature_names, train_objective, of_original and of_best (its
        shares of the quality of the original set and of the best set without these features;
        NaN if that is not positive), status of that best set ("infeasible" if there is none).
    proven : bool
        True if it is proven that no family is smaller.
    sentence : str
        The number of sets in words.
    """

    feature_sets: list[FeatureSet]
    table: pd.DataFrame
    proven: bool
    sentence: str

    def __str__(self) -> str:
        return "\n".join([self.sentence, *(f"  {line}" for line in outage_lines(self.table))])


def plan_for_outages(
    fitted: FittedRequest,
    features: Collection[Feature],
    at_once: int,
    relative_floor: float | None,
    say: Say,
) -> OutagePlan:
    """Find a smallest family, see :meth:`altfs.AlternativeFeatures.plan_for_outages`.

    A smallest family can be found among the best sets without some of the features. Any other
    set can be replaced by the best one without the features that it does not hold.
    """
    named = fitted.columns("features", features)
    if not 1 <= len(named) <= _MOST:
        raise AltfsError(
            f"features: {len(named)} are not allowed, name 1 to {_MOST} features that can be "
            "missing."
        )
    check_whole("at_once", at_once, 1, len(named))
    floor = relative_floor
    if floor is not None and not (is_number(floor) and 0 <= floor <= 1):
        raise AltfsError(f"relative_floor: {floor!r} is not allowed, use a share from 0 to 1.")
    choices = [frozenset(c) for r in range(len(named) + 1) for c in combinations(named, r)]
    known: dict[Outage, Answer] = {}

    def best(missing: Outage) -> Answer:
        for fewer, (found, status) in known.items():
            # A set that holds none of the others is the best one without them, too.
            if fewer <= missing and (found is None or not missing & set(found.indices)):
                return found, status
        say(f"outages: {len(known)} of up to {len(choices)} choices of features left out")
        known[missing] = fitted.best_without(missing)
        return known[missing]

    outages = {missing: best(missing) for missing in choices if 1 <= len(missing) <= at_once}
    if floor is None and best(choices[-1])[0] is not None:
        # One set without all of the features needs no others.
        choices = choices[-1:]
    found = {s.indices: s for s, _ in map(best, choices) if s is not None}
    sets = [found[key] for key in sorted(found, key=lambda key: (len(key), key))]
    fits = [[_fits(fitted, s, *one, floor) for one in outages.items()] for s in sets]
    worth = [s.train_objective for s in sets]
    covers = np.array(fits, dtype=bool).reshape(len(sets), len(outages))
    rows, proven = smallest_cover(covers, worth, fitted.request.limits)
    chosen = sorted((sets[i] for i in rows), key=lambda s: -s.train_objective)
    settled = {Status.OPTIMAL, Status.INFEASIBLE} | ({Status.FEASIBLE} if floor is None else set())
    proven = proven and all(status in settled for _, status in known.values())
    table = _table(fitted, outages, chosen, floor)
    sentence = _sentence(table, len(chosen), at_once, proven)
    return OutagePlan(list(map(fitted.shown, chosen)), table, proven, sentence)


def _fits(
    fitted: FittedRequest, one: FeatureSet, missing: Outage, answer: Answer, floor: float | None
) -> bool:
    """Tell whether a set can be used in an outage."""
    best, _ = answer
    if missing & set(one.indices):
        return False
    if floor is None or best is None:
        return True
    return fitted.quality.reaches(one.indices, share_of(fitted.quality, best.indices, floor))


def _table(
    fitted: FittedRequest,
    outages: dict[Outage, Answer],
    chosen: list[FeatureSet],
    floor: float | None,
) -> pd.DataFrame:
    import pandas as pd

    original = fitted.sets[0].train_objective if fitted.sets else NAN
    rows = []
    for missing, (best, status) in outages.items():
        answer = best, status
        usable = [i for i, s in enumerate(chosen) if _fits(fitted, s, missing, answer, floor)]
        one = chosen[usable[0]] if usable else None
        objective = NAN if one is None else one.train_objective
        rows.append(
            {
                "missing": fitted.label(sorted(missing)),
                "set_index": usable[0] if usable else pd.NA,
                "feature_names": [] if one is None else list(one.names),
                "train_objective": objective,
                "of_original": share(objective, original),
                "of_best": NAN if best is None else share(objective, best.train_objective),
                "status": str(status),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS).astype({"set_index": "Int64"})


def _sentence(table: pd.DataFrame, number_of_sets: int, at_once: int, proven: bool) -> str:
    if not number_of_sets:
        return "There is no set without any of these features."
    enough = "One set is enough" if number_of_sets == 1 else f"{number_of_sets} sets are enough"
    which = "any one" if at_once == 1 else f"up to {at_once}"
    left = " that leaves a set" if table["set_index"].isna().any() else ""
    known = "" if proven else ", and a smaller number is not ruled out"
    return f"{enough} for every outage of {which} of these features{left}{known}."
