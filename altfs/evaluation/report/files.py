"""The files of the page beside its code: templates, styles, scripts and words."""

from importlib import resources


def asset(name: str) -> str:
    """Return the text of a file of the page."""
    return resources.files(__package__).joinpath("assets", name).read_text("utf-8")
