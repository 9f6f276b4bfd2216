"""Qualities in which pairs of features have costs (mRMR, CFS)."""
