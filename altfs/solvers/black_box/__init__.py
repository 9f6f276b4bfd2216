"""Qualities known only by evaluating them."""
