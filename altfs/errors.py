"""Errors that a user can cause, each with a message of one sentence."""


class AltfsError(ValueError):
    """The base of all errors that the caller can mend.

    The message is one sentence that names the key or argument, the value, what
    is allowed, and what to do.
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
    """No feature set was found, or not as many as simultaneous search has to find together."""


class FewerSetsWarning(UserWarning):
    """Fewer feature sets were found than were asked for."""
