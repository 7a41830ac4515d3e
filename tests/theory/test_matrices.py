"""FLINT decides and SymPy replays: an operation on which they differ would make a replay meaningless.

Each operation runs in both kernels on the same rational tables and must give the same table.  Where an answer can
also be checked by its definition (an inverse, a solution, a kernel), it is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from theory.arithmetic import Matrix, matrix_type, rational
from theory.strategies.source import RandomSource, choice

FLINT, SYMPY = map(matrix_type, ("flint", "sympy"))
Table = list[list[Fraction]]

SHAPES = [(1, 1), (1, 3), (3, 1), (2, 2), (3, 3), (4, 2), (2, 5), (4, 4), (0, 0), (0, 3), (3, 0)]
SEEDS = range(6)

#: Tables on which eliminations go wrong: zero rows and columns, late pivots, large and tiny entries.
EDGES: list[tuple[list[list[Any]], int]] = [
    ([[0]], 1),
    ([[0, 0], [0, 0]], 2),
    ([[0, 1], [0, 0]], 2),
    ([[0, 0, 2, 1], [0, 0, 0, 0], [0, 3, 0, 1]], 4),
    ([[1, 2], [2, 4], [3, 6]], 2),
    ([[10**30, 1], [1, Fraction(1, 10**30)]], 2),
    ([["1/3", "-2/7"], ["0.25", "+100"]], 2),
    ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 3),
    ([], 4),
    ([[], []], 0),
]


def random_table(seed: int, rows: int, columns: int) -> Table:
    """Rationals with many zeros and repeats of rows, so that deficient ranks are common."""
    source = RandomSource(seed)
    table = [
        [Fraction(source.integer(-4, 4) * source.integer(0, 1), source.integer(1, 5)) for _ in range(columns)]
        for _ in range(rows)
    ]
    for row in range(1, rows):
        if source.integer(0, 3) == 0:
            factor = source.integer(-2, 2)
            table[row] = [factor * entry for entry in table[row - 1]]
    return table


TABLES = [
    *((random_table(seed, *shape), shape[1]) for shape in SHAPES for seed in SEEDS),
    *(([[rational(entry) for entry in row] for row in rows], columns) for rows, columns in EDGES),
]
UNARY: dict[str, Callable[[Matrix], Any]] = {
    "itself": lambda m: m,
    "shape": lambda m: m.shape,
    "transpose": lambda m: m.T,
    "negative": lambda m: m.scaled(-1),
    "scaled by a rational": lambda m: m.scaled(Fraction(3, 7)),
    "scaled by zero": lambda m: m.scaled(0),
    "doubled": lambda m: m + m,
    "difference": lambda m: m - m.scaled(Fraction(1, 2)),
    "product": lambda m: m @ m.T,
    "take nothing": lambda m: m.take(rows=[], columns=[]),
    "take no row": lambda m: m.take(rows=[]),
    "take no column": lambda m: m.take(columns=[]),
    "take repeats": lambda m: m.take(rows=[*range(m.shape[0]), *range(m.shape[0])]),
    "take backwards": lambda m: m.take(columns=range(m.shape[1])[::-1]),
    "beside": lambda m: m.beside(m.scaled(2)),
    "above": lambda m: m.above(m.scaled(2)),
    "with ones": lambda m: m.with_ones(),
    "echelon": lambda m: m.echelon(),
    "rank": lambda m: m.rank(),
    "null space": lambda m: m.null_space(),
    "null space of the transpose": lambda m: m.T.null_space(),
    "gram inverse": lambda m: (m @ m.T).inverse(),
    "is zero": lambda m: m.is_zero(),
    "repr": repr,
    "hash": hash,
    "list": lambda m: m.tolist(),
    "identity": lambda m: type(m).identity(m.shape[0]),
    "zeros": lambda m: type(m).zeros(*m.shape),
}


def plain(answer: Any) -> Any:
    """The answer without its kernel: a matrix becomes its shape and its table."""
    if isinstance(answer, Matrix):
        return answer.shape, answer.tolist()
    if isinstance(answer, tuple):
        return tuple(map(plain, answer))
    return answer


@pytest.mark.parametrize("operation", UNARY)
def test_kernels_agree(operation: str) -> None:
    for table, columns in TABLES:
        answers = [plain(UNARY[operation](kernel.of(table, columns=columns))) for kernel in (FLINT, SYMPY)]
        assert answers[0] == answers[1], (operation, table)


@pytest.mark.parametrize("kernel", [FLINT, SYMPY])
def test_of_keeps_what_was_written(kernel: type[Matrix]) -> None:
    for table, columns in TABLES:
        matrix = kernel.of(table, columns=columns)
        assert matrix.shape == (len(table), columns)
        assert matrix.tolist() == table
        assert all(type(entry) is Fraction for row in matrix.tolist() for entry in row)
        for i, row in enumerate(table):
            for j, entry in enumerate(row):  # the kernel's own scalar, which knows integers
                assert matrix[i, j] * entry.denominator == entry.numerator
                assert (matrix[i, j] < 0) is (entry < 0)


@pytest.mark.parametrize("kernel", [FLINT, SYMPY])
def test_operations_by_definition(kernel: type[Matrix]) -> None:
    for table, columns in TABLES:
        m, rows = kernel.of(table, columns=columns), len(table)
        product = (m @ m.T).tolist()
        for i in range(rows):
            for k in range(rows):
                assert product[i][k] == sum((a * b for a, b in zip(table[i], table[k], strict=True)), Fraction(0))
        kernel_of_m = m.null_space()
        assert (m @ kernel_of_m).is_zero()
        assert kernel_of_m.shape == (columns, columns - m.rank())
        assert kernel_of_m.rank() == columns - m.rank()
        reduced, pivots = m.echelon()
        assert len(pivots) == m.rank() <= min(m.shape)
        assert reduced.take(rows=range(len(pivots)), columns=pivots) == kernel.identity(len(pivots))
        assert reduced.take(rows=range(len(pivots), rows)).is_zero()
        assert m.above(reduced).rank() == m.rank()  # one row space


def systems(seed: int) -> tuple[Table, Table, int, int]:
    source = RandomSource(seed)
    rows, unknowns, width = source.integer(0, 4), source.integer(0, 4), source.integer(0, 2)
    return random_table(seed, rows, unknowns), random_table(seed + 500, rows, width), unknowns, width


def test_solutions_agree_and_solve() -> None:
    outcomes = set()
    for seed in range(300):
        left, right, unknowns, width = systems(seed)
        answers = []
        for kernel in (FLINT, SYMPY):
            a, b = kernel.of(left, columns=unknowns), kernel.of(right, columns=width)
            x = a.solve(b)
            answers.append(x if x is None else plain(x))
            solvable = a.beside(b).rank() == a.rank()
            assert (x is not None) is solvable
            if x is not None:
                assert x.shape == (unknowns, width)
                assert a @ x == b
                outcomes.add("underdetermined" if a.rank() < unknowns else "unique")
            else:
                outcomes.add("unsolvable")
        assert answers[0] == answers[1], (left, right)
    assert outcomes == {"underdetermined", "unique", "unsolvable"}


def test_free_unknowns_are_zero() -> None:
    for kernel in (FLINT, SYMPY):
        solved = kernel.of([[0, 1, 2]]).solve(kernel.of([[3]]))
        assert solved == kernel.of([[0], [3], [0]])


def test_inverses_agree_and_invert() -> None:
    singular = 0
    for seed in range(200):
        size = choice(RandomSource(seed), (0, 1, 2, 3, 4))
        table = random_table(seed, size, size)
        exact, symbolic = (kernel.of(table, columns=size).inverse() for kernel in (FLINT, SYMPY))
        assert (exact is None) is (symbolic is None) is (FLINT.of(table, columns=size).rank() < size)
        if exact is None or symbolic is None:
            singular += 1
            continue
        assert plain(exact) == plain(symbolic)
        assert FLINT.of(table, columns=size) @ exact == FLINT.identity(size)
    assert 20 < singular < 180


@pytest.mark.parametrize("kernel", [FLINT, SYMPY])
def test_only_square_matrices_have_inverses(kernel: type[Matrix]) -> None:
    with pytest.raises(ValueError, match="only a square matrix has an inverse; this one is 2 x 3"):
        kernel.zeros(2, 3).inverse()


def test_equality_and_hash_do_not_depend_on_the_kernel() -> None:
    for table, columns in TABLES:
        exact, symbolic = (kernel.of(table, columns=columns) for kernel in (FLINT, SYMPY))
        assert exact == symbolic
        assert symbolic == exact
        assert len({exact, symbolic}) == 1
    assert FLINT.of([[1, 2]]) != SYMPY.of([[1], [2]])
    assert FLINT.of([[1]]) != SYMPY.of([[2]])
    assert FLINT.zeros(0, 2) != FLINT.zeros(2, 0)
    assert FLINT.of([[1]]) != 1


def test_unknown_arithmetic() -> None:
    with pytest.raises(ValueError, match="unknown arithmetic 'numpy': choose one of flint, sympy"):
        matrix_type("numpy")
