"""Report of an audit, as numbers and lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from altfs.study.verify.files import Finding

KINDS = ("datasets", "scores", "qualities", "shards", "predictions")
# Most lines for one file, so that a broken file does not hide the others.
_MOST_LINES = 3


@dataclass
class Report:
    """The findings of one job of an audit, or of all of them.

    Attributes
    ----------
    problems : list of Finding
        In the plan's order.
    missing : list of str
        Files of the plan that are not there.
    checked : dict of str to int
        Files that were looked at, by kind.
    recomputed : int
        Scores, qualities and shards that were recomputed and compared.
    proven, unchecked, ties : int
        Claims that were proven independently, that could not be, and the proven ones
        with an equally good answer that comes before the stored one.
    sets : dict of tuple to set
        By dataset and fold: the feature sets that need predictions.
    planned : int
        Shards of the plan.
    folder : str
        The results folder.
    """

    problems: list[Finding] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    checked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    recomputed: int = 0
    proven: int = 0
    unchecked: int = 0
    ties: int = 0
    sets: dict[tuple[str, int], set[tuple[int, ...]]] = field(default_factory=dict)
    planned: int = 0
    folder: str = ""

    def add(self, other: Report) -> None:
        """Add the findings of a job."""
        self.problems = list(dict.fromkeys([*self.problems, *other.problems]))
        self.missing += other.missing
        for kind, number in other.checked.items():
            self.checked[kind] += number
        for name in ("recomputed", "proven", "unchecked", "ties"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for place, sets in other.sets.items():
            self.sets.setdefault(place, set()).update(sets)

    def complain(self, path: str, texts: list[str]) -> None:
        """Add the problems of a file, at most a few of them."""
        shown = texts if len(texts) <= _MOST_LINES else texts[: _MOST_LINES - 1]
        self.problems += [Finding(path, text) for text in shown]
        if len(texts) > len(shown):
            self.problems.append(Finding(path, f"{len(texts) - len(shown)} more problems"))

    def lines(self) -> Iterator[str]:
        """Yield a line per problem and missing file, a table, and the totals."""
        for path, text in self.problems:
            yield f"{path}: {text}"
        for path in self.missing:
            yield f"{path}: is missing"
        yield f"{'':12}{'checked':>9}{'missing':>9}{'bad':>9}"
        for kind in KINDS:
            place = f"{self.folder}/{kind}/"
            missing = sum(1 for path in self.missing if path.startswith(place))
            bad = len({path for path, _ in self.problems if path.startswith(place)})
            yield f"{kind:12}{self.checked[kind]:9}{missing:9}{bad:9}"
        yield f"recomputed and compared: {self.recomputed} scores, qualities and shards"
        if self.ties:
            yield (
                f"for {self.ties} claims another answer is as good and comes first "
                "(ties may be left undecided at the work limit)"
            )
        yield (
            f"{self.checked['shards']} of {self.planned} shards checked, "
            f"{self.proven} claims proven independently, {self.unchecked} not checked, "
            f"{len(self.problems)} problems, {len(self.missing)} files missing"
        )
