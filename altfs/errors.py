"""Errors that a user can cause, each with a message of one sentence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

# Letters of a key, and of a reason, that a message shows; of an advice twice as many.
_LONGEST = 600


class AltfsError(ValueError):
    """The base class of all errors that the user can correct.

    The message is one sentence: ``key: reason, advice.``

    Parameters
    ----------
    key : str
        The argument, option or key of a configuration. A sentence about none is the only
        argument.
    reason : str
        What is wrong, with the value.
    advice : str
        What is allowed, and what to do. Here, and in the reason, backticks enclose names of
        arguments.

    Examples
    --------
    >>> print(AltfsError("tau", "2 is not allowed", "use 0 to 1"))
    tau: 2 is not allowed, use 0 to 1.
    """

    def __init__(self, key: str, reason: str = "", advice: str = "") -> None:
        key, reason = shortened(key, _LONGEST), shortened(reason, _LONGEST)
        advice = shortened(advice, 2 * _LONGEST)
        self.key, self.reason, self.advice = (key, reason, advice) if reason else ("", key, "")
        super().__init__(self.key, self.reason, self.advice)

    def __str__(self) -> str:
        text = f"{self.key}: {self.clause}" if self.key else self.clause
        # Names that users write can have breaks of lines, and codes that a terminal obeys.
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
        return text if text.endswith((".", "?")) else f"{text}."

    @property
    def clause(self) -> str:
        """The message without its key and its full stop."""
        if not self.advice:
            return self.reason
        return f"{self.reason}{'' if self.reason.endswith('?') else ','} {self.advice}"

    @classmethod
    def of_value(cls, key: str, value: object, advice: str) -> Self:
        """Return the error of a value that is not allowed."""
        return cls(key, f"{shortened(repr_of(value))} is not allowed", advice)

    @classmethod
    def of_name(
        cls, key: str, reason: str, name: object, allowed: Iterable[object], advice: str = ""
    ) -> Self:
        """Return the error of a name that is not an allowed one, with the nearest of these.

        The default advice lists them.

        >>> print(AltfsError.of_name("selector", "'fcbff' is unknown", "fcbff", ["fcbf", "mrmr"]))
        selector: 'fcbff' is unknown, did you mean 'fcbf'? allowed are: fcbf, mrmr.
        """
        names = [*map(str, allowed)]
        advice = advice or f"allowed are: {', '.join(names)}"
        return cls(key, reason + did_you_mean(str(name), names), advice)

    def at(self, place: str, note: str = "", *, of: str = "") -> ConfigError:
        """Return the error as one of a configuration, at a place, with a note in brackets.

        A key stays behind the place, unless it is `of`, which the place replaces.

        >>> AltfsError("tau", "2 is not allowed", "use 0 to 1").at("taus[0]", of="tau")
        ConfigError('taus[0]', '2 is not allowed', 'use 0 to 1')
        """
        key = place if self.key in ("", of) else ": ".join(filter(None, (place, self.key)))
        if not note:
            return ConfigError(key, self.reason, self.advice)
        if not self.advice:
            return ConfigError(key, f"{self.reason} ({note})")
        return ConfigError(key, self.reason, f"{self.advice} ({note})")

    def in_words(self, words: Mapping[str, str]) -> Self:
        """Return the error with other words for its key, and for names in backticks.

        >>> error = AltfsError("search.options.sets", "7 is not allowed", "use fewer than `work`")
        >>> print(error.in_words({"search.options": "--search-option", "work": "--work"}))
        --search-option sets: 7 is not allowed, use fewer than --work.
        """
        keys = [_word(key, words) for key in self.key.split(", ")]
        reason, advice = (
            re.sub("`([a-z_]+)`", lambda name: words.get(name[1], name[0]), text)
            for text in (self.reason, self.advice)
        )
        return type(self)(", ".join(keys) if all(keys) else self.key, reason, advice)


def _word(key: str, words: Mapping[str, str]) -> str:
    """Return the word for a key, or for the section that it is in and the key; empty if none."""
    section, part = key, ""
    while section and section not in words:
        section, _, last = section.rpartition(".")
        part = f"{last}.{part}".rstrip(".")
    return f"{words[section]} {part}".rstrip() if section else ""


def repr_of(value: object) -> str:
    """Return how Python writes a value, also a number of too many digits.

    >>> repr_of(2**20_000)
    'a number of 20001 bits'
    """
    try:
        return repr(value)
    except ValueError:
        return f"a number of {value.bit_length()} bits" if isinstance(value, int) else "a value"


def shortened(text: str, most: int = 200) -> str:
    """Return a text of at most some letters: its begin and its end.

    >>> shortened("a" * 100 + "b" * 100, 21)
    'aaaaaaaaaa…bbbbbbbbbb'
    """
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


class ConfigError(AltfsError):
    """The configuration of a study cannot be used."""


class DataError(AltfsError):
    """A dataset cannot be found, read or used."""


@contextmanager
def placed(key: str, subject: str = "") -> Iterator[None]:
    """Give a DataError the key under which a table came, and begin its reason with a subject."""
    try:
        yield
    except DataError as error:
        inner = f"{error.key}: " if error.key else ""
        raise DataError(key, f"{subject}{inner}{error.reason}", error.advice) from None


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


def did_you_mean(name: str, names: list[str]) -> str:
    """Suggest the nearest name in a half-sentence; empty if none is near.

    >>> did_you_mean("fcbff", ["fcbf", "model_gain"])
    ", did you mean 'fcbf'?"
    >>> did_you_mean("xyz", ["fcbf"])
    ''
    """
    near = difflib.get_close_matches(name, names, n=1)
    return f", did you mean '{near[0]}'?" if near else ""
