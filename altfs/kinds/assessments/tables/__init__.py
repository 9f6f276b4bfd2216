"""Tables of assessments: one file each."""
