"""Inverses and solutions in floating point: their error is within their bound, and None means that there is none."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.instances import in_arithmetic
from tests.theory.floats import SLACK, SMALL, drawn, rational_matrix, used
from theory.arithmetic import exact_matrix
from theory.strategies.source import RandomSource


def test_solutions_of_square_systems() -> None:
    shares: list[float] = []
    for seed in range(300):
        (a, fa), (b, fb) = drawn(seed)
        exact, found = a.solve(b), fa.solve(fb)
        if exact is None or a.rank() < a.shape[0] or fa.rank() < a.shape[0]:
            continue
        assert found is not None, seed
        if np.linalg.norm(found.error) < SMALL * np.linalg.norm(found.value):
            shares.append(used(exact, found))
    assert len(shares) > 150
    assert max(shares) <= SLACK


def test_inverses_in_the_norm() -> None:
    shares: list[float] = []
    for seed in range(300):
        (a, fa), _ = drawn(seed)
        exact, found = a.inverse(), fa.inverse()
        if exact is None or found is None:
            continue
        if np.linalg.norm(found.error) < SMALL * np.linalg.norm(found.value):
            missed = [[float(Fraction(found[i, j]) - e) for j, e in enumerate(r)] for i, r in enumerate(exact.tolist())]
            shares.append(float(np.linalg.norm(missed) / np.linalg.norm(found.error)))
    assert len(shares) > 150
    assert max(shares) <= SLACK


@pytest.mark.parametrize("rows", [[[-9, 5], [8, 0]], [[7, -8, 1], [-6, 0, 4], [1, 0, 6]]])
def test_inverses_with_zeros(rows: list[list[int]]) -> None:
    """Where the inverse has an entry 0, what elimination leaves there must be within the bound too."""
    found = in_arithmetic(exact_matrix(rows), "float").inverse()
    exact = exact_matrix(rows).inverse()
    assert exact is not None
    assert found is not None
    assert used(exact, found) <= SLACK


@pytest.mark.parametrize(
    ("rows", "solution"),
    [
        ([[7, -2, 7, 2], [5, 0, -2, 0], [0, 0, 8, 0], [0, 3, 0, 0]], [0, -2, 0, 3]),
        ([[-9, -3], [0, 6], [-8, -1]], [-8, 0]),
        ([[9, -1], [6, 0], [-6, 5]], [0, -9]),
    ],
    ids=["square", "tall", "tall, first unknown 0"],
)
def test_consistent_systems_with_zeros_are_solved(rows: list[list[int]], solution: list[int]) -> None:
    """None says that no solution exists; here one does, with entries 0, on integer data without any rounding."""
    left, wanted = exact_matrix(rows), exact_matrix([[entry] for entry in solution])
    assert left.solve(left @ wanted) == wanted
    found = in_arithmetic(left, "float").solve(in_arithmetic(left @ wanted, "float"))
    assert found is not None, "no solution is claimed to exist"
    assert used(wanted, found) <= SLACK


def test_least_squares_solutions() -> None:
    """More equations than unknowns, with a solution, or fewer: the bound is that of the formula X = A⁺ B."""
    compared = 0
    for seed in range(200):
        source = RandomSource(seed)
        unknowns = source.integer(1, 4)
        left = rational_matrix(source, unknowns + source.integer(1, 3), unknowns, seed % 3)
        wanted = rational_matrix(source, unknowns, 2)
        rounded = in_arithmetic(left, "float")
        if left.rank() < unknowns or rounded.rank() < unknowns:
            continue
        found = rounded.solve(in_arithmetic(left @ wanted, "float"))
        assert found is not None, seed
        if np.linalg.norm(found.error) < SMALL * np.linalg.norm(found.value):
            compared += 1
            assert used(wanted, found) <= SLACK, seed
        solution = rounded.T.solve(in_arithmetic(wanted, "float"))
        assert solution is not None, seed
        assert used(wanted, rounded.T @ solution) <= SLACK, seed
    assert compared > 100


def test_systems_without_a_solution() -> None:
    for seed in range(60):
        source = RandomSource(seed)
        left, right = rational_matrix(source, 4, 2), rational_matrix(source, 4, 1)
        if left.solve(right) is None:
            assert in_arithmetic(left, "float").solve(in_arithmetic(right, "float")) is None
