"""Errors that a user can cause, each with a message of one sentence."""

from __future__ import annotations

import difflib
import re
from typing import Any

_KEY = re.compile(r"([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*): ")


class AltfsError(ValueError):
    """The base class of all errors that the user can correct.

    The message is one sentence with the key or argument, the value, the allowed values, and
    what to do. It begins with the key and a colon.

    Examples
    --------
    >>> error = AltfsError("tau: 2 is not allowed, use 0 to 1.")
    >>> error.key, error.reason
    ('tau', '2 is not allowed, use 0 to 1')
    """

    @property
    def key(self) -> str:
        """The key or argument; empty if the message names none."""
        found = _KEY.match(str(self))
        return found[1] if found else ""

    @property
    def reason(self) -> str:
        """The message without its key and its full stop."""
        text = str(self).rstrip(".")
        return text[len(self.key) + 2 :] if self.key else text

    def at(self, key: str, note: str = "", *, of: str = "") -> ConfigError:
        """Return the error as one of a configuration, at another key, with a note in brackets.

        If `of` names the key that the other one replaces, a different key stays in the message.

        >>> AltfsError("tau: 2 is not allowed, use 0 to 1.").at("taus[0]")
        ConfigError('taus[0]: 2 is not allowed, use 0 to 1.')
        """
        text = self.reason if of in ("", self.key) else str(self).rstrip(".")
        return ConfigError(f"{key}: {text}{f' ({note})' if note else ''}.")


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

    #: The estimator of the library that found none; it can explain why.
    estimator: Any = None


class DataWarning(UserWarning):
    """A column of a table looks like a mistake."""


class NoSignalWarning(UserWarning):
    """The best feature set is not better than those of a shuffled target."""


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
