"""The questions of :mod:`theory.decide` in floating point: every answer is error/bound, with two levels.

The bounds are those the matrices carry (first-order running error bounds), so they are derived beside each formula.
An answer is "undecided" between the levels, and also where the bound is not small against the data: there any
residual would pass, and passing would mean nothing.
"""

from __future__ import annotations

import math

import numpy as np

from theory.arithmetic.floating import ACCEPT, RANK_ACCEPT, RANK_REJECT, REJECT, Array, FloatMatrix
from theory.evidence import Evidence


def ratio(residual: Array, bound: Array) -> float:
    """The largest |residual| / bound; 0 where both vanish, infinite where only the bound does."""
    residual = np.abs(residual)
    if not residual.any():
        return 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.max(np.where(residual == 0, 0.0, residual / bound)))


def vanishes(residual: FloatMatrix, detail: str) -> Evidence:
    """Is the residual no larger than rounding explains?  The value is the largest error/bound."""
    value = ratio(residual.value, residual.error)
    bound, size = float(np.linalg.norm(residual.error)), float(np.linalg.norm(residual.size))
    if value <= REJECT and bound * REJECT > size > 0:
        detail = f"{detail}: error/bound {value:.1e} says nothing where the bound is {bound / size:.1e} of the data,"
        value = math.nan
    return Evidence("", value, f"{detail} over its bound", accept=ACCEPT, reject=REJECT)


def rank_is_full(matrix: FloatMatrix, rank: int, detail: str) -> Evidence:
    """Is the rank-th singular value above its uncertainty?  The value is uncertainty / singular value."""
    values = matrix.singular_values() if min(matrix.shape) else np.zeros(0)
    smallest = float(values[rank - 1]) if 0 < rank <= len(values) else (math.inf if rank == 0 else 0.0)
    uncertainty = matrix.uncertainty()
    value = 0.0 if math.isinf(smallest) else math.inf if smallest == 0 else uncertainty / smallest
    return Evidence(
        "",
        value,
        f"{detail}: uncertainty over singular value {rank}",
        accept=RANK_ACCEPT,
        reject=RANK_REJECT,
        find_witness=lambda: {"singular_values": tuple(float(v) for v in values)},
    )


def linear_map(source: FloatMatrix, target: FloatMatrix, closed_form: FloatMatrix | None) -> Evidence:
    """Is there an A with target(x) = A source(x)?  A residual over a bound.

    ``closed_form`` is the residual of the formula that theory gives, with its running error.  Where it vanishes, that
    A is the map.  Where it does not, the best fit is at least as good, so its residual is judged by the same bound;
    without a closed form only the rounding of the data itself is allowed for.
    """
    if closed_form is not None:
        predicted = vanishes(closed_form, "residual of the predicted map")
        if predicted.holds is not False:
            return predicted
    largest = float(source.singular_values()[0]) if min(source.shape) else 0.0
    cut = source.uncertainty() / largest if largest else 0.0
    fitted = np.linalg.pinv(source.value, rcond=cut) @ target.value
    bound = closed_form.error if closed_form is not None else (source @ FloatMatrix(fitted) - target).error
    spread = np.full(bound.shape, float(np.linalg.norm(bound)))  # the best fit may err at other entries
    residual = FloatMatrix(source.value @ fitted - target.value, spread, np.abs(target.value))
    return vanishes(residual, "residual of the best map")


def constant_on(values: FloatMatrix, groups: tuple[tuple[tuple[int, ...], ...], ...], detail: str) -> Evidence:
    """Is row x of ``values`` constant on each of the column groups listed for x?"""
    rows: list[int] = []
    columns: list[int] = []
    bases: list[int] = []
    for x, sets in enumerate(groups):
        for chosen in sets:
            for y in chosen[1:]:
                rows.append(x)
                columns.append(y)
                bases.append(chosen[0])
    first, other = (rows, columns), (rows, bases)
    gap = FloatMatrix(
        (values.value[first] - values.value[other])[None, :],
        (values.error[first] + values.error[other])[None, :],
        np.maximum(values.size[first], values.size[other])[None, :],
    )
    return vanishes(gap, detail)
