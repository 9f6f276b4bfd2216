"""Kinds of answers, a room for each; nothing outside a room names it."""
