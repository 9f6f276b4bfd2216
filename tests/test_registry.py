import pytest

from altfs.errors import ConfigError
from altfs.selectors import selectors


def test_unknown_names_get_the_nearest_and_all_known_ones():
    with pytest.raises(
        ConfigError, match=r"did you mean 'fcbf'\? allowed are: alpha_investing, c45, "
    ):
        selectors.get("fcbff", "selectors[0].type")


def test_a_name_belongs_to_one_component():
    taken = selectors.get("fcbf")
    other = type("Other", (taken,), {"__module__": "elsewhere"})
    with pytest.raises(RuntimeError, match="two selectors"):
        selectors.register("fcbf")(other)
