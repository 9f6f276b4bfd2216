"""The names of selectors and searches for any data.

Those for streams are in tests/streams/, the search for curves in tests/searches/.
"""

from altfs.kinds.fronts.searches.many_objective import ManyObjective
from altfs.kinds.rows.networks import NetworkSelector
from altfs.kinds.rows.selectors.lime import Lime, LimeOptions
from altfs.kinds.streams.searches.streaming import Streaming
from altfs.kinds.streams.streaming_selector import OnePassSelector
from altfs.searches import Search, searches
from altfs.selectors import Selector, selectors

# Those that need PyTorch are in tests/networks/.
WITHOUT_TORCH = [one for one in selectors if not issubclass(one, NetworkSelector)]
NOT_OF_STREAMS = [one for one in WITHOUT_TORCH if not issubclass(one, OnePassSelector)]
# They take any target.
SELECTORS = [one.name for one in NOT_OF_STREAMS if not (one.two_classes or one.for_classes)]
FOR_CLASSES = [one.name for one in NOT_OF_STREAMS if one.for_classes]
TWO_CLASSES = [one.name for one in NOT_OF_STREAMS if one.two_classes]
# Selectors whose defaults take too long for tests of all selectors.
_CHEAP: dict[str, Selector] = {"lime": Lime(LimeOptions(max_rows=2, n_samples=30))}
_SMALL = {"population": 8, "generations": 8}


def cheap(selector: str) -> Selector:
    """Return a selector, one that draws with few rows and samples."""
    return _CHEAP.get(selector) or selectors.get(selector)()


def small(search: type[Search]) -> Search:
    """Return a search, an evolutionary one with few sets and generations."""
    options = search.Options
    if options is None or not options.model_fields.keys() >= _SMALL.keys():
        return search()
    return search(options=options(**_SMALL))


SEARCHES = [one.name for one in searches if not issubclass(one, Streaming | ManyObjective)]
