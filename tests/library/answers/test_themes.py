"""Charts of fitted estimators for dark pages."""

import re

import numpy as np
import pytest
from marks import exhaustive

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.evaluation.names import COLOURS, ramp
from altfs.library.answers.themes import INK, INSTEAD, LIGHT_RAMP, PAPER


def luminance(colour):
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(first, second):
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("kind", ["matrix", *exhaustive("quality", "trade_off")])
def test_a_dark_chart_has_the_data_of_the_light_one_and_no_colour_of_light_paper(kind):
    afs = AlternativeFeatures([4.0, 3.0, 2.0, 1.0], n_features=2).fit(np.zeros((2, 4)))
    light, dark = (afs.plot(kind, theme=theme).to_dict() for theme in ("light", "dark"))
    assert dark["datasets"] == light["datasets"]
    assert dark["config"]["background"] == PAPER
    assert dark["config"]["axis"]["labelColor"] == INK
    text = str({key: part for key, part in dark.items() if key != "datasets"})
    assert not [colour for colour in INSTEAD if f"'{colour}'" in text]
    assert "#30123B" not in text


def test_what_is_drawn_can_be_seen_on_dark_paper():
    assert contrast(INK, PAPER) > 7
    for colour in (*COLOURS, *ramp(9, LIGHT_RAMP)):
        seen = INSTEAD.get(colour, colour)
        assert re.fullmatch("#[0-9A-F]{6}", seen)
        assert contrast(seen, PAPER) >= 3, colour


def test_an_unknown_theme_is_refused():
    afs = AlternativeFeatures([4.0, 3.0], n_features=1).fit(np.zeros((2, 2)))
    with pytest.raises(AltfsError, match="theme: 'blue' is unknown, allowed are: light, dark"):
        afs.plot(theme="blue")
