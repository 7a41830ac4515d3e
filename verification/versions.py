"""Which versions a report or a certificate names."""

from __future__ import annotations

from theory import versions as read

PACKAGES = ("linear-identifiability", "hypothesis", "python-flint", "sympy")


def versions() -> dict[str, str]:
    """Those of Python, this distribution, Hypothesis, FLINT and SymPy."""
    return read.versions(PACKAGES)
