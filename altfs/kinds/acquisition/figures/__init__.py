"""Figures of acquisition: one file each."""
