"""Commands of this kind of answer."""
