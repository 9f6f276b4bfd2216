"""Datasets that come with scikit-learn; no network needed."""

from __future__ import annotations

import hashlib

from altfs.datasets.base import NamedSource, RawTable, Task, sources
from altfs.errors import DataError

_TASKS: dict[str, Task] = {
    "breast_cancer": "classification",
    "diabetes": "regression",
    "digits": "classification",
    "iris": "classification",
    "wine": "classification",
}


@sources.register("sklearn")
class SklearnSource(NamedSource):
    """``sklearn:NAME``, one of scikit-learn's bundled datasets."""

    def load(self) -> RawTable:
        import sklearn
        from sklearn import datasets

        name = self.options.dataset
        if name not in _TASKS:
            reason = f"'{name}' does not come with scikit-learn"
            raise DataError.of_name("", reason, name, _TASKS)
        bunch = getattr(datasets, f"load_{name}")(as_frame=True)
        frame = bunch.frame
        digest = hashlib.sha256(frame.to_csv(index=False).encode()).hexdigest()
        return RawTable(
            frame, "target", _TASKS[name], f"scikit-learn {sklearn.__version__}: {name}", digest
        )
