"""The best linear or affine map from one side to the other."""

from __future__ import annotations

import numpy as np

from empirical.errors import InputError
from empirical.similarity.checks import few_rows, unit_interval
from empirical.similarity.joint import Joint, pair_of
from empirical.similarity.results import Invariance, Measurement
from empirical.similarity.sources import Source, SourceLike
from empirical.similarity.whitening import Whitened

Side = SourceLike | Source


def linear_map(x: Side | Joint, y: Side | None = None, *, affine: bool = True) -> Measurement:
    """In-sample R² of the least-squares map from x to y: 1 - |Y - Y'|^2 / |Y|^2, Frobenius norms over all columns.

    With ``affine`` the map has an intercept and |Y| is of centred columns; without, it has none and nothing is centred.
    Columns of y with more variance count more. It is |Qx' Y|^2 / |Y|^2 with Qx orthonormal for the columns of x.

    Args:
        x: (rows, d1), or a `Joint` of both sides.
        y: (rows, d2).

    Raises:
        InputError: bad sources; constant input (without ``affine``: 0); an undecided rank of x; fewer than
            rank x + 2 rows (without ``affine``, rank x + 1).
    """
    pair = pair_of(x, y)
    white = Whitened(pair, centred=affine, sides=(0,))
    rank = white.rank(0)
    needed = rank.value + (2 if affine else 1)
    if pair.rows < needed:
        raise InputError(
            f"{pair.rows} rows are too few: a map from {rank.value} directions fits any y exactly; at least "
            f"{rank.columns + (2 if affine else 1)} rows are needed, and ten times as many to be of use"
        )
    weights = pair.side(1, affine).weights
    explained = white.project(0, 1)
    value = unit_interval(float(((explained / np.linalg.norm(weights)) ** 2).sum()), white.error())
    note = (
        ()
        if rank.value == rank.columns
        else (f"x has numerical rank {rank.value} of {rank.columns} columns; the rest was dropped",)
    )
    return Measurement(
        measure="linear map",
        value=float(value),
        rows=pair.rows,
        dims=(pair.dims[0], pair.dims[1]),
        convention=(
            f"R² of y from x (of numerical rank {rank.value}), all columns of y together, each by its variance; "
            "not adjusted; "
            + ("affine: columns centred" if affine else "no intercept: nothing centred, |Y|^2 about 0")
            + "; in-sample"
        ),
        invariance=Invariance.INVERTIBLE_X if affine else Invariance.FIXED_ORIGIN,
        warnings=few_rows(pair.rows, rank.value) + note,
    )
