"""Evaluation: tables, figures and the report, from stored tables alone."""
