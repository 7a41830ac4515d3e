"""Checks of every theorem in the catalogue: ``pytest verification``, and ``python -m verification replay``.

``verification.search(theorem, without=...)`` looks for a counterexample; see :mod:`verification.search`.  Importing
this package loads neither Hypothesis nor FLINT: certificates replay without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verification.search import search

__all__ = ["search"]


def __getattr__(name: str) -> Any:
    """Load :mod:`verification.search` on first use."""
    if name == "search":
        return import_module("verification.search")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
