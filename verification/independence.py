"""Blocking modules, so that a replay provably runs without the software that found the counterexample."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class Blocked(MetaPathFinder):
    """An import finder that refuses the named modules and what is below them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)

    def blocks(self, fullname: str) -> bool:
        return any(fullname == name or fullname.startswith(f"{name}.") for name in self.names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if self.blocks(fullname):
            raise ModuleNotFoundError(f"{fullname} is blocked: a replay must not need it", name=fullname)
        return None


def block(*names: str) -> None:
    """Make every later import of the named modules fail.  Raises ``RuntimeError`` when one is already loaded."""
    loaded = [name for name in names if name in sys.modules]
    if loaded:
        raise RuntimeError(f"{', '.join(loaded)} already loaded: block modules before importing anything else")
    os.environ["SYMPY_GROUND_TYPES"] = "python"  # SymPy computes on FLINT's rationals where it finds them
    sys.meta_path.insert(0, Blocked(names))


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Make imports of the named modules, and of what is below them, fail inside the body although they are loaded."""
    finder = Blocked(names)
    loaded = {name: sys.modules.pop(name) for name in list(sys.modules) if finder.blocks(name)}
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.modules.update(loaded)
