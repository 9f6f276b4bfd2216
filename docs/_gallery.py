"""The pictures of the gallery: the ``chart`` of every script in ``gallery/``, as a PNG.

The width of text in an SVG would depend on the fonts of the reader. ``python docs/_gallery.py``
renews the picture of the README.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "gallery"
#: The picture of the README and of the first page, which is the first of the gallery.
FRONT = Path(__file__).parent / "feature_sets.png"


def scripts() -> list[Path]:
    """Return the scripts, in the order of their names."""
    return sorted(FOLDER.glob("*.py"))


def picture(script: Path) -> bytes:
    """Run a script and return its chart as a PNG."""
    import vl_convert

    chart = runpy.run_path(str(script))["chart"]
    png: bytes = vl_convert.vegalite_to_png(chart.to_dict(), scale=1.4)
    return png


def draw_pictures(app: Any) -> None:
    """Write all pictures into the folder that the gallery page names."""
    made = FOLDER / "made"
    made.mkdir(exist_ok=True)
    for script in scripts():
        (made / f"{script.stem}.png").write_bytes(picture(script))


if __name__ == "__main__":
    FRONT.write_bytes(picture(scripts()[0]))
