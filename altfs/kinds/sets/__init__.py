"""Sets: several feature sets of one dataset, the kind of answer that every study has."""
