"""Scores that selectors share, one file each."""

from altfs.scores.base import Part, Score, ScoreKey, scores

__all__ = ["Part", "Score", "ScoreKey", "scores"]
