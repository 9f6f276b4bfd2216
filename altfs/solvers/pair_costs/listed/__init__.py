"""Sets in lists, and families chosen from them."""
