"""The scikit-learn door: feature sets for one's own data."""
