"""Explanations of rows, with words and pictures."""

from __future__ import annotations

from typing import Any

from altfs.kinds.rows import plots as row_plots
from altfs.kinds.rows.explained_rows import ExplainedRows
from altfs.kinds.rows.row_words import summary_lines


class Explanations(ExplainedRows):
    """The explanations of rows, made by :meth:`altfs.AlternativeExplanations.explain`.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features_in)
        The attribution: what each feature is worth for each row, at least 0.
    names : tuple of str
        The names of all features.
    answers : ndarray of shape (n_rows, n_classes) or (n_rows, 1)
        What the model says to each row: probabilities, or a number.
    alone : ndarray of shape (n_rows, n_sets, n_classes) or (n_rows, n_sets, 1)
        What it says on average if it sees one explanation; NaN if there is none.
    classes : ndarray or None
        The classes; None for numbers.
    max_overlap : int
        The largest number of features that two explanations of a row share.
    """

    def summary(self) -> str:
        """Say in words for how many rows a second explanation is as good, and what stands in.

        Returns
        -------
        str
            A few sentences, one a line.
        """
        return "\n".join(summary_lines(self))

    def plot(self, row: int | str = "rows") -> Any:
        """Draw the explanations of one row, or those of all rows.

        Parameters
        ----------
        row : int, "rows" or "agreement", default="rows"
            The number of a row: the features of each explanation, and its share. "rows": rows x
            features, with similar rows side by side. "agreement": how alike the explanations of
            two rows are, by rank.

        Returns
        -------
        altair.Chart

        Raises
        ------
        AltfsError
            If there is no such row or picture.
        """
        return row_plots.plot(self, row)
