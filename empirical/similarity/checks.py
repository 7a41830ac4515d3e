"""What every measure checks of its rows and of its result."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from empirical.errors import InputError
from empirical.similarity.results import Rank

PLENTY = 10
"""Rows per fitted direction below which an in-sample value comes with a warning."""


def singular_values(matrix: np.ndarray) -> np.ndarray:
    """The singular values of ``matrix``, falling."""
    return np.asarray(linalg.svdvals(matrix))


def unit_interval(values: np.ndarray | float, error: float) -> np.ndarray:
    """``values`` within [0, 1]: what exceeds it by no more than the rounding bound ``error`` is set to the end.

    Raises:
        RuntimeError: a value beyond that, or NaN: a mistake of this package, never of the input.
    """
    array = np.asarray(values, dtype=np.float64)
    if not np.all((array >= -error) & (array <= 1 + error)):
        raise RuntimeError(f"a value outside [0, 1] by more than rounding ({error:.0e}): {array}; a mistake here")
    return np.clip(array, 0.0, 1.0)


def enough_rows(rows: int, ranks: tuple[Rank, Rank], used: tuple[int, int]) -> tuple[str, ...]:
    """Warnings about few rows, for correlations fitted on ``used`` directions of each side.

    Raises:
        InputError: there are so few rows that correlations of 1 are found in pure noise.
    """
    needed = sum(used) + 2
    if rows < needed:
        # A rank as large as the rows allow says nothing of the rank with more rows.
        full = [rank.columns if rank.value >= rows - 1 else size for rank, size in zip(ranks, used, strict=True)]
        raise InputError(
            f"{rows} rows are too few: with {used[0]} and {used[1]} directions to fit, canonical correlations of 1 "
            f"come from noise alone; at least {sum(full) + 2} rows are needed, and ten times as many to be of use"
        )
    return few_rows(rows, sum(used))


def few_rows(rows: int, fitted: int) -> tuple[str, ...]:
    """A warning where there are fewer than ten rows for each fitted direction."""
    if rows >= PLENTY * fitted:
        return ()
    return (
        f"{rows} rows for {fitted} fitted directions: an in-sample value is well above 0 by chance; "
        "judge it by held_out",
    )


def dropped(ranks: tuple[Rank, Rank] | None) -> tuple[str, ...]:
    """A note on each side whose numerical rank is below its number of columns."""
    return tuple(
        f"{name} has numerical rank {rank.value} of {rank.columns} columns; the rest was dropped"
        for name, rank in zip("xy", ranks or (), strict=False)
        if rank.value < rank.columns
    )
