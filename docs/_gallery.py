"""The gallery's pictures: every script in ``gallery/`` is run, its ``chart`` becomes an SVG."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "gallery"


def scripts() -> list[Path]:
    """The scripts, in the order of their names."""
    return sorted(FOLDER.glob("*.py"))


def picture(script: Path) -> str:
    """The SVG that a script draws."""
    import vl_convert

    chart = runpy.run_path(str(script))["chart"]
    svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return svg


def draw_pictures(app: Any) -> None:
    """Write all pictures where the gallery page looks for them."""
    made = FOLDER / "made"
    made.mkdir(exist_ok=True)
    for script in scripts():
        (made / f"{script.stem}.svg").write_text(picture(script), "utf-8")
