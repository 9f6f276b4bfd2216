"""The base of selectors whose quality is the area under a curve."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, field_validator, model_validator

from altfs._numbers import FloatArray, check_at_most, is_whole
from altfs.errors import DataError
from altfs.kinds.fronts.curve import ROUNDING, Curve, CurveKind, Scores
from altfs.kinds.fronts.mean_curve import MeanCurve
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.selectors._inner_folds import inner_folds
from altfs.selectors.base import Qualities, Selector, SelectorOptions

#: The word for folds of one row each.
ONE_OUT = "one_out"


class CurveOptions(SelectorOptions):
    """Options of selectors with a curve.

    curve: what is drawn against the sensitivity. positive: the class of interest, by default
    the rarer one (of equals the larger number or the later text). target: what the target is. Of
    more than two classes, with `one` the class of interest has to be given, and the others are
    one; with `each` every class is that of interest in turn, and the curve is the mean of these.
    With `membership` the target is the probability of each row to be positive, numbers from 0
    to 1. folds: `one_out` holds out one row after the other, a number so many folds.
    max_iterations: the largest number of candidate sets that a search may ask for.
    """

    curve: CurveKind = "specificity"
    positive: int | str | None = None
    target: Literal["one", "each", "membership"] = "one"
    folds: int | str = 5
    max_iterations: Annotated[int, Field(ge=1)] = 1000

    @field_validator("folds")
    @classmethod
    def _allowed_folds(cls, value: Any) -> Any:
        if value != ONE_OUT and not (is_whole(value) and value >= 2):
            raise ValueError(f"{value!r} is not allowed, use '{ONE_OUT}' or a number from 2")
        return value

    @model_validator(mode="after")
    def _allowed_positive(self) -> CurveOptions:
        if self.positive is not None and self.target != "one":
            raise ValueError(f"positive is not allowed with target: {self.target}, leave one out")
        return self


class CurveSelector(Selector):
    """The base class of selectors whose quality is the area under a curve.

    It is of two classes, of one of more classes against the rest, of each in turn, or of a
    probability.
    """

    Options = CurveOptions
    needs_rows = True
    two_classes = True
    #: The error of the scores, below which a difference does not count.
    tie: ClassVar[float] = ROUNDING
    # The quality scores the rows.
    stores = False
    #: The texts of the classes, if they have any.
    texts: Sequence[str] = ()

    @abstractmethod
    def scorer(self, part: Part, positive: FloatArray) -> Callable[[FeatureIndices], Scores]:
        """Return the function that scores rows of a part which it has not learned from.

        `positive` is 1 for rows of the class of interest and 0 for others, or a probability.
        """

    def with_classes(self, texts: Sequence[str]) -> CurveSelector:
        positive = self.options.positive
        if not texts or positive is None:
            same = copy(self)
            same.texts = texts
            return same
        if str(positive) not in texts:
            allowed = " or ".join(f"'{text}'" for text in texts)
            raise DataError("positive", f"{positive!r} is not a class", f"use {allowed}")
        code = {"positive": [*texts].index(str(positive))}
        return type(self)(self.options.model_copy(update=code))

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        positive, folds = self.options.positive, self.options.folds
        if self.options.target == "membership":
            is_probability = target_type == "regression" and y.min() >= 0 and y.max() <= 1
            if not is_probability or not 0 < y.sum() < len(y):
                reason = "target: membership needs numbers from 0 to 1, not all 0 or all 1"
                advice = "use target: one for classes, and task: regression for few numbers"
                raise DataError("y", reason, advice)
            if folds != ONE_OUT:
                check_at_most("folds", folds, len(y), "rows", f", or '{ONE_OUT}'")
            return
        classes, counts = np.unique(y, return_counts=True)
        each = self.options.target == "each"
        is_open = len(classes) > 2 and positive is None and not each
        if target_type == "regression" or len(classes) < 2 or is_open:
            number = "one class" if len(classes) == 1 else f"{len(classes)} classes"
            values = "numbers" if target_type == "regression" else number
            reason = f"'{self.name}' needs two classes, the target has {values}"
            advice = "use another selector, such as 'wrapper'"
            if values == number and len(classes) > 2:
                advice = (
                    "name the class of interest by positive, take each in turn by target: each, "
                    f"or {advice}"
                )
            raise DataError("selector", reason, advice)
        if positive is not None and positive not in classes.tolist():
            allowed = " or ".join(f"{label:g}" for label in classes)
            raise DataError("positive", f"{positive!r} is not a class", f"use {allowed}")
        if len(classes) > 2 and not each:
            of_interest = counts[classes == positive].sum()
            counts = np.array([of_interest, counts.sum() - of_interest])
        least = int(counts.min())
        if folds == ONE_OUT and least < 2:
            reason = "'one_out' needs two rows of each class, the rarest one has one"
            raise DataError("folds", reason, "use more rows or another selector")
        if folds != ONE_OUT:
            check_at_most("folds", folds, least, "rows of the rarest class", f", or '{ONE_OUT}'")

    def check_part(self, part: Part) -> None:
        self.check_target(part.y, part.target_type, part.seed)
        if part.times is not None:
            reason = f"'{self.name}' holds every row out once, which folds by time do not allow"
            raise DataError("selector", reason, "use another selector, such as 'wrapper'")
        self.fold_numbers(part)

    def simplified(self) -> CurveSelector:
        least = {"positive": None, "target": "one", "folds": 2}
        return type(self)(self.options.model_copy(update=least))

    def quality(self, part: Part) -> Curve:
        self.check_part(part)
        options, n_total = self.options, part.X.shape[1]
        classes = np.unique(part.y)

        def curve(positive: npt.NDArray[Any]) -> Curve:
            scorer = self.scorer(part, positive.astype(np.float64))
            return Curve(scorer, positive, n_total, options.curve, options.max_iterations, self.tie)

        if options.target == "membership":
            return curve(part.y)
        if options.target == "each" and len(classes) > 2:
            names = [self.texts[int(label)] if self.texts else f"{label:g}" for label in classes]
            return MeanCurve([curve(part.y == label) for label in classes], names)
        return curve(part.y == self._positive(part.y))

    def learn(self, train: Part, test: Part) -> Qualities:
        """Learn both qualities; the test part has the class of interest of the training part."""
        self.check_target(train.y, train.target_type, train.seed)
        target = self.options.target
        if target == "membership" or (target == "each" and len(np.unique(train.y)) > 2):
            return super().learn(train, test)
        pinned = {"positive": int(self._positive(train.y)), "target": "one"}
        same = type(self)(self.options.model_copy(update=pinned))
        return super(CurveSelector, same).learn(train, test)

    def _positive(self, y: npt.NDArray[Any]) -> Any:
        if self.options.positive is not None:
            return self.options.positive
        classes, counts = np.unique(y, return_counts=True)
        return classes[1] if counts[1] <= counts[0] else classes[0]

    def fold_numbers(self, part: Part) -> npt.NDArray[np.int64]:
        """Return the fold of each row: shuffled folds by class, or one for each row or group."""
        numbers = np.arange(len(part.y))
        if part.groups is not None:
            numbers = np.unique(part.groups, return_inverse=True)[1]
        if not isinstance(self.options.folds, str):
            if part.target_type == "multiclass" and self.options.target == "one":
                positive = (part.y == self._positive(part.y)).astype(np.int64)
                part = replace(part, y=positive, target_type="binary")
            for i, (_, held_out) in enumerate(inner_folds(part, self.options.folds)):
                numbers[held_out] = i
        return numbers
