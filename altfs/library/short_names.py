"""Names of features that fit into tables and charts."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

# The largest number of letters of a feature's name in tables and charts.
_LETTERS = 30


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return names for tables and charts, where long ones have dots in place of their middle.

    They have at most 30 letters, or as many as it takes to tell them apart.

    Examples
    --------
    >>> long = "mean_income_of_all_households_in_the_"
    >>> list(short_names(["age", long + "north", long + "south"]).values())
    ['age', 'mean_income_o..._in_the_north', 'mean_income_o..._in_the_south']
    """
    letters = dict.fromkeys(names, _LETTERS)
    while True:
        short = {name: _without_middle(name, most) for name, most in letters.items()}
        number = Counter(short.values())
        alike = [name for name in short if number[short[name]] > 1]
        if not alike:
            return short
        for name in alike:
            letters[name] += 2


def _without_middle(name: str, letters: int) -> str:
    half = (letters - 3) // 2
    return name if len(name) <= letters else f"{name[:half]}...{name[-half:]}"


def feature_axis(names: Iterable[str]) -> Any:
    """Return the axis of a chart (Altair) with the short names of features."""
    import altair as alt

    short = json.dumps({name: text for name, text in short_names(names).items() if name != text})
    # The title lies beyond the longest name.
    return alt.Axis(labelExpr=f"{short}[datum.value] || datum.value", labelLimit=0, maxExtent=1000)
