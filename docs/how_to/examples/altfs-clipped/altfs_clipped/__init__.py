"""A selector and a table for altfs."""
