"""Acquisition in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from altfs.kinds.acquisition.simulation import Simulated
    from altfs.problem.results import FeatureSet

# The largest number of lines of a kind, and a share of the price of an outage that is nothing.
_MOST, _CHEAP = 5, 0.1


def first_lines(simulated: Simulated) -> list[str]:
    """Say what is measured first and second, and for how many rows."""
    rows, lines = simulated.rows(), []
    n = rows["row"].nunique()
    for number, word in enumerate(("first", "second", "third")):
        at = rows[(rows["step"] == number)]["feature"].dropna()
        shares = at.value_counts(sort=False)
        listed = sorted(shares.index, key=lambda name: (-shares[name], name))
        parts = [f"{name} ({shares[name] / n:.0%} of the rows)" for name in listed[:_MOST]]
        if parts:
            lines.append(f"Measured {word}: {', '.join(parts)}.")
    stops = 1 - rows["feature"].notna().groupby(rows["row"]).sum().gt(0).mean()
    if stops:
        lines.append(f"Nothing is measured of {stops:.0%} of the rows.")
    return lines


def outage_lines(prices: pd.DataFrame, first: str | None, saved: float) -> list[str]:
    """Say which measurement has a substitute, and what the outage of each costs.

    `saved` is what measuring saves at all.
    """
    lines = []
    for row in prices[prices["outage"] > 0].to_dict("records")[:_MOST]:
        outage, now = float(row["outage"]), ""
        has = "has a substitute" if outage < _CHEAP * saved else "has no cheap substitute"
        if row["measurement"] == first:
            instead = "stop" if row["instead"] is None else f"measure {row['instead']}"
            now = f" if it is missing only now, {instead} (+{row['switch']:.3g});"
        lines.append(f"{row['measurement']} {has}:{now} without it for good, +{outage:.3g}.")
    return lines or ["No outage of one measurement costs anything."]


def kit_lines(kits: list[FeatureSet]) -> list[str]:
    """Say which kits there are."""
    return [
        f"{'Kit' if not i else f'Alternative {i}'}: {', '.join(kit.names)}; value "
        f"{-kit.train_objective:.3g}, {kit.status}."
        for i, kit in enumerate(kits)
    ]
