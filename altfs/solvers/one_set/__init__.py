"""One feature set of linear quality."""
