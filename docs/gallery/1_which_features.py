"""Features of the sets: a row for every set, a column for every feature."""

from sklearn.datasets import load_wine

from altfs import AlternativeFeatures

X, y = load_wine(return_X_y=True, as_frame=True)
afs = AlternativeFeatures("mutual_information", n_features=4, n_alternatives=4, tau=0.5).fit(X, y)
chart = afs.plot("matrix")
