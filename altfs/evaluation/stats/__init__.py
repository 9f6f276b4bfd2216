"""Stored results of a study, and computations that tables and figures share."""
