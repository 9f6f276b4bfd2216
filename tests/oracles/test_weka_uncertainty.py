"""Symmetric uncertainty and CFS against Weka itself, see `weka_uncertainty.py`."""

import pandas as pd
import pytest
from marks import exhaustive
from weka_relief import load
from weka_uncertainty import NAMES, TABLE

from altfs import search_sequentially
from altfs.selectors import Part
from altfs.selectors.cfs import Cfs
from altfs.selectors.mutual_information import MeasureOptions

WEKA = pd.read_csv(TABLE, dtype={"value": str})


def digits(text):
    """Half of the last digit that Weka printed, which leaves out zeros at the end."""
    return 0.51 * 10.0 ** -max(3, len(text.partition(".")[2]))


@pytest.mark.parametrize("name", [*NAMES[:3], *exhaustive(*NAMES[3:])])
def test_uncertainties_and_merits_are_wekas(name, request):
    cache = request.getfixturevalue("pmlb_cache") if name.startswith("pmlb:") else None
    data = load(name, cache)
    made = Cfs(MeasureOptions(measure="symmetric_uncertainty"))
    part = Part(data.X, data.y, data.target_type, 0)
    quality = made.quality(part)
    own = WEKA[WEKA.dataset == name]
    alone, (subset,) = own[own.feature.notna()], own[own.feature.isna()].itertuples()
    assert len(alone) == data.n_total
    for row in alone.itertuples():
        found = quality.evaluate([int(row.feature)])
        assert found == pytest.approx(float(row.value), abs=digits(row.value))
    chosen = tuple(map(int, subset.subset.split()))
    merit = quality.evaluate(chosen)
    assert merit == pytest.approx(float(subset.value), abs=digits(subset.value))
    # The exact search finds a set of this size that is at least as good.
    result = search_sequentially(quality, n_features=len(chosen), n_alternatives=0, tau=1)
    assert result.objectives[0] >= merit - 1e-9
