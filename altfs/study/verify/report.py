"""Report of an audit, as numbers and lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from altfs.study.verify.files import FileProblem

KINDS = ("datasets", "scores", "qualities", "shards", "predictions")
# Most lines for one file, so that a broken file does not hide the others.
_MOST_LINES = 3


@dataclass
class Report:
    """The findings of one job of an audit, or of all of them."""

    #: In the plan's order.
    problems: list[FileProblem] = field(default_factory=list)
    #: Files of the plan that do not exist.
    missing: list[str] = field(default_factory=list)
    #: The number of checked files of each kind.
    checked: Counter[str] = field(default_factory=Counter)
    #: The number of scores, qualities and shards that were recomputed and compared.
    recomputed: int = 0
    #: The files of explanations and the like that were made again and compared.
    made_again: list[str] = field(default_factory=list)
    #: The number of files of tables, figures and the page that were compared.
    compared: int = 0
    #: The number of claims that were proven independently, and of those that could not be.
    proven: int = 0
    unchecked: int = 0
    #: Proven claims with an equally good answer that comes before the stored one.
    ties: int = 0
    #: By dataset and fold: the feature sets that need predictions.
    sets: dict[tuple[str, int], set[tuple[int, ...]]] = field(default_factory=dict)
    #: The number of shards of the plan.
    planned: int = 0
    #: The results folder.
    folder: str = ""

    def add(self, *others: Report) -> None:
        """Add the findings of jobs."""
        for other in others:
            self.problems = list(dict.fromkeys([*self.problems, *other.problems]))
            self.missing += other.missing
            self.checked += other.checked
            for name in ("recomputed", "proven", "unchecked", "ties"):
                setattr(self, name, getattr(self, name) + getattr(other, name))
            for place, sets in other.sets.items():
                self.sets.setdefault(place, set()).update(sets)

    def complain(self, path: str, texts: list[str]) -> None:
        """Add the problems of a file, at most a few of them."""
        if (more := len(texts) - _MOST_LINES + 1) > 1:
            texts = [*texts[: _MOST_LINES - 1], f"{more} more problems"]
        self.problems += [FileProblem(path, text) for text in texts]

    def lines(self) -> Iterator[str]:
        """Yield a line per problem and missing file, a table, and the totals."""
        for path, text in self.problems:
            yield f"{path}: {text}"
        for path in self.missing:
            yield f"{path}: is missing"
        yield f"{'':12}{'checked':>9}{'missing':>9}{'bad':>9}"
        for kind in (*KINDS, *sorted(self.checked.keys() - set(KINDS))):
            place = f"{self.folder}/{kind}/"
            missing = sum(1 for path in self.missing if path.startswith(place))
            bad = len({path for path, _ in self.problems if path.startswith(place)})
            yield f"{kind:12}{self.checked[kind]:9}{missing:9}{bad:9}"
        yield f"recomputed and compared: {self.recomputed} scores, qualities and shards"
        for path in self.made_again:
            yield f"made again and compared: {path.removeprefix(f'{self.folder}/')}"
        if self.compared:
            yield f"made again and compared: {self.compared} files of tables, figures and page"
        if self.ties:
            yield (
                f"for {self.ties} claims another answer is as good and comes first "
                "(ties may be left undecided at the work limit)"
            )
        yield self.totals

    @property
    def totals(self) -> str:
        """The numbers of what was checked and of problems, in a line."""
        return (
            f"{self.checked['shards']} of {self.planned} shards checked, "
            f"{self.proven} claims proven independently, {self.unchecked} not checked, "
            f"{len(self.problems)} problems, {len(self.missing)} files missing"
        )
