"""The way of an annealing search through the sets of a wrapper."""

from sklearn.datasets import load_breast_cancer

from altfs import AlternativeFeatures

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
afs = AlternativeFeatures("greedy_wrapper", solver="annealing", n_features=4, n_alternatives=1)
chart = afs.fit(X, y).plot("progress")
