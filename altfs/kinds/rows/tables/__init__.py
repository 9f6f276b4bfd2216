"""Tables of this kind of answer."""
