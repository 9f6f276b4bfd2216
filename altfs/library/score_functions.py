"""The values of features that a function of the user returns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Sequence
from inspect import signature
from typing import Any

import numpy as np

from altfs.errors import AltfsError, DataError
from altfs.quality import Linear, Quality
from altfs.selectors import Part, Selector


class ScoreFunction(Selector):
    """The values of features that a function returns, such as scikit-learn's `f_classif`.

    `columns` are the names of the columns, and `unused` are those that no set may hold. Messages
    use the names.
    """

    needs_rows = True
    takes_sparse = True

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.function = function
        self.title = getattr(function, "__name__", type(function).__name__)
        self.columns: Sequence[str] = ()
        self.unused: Collection[int] = ()
        try:
            signature(function).bind(None, None)
        except TypeError:
            reason = f"the function '{self.title}' does not take the two arguments X and y"
            raise AltfsError("selector", reason, "use one that does") from None
        except ValueError:
            # Compiled functions do not say what they take.
            pass

    def quality(self, part: Part) -> Quality:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            values = self._values(part)
        unknown: list[int] = []
        fits = np.shape(values) == (part.X.shape[1],)
        if fits and np.asarray(values).dtype.kind == "f":
            values = np.array(values)
            unknown = np.flatnonzero(~np.isfinite(values)).tolist()
        for j in unknown:
            if j not in self.unused:
                raise self._without_value(part, j, float(values[j]))
            # No set holds the column, so its value does not count.
            values[j] = 0.0
        for each in () if unknown else caught:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        if not fits:
            raise AltfsError(
                "selector",
                f"the function '{self.title}' returned something of shape {np.shape(values)}, X "
                f"has {part.X.shape[1]} columns",
                "one value for each is needed",
            )
        return Linear(values)

    def _values(self, part: Part) -> Any:
        try:
            return self._called(part.X, part.y)
        # A function of the user can raise any error; it is the cause of ours.
        except Exception as error:
            reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
            j = self._first_refused(part)
            where = "these columns" if j is None else f"column '{self._name(j)}'"
            raise DataError(
                "selector",
                f"the function '{self.title}' cannot score {where} ({reason})",
                f"leave {'columns' if j is None else 'it'} out or use another selector",
            ) from error

    def _called(self, X: Any, y: Any) -> Any:
        values = self.function(X, y)
        # scikit-learn's score functions return p-values as well.
        return values[0] if isinstance(values, tuple) else values

    def _first_refused(self, part: Part) -> int | None:
        """Return a column on which the function fails alone, if there is one."""

        def fails(columns: range) -> bool:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self._called(part.X[:, columns.start : columns.stop], part.y)
            except Exception:
                return True
            return False

        columns = range(part.X.shape[1])
        while len(columns) > 1:
            half = len(columns) // 2
            columns = columns[:half] if fails(columns[:half]) else columns[half:]
        return columns[0] if fails(columns) else None

    def _without_value(self, part: Part, column: int, value: float) -> DataError:
        values = part.X[:, [column]]
        values = values.toarray() if hasattr(values, "toarray") else values
        why = ", whose values are all the same" if (values == values[0]).all() else ""
        return DataError(
            "selector",
            f"the function '{self.title}' returned {value} for column '{self._name(column)}'{why}",
            "leave the column out or exclude it",
        )

    def _name(self, column: int) -> str:
        return self.columns[column] if self.columns else f"x{column}"
