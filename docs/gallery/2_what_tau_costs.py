"""Quality of each set by the requested dissimilarity."""

from sklearn.datasets import load_breast_cancer

from altfs import AlternativeFeatures

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
afs = AlternativeFeatures("model_gain", n_features=5, n_alternatives=4, tau=0.4).fit(X, y)
chart = afs.plot("quality").properties(width=420, height=260)
