"""C4.5 against Weka itself (J48), see `weka_trees.py`."""

import numpy as np
import pytest
from marks import exhaustive
from weka_relief import load
from weka_trees import NAMES, TABLE, categories

from altfs.prediction._gain_ratio_tree import GainRatioTree
from altfs.selectors import Part
from altfs.selectors.c45 import C45

WEKA = dict(
    text.partition("\n")[::2] for text in TABLE.read_text().removeprefix("# ").split("\n# ")
)


def written(number):
    """A number as Weka writes it: at most six decimals, without zeros at the end."""
    return f"{number:.6f}".rstrip("0").rstrip(".") or "0"


def lines(tree, values, classes, node=None, likely=0, depth=0):
    """The tree as Weka prints it: branches before those that are below them."""
    node = tree.root if node is None else node
    likely = node.counts.argmax() if node.counts.sum() else likely
    if not node.children:
        n = node.counts.sum()
        errors = f"/{n - node.counts.max():.1f}" if n > node.counts.max() else ""
        yield f": {classes[likely]} ({n:.1f}{errors})"
        return
    if np.isnan(node.cut):
        tests = [f"= {value}" for value in values[node.feature]]
    else:
        tests = [f"<= {written(node.cut)}", f"> {written(node.cut)}"]
    for test, child in zip(tests, node.children, strict=True):
        below = list(lines(tree, values, classes, child, likely, depth + 1))
        head = "|   " * depth + f"a{node.feature} {test}"
        if child.children:
            yield head
            yield from below
        else:
            yield head + below[0]


@pytest.mark.parametrize("name", [*NAMES[:3], *exhaustive(*NAMES[3:])])
def test_trees_are_wekas(name, request):
    cache = request.getfixturevalue("pmlb_cache") if name.startswith("pmlb:") else None
    data = load(name, cache)
    categorical = categories(name, data)
    part = Part(data.X, data.y, data.target_type, 0, categorical=categorical)
    tree = GainRatioTree(data.X, data.y, categorical, 2, 0.25)
    values = [np.unique(x) for x in data.X.T]
    expected = WEKA[name].splitlines()
    assert list(lines(tree, values, np.unique(data.y))) == [line.rstrip() for line in expected]
    used = {int(line.split("a")[1].split()[0]) for line in expected}
    assert set(np.flatnonzero(C45().values(part))) == used
