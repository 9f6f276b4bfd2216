"""Streams: sets that are found while features or rows arrive."""
