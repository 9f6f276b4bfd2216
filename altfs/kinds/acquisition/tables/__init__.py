"""Tables of acquisition: one file each."""
