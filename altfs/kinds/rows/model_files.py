"""Fitted models in files: joblib and pickle run code, skops and ONNX do not."""

from __future__ import annotations

from importlib import import_module
from inspect import isclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from altfs._extras import is_installed
from altfs._numbers import FloatArray
from altfs.errors import AltfsError


def load_model(path: Path) -> Any:
    """Return the fitted model in a file.

    Files that end in ``.skops`` and ``.onnx`` are read by the libraries of this name and run no
    code. Others are read by joblib and run the code that they name.

    Raises
    ------
    AltfsError
        If the file is not there or cannot be read, a library is not installed, or a model of skops
        has types beyond scikit-learn.
    """
    if not path.is_file():
        reason = f"'{path}' is not a file"
        raise AltfsError("model", reason, "name one that joblib, pickle, skops or ONNX wrote")
    read = {".skops": _of_skops, ".onnx": _of_onnx}.get(path.suffix, _of_joblib)
    try:
        return read(path)
    except AltfsError:
        raise
    except Exception as error:
        # The code of a file may raise anything.
        reason = f"'{path}' cannot be loaded ({type(error).__name__})"
        advice = "name a file that joblib, pickle, skops or ONNX wrote with the same libraries"
        raise AltfsError("model", reason, advice) from error


def _of_joblib(path: Path) -> Any:
    import joblib

    return joblib.load(path)


def _of_skops(path: Path) -> Any:
    _check_library("skops", path)
    from skops.io import get_untrusted_types, load

    types = get_untrusted_types(file=path)
    harmful = [name for name in types if not _is_of_scikit_learn(name)]
    if harmful:
        reason = f"'{path}' has types that may run code: {', '.join(harmful[:3])}"
        raise AltfsError("model", reason, "use a model of scikit-learn alone")
    return load(path, trusted=types)


def _is_of_scikit_learn(name: str) -> bool:
    """Return True for the name of a class of scikit-learn; its functions may run code."""
    module, _, of_module = name.rpartition(".")
    if module.partition(".")[0] != "sklearn":
        return False
    try:
        return isclass(getattr(import_module(module), of_module, None))
    except ImportError:
        return False


def _of_onnx(path: Path) -> Any:
    _check_library("onnxruntime", path)
    session = _session(path)
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if len(inputs) != 1 or len(inputs[0].shape) != 2:
        reason = f"'{path}' takes {len(inputs)} inputs, not one table of numbers"
        raise AltfsError("model", reason, "write it for an array of all columns")
    n_features = inputs[0].shape[1]
    if len(outputs) == 1:
        return _OnnxRegressor(session, n_features)
    if not outputs[1].type.startswith("seq(map("):
        reason = f"'{path}' has probabilities without the names of the classes"
        raise AltfsError("model", reason, "write it with the option zipmap")
    return _OnnxClassifier(session, n_features)


def _session(path: Path) -> Any:
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    # Sums do not depend on the number of cores.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _check_library(name: str, path: Path) -> None:
    if not is_installed(name):
        reason = f"'{path}' needs the library {name}, which is not installed"
        raise AltfsError("model", reason, f"use `pip install {name}`")


class _OnnxModel(BaseEstimator):  # type: ignore[misc]
    """A model of ONNX with the methods of scikit-learn."""

    def __init__(self, session: Any, n_features: Any) -> None:
        self.session, self.n_features = session, n_features
        if isinstance(n_features, int):
            self.n_features_in_ = n_features

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None) -> Any:
        raise AltfsError("model", "a model of ONNX does not learn", "use it as it is")

    def _outputs(self, X: Any) -> list[Any]:
        rows = np.asarray(X, dtype=np.float64)
        kind = self.session.get_inputs()[0]
        dtype = np.float64 if kind.type == "tensor(double)" else np.float32
        outputs: list[Any] = self.session.run(None, {kind.name: rows.astype(dtype)})
        return outputs


class _OnnxClassifier(ClassifierMixin, _OnnxModel):  # type: ignore[misc]
    def __init__(self, session: Any, n_features: Any) -> None:
        super().__init__(session, n_features)
        # The names of the classes come with each row.
        row = np.zeros((1, n_features if isinstance(n_features, int) else 1))
        self.classes_ = np.array(sorted(self._outputs(row)[1][0]))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        labels: npt.NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def predict_proba(self, X: Any) -> FloatArray:
        rows = self._outputs(X)[1]
        values = np.array([[row[label] for label in self.classes_] for row in rows])
        shares: FloatArray = values / values.sum(axis=1, keepdims=True)
        return shares


class _OnnxRegressor(RegressorMixin, _OnnxModel):  # type: ignore[misc]
    def predict(self, X: Any) -> FloatArray:
        values: FloatArray = np.asarray(self._outputs(X)[0], dtype=np.float64).reshape(-1)
        return values
