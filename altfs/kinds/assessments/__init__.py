"""Assessments of a study's sets: near rivals, equivalent sets, and a sensitive attribute."""
