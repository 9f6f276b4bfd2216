"""The names of selectors and searches for any data.

Those for streams are in tests/streams/, the search for curves in tests/searches/.
"""

from altfs.searches import searches
from altfs.searches.many_objective import ManyObjective
from altfs.searches.streaming import Streaming
from altfs.selectors import selectors
from altfs.selectors.streaming import OnePassSelector

NOT_OF_STREAMS = [one for one in selectors if not issubclass(one, OnePassSelector)]
# They take any target.
SELECTORS = [one.name for one in NOT_OF_STREAMS if not (one.two_classes or one.for_classes)]
FOR_CLASSES = [one.name for one in NOT_OF_STREAMS if one.for_classes]
TWO_CLASSES = [one.name for one in NOT_OF_STREAMS if one.two_classes]
SEARCHES = [one.name for one in searches if not issubclass(one, Streaming | ManyObjective)]
