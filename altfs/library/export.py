"""The sets of a fitted estimator as JSON, which programs read without altfs."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isnan
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from altfs._files import parse_json, read_bytes
from altfs._numbers import is_finite, is_whole
from altfs._options import finite_or_named
from altfs.errors import AltfsError, DataError
from altfs.library.feature_sets import dissimilarities, feature_set
from altfs.library.pipelines import PipelinesMixin, Seen
from altfs.library.preparation import Preparation
from altfs.library.tables import column_names
from altfs.problem.overlap import Dissimilarity
from altfs.problem.results import NAN, Status
from altfs.searches.base import SeededSearch
from altfs.searches.request import Request
from altfs.selectors import Selector, selectors

# Raised if a key changes its meaning.
_FORMAT = 1
_KIND = "altfs feature sets"


class ExportMixin(PipelinesMixin):
    """The methods `to_json` and `from_json`."""

    dissimilarity: Dissimilarity
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    target_type_: str
    _request: Request
    # What was read from JSON, until the next fit.
    _json: Mapping[str, Any] | None = None
    get_params: Callable[..., dict[str, Any]]

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the sets, with the settings and versions that gave them, as JSON.

        Parameters
        ----------
        path : str or Path, optional
            A file to write as well.

        Returns
        -------
        str
            An object with the keys kind, format, versions, settings (the parameters; objects
            that JSON has no form for are their printed text), data (columns, target_type, the
            number of rows, the SHA-256 of the table, null if the table is not at hand,
            the features that `prescreen` kept, null without it, and what pipelines need to
            know, null without a table), sets
            (names, indices, train_objective, bound, status) and shortfall.

        Raises
        ------
        AltfsError
            If the file cannot be written.

        Examples
        --------
        >>> import json
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.2], n_features=2).fit([[0] * 3] * 2)
        >>> json.loads(afs.to_json())["sets"][0]["names"]
        ['x0', 'x1']
        """
        self._check_sets()
        content = self._json or self._content()
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        if path is not None:
            try:
                Path(path).write_text(text, encoding="utf-8")
            except OSError as error:
                raise AltfsError(
                    "path", f"'{path}' cannot be written ({error.strerror})", "name another file"
                ) from None
        return text

    def _content(self) -> dict[str, Any]:
        """Return the object of `to_json`."""
        import sklearn

        from altfs import __version__

        fit, seen = self._checked_fit(), self._seen
        data = getattr(self, "_fitted_on", None)
        return {
            "kind": _KIND,
            "format": _FORMAT,
            "versions": {
                "altfs": __version__,
                "numpy": np.__version__,
                "python": platform.python_version(),
                "scikit-learn": sklearn.__version__,
            },
            "settings": _settings(self.get_params(deep=False), self._request, column_names(self)),
            "data": {
                "columns": column_names(self),
                "prescreened": None if fit.screen is None else list(fit.names),
                "named": hasattr(self, "feature_names_in_"),
                "n_rows": None if seen is None else seen.n_rows,
                "pipelines": None if seen is None else _pipelines(seen),
                "sha256": None if data is None else data.digest,
                "target_type": getattr(self, "target_type_", None),
            },
            "sets": [
                {
                    "names": list(features.names),
                    "indices": list(features.indices),
                    "train_objective": features.train_objective,
                    "bound": None if isnan(features.bound) else features.bound,
                    "status": str(features.status),
                }
                for features in self.feature_sets_
            ],
            "shortfall": self.shortfall_,
        }

    @classmethod
    def from_json(cls, source: str | Path) -> Self:
        """Return an estimator with the sets of :meth:`to_json`.

        It has the methods of scikit-learn's selectors for every set, ``pipeline``, ``to_json``
        and the plot "matrix". It has neither a quality nor a table, so all other answers need
        another :meth:`fit`.

        Parameters
        ----------
        source : str or Path
            The text, or the path of a file.

        Returns
        -------
        AlternativeFeatures

        Raises
        ------
        DataError
            If it is not a text of `to_json`.

        Examples
        --------
        >>> from altfs import AlternativeFeatures
        >>> afs = AlternativeFeatures([0.4, 0.3, 0.2], n_features=2).fit([[0] * 3] * 2)
        >>> AlternativeFeatures.from_json(afs.to_json()).transform([[5, 6, 7]])
        array([[5, 6]])
        """
        content = _read_json(source)
        try:
            settings, data = dict(content["settings"]), content["data"]
            settings["selector"] = _selector_from_json(settings["selector"])
            fitted = cls(**settings)
            names = list(data["columns"])
            fitted.n_features_in_ = len(names)
            if data["named"]:
                fitted.feature_names_in_ = np.array(names, dtype=object)
            if data["target_type"]:
                fitted.target_type_ = data["target_type"]
            fitted._seen = _seen(data, names)
            fitted._json = content
            kept = data.get("prescreened")
            fitted.feature_sets_ = [
                replace(
                    feature_set(
                        entry["indices"],
                        names,
                        float(entry["train_objective"]),
                        NAN if entry["bound"] is None else float(entry["bound"]),
                        Status(entry["status"]),
                    ),
                    among=None if kept is None else len(kept),
                )
                for entry in content["sets"]
            ]
            fitted.shortfall_ = str(content["shortfall"])
        except (ArithmeticError, KeyError, TypeError, ValueError, IndexError) as error:
            reason = f"it is not a text of to_json ({type(error).__name__}: {error})"
            raise DataError("source", reason, "write it again") from None
        fitted.dissimilarities_ = dissimilarities(fitted.feature_sets_, fitted.dissimilarity)
        return fitted


def _read_json(source: str | Path) -> Mapping[str, Any]:
    text = source
    if not isinstance(source, str | Path):
        raise DataError.of_value("source", source, "use the JSON as text or a path")
    if isinstance(source, Path) or not str(source).lstrip().startswith("{"):
        try:
            text = read_bytes(source).decode()
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise DataError(
                "source", f"'{source}' cannot be read ({error})", "name a file"
            ) from None
    try:
        content = parse_json(str(text))
    except ValueError as error:
        raise DataError(
            "source", f"it is not JSON ({error})", "write it again with to_json"
        ) from None
    if not isinstance(content, dict) or content.get("kind") != _KIND:
        raise DataError("source", f"it is not of the kind '{_KIND}'", "write it with to_json")
    if content.get("format") != _FORMAT:
        reason = f"its format is {content.get('format')!r}, this version reads {_FORMAT}"
        raise DataError("source", reason, "use the version of altfs that it names")
    return content


def _settings(
    parameters: Mapping[str, Any], request: Request, names: Sequence[str]
) -> dict[str, Any]:
    """Return parameters as values of JSON, with features by name."""
    content = request.constraints.with_names(names).model_dump(mode="json")
    given = content.pop("given", [])
    plain = {name: _json_value(value) for name, value in parameters.items()}
    return plain | {
        "constraints": content or None,
        "given": given,
        "n_jobs": parameters["n_jobs"] if is_whole(parameters["n_jobs"]) else None,
    }


def _pipelines(seen: Seen) -> dict[str, Any]:
    """Return what pipelines need to know about the columns; those that are missing are plain."""
    others = {j: vars(p) for j, p in enumerate(seen.preparations) if p != Preparation()}
    return {
        "by_name": not isinstance(seen.labels, range),
        "converts": seen.converts,
        "seed": seen.seed,
        "preparations": others,
    }


def _seen(data: Mapping[str, Any], names: list[str]) -> Seen | None:
    """Return what pipelines need to know, from the JSON."""
    content = data.get("pipelines")
    if content is None:
        return None
    others = {int(j): Preparation(**p) for j, p in content["preparations"].items()}
    return Seen(
        tuple(others.get(j, Preparation()) for j in range(len(names))),
        names if content["by_name"] else range(len(names)),
        data["target_type"],
        data["n_rows"],
        content["seed"],
        content["converts"],
    )


def _json_value(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if is_whole(value):
        return int(value)
    if isinstance(value, Fraction):
        return str(value)
    if is_finite(value):
        return float(value)
    if isinstance(value, float):
        return finite_or_named(value)
    if isinstance(value, list | tuple | np.ndarray):
        return [_json_value(entry) for entry in value]
    if isinstance(value, Mapping):
        return {str(key): _json_value(entry) for key, entry in value.items()}
    if isinstance(value, Selector) and type(value) in list(selectors):
        return {"type": value.name, "options": value.options.model_dump(mode="json")}
    if isinstance(value, SeededSearch) and value.options is not None:
        return {"type": value.name, "options": _json_value(value.options.model_dump())}
    if hasattr(value, "get_params") and not isinstance(value, type):
        return str(value)
    name = getattr(value, "name", getattr(value, "__name__", None))
    return name if isinstance(name, str) else type(value).__name__


def _selector_from_json(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    kind = selectors.get(value["type"], "selector")
    try:
        return kind(kind.Options(**value["options"]))
    except AltfsError:
        # Of a function, only the name is stored.
        return value
