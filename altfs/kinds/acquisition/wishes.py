"""Costs, panels, price and budget as users give them, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import Field, ValidationError

from altfs._numbers import FloatArray, check_value, finite_square, is_collection, is_finite
from altfs._options import StrictModel, mistake
from altfs.errors import AltfsError
from altfs.kinds.acquisition.task import Action
from altfs.problem.constraints import as_indices


class Panel(StrictModel):
    """Features that are measured together, at one cost."""

    features: list[int | str] = Field(min_length=1, description="Names of features.")
    cost: float = Field(ge=0, allow_inf_nan=False, description="The cost of the panel.")


def read_actions(
    names: Sequence[str],
    costs: Any,
    panels: Mapping[str, Any] | None,
    left_out: Sequence[int],
) -> tuple[Action, ...]:
    """Return what can be measured, in the order of the columns.

    Parameters
    ----------
    names : sequence of str
        The features.
    costs : mapping, Series, sequence or None
        The cost of each feature that is measured alone; 1 each by default.
    panels : mapping or None
        Panels by their names.
    left_out : sequence of int
        Features that are not measured.

    Raises
    ------
    AltfsError
        If a cost is missing or not allowed, or a feature is in two panels.
    """
    actions, place = [], dict[int, str]()
    check_value(
        panels is None or isinstance(panels, Mapping), "panels", panels,
        "use a mapping of names to features and cost",
    )  # fmt: skip
    for name, content in (panels or {}).items():
        key = f"panels.{name}"
        check_value(isinstance(content, Mapping), key, content, "give its features and its cost")
        try:
            panel = Panel.model_validate(dict(content))
        except ValidationError as error:
            raise mistake(error, Panel, f"{key}.") from None
        if str(name) in names:
            raise AltfsError("panels", f"'{name}' is a feature", "use another name")
        features = as_indices(f"{key}.features", panel.features, names)
        for j in features:
            if j in place:
                reason = f"'{names[j]}' is in '{place[j]}' and in '{name}'"
                raise AltfsError("panels", reason, "use one panel for each feature")
            place[j] = str(name)
        measured = tuple(j for j in features if j not in left_out)
        if measured:
            actions.append(Action(str(name), measured, panel.cost))
    alone = [j for j in range(len(names)) if j not in place and j not in left_out]
    given = _costs(costs, names, alone)
    actions += [Action(names[j], (j,), given[j]) for j in alone]
    if not actions:
        raise AltfsError("constraints", "nothing is left to measure", "exclude fewer features")
    return tuple(sorted(actions, key=lambda action: action.features))


def _costs(costs: Any, names: Sequence[str], needed: Sequence[int]) -> dict[int, float]:
    costs = costs.to_dict() if hasattr(costs, "to_dict") else costs
    if costs is None:
        return dict.fromkeys(needed, 1.0)
    if not isinstance(costs, Mapping):
        check_value(is_collection(costs), "costs", costs, "use one for each feature, by name")
        costs = list(costs)
        if len(costs) != len(names):
            raise AltfsError("costs", f"{len(costs)} values", f"use one for each of {len(names)}")
        costs = dict(enumerate(costs))
    by_column = {as_indices("costs", [name], names)[0]: (name, c) for name, c in costs.items()}
    for name, cost in by_column.values():
        if not (is_finite(cost) and cost >= 0):
            reason = f"{cost!r} for {name!r} is not allowed"
            raise AltfsError("costs", reason, "use finite numbers from 0")
    for j in needed:
        if j not in by_column:
            raise AltfsError("costs", f"'{names[j]}' has none", "give one for every feature")
    return {j: float(cost) for j, (_, cost) in by_column.items()}


def check_limits(price: Any, budget: Any, actions: Sequence[Action]) -> None:
    """Check the price and the budget, one of which is needed."""
    if price is None and budget is None:
        raise AltfsError("price", "there is no budget either", "give one of them")
    for name, value in (("price", price), ("budget", budget)):
        allowed = value is None or (is_finite(value) and value >= 0)
        check_value(allowed, name, value, "use a finite number from 0")
    cheapest = min(actions, key=lambda action: action.cost)
    if budget is not None and budget < cheapest.cost:
        raise AltfsError(
            "budget",
            f"{budget:g} is below the cheapest measurement ('{cheapest.name}', {cheapest.cost:g})",
            f"give at least {cheapest.cost:g}",
        )


def read_loss(loss: Any, n_classes: int) -> FloatArray:
    """Return what each answer (column) costs for each class (row); by default 1 if it is wrong."""
    if loss is None:
        return 1.0 - np.eye(n_classes)
    matrix = finite_square("loss", loss, n_classes)
    if (matrix < 0).any():
        raise AltfsError("loss", f"{matrix.min():g} is not allowed", "use numbers from 0")
    return matrix
