"""The trees and forests of many feature sets on the same rows, as scikit-learn's but faster."""

from altfs.prediction.set_trees._fold import SetTrees

__all__ = ["SetTrees"]
