"""The first of the families that differ only by swapping features of equal value."""

from __future__ import annotations

from altfs.problem import FeatureIndices


def first_family_of_twins(
    groups: list[list[int]], patterns: list[list[int]], n_sets: int
) -> tuple[FeatureIndices, ...]:
    """Give the patterns of each group to its features so that the family comes first.

    Set by set: of the sets not placed yet, the one that can be the smallest
    comes next. In a group the features with the smallest indices take the
    patterns that hold it.

    Parameters
    ----------
    groups : list of list of int
        Features of equal value, ascending in each group.
    patterns : list of list of int
        The patterns of each group's features in any order; bit i: set i.
    n_sets : int

    Returns
    -------
    tuple of tuple of int
        The lexicographically smallest sorted family.

    Examples
    --------
    >>> first_family_of_twins([[0, 3, 4], [1], [2]], [[1, 2, 0], [2], [1]], 2)
    ((0, 1), (2, 3))
    """
    # A block is a run of features that lie in the same placed sets, with their patterns.
    start = [(tuple(g), tuple(p)) for g, p in zip(groups, patterns, strict=True)]
    best: list[tuple[FeatureIndices, ...]] = []

    def place(
        blocks: list[tuple[FeatureIndices, tuple[int, ...]]],
        left: tuple[int, ...],
        done: tuple[FeatureIndices, ...],
    ) -> None:
        if best and done > best[0][: len(done)]:
            return
        if not left:
            if not best or done < best[0]:
                best[:] = [done]
            return
        options = []
        for i in left:
            chosen: list[int] = []
            for features, held in blocks:
                chosen += features[: sum(p >> i & 1 for p in held)]
            options.append((tuple(sorted(chosen)), i))
        smallest = min(options)[0]
        seen = set()
        for candidate, i in options:
            if candidate != smallest:
                continue
            split = []
            for features, held in blocks:
                inside = tuple(sorted(p for p in held if p >> i & 1))
                outside = tuple(sorted(p for p in held if not p >> i & 1))
                split += [(features[: len(inside)], inside), (features[len(inside) :], outside)]
            split = [block for block in split if block[0]]
            rest = tuple(h for h in left if h != i)
            # Sets that look alike from here need to be tried once only.
            key = tuple(
                (f, tuple(sorted(tuple(p >> h & 1 for h in rest) for p in held)))
                for f, held in split
            )
            if key in seen:
                continue
            seen.add(key)
            place(split, rest, (*done, candidate))

    place(start, tuple(range(n_sets)), ())
    return best[0]
