"""The catalogue: every module below :mod:`theory.theorems` that defines ``THEOREM``, discovered, not listed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from theory import theorems
from theory.theorem import Standing, Theorem


@cache
def catalogue() -> dict[str, Theorem[Any]]:
    """Return every theorem by name, in the order of module names.

    Raises ``ValueError`` when a module's ``THEOREM`` is not named like its file, when two have one name, or when a
    repairing theorem is missing or not established.
    """
    found: dict[str, Theorem[Any]] = {}
    for info in sorted(walk_packages(theorems.__path__, f"{theorems.__name__}."), key=lambda info: info.name):
        theorem = _theorem_of(import_module(info.name))
        if theorem is not None:
            if theorem.name in found:
                raise ValueError(f"two theorems are named {theorem.name!r}")
            found[theorem.name] = theorem
    for theorem in found.values():
        repair = theorem.repaired_by
        if repair is not None and (repair not in found or found[repair].standing is not Standing.ESTABLISHED):
            raise ValueError(f"{theorem.name}: its repair {repair!r} is not an established theorem of the catalogue")
    return found


def _theorem_of(module: ModuleType) -> Theorem[Any] | None:
    theorem = getattr(module, "THEOREM", None)
    if theorem is None:
        return None
    file = module.__name__.rsplit(".", 1)[-1]
    if not isinstance(theorem, Theorem) or theorem.name != file:
        raise ValueError(f"{module.__name__}: THEOREM must be a Theorem named {file!r}, like its file")
    return theorem


def find(name: str) -> Theorem[Any]:
    """Return the theorem called ``name``; raises ``KeyError`` naming the nearest ones when there is none."""
    from difflib import get_close_matches

    known = catalogue()
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join(known)}"
        raise KeyError(f"there is no theorem {name!r}{hint}")
    return known[name]
