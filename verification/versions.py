"""Versions of what was used, read from package metadata without importing anything."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("linear-identifiability", "hypothesis", "python-flint", "sympy")


def versions() -> dict[str, str]:
    """The versions of Python, this distribution, Hypothesis, FLINT and SymPy ("not installed" where one is missing)."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
