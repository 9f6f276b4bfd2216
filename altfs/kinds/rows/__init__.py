"""Rows: sets that explain what a model says of single rows."""
