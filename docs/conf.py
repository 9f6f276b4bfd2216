"""Configuration of the documentation site: ``sphinx-build -W --keep-going docs build/docs``.

Building the site and reading it need no network.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
os.environ.setdefault("OMP_NUM_THREADS", "1")

from _example import MADE, make_example  # noqa: E402
from _gallery import draw_pictures  # noqa: E402
from _mathml import setup_mathml  # noqa: E402

import altfs  # noqa: E402

project = "altfs"
author = copyright = "The altfs developers"
release = version = altfs.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["gallery/*.py", "example"]
myst_enable_extensions = ["dollarmath", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# numpydoc loads autosummary, but the pages are written by hand.
autosummary_generate = False

html_theme = "furo"
html_title = f"altfs {altfs.__version__}"
html_static_path = ["_static"]
html_extra_path = [MADE.name]
# Sphinx looks for the folder before anything is made.
MADE.mkdir(exist_ok=True)
html_css_files = ["altfs.css"]
html_js_files = [("copy.js", {"defer": "defer"})]
html_show_sourcelink = False
html_copy_source = False


def keep_underscores(app, what, name, obj, options, lines):
    """Keep a name such as ``n_features_in_,`` in a docstring from becoming a link."""
    lines[:] = [re.sub(r"(\w)_(?=[,)])", r"\1\\_", line) for line in lines]


def setup(app):
    """Connect to the events of Sphinx."""
    setup_mathml(app)
    # Before numpydoc, which reads the lines at 500.
    app.connect("autodoc-process-docstring", keep_underscores, priority=400)
    app.connect("builder-inited", draw_pictures)
    app.connect("builder-inited", make_example)
