"""Errors that a user can cause, each with a message of one sentence."""

import difflib


class AltfsError(ValueError):
    """The base class of all errors that the user can correct.

    The message is one sentence with the key or argument, the value, the allowed values, and
    what to do.
    """


class ConfigError(AltfsError):
    """The configuration of a study cannot be used."""


class DataError(AltfsError):
    """A dataset cannot be found, read or used."""


class UnsupportedProblemError(AltfsError):
    """No registered solver can handle the problem."""


class StaleResultError(AltfsError):
    """A stored file does not belong to the study that reads it."""


class NoFeatureSetError(AltfsError):
    """No feature set was found, or simultaneous search did not find all sets."""


class DataWarning(UserWarning):
    """A column of a table looks like a mistake."""


class FewerSetsWarning(UserWarning):
    """Fewer feature sets were found than requested."""


def did_you_mean(name: str, known: list[str]) -> str:
    """Suggest the nearest known name in a half-sentence; empty if none is near.

    >>> did_you_mean("fcbff", ["fcbf", "model_gain"])
    ", did you mean 'fcbf'?"
    >>> did_you_mean("xyz", ["fcbf"])
    ''
    """
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean '{near[0]}'?" if near else ""
