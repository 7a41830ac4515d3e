"""Numerical rank, decided with a margin or not at all."""

from __future__ import annotations

import numpy as np

from empirical.errors import InputError
from empirical.similarity.results import Rank

MARGIN = 8.0
"""A singular value this many times above its tolerance is kept, this many times below it is dropped."""

GAP = 100.0
"""Between the two, the tolerance itself decides only where the singular values fall by this factor across it."""


COARSE = 1.0
"""The margin above the tolerance in place of ``MARGIN`` for numbers stored as float16 or bfloat16.

Their rounding, not that of the arithmetic, makes up the tolerance, and it is known: what is kept is ``MARGIN`` times
as large as the most that it can be. With ``MARGIN`` once more, bfloat16 would refuse a condition of 4.
"""


def margin(eps: float) -> float:
    """How many times above its tolerance a singular value must be to be kept, for numbers stored with this ``eps``."""
    return COARSE if eps > np.finfo(np.float32).eps else MARGIN


def arithmetic_noise(rows: int, columns: int) -> float:
    """Relative size of what rounding in float64 leaves of a zero singular value, columns of unit norm.

    2 eps sqrt(columns + rows/1000): blocked sums and block-wise QR err like a random walk over their blocks. At 50,000
    rows of 768 columns this is 1.3e-14, and the tolerance 1e-13: a true condition of 1e12 is kept.
    """
    return 2 * np.finfo(np.float64).eps * float(np.sqrt(columns + rows / 1000))


def input_noise(rows: int, columns: int, eps: float, norms: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Relative rounding of each column as it was stored: half an eps of its size before centring, over its norm after.

    Independent roundings of many columns combine to (1 + sqrt(columns/rows)) times that, the norm of a random matrix.
    """
    return eps / 2 * (1 + np.sqrt(columns / rows)) * sizes / norms


def decide(
    singular: np.ndarray,
    tolerance: np.ndarray,
    columns: int,
    name: str,
    *,
    dropped_columns: bool = False,
    above: float = MARGIN,
) -> Rank:
    """The rank, given ``singular`` values (falling, relative to the first) and the ``tolerance`` of each.

    Values ``above`` times their tolerance are kept.

    Raises:
        InputError: a singular value lies within the margin of its tolerance and no clear gap separates the two sides.
    """
    size = len(singular)
    kept = singular >= above * tolerance
    low = int(np.argmin(kept)) if not kept.all() else size  # all before are clearly kept
    left = np.flatnonzero(singular > tolerance / MARGIN)
    high = int(left[-1]) + 1 if len(left) else 0  # all from here on are clearly dropped
    value = low
    if low != high:
        above_it = singular > tolerance
        value = int(above_it.sum())
        clear = 0 < value < size and above_it[:value].all() and singular[value - 1] >= GAP * singular[value]
        if not clear:
            at = low
            raise InputError(
                f"{name}: its rank cannot be decided: singular value {at + 1} of {size} is {singular[at]:.1e} of the "
                f"largest (columns centred and scaled), within a factor {MARGIN:g} of the tolerance "
                f"{tolerance[at]:.1e}, and no gap of {GAP:g} there tells whether it is data or rounding; drop nearly "
                "dependent columns, subtract large offsets before rounding, or store in higher precision"
            )
    return Rank(
        value=value,
        columns=columns,
        tolerance=float(tolerance[min(value, size - 1)]),
        smallest_kept=float(singular[value - 1]),
        largest_dropped=float(singular[value]) if value < size else (0.0 if dropped_columns else None),
        condition=float(1 / singular[value - 1]),
    )
