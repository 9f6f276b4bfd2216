"""Mean quality against mean dissimilarity, a point for each tau."""

from sklearn.datasets import load_breast_cancer

from altfs import AlternativeFeatures

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
afs = AlternativeFeatures(
    "mutual_information", "simultaneous", n_features=5, n_alternatives=3, tau=0.6
).fit(X, y)
chart = afs.plot("trade_off").properties(width=420, height=260)
