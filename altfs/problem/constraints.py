"""Constraints on feature sets besides their size, as data.

Which solvers can honour which kind of constraint is declared by the solvers;
:meth:`Constraints.kinds` names the kinds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set, Sized
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

from altfs._numbers import is_collection, is_finite, is_number, is_whole
from altfs.errors import AltfsError

if TYPE_CHECKING:
    from altfs.quality import Quality

#: The kinds of constraint, in the words of error messages.
KINDS = (
    "include", "exclude", "at_most", "at_least", "all_or_none", "budget", "quality_floor", "given",
)  # fmt: skip


def _plain(listed: Iterable[int]) -> tuple[int, ...]:
    """Convert whole numbers to Python's own; `Constraints.check` refuses other values."""
    return tuple(int(j) if is_whole(j) else j for j in listed)


@dataclass(frozen=True)
class Group:
    """A number of features of which every set holds a certain number.

    Parameters
    ----------
    features : tuple of int
        Indices of the group's features; names, too, for ``AlternativeFeatures``.
    at_least : int, default=0
        The smallest number of them in a set.
    at_most : int, optional
        The largest number of them in a set; any number by default.
    all_or_none : bool, default=False
        True if a set that holds one of them has to hold them all.
    """

    features: tuple[int, ...]
    at_least: int = 0
    at_most: int | None = None
    all_or_none: bool = False

    if TYPE_CHECKING:

        def __init__(
            self,
            features: Collection[int | str],
            at_least: int = 0,
            at_most: int | None = None,
            all_or_none: bool = False,
        ) -> None:
            """Accept names as well, for `AlternativeFeatures`."""

    def __post_init__(self) -> None:
        if is_collection(self.features):
            object.__setattr__(self, "features", _plain(self.features))

    @property
    def argument(self) -> str:
        """The arguments that can give it; `exclusive` gives a pair of which one is allowed."""
        pair = (self.at_least, self.at_most, self.all_or_none) == (0, 1, False)
        pair = pair and is_collection(self.features) and len(self.features) == 2
        return "groups, exclusive" if pair else "groups"

    def admits(self, chosen: Iterable[int]) -> bool:
        """Return True if a set holds an allowed number of the group's features.

        Examples
        --------
        >>> Group((0, 1), all_or_none=True).admits((1, 2))
        False
        """
        count = len(set(self.features).intersection(chosen))
        most = count if self.at_most is None else self.at_most
        partly = self.all_or_none and 0 < count < len(self.features)
        return self.at_least <= count <= most and not partly


@dataclass(frozen=True)
class Constraints:
    """Constraints on every feature set of a problem.

    Parameters
    ----------
    include : tuple of int, default=()
        Features that every set has to hold. ``AlternativeFeatures`` takes names, too, for
        all features here.
    exclude : tuple of int, default=()
        Features that no set may hold.
    groups : tuple of Group, default=()
        Numbers of features that may, or have to, be selected together.
    costs : tuple of float, optional
        Cost of each feature, at least 0; needs a `budget`. ``AlternativeFeatures`` also takes
        a dict or Series by name or number. Features that are missing from it cost 0.
    budget : float, optional
        The largest total cost of a set.
    quality_floor : float, optional
        The lowest allowed quality of a set. With a linear quality a set may be worse by less
        than the rounding of the exact solvers (:meth:`altfs.quality.Linear.scaled_floor`).
    relative_floor : float, optional
        The floor as a share, from 0 to 1, of the quality of the best set that satisfies the
        other constraints. For a negative quality q, share s is ``q - (1 - s) |q|``. It is
        for linear qualities, in place of `quality_floor`.
    exclusive : tuple of pairs of int, default=()
        Pairs of features of which a set may hold one at most; they become groups.

    Examples
    --------
    >>> Constraints(include=(0,), groups=(Group((1, 2), at_most=1),)).kinds()
    ('include', 'at_most')
    >>> Constraints(exclusive=((0, 1),)).groups
    (Group(features=(0, 1), at_least=0, at_most=1, all_or_none=False),)
    """

    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    groups: tuple[Group, ...] = ()
    costs: tuple[float, ...] | None = None
    budget: float | None = None
    quality_floor: float | None = None
    relative_floor: float | None = None
    exclusive: InitVar[tuple[tuple[int, int], ...]] = ()

    if TYPE_CHECKING:

        def __init__(
            self,
            include: Collection[int | str] = (),
            exclude: Collection[int | str] = (),
            groups: Collection[Group] = (),
            costs: Sequence[float] | Mapping[str, float] | Mapping[int, float] | None = None,
            budget: float | None = None,
            quality_floor: float | None = None,
            relative_floor: float | None = None,
            exclusive: Collection[Collection[int | str]] = (),
        ) -> None:
            """Accept names as well, for `AlternativeFeatures`."""

    def __post_init__(self, exclusive: tuple[tuple[int, int], ...]) -> None:
        for name, listed in (("groups", self.groups), ("exclusive", exclusive)):
            if not is_collection(listed):
                raise AltfsError(f"{name}: {listed!r} is not allowed, put it in a tuple.")
        exclusive = tuple(exclusive)
        for pair in exclusive:
            if not is_collection(pair) or len(pair) != 2:
                raise AltfsError(f"exclusive: {pair!r} is not allowed, use pairs of features.")
        pairs = tuple(Group(tuple(pair), at_most=1) for pair in exclusive)
        object.__setattr__(self, "groups", (*self.groups, *pairs))
        for name in ("include", "exclude"):
            if is_collection(listed := getattr(self, name)):
                object.__setattr__(self, name, _plain(listed))

    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of constraint in use."""
        used = {
            "include": bool(self.include),
            "exclude": bool(self.exclude),
            "at_most": any(g.at_most is not None for g in self.groups),
            "at_least": any(g.at_least > 0 for g in self.groups),
            "all_or_none": any(g.all_or_none for g in self.groups),
            "budget": self.budget is not None,
            "quality_floor": (self.quality_floor, self.relative_floor) != (None, None),
        }
        return tuple(kind for kind in KINDS if used.get(kind))

    def check(self, n_total: int, names: Sequence[str] | None = None) -> None:
        """Check the constraints for a number of features, which messages name if they have names.

        Raises
        ------
        AltfsError
            If a constraint is not allowed.

        Examples
        --------
        >>> Constraints(include=(1,), exclude=(1,)).check(2, ["age", "sex"])
        Traceback (most recent call last):
        ...
        altfs.errors.AltfsError: include, exclude: feature 'sex' is in both, use one of the two.
        """
        labels = range(n_total) if names is None else names
        check_groups(self.groups)
        _check_indices("include", self.include, labels)
        _check_indices("exclude", self.exclude, labels)
        for group in self.groups:
            _check_indices(group.argument, group.features, labels)
        for j in sorted(set(self.include) & set(self.exclude))[:1]:
            raise AltfsError(
                f"include, exclude: feature {labels[j]!r} is in both, use one of the two."
            )
        for group in self.groups:
            _group(group)
            most = len(group.features) if group.at_most is None else group.at_most
            if not 0 <= group.at_least <= most:
                at_most = "" if group.at_most is None else f" and at_most {group.at_most}"
                raise AltfsError(
                    f"groups: at_least {group.at_least}{at_most} of {len(group.features)} "
                    "features is not allowed, use 0 <= at_least <= at_most <= their number."
                )
        if (self.costs is None) != (self.budget is None):
            raise AltfsError("costs, budget: give both or neither.")
        if self.costs is not None and self.budget is not None:
            # A mapping would give its keys as costs, and a set has no order.
            unordered = isinstance(self.costs, Mapping | Set)
            if unordered or not is_collection(self.costs) or not isinstance(self.costs, Sized):
                raise AltfsError(f"costs: {self.costs!r} is not allowed, use one for each feature.")
            if len(self.costs) != n_total:
                raise AltfsError(f"costs: {len(self.costs)} values, use one for each of {n_total}.")
            for value in (*self.costs, self.budget):
                if not (is_finite(value) and value >= 0):
                    raise AltfsError(
                        f"costs, budget: {value!r} is not allowed, use finite numbers from 0."
                    )
        floor = self.quality_floor
        if floor is not None and not is_finite(floor):
            raise AltfsError(f"quality_floor: {floor!r} is not allowed, use a finite number.")
        share = self.relative_floor
        if share is not None:
            if floor is not None:
                raise AltfsError("quality_floor, relative_floor: give one of the two.")
            if not (is_number(share) and 0 <= share <= 1):
                raise AltfsError(
                    f"relative_floor: {share!r} is not allowed, use a share from 0 to 1."
                )

    def violation(self, chosen: Sequence[int], quality: Quality) -> str | None:
        """Return why a feature set violates a constraint, or None if it does not."""
        held = set(chosen)
        if missing := sorted(set(self.include) - held):
            return f"set {tuple(chosen)} lacks feature {missing[0]}, which has to be included"
        if extra := sorted(set(self.exclude) & held):
            return f"set {tuple(chosen)} holds feature {extra[0]}, which is excluded"
        for group in self.groups:
            if not group.admits(held):
                count = len(set(group.features) & held)
                return f"set {tuple(chosen)} holds {count} features of group {group.features}"
        if self.costs is not None and self.budget is not None:
            from fractions import Fraction

            # In exact decimals: 0.1 + 0.2 is within a budget of 0.3.
            cost = sum((Fraction(repr(float(self.costs[j]))) for j in held), Fraction(0))
            if cost > Fraction(repr(float(self.budget))):
                return f"set {tuple(chosen)} costs {float(cost)}, {self.budget} is allowed"
        if self.quality_floor is None:
            return None
        reaches = quality.under(self.include, self.exclude).reaches(chosen, self.quality_floor)
        return None if reaches else f"set {tuple(chosen)} is worse than {self.quality_floor}"


NO_CONSTRAINTS = Constraints()


def check_groups(groups: Iterable[object]) -> None:
    """Check that all groups are a `Group`."""
    for group in groups:
        if not isinstance(group, Group):
            raise AltfsError(f"groups: {group!r} is not allowed, use altfs.Group.")


def _group(group: Group) -> None:
    """Check that a group has features and a limit."""
    if not group.features:
        raise AltfsError("groups: a group without features is not allowed, name some.")
    most = () if group.at_most is None else (("at_most", group.at_most),)
    for name, value in (("at_least", group.at_least), *most):
        if not is_whole(value) or value < 0:
            raise AltfsError(f"groups: {name} {value!r} is not allowed, use a whole number from 0.")
    if not isinstance(group.all_or_none, bool):
        raise AltfsError(
            f"groups: all_or_none {group.all_or_none!r} is not allowed, use True or False."
        )
    if group.at_least == 0 and group.at_most is None and not group.all_or_none:
        raise AltfsError("groups: a group needs at_least, at_most or all_or_none.")


def _check_indices(name: str, indices: Iterable[int], labels: Sequence[int | str]) -> None:
    if not is_collection(indices):
        raise AltfsError(f"{name}: {indices!r} is not allowed, put it in a tuple.")
    seen: set[int] = set()
    for j in indices:
        if not is_whole(j) or not 0 <= j < len(labels):
            raise AltfsError(
                f"{name}: {j!r} is not a feature, use indices from 0 to {len(labels) - 1}, each "
                "once."
            )
        if j in seen:
            raise AltfsError(
                f"{name}: feature {labels[j]!r} is a duplicate, use every feature once."
            )
        seen.add(j)
