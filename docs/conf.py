"""Settings of the documentation: Sphinx, MyST and furo."""

import tomllib
from pathlib import Path

_pyproject = Path(__file__).parents[1] / "pyproject.toml"
_project = tomllib.loads(_pyproject.read_text("utf-8"))["project"]

project = _project["name"]
author = _project["authors"][0]["name"]
release = version = _project["version"]
copyright = f"2026, {author}"

extensions = ["myst_parser"]
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3

exclude_patterns = ["_build"]
smartquotes = False  # the mark of f' is a prime, not an apostrophe

html_theme = "furo"
html_title = f"{project} {release}"
