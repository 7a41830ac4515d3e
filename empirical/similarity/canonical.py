"""Canonical correlations, their means, and the angles between the column spaces."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from empirical.similarity.checks import dropped, enough_rows, few_rows, singular_values, unit_interval
from empirical.similarity.gram import EPS
from empirical.similarity.joint import Joint, pair_of
from empirical.similarity.principal import TIED, components_of
from empirical.similarity.results import Invariance, Measurement
from empirical.similarity.sources import Source, SourceLike
from empirical.similarity.whitening import Whitened, basis

Side = SourceLike | Source


def canonical_correlations(x: Side | Joint, y: Side | None = None) -> Measurement:
    """All min(rank x, rank y) canonical correlations, in-sample; ``value`` is their mean.

    They are the singular values of Qx' Qy, Q orthonormal for the centred columns (Björck and Golub, 1973; recalled).

    Args:
        x: (rows, d1), or a `Joint` of both sides.
        y: (rows, d2); row i of both is the same observation.

    Raises:
        InputError: bad sources; constant input; an undecided rank; fewer than rank x + rank y + 2 rows.
    """
    pair = pair_of(x, y)
    white = Whitened(pair)
    ranks = white.ranks
    warnings = enough_rows(pair.rows, ranks, (ranks[0].value, ranks[1].value))
    values = unit_interval(singular_values(white.cross()), white.error())
    return Measurement(
        measure="mean CCA",
        value=float(values.mean()),
        rows=pair.rows,
        dims=(pair.dims[0], pair.dims[1]),
        convention=(
            f"columns centred; mean of all {len(values)} = min(rank x, rank y) canonical correlations, not squared; "
            "in-sample; " + white.how
        ),
        invariance=Invariance.INVERTIBLE_LINEAR,
        values=tuple(values.tolist()),
        ranks=ranks,
        warnings=warnings + dropped(ranks),
    )


def mean_cca(x: Side | Joint, y: Side | None = None) -> Measurement:
    """The mean of all canonical correlations: the same as `canonical_correlations`."""
    return canonical_correlations(x, y)


def svcca(
    x: Side | Joint, y: Side | None = None, *, variance: float | None = None, components: int | None = None
) -> Measurement:
    """Mean canonical correlation of the leading principal components of each side (Raghu et al., 2017; recalled).

    Args:
        x: (rows, d1), or a `Joint` of both sides.
        y: (rows, d2).
        variance: keep the fewest components that hold this share of the total variance, 0 < share <= 1; 0.99 if neither
            is given.
        components: keep this many of each side instead.

    Raises:
        InputError: both options, or one out of range; fewer than k1 + k2 + 2 rows; as `canonical_correlations`.
    """
    pair = pair_of(x, y)
    chosen = components_of(pair, variance, components)
    counts = (chosen.counts[0], chosen.counts[1])
    values = unit_interval(singular_values(chosen.cross()), chosen.error())
    rule = (
        f"the fewest components whose eigenvalues sum to {0.99 if variance is None else variance:g} of the total: "
        f"{counts[0]} and {counts[1]}"
        if components is None
        else f"{components} components of each side"
    )
    ties = tuple(
        f"the components kept of {name} are not determined: eigenvalues {count} and {count + 1} are equal to "
        f"{gap:.0e} of the largest; keep more or fewer"
        for name, count, gap in zip("xy", counts, chosen.gaps, strict=True)
        if gap < TIED
    )
    return Measurement(
        measure="SVCCA",
        value=float(values.mean()),
        rows=pair.rows,
        dims=(pair.dims[0], pair.dims[1]),
        convention=(
            f"columns centred, not rescaled; principal components of the covariance, {rule}; mean of the {len(values)} "
            "canonical correlations between them, not squared; in-sample"
        ),
        invariance=Invariance.ORTHOGONAL_AND_SCALE,
        values=tuple(values.tolist()),
        warnings=few_rows(pair.rows, sum(counts)) + ties,
    )


def pwcca(x: Side | Joint, y: Side | None = None) -> Measurement:
    """Canonical correlations averaged with weights from x: projection-weighted CCA (Morcos et al., 2018; recalled).

    The weight of correlation i is sum_j |<h_i, x_j>|: h_i the i-th canonical variate of x (unit norm), x_j the centred
    columns of x, as they are. So it is not symmetric: ``pwcca(y, x)`` takes the weights from y.

    Raises:
        InputError: as `canonical_correlations`.
    """
    pair = pair_of(x, y)
    white = Whitened(pair)
    ranks = white.ranks
    warnings = enough_rows(pair.rows, ranks, (ranks[0].value, ranks[1].value))
    left, singular, _ = linalg.svd(white.cross(), full_matrices=False)
    values = unit_interval(singular, white.error())
    weights = np.abs(left.T @ white.project(0, 0)).sum(axis=1)
    return Measurement(
        measure="PWCCA",
        value=float(weights @ values / weights.sum()),
        rows=pair.rows,
        dims=(pair.dims[0], pair.dims[1]),
        convention=(
            f"columns centred; mean of {len(values)} canonical correlations weighted by sum_j |<h_i, x_j>| over the "
            "centred columns of x, h_i the unit canonical variates of x; in-sample; " + white.how
        ),
        invariance=Invariance.INVERTIBLE_Y,
        values=tuple(values.tolist()),
        ranks=ranks,
        warnings=warnings + dropped(ranks),
    )


def principal_angles(x: Side | Joint, y: Side | None = None) -> Measurement:
    """Angles in radians, rising, between the spaces of the centred columns; ``value`` is the largest.

    Their cosines are the canonical correlations. Angles up to pi/4 come from their sines, the others from their cosines
    (Knyazev and Argentati, 2002; recalled), always from QR: small angles are right to about 1e-15 times the condition.

    Raises:
        InputError: as `canonical_correlations`.
    """
    pair = pair_of(x, y)
    bases = basis(pair, 0, True), basis(pair, 1, True)
    a, b = bases[0].basis, bases[1].basis
    ranks = (bases[0].rank, bases[1].rank)
    warnings = enough_rows(pair.rows, ranks, (ranks[0].value, ranks[1].value))
    if a.shape[1] < b.shape[1]:
        a, b = b, a
    cross = a.T @ b
    error = 64 * EPS["float64"] * sum(pair.dims)
    cosines = unit_interval(singular_values(cross), error)
    sines = unit_interval(singular_values(b - a @ cross), error)[::-1]
    angles = np.where(cosines**2 > 0.5, np.arcsin(sines), np.arccos(cosines))
    return Measurement(
        measure="largest principal angle",
        value=float(angles.max()),
        rows=pair.rows,
        dims=(pair.dims[0], pair.dims[1]),
        convention=(
            f"radians; the largest of {len(angles)} = min(rank x, rank y) angles between the spaces of the centred "
            "columns; their cosines are the canonical correlations; in-sample"
        ),
        invariance=Invariance.INVERTIBLE_LINEAR,
        values=tuple(angles.tolist()),
        ranks=ranks,
        warnings=warnings + dropped(ranks),
    )
