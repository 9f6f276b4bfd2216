"""Several sets of which the worst one is as good as possible."""
