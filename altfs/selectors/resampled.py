"""Resampled: the mean of what selectors learn on many samples of the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, field_validator, model_validator

from altfs._numbers import FloatArray, IntArray
from altfs._options import checked_options, type_and_options
from altfs.errors import AltfsError, DataError
from altfs.progress import tell
from altfs.quality import Linear, Quality
from altfs.scores.base import Part
from altfs.scores.row_groups import half_of_rows
from altfs.selectors.base import Selector, SelectorOptions, normalised, selectors


class ResampledOptions(SelectorOptions):
    """Options of the mean over samples.

    of: a selector, or several: names, or mappings of type and options. samples: half, the rows of
    half of each class; bootstrap, as many rows as there are, drawn with replacement; or all, for a
    mean of several selectors. number: of samples, each of which all selectors learn from.
    aggregation: mean, of values and of numbers of pairs; or ranks, of values alone.
    """

    of: list[str | dict[str, Any]] = Field(default=["mutual_information"], min_length=1)
    samples: Literal["half", "bootstrap", "all"] = "half"
    number: int = Field(default=50, ge=1)
    aggregation: Literal["mean", "ranks"] = "mean"

    @field_validator("of", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        entries = list(value) if isinstance(value, list | tuple) else [value]
        if not all(isinstance(entry, str | Mapping) for entry in entries):
            advice = "use names of selectors, or mappings of type and options"
            raise AltfsError.of_value("of", value, advice)
        return entries

    @model_validator(mode="after")
    def _check_selectors(self) -> Self:
        members = [_member(entry) for entry in self.of]
        of_pairs = {member.of_pairs for member in members}
        if len(of_pairs) > 1:
            reason = "some selectors have values of features, others numbers of pairs"
            raise AltfsError("of", reason, "use selectors of one kind")
        if of_pairs == {True} and self.aggregation == "ranks":
            reason = f"'{members[0].name}' has numbers of pairs, ranks need values of features"
            raise AltfsError("aggregation", reason, "use the mean")
        return self


def _member(entry: str | dict[str, Any]) -> Selector:
    """Return a selector of which a mean can be taken; AltfsError for others."""
    name, options = type_and_options(entry, "of")
    component = selectors.get(name, "of")
    if component is Resampled or component.one_pass or not component.stores:
        reason = f"'{name}' has no numbers of features or pairs of which a mean can be taken"
        raise AltfsError("of", reason, "use selectors such as mutual_information, mrmr or cfs")
    if component.forbids_sets:
        reason = f"'{name}' forbids other sets on each sample"
        raise AltfsError("of", reason, "use mutual_information or mrmr")
    return component(checked_options(component.Options, options, "of"))


@selectors.register("resampled")
class Resampled(Selector):
    """The mean of what other selectors learn on many samples of the rows.

    Values of features and numbers of pairs are averaged, and sets of the means are searched and
    proven as those of one selector. Values are divided by their sum first. With `aggregation`
    ranks, a feature has its mean rank, from 1 for the best on all samples to 0. The selectors have
    to be of one kind: of features, as mutual_information, or of pairs, as mrmr.

    Samples are drawn from each class; whole groups are drawn if rows have groups. They do not
    depend on the order of rows. Copies of rows in a bootstrap look like near neighbours, so that
    halves suit mutual information of numbers better.

    Source: Meinshausen and Buehlmann, *Stability Selection*, Journal of the Royal Statistical
    Society B 72, 2010, for halves; Saeys, Abeel and Van de Peer, *Robust Feature Selection Using
    Ensemble Feature Selection Techniques*, ECML PKDD 2008, for means and ranks.
    """

    Options = ResampledOptions
    needs_rows = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        #: The selectors that learn on each sample.
        self.members = [_member(entry) for entry in self.options.of]
        self.of_pairs = self.members[0].of_pairs
        self.takes_categories = all(member.takes_categories for member in self.members)

    @property
    def other_code(self) -> tuple[str, ...]:
        return tuple(
            module
            for member in self.members
            for module in (type(member).__module__, *member.other_code)
        )

    def check_extra(self) -> None:
        for member in self.members:
            member.check_extra()

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        for member in self.members:
            member.check_target(y, target_type, seed)

    def check_part(self, part: Part) -> None:
        for member in self.members:
            member.check_part(part)

    def check_features(self, names: Sequence[str]) -> None:
        for member in self.members:
            member.check_features(names)

    def simplified(self) -> Selector:
        options = self.options.model_copy(update={"samples": "all", "number": 1})
        return Resampled(options)

    def quality(self, part: Part) -> Quality:
        samples = self._samples(part)
        qualities: list[Quality] = []
        for i, sample in enumerate(samples, 1):
            qualities += [member.quality(sample) for member in self.members]
            tell("samples", i, len(samples))
        if self.options.aggregation == "ranks":
            return Linear(np.mean([_ranks(quality) for quality in qualities], axis=0))
        if not self.of_pairs:
            qualities = [Linear(normalised(_values(quality))) for quality in qualities]
        kinds = {type(quality) for quality in qualities}
        if len(kinds) > 1:
            reason = "a mean of differences and ratios of numbers of pairs has no meaning"
            raise DataError("of", reason, "use selectors of one kind")
        return kinds.pop().mean(qualities)

    def _samples(self, part: Part) -> list[Part]:
        if self.options.samples == "all":
            return [part]
        rows, random = part.canonical_rows(), np.random.default_rng(part.seed)
        drawn = _bootstrap if self.options.samples == "bootstrap" else _half
        chosen = [drawn(part, rows, random) for _ in range(self.options.number)]
        if part.target_type != "regression" and min(len(np.unique(part.y[s])) for s in chosen) < 2:
            reason = "a sample of whole groups has rows of one class alone"
            raise DataError("groups", reason, "use more groups, or another selector")
        return [part.with_rows(sample) for sample in chosen]


def _strata(part: Part, rows: IntArray) -> list[IntArray]:
    """Return the rows of each class, in an order that does not depend on the coding."""
    if part.target_type == "regression":
        return [rows]
    classes, first = np.unique(part.y[rows], return_index=True)
    return [rows[part.y[rows] == c] for c in classes[np.argsort(first)]]


def _half(part: Part, rows: IntArray, random: np.random.Generator) -> IntArray:
    if part.groups is not None:
        return half_of_rows(rows, part.groups, random)
    drawn = [half_of_rows(some, None, random) for some in _strata(part, rows)]
    return np.sort(np.concatenate(drawn))


def _bootstrap(part: Part, rows: IntArray, random: np.random.Generator) -> IntArray:
    if part.groups is not None:
        labels, first = np.unique(part.groups[rows], return_index=True)
        labels = labels[np.argsort(first)]
        chosen = labels[random.integers(len(labels), size=len(labels))]
        return np.concatenate([rows[part.groups[rows] == label] for label in chosen])
    strata = _strata(part, rows)
    return np.concatenate([some[random.integers(len(some), size=len(some))] for some in strata])


def _ranks(quality: Quality) -> FloatArray:
    """Return the share of the other features that each one exceeds; equal ones have the mean."""
    from scipy.stats import rankdata

    ranks: FloatArray = rankdata(_values(quality))
    return (ranks - 1) / max(1, quality.n_total - 1)


def _values(quality: Quality) -> FloatArray:
    assert isinstance(quality, Linear)
    return quality.values
