"""All pairs of several models, each read and whitened once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from empirical.errors import InputError
from empirical.similarity.canonical import canonical_correlations, mean_cca, principal_angles, pwcca, svcca
from empirical.similarity.joint import Joint, joint
from empirical.similarity.kernels import linear_cka, procrustes_distance, rv
from empirical.similarity.linear import linear_map
from empirical.similarity.results import Measurement
from empirical.similarity.sources import Source, SourceLike

Measure = Callable[..., Measurement]

MEASURES: dict[str, Measure] = {
    "mean CCA": mean_cca,
    "SVCCA": svcca,
    "PWCCA": pwcca,
    "linear CKA": linear_cka,
    "RV": rv,
    "Procrustes distance": procrustes_distance,
    "linear map": linear_map,
    "largest principal angle": principal_angles,
}
"""By name; options go with the call."""

SYMMETRIC = {name for name in MEASURES if name not in ("PWCCA", "linear map")}


def named(measure: str) -> Measure:
    """The measure called ``measure``.

    Raises:
        InputError: there is none.
    """
    if measure not in MEASURES:
        raise InputError(f"measure = {measure!r}: one of {', '.join(MEASURES)} is needed")
    return MEASURES[measure]


def name_of(measure: str | Measure) -> str:
    """The name of a measure given by name or as its function.

    Raises:
        InputError: there is none.
    """
    for name, function in MEASURES.items():
        if measure is function:
            return name
    if measure is canonical_correlations:
        return "mean CCA"
    if not isinstance(measure, str):
        raise InputError(f"measure = {measure!r}: one of {', '.join(MEASURES)}, or its function, is needed")
    named(measure)
    return measure


def similarity_matrix(
    sources: Sequence[SourceLike | Source] | Joint, measure: str = "mean CCA", **options: object
) -> np.ndarray:
    """The values of ``measure`` for all pairs of k sources, shape (k, k); row i, column j is ``measure(i, j)``.

    All k are read in one pass and each is whitened once, so k models cost k whitenings and one small product a pair.
    (columns of all sources)² numbers are kept. For ranks, warnings and conventions call the measure on
    ``joint(*sources).pair(i, j)``, with the same `Joint` given here.

    Raises:
        InputError: an unknown measure; as that measure.
    """
    compute = named(measure)
    both = sources if isinstance(sources, Joint) else joint(*sources)
    size = len(both)
    values = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            if j < i and measure in SYMMETRIC:
                values[i, j] = values[j, i]
            else:
                values[i, j] = compute(both.pair(i, j), **options).value
    return values
