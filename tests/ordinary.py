"""The names of selectors and searches that are not for streams (tests/streams/ has these)."""

from altfs.searches import searches
from altfs.searches.streaming import Streaming
from altfs.selectors import selectors
from altfs.selectors.streaming import OnePassSelector

NOT_OF_STREAMS = [one for one in selectors if not issubclass(one, OnePassSelector)]
# They take any target.
SELECTORS = [one.name for one in NOT_OF_STREAMS if not one.two_classes]
TWO_CLASSES = [one.name for one in NOT_OF_STREAMS if one.two_classes]
SEARCHES = [one.name for one in searches if not issubclass(one, Streaming)]
