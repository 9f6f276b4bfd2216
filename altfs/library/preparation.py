"""scikit-learn pipelines from the columns of a user's table to a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import infer_dtype
from sklearn.base import BaseEstimator, TransformerMixin

from altfs.datasets.columns import column_of, encode
from altfs.datasets.missing import takes_missing
from altfs.library.tables import EncodedTable, read_table

# Rarer categories become one column together.
_MOST_CATEGORIES = 100


@dataclass(frozen=True)
class Preparation:
    """The conversion of a column for a model."""

    #: True if it becomes a column of 0 and 1 for each category.
    categorical: bool = False
    #: The type that scikit-learn needs, if it is another one: "no", "numbers" or "text".
    converted: str = "no"
    #: True if numbers are missing.
    incomplete: bool = False

    @property
    def name(self) -> str:
        """The name of the step in a pipeline."""
        words = ["categories" if self.categorical else "numbers"]
        words += [f"as_{self.converted}"] if self.converted != "no" else []
        return "_".join(words + (["imputed"] if self.incomplete else []))

    def transformer(self) -> Any:
        """Return an unfitted transformer, or "passthrough"."""
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

        steps: list[Any] = []
        if self.converted != "no":
            function = as_text if self.converted == "text" else as_numbers
            steps.append(FunctionTransformer(function, feature_names_out="one-to-one"))
        if self.incomplete:
            steps.append(SimpleImputer(strategy="median", keep_empty_features=True))
        if self.categorical:
            unknown = "infrequent_if_exist"
            encoder = OneHotEncoder(
                handle_unknown=unknown, max_categories=_MOST_CATEGORIES, sparse_output=False
            )
            steps.append(encoder)
        if len(steps) > 1:
            return make_pipeline(*steps)
        return steps[0] if steps else "passthrough"


def preparations(rows: EncodedTable) -> tuple[Preparation, ...]:
    """Return the conversion that each column of a table needs."""
    frame, columns = rows.frame, rows.columns
    if frame is None:
        # Models get the columns of a sparse table as they are.
        return (Preparation(),) * len(rows.names)
    if rows.options.missing == "as_category":
        # Numbers with missing values are numbers for a model.
        columns = encode(frame, rows.options.model_copy(update={"missing": "impute"}))
    if columns.plain and not rows.options.exclude:
        return (Preparation(),) * len(columns.kinds)
    plain = list(map(_is_plain, frame.dtypes))
    gaps = frame.isna().any().tolist()
    needed = []
    for name, kind, is_plain, gap in zip(frame, columns.kinds, plain, gaps, strict=True):
        categorical = kind == "category"
        converted = "no" if is_plain else "numbers"
        if name in columns.encodings:
            pure = not gap and infer_dtype(frame[name], skipna=False) == "string"
            converted, gap = "no" if pure else "text", False
        needed.append(Preparation(categorical, converted, gap))
    return tuple(needed)


def _is_plain(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iuf"


def pipeline_of(
    columns: Collection[int],
    prepared: Sequence[Preparation],
    labels: Sequence[Any],
    model: Any,
    converts: bool = False,
) -> Any:
    """Return an unfitted pipeline of the preparation of some columns and a model.

    Parameters
    ----------
    columns : collection of int
    prepared : sequence of Preparation
        Those of all columns.
    labels : sequence of str or int
        The names of all columns, or their numbers if the table has no names.
    model : estimator
    converts : bool, default=False
        True for a first step that turns the user's table into one that scikit-learn reads.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline

    groups: dict[Preparation, list[Any]] = {}
    for j in columns:
        how = prepared[j]
        if how.incomplete and (how.categorical or takes_missing(model)):
            how = replace(how, incomplete=False)
        groups.setdefault(how, []).append(labels[j])
    steps = [(how.name, how.transformer(), chosen) for how, chosen in groups.items()]
    chosen = ColumnTransformer(steps, verbose_feature_names_out=False)
    first = [("table", TableReader())] if converts else []
    return Pipeline([*first, ("columns", chosen), ("model", model)])


class TableReader(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A first step that turns tables that scikit-learn does not read into pandas frames.

    These are Arrow's batches, and frames whose labels are of several types.

    >>> list(TableReader().fit_transform(pd.DataFrame({1: [5], "a": [6]})))
    ['1', 'a']
    """

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None) -> Self:
        """Return the reader, as there is nothing to learn."""
        return self

    def transform(self, X: Any) -> Any:
        """Return a frame whose labels are text."""
        return read_table(X).data

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names as they are."""
        return input_features


def as_numbers(X: Any) -> npt.NDArray[np.float64]:
    """Return dates, and numbers of any type, as floats: days since 1970, NaN if missing.

    >>> as_numbers(pd.DataFrame({"when": ["1970-01-03", None], "truth": [True, False]}))
    array([[ 2.,  1.],
           [nan,  0.]])
    """
    frame = _as_frame(X)
    return np.column_stack([column_of(frame[name]).values for name in frame])


def as_text(X: Any) -> npt.NDArray[np.object_]:
    """Return categories as text; "missing" if there is no value.

    >>> as_text(pd.DataFrame({"city": ["a", None]})).tolist()
    [['a'], ['missing']]
    """
    frame = _as_frame(X)
    text = frame.astype(object).where(frame.notna(), "missing")
    return text.astype(str).to_numpy(dtype=object)


def _as_frame(X: Any) -> pd.DataFrame:
    data = read_table(X).data
    return data if isinstance(data, pd.DataFrame) else pd.DataFrame(np.asarray(data))
