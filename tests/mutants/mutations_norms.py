"""Mistakes about normalised representations: how many points fix an orthogonal map, and which map it is."""

from __future__ import annotations

from theory import decide
from theory.evidence import Evidence
from theory.theorems.softmax.unit_norm_orthogonal import NormalisedPair, coordinate_products


def one_below(pair: NormalisedPair) -> Evidence:
    """Products of rank M(M+1)/2 - 1 suffice."""
    products = coordinate_products(pair.star)
    return decide.rank_is_full(products, products.shape[1] - 1)


def spans(pair: NormalisedPair) -> Evidence:
    """Points that span suffice, rank F = M."""
    return decide.rank_is_full(pair.star, pair.star.shape[1])


def enough_points(pair: NormalisedPair) -> Evidence:
    """The points are counted instead of their products' rank."""
    return decide.count_is_zero(max(coordinate_products(pair.star).shape[1] - pair.star.shape[0], 0), "missing points")
