"""Prediction models, and the metrics of their predictions."""

from altfs.prediction.base import Model, ModelOptions, models
from altfs.prediction.metrics import metric_name, prediction_score

__all__ = ["Model", "ModelOptions", "metric_name", "models", "prediction_score"]
