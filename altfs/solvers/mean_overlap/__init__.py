"""Sets whose mean overlap is limited, not that of each pair."""
