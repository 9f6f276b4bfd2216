"""The gallery's pictures: every script in ``gallery/`` is run, its ``chart`` becomes a PNG.

Not an SVG, whose text takes the room that it takes in the fonts of whoever looks at it.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "gallery"


def scripts() -> list[Path]:
    """The scripts, in the order of their names."""
    return sorted(FOLDER.glob("*.py"))


def picture(script: Path) -> bytes:
    """The picture that a script draws."""
    import vl_convert

    chart = runpy.run_path(str(script))["chart"]
    png: bytes = vl_convert.vegalite_to_png(chart.to_dict(), scale=1.4)
    return png


def draw_pictures(app: Any) -> None:
    """Write all pictures where the gallery page looks for them."""
    made = FOLDER / "made"
    made.mkdir(exist_ok=True)
    for script in scripts():
        (made / f"{script.stem}.png").write_bytes(picture(script))
