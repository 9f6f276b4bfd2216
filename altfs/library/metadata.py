"""Metadata routing: parameters of `fit` besides X and y."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError


class MetadataMixin:
    """scikit-learn's metadata routing for an estimator that may have an `estimator`."""

    estimator: Any

    def get_metadata_routing(self) -> Any:
        """Return the routes of metadata.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
            :meth:`fit` takes the metadata that `estimator` requests for its ``fit``.
        """
        from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

        router = MetadataRouter(owner=self).add_self_request(self)
        if self.estimator is not None:
            mapping = MethodMapping().add(caller="fit", callee="fit")
            router.add(estimator=self.estimator, method_mapping=mapping)
        return router

    def _routed(self, fit_params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters that the `fit` of `estimator` gets.

        As in scikit-learn's meta-estimators, these are the requested ones if routing is
        enabled, else all.
        """
        from sklearn import get_config
        from sklearn.utils.metadata_routing import process_routing

        if not fit_params:
            return {}
        if self.estimator is None:
            raise AltfsError(
                f"{next(iter(fit_params))}",
                "nothing uses it",
                "leave it out or give an `estimator` that does, with the selector model_gain, "
                "permutation_importance, shap or greedy_wrapper",
            )
        if get_config()["enable_metadata_routing"]:
            return dict(process_routing(self, "fit", **fit_params)["estimator"]["fit"])
        return dict(fit_params)


def of_rows(
    fit_params: Mapping[str, Any], rows: npt.NDArray[np.int64], n_rows: int
) -> dict[str, Any]:
    """Cut those parameters of `fit` that have a value for each of all rows to some rows.

    >>> of_rows({"sample_weight": [1, 2, 3], "check": True}, np.array([0, 2]), 3)
    {'sample_weight': [1, 3], 'check': True}
    """
    from sklearn.utils import _safe_indexing

    return {
        name: _safe_indexing(value, rows) if _length(value) == n_rows else value
        for name, value in fit_params.items()
    }


def _length(value: Any) -> int | None:
    if isinstance(value, str | bytes | Mapping):
        return None
    shape = getattr(value, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    return len(value) if isinstance(value, Sized) else None
