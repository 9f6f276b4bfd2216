"""Models that predict from any features that are known: one file each."""
