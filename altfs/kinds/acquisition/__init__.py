"""The kind of answers that say what to measure next of a row, and what instead."""
