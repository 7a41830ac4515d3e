"""Definiteness and bounds by the smallest singular value, decided exactly in both arithmetics."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from theory import decide
from theory.arithmetic import ARITHMETICS, Matrix, matrix_type
from theory.arithmetic.definite import gram_beyond, pivots, smallest_singular_value
from theory.strategies.matrices import any_matrix, of_rank, orthogonal
from theory.strategies.source import RandomSource

EXACT = [name for name in ARITHMETICS if name != "float"]


def symmetric(seed: int) -> Matrix:
    """Indefinite, or semidefinite of some rank."""
    source = RandomSource(seed)
    size = source.integer(1, 4)
    if seed % 2:
        half = any_matrix(source, size, size, 2)
        return half + half.T
    factor = of_rank(source, size, size, source.integer(0, size))
    return factor @ factor.T


@pytest.mark.parametrize("name", EXACT)
def test_against_eigenvalues(name: str) -> None:
    answers: set[tuple[bool, bool]] = set()
    for seed in range(120):
        matrix = matrix_type(name).of(symmetric(seed).tolist())
        smallest = np.linalg.eigvalsh(np.array(matrix.tolist(), dtype=float))[0]
        found = pivots(matrix)
        positive = found is not None and all(pivot > 0 for pivot in found)
        assert positive is bool(smallest > 1e-9)
        assert (found is not None) is bool(smallest > -1e-9)
        answers.add((found is not None, positive))
    assert answers == {(False, False), (True, False), (True, True)}


def test_pivots_by_hand() -> None:
    of = matrix_type().of
    assert pivots(of([[2, 1], [1, 2]])) == (2, Fraction(3, 2))
    assert pivots(of([[1, 2], [2, 4]])) == (1, 0)
    assert pivots(of([[0, 0], [0, 3]])) == (0, 3)
    assert pivots(of([[0, 1], [1, 5]])) is None
    assert pivots(of([[1, 2], [2, 3]])) is None
    assert pivots(of([], columns=0)) == ()
    for wrong in ([[1, 2], [3, 4]], [[1, 2]]):
        with pytest.raises(ValueError, match="is not symmetric"):
            pivots(of(wrong))
    with pytest.raises(TypeError, match="exact matrices only"):
        pivots(matrix_type("float").identity(2))


@pytest.mark.parametrize("name", EXACT)
def test_the_smallest_singular_value_is_told_exactly(name: str) -> None:
    """L = Q diag(3, 2, 2) has σ_min = 2: L Lᵀ - q is positive definite below 4, semidefinite at 4, neither above."""
    turn = orthogonal(RandomSource(1), 3)
    l = matrix_type(name).of((turn @ matrix_type().of([[3, 0, 0], [0, 2, 0], [0, 0, 2]])).tolist())
    tiny = Fraction(1, 10**40)
    assert [pivots(gram_beyond(l, 4 + t)) is not None for t in (-tiny, 0, tiny)] == [True, True, False]
    value, scale = smallest_singular_value(l)
    assert value * float(scale) == pytest.approx(2)
    error = l.of([[row[1] for row in l.tolist()]])  # a left singular vector of σ_min, of norm 2

    def within(budget: Fraction, strict: bool = False) -> bool | None:
        return decide.within_sigma_min([l], error, [budget], strict).holds

    assert [within(16 + t) for t in (-tiny, 0, tiny)] == [False, True, True]
    assert [within(16 + t, strict=True) for t in (-tiny, 0, tiny)] == [False, False, True]
    failing = decide.within_sigma_min([l], error, [Fraction(15)])
    assert failing.witness["row"] == 0
    assert failing.witness["q"] == Fraction(15, 4)
    assert failing.witness["pivots"] == pivots(gram_beyond(l, Fraction(15, 4)))
    assert failing.ratio == pytest.approx((16 / 15) ** 0.5)


def test_no_error_needs_no_budget() -> None:
    one = matrix_type().identity(2)
    zero = matrix_type().zeros(1, 2)
    nothing = decide.within_sigma_min([one], zero, [Fraction(0)])
    assert nothing.holds is True
    assert nothing.ratio == 0
    assert decide.within_sigma_min([one], zero, [Fraction(0)], strict=True).holds is True
    beyond = decide.within_sigma_min([one], matrix_type().of([[1, 0]]), [Fraction(0)])
    assert beyond.holds is False
    assert beyond.ratio == float("inf")


def test_entries_beyond_floating_point() -> None:
    huge = matrix_type().of([[10**400, 0], [0, 10**400]])
    found = decide.within_sigma_min([huge], matrix_type().of([[1, 0]]), [Fraction(4 * 10**800)])
    assert found.holds is True
    assert found.ratio == pytest.approx(0.5)
    assert smallest_singular_value(matrix_type().zeros(2, 2)) == (0.0, 1)
    assert smallest_singular_value(matrix_type().of([[1], [1]]))[0] == 0.0
