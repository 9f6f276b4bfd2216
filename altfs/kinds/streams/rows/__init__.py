"""Methods for rows that arrive one by one: linear classifiers that learn side by side."""

from altfs.kinds.streams.rows.base import Learners, Shape

__all__ = ["Learners", "Shape"]
