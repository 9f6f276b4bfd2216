"""Several sets whose qualities have the largest sum."""
