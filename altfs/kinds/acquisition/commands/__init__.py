"""Commands of acquisition."""
