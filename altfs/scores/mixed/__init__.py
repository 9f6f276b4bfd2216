"""The estimate of mutual information without noise."""
