"""Methods that choose the next measurement: one file each."""
