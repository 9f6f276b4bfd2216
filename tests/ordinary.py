"""The names of selectors and searches that are not for streams (tests/streams/ has these)."""

from altfs.searches import searches
from altfs.searches.streaming import Streaming
from altfs.selectors import selectors
from altfs.selectors.streaming import OnePassSelector

SELECTORS = [one.name for one in selectors if not issubclass(one, OnePassSelector)]
SEARCHES = [one.name for one in searches if not issubclass(one, Streaming)]
