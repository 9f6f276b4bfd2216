"""Sets for the case that features stop being available."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from altfs._numbers import BoolArray, check_value, check_whole, is_number
from altfs.errors import AltfsError
from altfs.library.answers.fitted import FittedRequest, Say
from altfs.library.answers.words import outage_lines
from altfs.library.inputs import Feature
from altfs.problem.results import NAN, FeatureSet, FeatureSets, Status
from altfs.solvers.cp_sat.cover import smallest_cover
from altfs.solvers.floor import share_of

# Every choice of the features may need a solver.
_MOST = 6
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
    missable = fitted.columns("features", features)
    if not 1 <= len(missable) <= _MOST:
        reason = f"{len(missable)} are not allowed"
        raise AltfsError("features", reason, f"name 1 to {_MOST} features that can be missing")
    check_whole("at_once", at_once, 1, len(missable))
    floor = relative_floor
    in_range = floor is None or (is_number(floor) and 0 <= floor <= 1)
    check_value(in_range, "relative_floor", floor, "use a share from 0 to 1")
    choices = [frozenset(c) for r in range(len(missable) + 1) for c in combinations(missable, r)]
    answers: dict[Outage, Answer] = {}

    def best(missing: Outage) -> Answer:
        for fewer, (features, status) in answers.items():
            # A set that holds none of the others is the best one without them, too.
            if fewer <= missing and (features is None or not missing & set(features.indices)):
                return features, status
        say(f"outages: {len(answers)} of up to {len(choices)} choices of features left out")
        answers[missing] = fitted.best_without(missing)
        return answers[missing]

    outages = {missing: best(missing) for missing in choices if 1 <= len(missing) <= at_once}
    if floor is None and best(choices[-1])[0] is not None:
        # One set without all of the features needs no others.
        choices = choices[-1:]
    distinct = {s.indices: s for s, _ in map(best, choices) if s is not None}
    sets = [distinct[key] for key in sorted(distinct, key=lambda key: (len(key), key))]
    fits = [[_can_be_used(fitted, s, *outage, floor) for outage in outages.items()] for s in sets]
    worth = [s.train_objective for s in sets]
    covers = np.array(fits, dtype=bool).reshape(len(sets), len(outages))
    cover, proven = smallest_cover(covers, worth, fitted.request.limits)
    chosen = sorted(cover, key=lambda i: -worth[i])
    family = [sets[i] for i in chosen]
    settled = {Status.OPTIMAL, Status.INFEASIBLE} | ({Status.FEASIBLE} if floor is None else set())
    proven = proven and all(status in settled for _, status in answers.values())
    table = _outage_table(fitted, outages, family, covers[chosen])
    sentence = _outage_sentence(table, len(family), at_once, proven)
    return OutagePlan(list(map(fitted.shown, family)), table, proven, sentence)


def _can_be_used(
    fitted: FittedRequest,
    features: FeatureSet,
    missing: Outage,
    answer: Answer,
    floor: float | None,
) -> bool:
    """Tell whether a set can be used in an outage."""
    best, _ = answer
    if missing & set(features.indices):
        return False
    if floor is None or best is None:
        return True
    return fitted.quality.reaches(features.indices, share_of(fitted.quality, best.indices, floor))


def _outage_table(
    fitted: FittedRequest,
    outages: dict[Outage, Answer],
    sets: list[FeatureSet],
    covers: BoolArray,
) -> pd.DataFrame:
    original = fitted.sets[0].train_objective if fitted.sets else NAN
    rows: list[list[object]] = []
    for j, (missing, (best, status)) in enumerate(outages.items()):
        place = int(covers[:, j].argmax()) if covers[:, j].any() else None
        names = [] if place is None else list(sets[place].names)
        objective = NAN if place is None else sets[place].train_objective
        of_best = NAN if best is None else fitted.share(objective, best.train_objective)
        quality = [objective, fitted.share(objective, original), of_best, str(status)]
        rows.append([fitted.label(sorted(missing)), place, names, *quality])
    columns = [
        "missing", "set_index", "feature_names", "train_objective", "of_original", "of_best",
        "status",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns).astype({"set_index": "Int64"})


def _outage_sentence(table: pd.DataFrame, number_of_sets: int, at_once: int, proven: bool) -> str:
    if not number_of_sets:
        return "There is no set without any of these features."
    enough = "One set is enough" if number_of_sets == 1 else f"{number_of_sets} sets are enough"
    which = "any one" if at_once == 1 else f"up to {at_once}"
    left = " that leaves a set" if table["set_index"].isna().any() else ""
    open_end = "" if proven else ", and a smaller number is not ruled out"
    return f"{enough} for every outage of {which} of these features{left}{open_end}."
