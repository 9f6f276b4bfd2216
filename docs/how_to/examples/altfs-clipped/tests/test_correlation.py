"""The selector in the checks of altfs."""

from altfs_clipped.correlation import ClippedCorrelation

from altfs.testing import check_selector


def test_it_does_what_altfs_expects_of_a_selector() -> None:
    """Check it with its default options."""
    check_selector(ClippedCorrelation())
