"""Linear qualities with any constraint, by OR-Tools CP-SAT."""
