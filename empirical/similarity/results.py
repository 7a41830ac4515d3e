"""What a comparison returns: the number, how it was defined, and how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Invariance(Enum):
    """The changes of x and y that leave a measure as it is; all but ``FIXED_ORIGIN`` include shifts of either side."""

    INVERTIBLE_LINEAR = "unchanged by any invertible affine map of the columns of x, and of those of y"
    ORTHOGONAL_AND_SCALE = "unchanged by rotations, reflections, one positive scale and shifts of x, and of y"
    INVERTIBLE_X = (
        "unchanged by any invertible affine map of the columns of x; of y only by rotations, reflections, one scale "
        "and shifts"
    )
    INVERTIBLE_Y = (
        "unchanged by any invertible affine map of the columns of y; of x only by permutations, sign changes, one "
        "scale and shifts"
    )
    FIXED_ORIGIN = (
        "unchanged by any invertible linear map of the columns of x; of y only by rotations, reflections and one "
        "scale; shifts change it"
    )

    @property
    def statement(self) -> str:
        """The group, in one sentence."""
        return self.value


@dataclass(frozen=True, slots=True)
class Rank:
    """Numerical rank of a representation, columns centred and scaled to unit norm.

    ``tolerance``, ``smallest_kept`` and ``largest_dropped`` are relative to the largest singular value;
    ``largest_dropped`` is 0 where only constant columns were dropped, None where nothing was. ``condition`` is that of
    what is kept.
    """

    value: int
    columns: int
    tolerance: float
    smallest_kept: float
    largest_dropped: float | None
    condition: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided interval; ``method`` says what was resampled, and what is held fixed."""

    low: float
    high: float
    level: float
    resamples: int
    method: str


@dataclass(frozen=True, slots=True)
class Chance:
    """The measure when the pairing of rows is random: ``level`` is its mean over the permutations.

    ``p_value`` is (1 + the number of permutations at least as similar as the data) / (1 + ``resamples``): never 0, at
    least 1/(1 + resamples).
    """

    level: float
    p_value: float
    resamples: int
    method: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """One comparison of paired rows.

    ``convention`` says exactly what was computed, ``values`` holds the parts (all canonical correlations, angles in
    radians), ``ranks`` the numerical ranks that were used, ``warnings`` what should be read before the value.
    """

    measure: str
    value: float
    rows: int
    dims: tuple[int, int]
    convention: str
    invariance: Invariance
    values: tuple[float, ...] = ()
    ranks: tuple[Rank, Rank] | None = None
    warnings: tuple[str, ...] = ()
    interval: Interval | None = None
    chance: Chance | None = None
