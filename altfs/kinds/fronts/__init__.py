"""Fronts: sets or families of sets that no other one beats in all objectives."""
