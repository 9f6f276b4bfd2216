"""The scikit-learn estimator: feature sets for data of the user."""
