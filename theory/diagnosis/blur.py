"""How much of a representation the rounding of its entries may hide, against how far its rows are spread.

An equality up to rounding says nothing where rounding is as large as what is compared: of float32 entries near 1e6 the
digits below 0.06 are lost, so columns that vary by 1 agree with almost anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from theory.arithmetic.floating import Array, FloatMatrix
from theory.diagnosis.norms import unit

#: The part of a column's spread up to which an error counts as small.  Rounding to float16, the coarsest type in use,
#: is 0.0005 of an entry, and stays below it unless the entries lie far from 0 for their spread.
SHARE = 0.005

#: Roundings of the widest column's spread that are allowed in every column: a column that varies by no more is noise.
LEAST = 10


@dataclass(frozen=True, slots=True)
class Blur:
    """For the best map of the source (contexts, dim) to the target, the largest over the target's columns of

    ``rounding``: what the rounding of both sides may add to the residual, a root mean square over contexts with the
    roundings of different entries taken as independent; and ``error``: the root mean square residual.  Each is in
    units of the column's spread (root mean square distance from its mean), or of ``LEAST / SHARE`` roundings of the
    widest column's spread where that is more, or of the widest spread itself where the column is constant.
    """

    rounding: float
    error: float

    @property
    def hides(self) -> bool:
        """Is rounding a considerable part of some column?"""
        return not self.rounding <= SHARE

    @property
    def misses(self) -> bool:
        """Is the best map's error a considerable part of some column?"""
        return not self.error <= SHARE

    @classmethod
    def of(cls, source: FloatMatrix, target: FloatMatrix, roundoff: float) -> Blur:
        """``roundoff`` is the unit roundoff of the target's type."""
        by, target_by = unit(source.value), unit(target.value)
        S, T = source.value / by, target.value / target_by
        largest = float(source.singular_values()[0])
        cut = source.uncertainty() / largest if largest else 0.0
        A = np.linalg.lstsq(S, T, rcond=cut)[0]
        rounding = _columns(source.error / by) ** 2 @ A**2 + _columns(target.error / target_by) ** 2
        varies = np.ptp(T, axis=0) > 0
        spread = np.where(varies, _columns(T - T.mean(axis=0)), 0.0)
        scale = np.maximum(spread, np.where(varies, LEAST / SHARE * roundoff, 1.0) * spread.max())
        return cls(_worst(np.sqrt(rounding), scale), _worst(_columns(T - S @ A), scale))


def _columns(values: Array) -> Array:
    """The root mean square of each column."""
    return np.sqrt(np.square(values).mean(axis=0))


def _worst(parts: Array, wholes: Array) -> float:
    ratios = np.divide(parts, wholes, out=np.where(parts > 0, np.inf, 0.0), where=wholes > 0)
    return float(ratios.max())
