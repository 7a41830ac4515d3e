"""The running error of a floating-point matrix bounds its true error, as exact rationals tell it.

Every expression is computed twice, from the same rationals: exactly, and in floating point from data rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.instances import in_arithmetic
from tests.theory.floats import SLACK, SMALL, drawn, rational_matrix, used
from theory.arithmetic import matrix_type
from theory.arithmetic.definite import gram_beyond, pivots
from theory.arithmetic.floating import ACCEPT, RANK_ACCEPT, RANK_REJECT, REJECT, FloatMatrix, U
from theory.strategies.source import RandomSource, choice

Operation = Callable[[Any, Any], Any]

OPERATIONS: dict[str, Operation] = {
    "product": lambda a, b: a @ b,
    "sum": lambda a, b: a + b,
    "difference": lambda a, b: a - b,
    "difference of products": lambda a, b: a @ b - b @ a,
    "cancelling sum": lambda a, b: (a + b) - a,
    "scaled": lambda a, b: a.scaled(Fraction(2, 7)) - b.scaled(-3),
    "transposed": lambda a, b: a.T @ b,
    "taken": lambda a, b: a.take(rows=[0, 0], columns=range(a.shape[1])) @ b.take(columns=[0]),
    "beside": lambda a, b: a.beside(b) @ b.beside(a).T,
    "above": lambda a, b: a.above(b) @ b,
    "with ones": lambda a, b: a.with_ones() @ b.with_ones().T,
    "less the identity": lambda a, b: a @ b - a.identity(a.shape[0]),
    "above zeros": lambda a, b: a.above(a.zeros(1, a.shape[1])) @ b,
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_running_error_bounds_the_error(operation: str) -> None:
    shares: list[float] = []
    for seed in range(200):
        (a, fa), (b, fb) = drawn(seed)
        shares.append(used(OPERATIONS[operation](a, b), OPERATIONS[operation](fa, fb)))
    assert max(shares) <= SLACK
    assert max(shares) > 0.1, "a bound that nothing comes near would decide nothing"


def test_long_expressions() -> None:
    """Ten operations in a row, each on what the one before gave: the bound goes along and still holds."""
    compared = 0
    for seed in range(150):
        source = RandomSource(seed)
        (a, fa), (b, fb) = drawn(seed)
        for _ in range(10):
            act = OPERATIONS[choice(source, ("product", "sum", "difference", "scaled", "transposed", "cancelling sum"))]
            a, fa = act(a, b), act(fa, fb)
        if np.linalg.norm(fa.error) < SMALL * np.linalg.norm(fa.value):
            compared += 1
            assert used(a, fa) <= SLACK
    assert compared > 100


def test_data_is_rounded_once() -> None:
    for seed in range(50):
        exact = rational_matrix(RandomSource(seed), 3, 3)
        assert used(exact, in_arithmetic(exact, "float")) <= 1
    whole = FloatMatrix.of([[3, "0x1.8p+0", "1/3"]])
    assert whole.value.tolist() == [[3.0, 1.5, 1 / 3]]
    assert whole.error.tolist() == [[3 * U, 1.5 * U, U / 3]]
    assert (FloatMatrix.identity(2).error == 0).all()


def test_singular_values_move_by_no_more_than_the_uncertainty() -> None:
    """σ_min and σ_max of the true matrix, located exactly: A Aᵀ - q is definite below σ_min², q - A Aᵀ above σ_max²."""
    checked = 0
    for seed in range(80):
        (a, fa), _ = drawn(seed)
        values, uncertainty = fa.singular_values(), Fraction(fa.uncertainty())
        least, most = Fraction(float(values[-1])), Fraction(float(values[0]))
        assert uncertainty < most / 10**6
        if least > uncertainty:
            assert pivots(gram_beyond(a, (least - uncertainty) ** 2)) is not None
            checked += 1
        assert pivots(gram_beyond(a, (least + uncertainty) ** 2)) is None
        gram = a @ a.T
        assert pivots(gram.identity(gram.shape[0]).scaled((most + uncertainty) ** 2) - gram) is not None
        assert pivots(gram.identity(gram.shape[0]).scaled((most - uncertainty) ** 2) - gram) is None
    assert checked > 60


def test_ranks_and_null_spaces() -> None:
    for seed in range(60):
        source = RandomSource(seed)
        size, rank = source.integer(2, 5), source.integer(1, 5)
        exact = rational_matrix(source, size, min(rank, size)) @ rational_matrix(source, min(rank, size), size)
        found = in_arithmetic(exact, "float")
        assert found.rank() == exact.rank()
        kernel = found.null_space()
        assert kernel.shape == (size, size - exact.rank())
        assert np.abs(found.value @ kernel.value).max(initial=0) <= 1e-9 * np.abs(found.value).max()
        assert (found.inverse() is None) is (exact.rank() < size)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused_with_its_place(wrong: float) -> None:
    rows = [[1.0, 2.0, 3.0], [4.0, 5.0, wrong]]
    message = f"row 1, column 2 is {wrong}: every entry must be a finite number"
    with pytest.raises(ValueError, match=message):
        FloatMatrix(np.array(rows))
    with pytest.raises(ValueError, match=message):
        matrix_type("float").of(rows)


def test_only_square_matrices_have_inverses_and_none_an_echelon_form() -> None:
    with pytest.raises(ValueError, match="only a square matrix has an inverse; this one is 2 x 3"):
        FloatMatrix.zeros(2, 3).inverse()
    with pytest.raises(TypeError, match="in floating point use rank or solve"):
        FloatMatrix.identity(2).echelon()


def test_empty_matrices() -> None:
    for shape in ((0, 0), (0, 3), (3, 0)):
        empty = FloatMatrix.zeros(*shape)
        assert empty.shape == shape
        assert empty.rank() == 0
        assert empty.uncertainty() == 0
        assert empty.is_zero()
    assert FloatMatrix.of([], columns=3).shape == (0, 3)


def test_levels_are_in_order() -> None:
    assert 0 < ACCEPT < REJECT
    assert 0 < RANK_ACCEPT < RANK_REJECT <= 1
