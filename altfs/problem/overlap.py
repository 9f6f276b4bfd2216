"""Dissimilarity of feature sets, in exact arithmetic.

The threshold tau is a rational number. All that depends on it is computed with fractions,
because ``floor((1 - 0.8) * 5)`` is 0 in floating point and 1 in exact arithmetic.

Source: Bach, *Finding Optimal Diverse Feature Sets via Alternative Feature
Selection*, Equations 3 to 6.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import floor, lcm
from typing import Literal, get_args

from altfs._numbers import check_whole, check_word, is_number
from altfs.errors import AltfsError, repr_of, shortened

Dissimilarity = Literal["dice", "jaccard"]
DISSIMILARITIES: tuple[str, ...] = get_args(Dissimilarity)
Tau = float | str | Fraction | Decimal

# The digits of a tau that is not a finite decimal, such as 1/3.
_DIGITS = 6
# Digits of a number in text, and decimal places before or after its first one.
_MOST_DIGITS = 400


def parse_tau(tau: Tau) -> Fraction:
    """Turn a dissimilarity threshold into an exact fraction.

    Parameters
    ----------
    tau : float, str, Decimal or Fraction
        A threshold in [0, 1]. A float is taken for the simple fraction that it rounds
        (``2 / 26`` for 1/13, ``0.1 + 0.2`` for 3/10), else for the decimal that it prints as.

    Returns
    -------
    Fraction

    Raises
    ------
    AltfsError
        If `tau` is not a number or lies outside [0, 1].

    Examples
    --------
    >>> parse_tau(0.8)
    Fraction(4, 5)
    >>> parse_tau("0.125")
    Fraction(1, 8)
    """
    try:
        if isinstance(tau, Fraction):
            value = tau
        elif isinstance(tau, str | Decimal):
            number = Decimal(str(tau).strip())
            if (
                len(number.as_tuple().digits) > _MOST_DIGITS
                or abs(number.adjusted()) > _MOST_DIGITS
            ):
                raise ValueError
            value = Fraction(number)
        elif not is_number(tau):
            raise ValueError
        else:
            value = _fraction(float(tau))
    except (ValueError, TypeError, OverflowError, InvalidOperation):
        reason = f"{shortened(repr_of(tau))} is not a number"
        raise AltfsError("tau", reason, "use one from 0 to 1") from None
    if not 0 <= value <= 1:
        raise AltfsError("tau", f"{tau} is outside the allowed range from 0 to 1")
    return value


def _fraction(tau: float) -> Fraction:
    simple = Fraction(tau).limit_denominator(1000)
    # A tiny threshold must not become 0, as 0 allows equal sets.
    if abs(simple - Fraction(tau)) < Fraction(1, 10**12) and (simple or not tau):
        return simple
    return Fraction(Decimal(repr(tau)))


def canonical_tau(tau: Tau) -> str:
    """Write a threshold as its shortest decimal.

    A number that is not a finite decimal is rounded down to six digits. This does not change
    the largest allowed overlap of sets of up to 1000 features.

    Examples
    --------
    >>> canonical_tau("0.20"), canonical_tau(1.0), canonical_tau("0")
    ('0.2', '1', '0')
    """
    value = parse_tau(tau)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        value = Fraction(floor(value * 10**_DIGITS), 10**_DIGITS)
    text = format(Decimal(value.numerator) / Decimal(value.denominator), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def check_dissimilarity(dissimilarity: object) -> None:
    """Check that a dissimilarity is one of the known ones."""
    check_word("dissimilarity", dissimilarity, DISSIMILARITIES)


@dataclass(frozen=True)
class Overlap:
    """The largest number of features that two sets may share, by their sizes.

    Parameters
    ----------
    tau : float, str, Decimal or Fraction, optional
        Smallest allowed dissimilarity, in [0, 1].
    max_overlap : int, optional
        The number itself, at least 0, for sets of any size, in place of `tau`.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        The measure that `tau` refers to.

    Raises
    ------
    AltfsError
        If not exactly one of `tau` and `max_overlap` is given, or one is outside its range.

    Examples
    --------
    >>> Overlap(tau=0.5)(3, 5), Overlap(max_overlap=4)(3, 5)
    (2, 3)
    """

    tau: Tau | None = None
    max_overlap: int | None = None
    dissimilarity: Dissimilarity = "dice"
    _limits: dict[tuple[int, int], int] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _excesses: dict[tuple[int, int], tuple[Fraction, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        check_dissimilarity(self.dissimilarity)
        if (self.tau is None) == (self.max_overlap is None):
            raise AltfsError("tau, max_overlap", "give exactly one of the two")
        if self.tau is not None:
            parse_tau(self.tau)
        else:
            check_whole("max_overlap", self.max_overlap, 0)

    def __call__(self, first: int, second: int) -> int:
        """Return the largest allowed overlap of two sets of these sizes.

        It is the largest c with ``1 - 2 c / (first + second) >= tau`` (Dice), or
        ``1 - c / (first + second - c) >= tau`` (Jaccard), and not above the smaller size.
        """
        # Fractions are slow, and searches often ask for the same sizes.
        if (first, second) not in self._limits:
            if self.tau is None:
                most = min(int(self.max_overlap or 0), first, second)
            else:
                tau = parse_tau(self.tau)
                share = (1 - tau) / 2 if self.dissimilarity == "dice" else (1 - tau) / (2 - tau)
                most = min(floor(share * (first + second)), first, second)
            self._limits[first, second] = most
        return self._limits[first, second]

    def excesses(self, first: int, second: int) -> tuple[Fraction, ...]:
        """Return how far two sets of these sizes exceed a limit of the mean.

        Entry c is for c common features: tau less their dissimilarity, or c less the largest
        overlap. The mean of some pairs is allowed if their excesses add up to at most 0.

        Examples
        --------
        >>> [str(excess) for excess in Overlap(tau="0.5").excesses(2, 2)]
        ['-1/2', '0', '1/2']
        """
        if (first, second) not in self._excesses:
            commons = range(min(first, second) + 1)
            if self.tau is None:
                most = self(first, second)
                values = [Fraction(c - most) for c in commons]
            else:
                tau, kind = parse_tau(self.tau), self.dissimilarity
                values = [tau - _dissimilarity(first, second, c, kind) for c in commons]
            self._excesses[first, second] = tuple(values)
        return self._excesses[first, second]

    def mean_in_words(self) -> str:
        """Say what the pairs of sets have on average, if the mean is limited.

        >>> Overlap(tau=0.5).mean_in_words(), Overlap(max_overlap=1).mean_in_words()
        ('a mean dissimilarity of at least 0.5', 'at most 1 in common on average')
        """
        if self.tau is None:
            return f"at most {self.max_overlap} in common on average"
        return f"a mean dissimilarity of at least {canonical_tau(self.tau)}"


def smallest_step(sizes: Collection[int], n_pairs: int = 1) -> Fraction:
    """Return less than any two different mean dissimilarities of pairs of these sizes differ by.

    >>> smallest_step([2])
    Fraction(1, 24)
    """
    unions = {union for a in sizes for b in sizes for union in range(max(a, b), a + b + 1)}
    return Fraction(1, 2 * max(n_pairs, 1) * lcm(*unions))


def attainable_taus(n_features: int, dissimilarity: Dissimilarity = "dice") -> dict[str, int]:
    """Return every threshold that makes a difference for sets of one size.

    Parameters
    ----------
    n_features : int
        Size of the feature sets, k >= 1.
    dissimilarity : {"dice", "jaccard"}, default="dice"

    Returns
    -------
    dict of str to int
        Canonical tau -> largest allowed overlap, for overlaps k - 1, ..., 0. A tau that is
        not a finite decimal is rounded down, which does not change the overlap.

    Examples
    --------
    >>> attainable_taus(5)
    {'0.2': 4, '0.4': 3, '0.6': 2, '0.8': 1, '1': 0}
    """
    taus = attainable(n_features, dissimilarity)
    return {tau: overlap for overlap, tau in taus.items() if overlap < n_features}


def attainable(n_features: int, dissimilarity: Dissimilarity = "dice") -> dict[int, str]:
    """Return every overlap of two sets of one size, with the largest threshold that allows it.

    >>> attainable(2), attainable(2, "jaccard")
    ({2: '0', 1: '0.5', 0: '1'}, {2: '0', 1: '0.666666', 0: '1'})
    """
    first = range(n_features)
    return {
        overlap: canonical_tau(
            dissimilarity_of(first, range(overlap - n_features, overlap), dissimilarity)
        )
        for overlap in range(n_features, -1, -1)
    }


def most_sets(n_total: int, n_features: int, overlap: int) -> int:
    """Return an upper bound of the number of sets of one size (Johnson 1962).

    Consider m sets of k of n features. Those that hold one feature are sets of k - 1 of
    n - 1 features, and their overlap is smaller by one. On average a feature is in
    m k / n of the sets. And a feature that is in r sets is common to r (r - 1) / 2 pairs of them;
    their sum over the features is smallest if all are in equally many sets.

    Parameters
    ----------
    n_total : int
        The number of features to choose from, n.
    n_features : int
        The size of the sets, k.
    overlap : int
        The largest number of common features of two sets, below `n_features`. Equal sets may
        occur any number of times.

    Examples
    --------
    >>> most_sets(7, 3, 1), most_sets(15, 5, 0), most_sets(10, 5, 1)
    (7, 3, 2)
    """
    if n_features < 0 or n_total < n_features:
        return 0
    if overlap < 0 or n_features == 0:
        return 1
    bound = 1
    for size in range(n_features - overlap, n_features + 1):
        # From the innermost step outwards: disjoint sets come first.
        bound = (n_total - n_features + size) * bound // size
    spare, excess = n_features - overlap, n_features**2 - n_total * overlap
    if excess > 0:
        bound = min(bound, n_total * spare // excess)

    def are_too_many(m: int) -> bool:
        each, more = divmod(m * n_features, n_total)
        common = more * each + n_total * each * (each - 1) // 2
        return common > overlap * m * (m - 1) // 2

    while bound > 1 and are_too_many(bound):
        bound -= 1
    # If m sets exist, fewer exist as well. Of more sets, whole numbers make no difference.
    few = range(2, min(bound, n_total // (4 * spare) + 1) + 1)
    return next((m - 1 for m in few if are_too_many(m)), bound)


def dissimilarity_of(
    first: Collection[int], second: Collection[int], dissimilarity: Dissimilarity = "dice"
) -> Fraction:
    """Return the exact dissimilarity of two feature sets.

    Parameters
    ----------
    first, second : collection of int
        Feature indices. Two empty sets have dissimilarity 0.
    dissimilarity : {"dice", "jaccard"}, default="dice"

    Returns
    -------
    Fraction
        From 0 (equal) to 1 (disjoint).

    Examples
    --------
    >>> dissimilarity_of([0, 1], [1, 2])
    Fraction(1, 2)
    >>> dissimilarity_of([0, 1], [1, 2], "jaccard")
    Fraction(2, 3)
    """
    a, b = set(first), set(second)
    return _dissimilarity(len(a), len(b), len(a & b), dissimilarity)


def _dissimilarity(first: int, second: int, common: int, kind: Dissimilarity) -> Fraction:
    """Return the dissimilarity of two sets of these sizes with some common features."""
    if not first and not second:
        return Fraction(0)
    if kind == "jaccard":
        return 1 - Fraction(common, first + second - common)
    return 1 - Fraction(2 * common, first + second)
