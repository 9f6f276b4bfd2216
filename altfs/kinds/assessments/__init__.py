"""Assessments of a study's sets: near alternatives, equivalent sets, and a sensitive attribute."""
