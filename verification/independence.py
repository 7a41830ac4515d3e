"""Blocking modules, so that a replay provably runs without the software that found the counterexample."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Blocked(MetaPathFinder):
    """An import finder that refuses the named top-level modules."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"{fullname} is blocked: a replay must not need it", name=fullname)
        return None


def block(*names: str) -> None:
    """Make every later import of the named modules fail.  Raises ``RuntimeError`` when one is already loaded."""
    loaded = [name for name in names if name in sys.modules]
    if loaded:
        raise RuntimeError(f"{', '.join(loaded)} already loaded: block modules before importing anything else")
    os.environ["SYMPY_GROUND_TYPES"] = "python"  # SymPy computes on FLINT's rationals where it finds them
    sys.meta_path.insert(0, Blocked(names))
