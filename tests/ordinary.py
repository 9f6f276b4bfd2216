"""The names of selectors and searches for any data.

Those for streams, and the search for curves, are in the tests of their kinds of answers.
"""

from altfs.searches import Search, searches
from altfs.selectors import Selector, selectors

# Those that need PyTorch are in tests/networks/.
WITHOUT_TORCH = [
    one for one in selectors if "NetworkSelector" not in {base.__name__ for base in one.__mro__}
]
NOT_OF_STREAMS = [one for one in WITHOUT_TORCH if not one.one_pass]
# They take any target.
SELECTORS = [one.name for one in NOT_OF_STREAMS if not (one.two_classes or one.for_classes)]
FOR_CLASSES = [one.name for one in NOT_OF_STREAMS if one.for_classes]
TWO_CLASSES = [one.name for one in NOT_OF_STREAMS if one.two_classes]
# Options of selectors whose defaults take too long for tests of all selectors.
_CHEAP = {"lime": {"max_rows": 2, "n_samples": 30}}
_SMALL = {"population": 8, "generations": 8}


def cheap(selector: str) -> Selector:
    """Return a selector, one that draws with few rows and samples."""
    return selectors.make(selector, _CHEAP.get(selector))


def small(search: type[Search]) -> Search:
    """Return a search, an evolutionary one with few sets and generations."""
    options = search.Options
    if options is None or not options.model_fields.keys() >= _SMALL.keys():
        return search()
    return search(options=options(**_SMALL))


SEARCHES = [one.name for one in searches if not one.one_pass and one.name != "many_objective"]
