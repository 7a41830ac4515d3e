"""What every test needs before anything is imported."""

from __future__ import annotations

import os

# A test that imports SymPy before theory does would make it compute on FLINT's integers, and be no second opinion.
os.environ.setdefault("SYMPY_GROUND_TYPES", "python")
