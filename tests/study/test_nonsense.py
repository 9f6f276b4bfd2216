"""Configurations with random mistakes: each is taken, or refused in one line.

With ``--hypothesis-profile thorough`` there are ten times as many.
"""

import copy
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs.errors import AltfsError
from altfs.study.config import parse_config
from altfs.study.settings import read_settings

ROOT = Path(__file__).resolve().parents[2]
STUDIES = sorted((ROOT / "workflow" / "studies").glob("*.yaml"))
TEXTS = [path.read_bytes() for path in [ROOT / "config.yaml", *STUDIES]]
CONFIGS = [yaml.safe_load(text) for text in TEXTS]
INF = float("inf")
VALUES = [
    None, True, False, 0, -1, 1e308, float("nan"), INF, "", "x" * 1000, [], {}, [[]], {"a": 1},
    10**30, -0.0, "ü", "a\nb", [None], {"": None}, "../x", "/", "1-3", "3-1", {"type": "x"},
    {"name": None}, {"type": "plan", "options": 1}, ["a", "a"],
]  # fmt: skip


def places(value, path=()):
    """Yield the paths of all values inside of a value."""
    if path:
        yield path
    of_list = enumerate(value) if isinstance(value, list) else ()
    for key, one in value.items() if isinstance(value, dict) else of_list:
        yield from places(one, (*path, key))


@st.composite
def configurations(draw):
    """Draw a configuration of which one or two values are others or missing."""
    config = copy.deepcopy(draw(st.sampled_from(CONFIGS)))
    for _ in range(draw(st.integers(1, 2))):
        *outer, last = draw(st.sampled_from([*places(config)]))
        place = config
        for key in outer:
            place = place[key]
        if draw(st.integers(0, 6)):
            place[last] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        else:
            del place[last]
    return config


@st.composite
def texts(draw):
    """Draw the bytes of a configuration of which some are others, more or fewer."""
    text = bytearray(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text) - 1))
        few = st.one_of(st.binary(max_size=4), st.text("[]{}:,-&*!|>'\"%@`#\n\t 019.", max_size=4))
        new = draw(few)
        text[at : at + draw(st.integers(0, 3))] = new if isinstance(new, bytes) else new.encode()
    return bytes(text)


def refused_in_one_line(make):
    said = "."
    try:
        make()
    except AltfsError as error:
        said = str(error)
    assert "\n" not in said
    assert said[-1] in ".?"


@examples(300)
@given(config=configurations())
def test_values_of_any_kind(config):
    refused_in_one_line(lambda: parse_config(config))


@examples(300)
@given(text=texts())
def test_bytes_of_any_kind(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "nonsense.yaml"
    path.write_bytes(text)
    refused_in_one_line(lambda: parse_config(read_settings(path, "config")))
