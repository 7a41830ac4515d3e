"""Rows that belong together: halves, resamples and permutations that keep them so."""

from __future__ import annotations

from math import lgamma

import numpy as np

from empirical.errors import InputError


def group_rows(groups: object, rows: int) -> list[np.ndarray] | np.ndarray:
    """The rows of each group, in order; without groups the array (rows, 1): each row is one.

    Raises:
        InputError: not one label per row.
    """
    if groups is None:
        return np.arange(rows)[:, None]
    labels = np.asarray(groups)
    if labels.shape != (rows,):
        raise InputError(f"groups: shape {labels.shape}; one label for each of the {rows} rows is needed")
    if labels.dtype.kind == "f" and not np.all(np.isfinite(labels)):
        raise InputError("groups: a label is not finite; give every row a group")
    _, number = np.unique(labels, return_inverse=True)
    order = np.argsort(number, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(number[order])) + 1)


def by_size(groups: list[np.ndarray] | np.ndarray) -> list[np.ndarray]:
    """Groups of equal size stacked, shape (groups, size): only those can change places in a permutation."""
    if isinstance(groups, np.ndarray):
        return [groups]
    sizes = sorted({len(one) for one in groups})
    return [np.stack([one for one in groups if len(one) == size]) for size in sizes]


NO_CHANCE = "no chance level: "
"""How a warning begins that says why there is none."""

LEAST_MOVING = 0.5
"""The share of rows that must be able to change places: the others keep their partners and raise the chance level."""


def movable(stacks: list[np.ndarray], resamples: int) -> tuple[bool, tuple[str, ...]]:
    """Whether permuting groups of equal size gives a chance level, and a warning where it does not or only in part.

    There must be at least ten times as many different permutations as ``resamples``, and half of the rows must be in
    groups that have another one of their size.
    """
    moving = sum(stack.size for stack in stacks if len(stack) > 1)
    rows = sum(stack.size for stack in stacks)
    share = f"{moving} of {rows} rows ({moving / rows:.0%}) are in groups that another one of equal size can replace"
    if moving < LEAST_MOVING * rows:
        return False, (f"{NO_CHANCE}only {share}; the others would keep their partners; form groups of equal size",)
    if sum(lgamma(len(stack) + 1) for stack in stacks) <= np.log(10 * resamples):
        return False, (
            f"{NO_CHANCE}groups of equal size allow too few permutations for {resamples} resamples; ask for fewer",
        )
    if moving < rows:
        return True, (f"the chance level is too high: {share}; the others keep their partners",)
    return True, ()


def positive(resamples: int) -> int:
    """``resamples``, if at least 19: fewer give no p-value of 0.05."""
    if isinstance(resamples, bool) or not isinstance(resamples, (int, np.integer)) or resamples < 19:
        raise InputError(f"resamples = {resamples}: a whole number of at least 19 is needed")
    return int(resamples)


def share(level: float) -> float:
    """``level``, if a confidence level."""
    if not 0 < level < 1:
        raise InputError(f"level = {level}: a number between 0 and 1 is needed, such as 0.95")
    return float(level)
