"""The labels without an offset: refuted by hand, and exactly where the shift cannot be absorbed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.theory.theorems.pools import constructed, equal_probabilities
from theory.checking import check
from theory.models import AlignedPair, Model, ModelPair, full_candidate_sets
from theory.strategies import labels
from theory.theorems.softmax import label_representation
from theory.theorems.softmax.label_representation_linear import THEOREM, moved_by_one, moved_in_the_plane
from theory.verdict import Status


@pytest.mark.parametrize("build", [moved_by_one, moved_in_the_plane])
def test_worked_refutations(build: Callable[[], AlignedPair]) -> None:
    pair = build()
    assert equal_probabilities(pair)
    assert check(THEOREM, pair).status is Status.REFUTED
    assert check(label_representation.THEOREM, pair).status is Status.HOLDS


def test_a_constant_column_absorbs_the_shift() -> None:
    """M = 1, g* = (1, 1), g' = (0, 0): B = 0, so an invertible B is refuted here and a B of any rank is not."""
    pair = ModelPair(Model.of([[1]], [[0], [0]]), Model.of([[1]], [[1], [1]]), full_candidate_sets(1, 2))
    assert equal_probabilities(pair)
    assert check(THEOREM, labels.with_alignment(pair)).status is Status.HOLDS


def test_refuted_exactly_where_the_shift_is_outside_the_columns() -> None:
    """c = g'(0) - A⁻ᵀ g*(0) is not zero, and no combination of the columns of G* is constant."""
    statuses = {Status.HOLDS: 0, Status.REFUTED: 0}
    for _, pair in constructed(THEOREM.name):
        image = pair.alignment.T.solve(pair.star.g.T)
        assert image is not None
        shift = pair.prime.g - image.T
        assert shift.with_ones().rank() == 1, "the same for every label"
        constant = pair.star.g.with_ones().rank() == pair.star.g.rank()
        status = check(THEOREM, pair).status
        assert (status is Status.REFUTED) is (not shift.is_zero() and not constant)
        statuses[status] += 1
    assert min(statuses.values()) > 50
