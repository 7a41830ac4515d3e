"""What is not written as an exact rational is refused with a message that says where it stands and what to write."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from theory.arithmetic import ARITHMETICS, Matrix, matrix_type, rational

EXACT = ("flint", "sympy")
KERNELS = [pytest.param(matrix_type(name), id=name) for name in EXACT]

WRONG: list[tuple[str, Any, type[Exception], str]] = [
    ("float", [[1, 0.5]], TypeError, "row 0, column 1: exact arithmetic takes integers, Fractions and strings"),
    ("float, what to write", [[0.5]], TypeError, "not 0.5 (float): write Fraction(1, 2) or '1/2' for one half"),
    ("integral float", [[1], [2.0]], TypeError, "row 1, column 0: "),
    ("nan", [[math.nan]], TypeError, "not nan (float)"),
    ("infinity", [[math.inf]], TypeError, "not inf (float)"),
    ("bool", [[1, 2], [3, True]], TypeError, "row 1, column 1: exact arithmetic takes integers"),
    ("bool, named", [[False]], TypeError, "not False (bool)"),
    ("None", [[None]], TypeError, "not None (NoneType)"),
    ("zero denominator", [["1/0"]], ValueError, "row 0, column 0: '1/0' is not a rational number"),
    ("nan as a string", [["nan"]], ValueError, "'nan' is not a rational number: write it as '3', '-3/4' or '0.75'"),
    ("exponent", [["1e999999999"]], ValueError, "'1e999999999' is not a rational number: write it as '3', '-3/4'"),
    ("spaces", [[" 1"]], ValueError, "' 1' is not a rational number"),
    ("underscores", [["1_000"]], ValueError, "'1_000' is not a rational number"),
    ("words", [["half"]], ValueError, "'half' is not a rational number"),
    ("shorter row", [[1, 2], [3]], ValueError, "row 1 has 1 entries, row 0 has 2: rows must be equally long"),
    ("longer row", [["1/2"], ["1/2"], [1, 2]], ValueError, "row 2 has 2 entries, row 0 has 1"),
    ("empty row", [[1], []], ValueError, "row 1 has 0 entries, row 0 has 1"),
    ("string as a row", [[1, 2], "34"], TypeError, "a matrix is a list of rows; row 1 is '34'"),
    ("string as a table", "12", TypeError, "a matrix is a list of rows; row 0 is '1'"),
    ("one flat row", [1, 2], TypeError, "a matrix is a list of rows; row 0 is 1"),
    ("flat row after a row", [[1, 2], 3], TypeError, "a matrix is a list of rows; row 1 is 3"),
]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("rows", "error", "message"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_input(kernel: type[Matrix], rows: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        kernel.of(rows)


@pytest.mark.parametrize("kernel", KERNELS)
def test_rows_may_be_any_iterable(kernel: type[Matrix]) -> None:
    expected = kernel.of([[0, 1], [0, 1]])
    assert kernel.of([range(2), range(2)]) == expected
    assert kernel.of(((0, 1), [0, 1])) == expected
    assert kernel.of((x for x in range(2)) for _ in range(2)) == expected


@pytest.mark.parametrize("kernel", KERNELS)
def test_columns_count_only_without_rows(kernel: type[Matrix]) -> None:
    assert kernel.of([], columns=3).shape == (0, 3)
    assert kernel.of([]).shape == (0, 0)
    assert kernel.of([[], []]).shape == (2, 0)
    assert kernel.of([[1, 2]], columns=2).shape == (1, 2)


@pytest.mark.parametrize("kernel", KERNELS)
def test_sides_that_do_not_fit(kernel: type[Matrix]) -> None:
    with pytest.raises(ValueError, match="cannot put 1 rows beside 2 rows"):
        kernel.of([[1]]).beside(kernel.of([[1], [2]]))


@pytest.mark.parametrize(
    ("written", "meant"),
    [(3, Fraction(3)), (Fraction(1, 2), Fraction(1, 2)), ("-3/4", Fraction(-3, 4)), ("0.75", Fraction(3, 4))],
)
def test_rational(written: object, meant: Fraction) -> None:
    assert rational(written) == meant
    assert type(rational(written)) is Fraction


@pytest.mark.parametrize("kernel", KERNELS)
def test_repr_is_readable(kernel: type[Matrix]) -> None:
    assert repr(kernel.of([["1/2", -3], [0, 4]])) == "[[1/2, -3], [0, 4]]"
    assert repr(kernel.zeros(0, 2)) == "[]"


@pytest.mark.parametrize("operation", ["__matmul__", "__add__", "__sub__", "beside", "above", "solve"])
def test_kernels_do_not_mix(operation: str) -> None:
    for one, other in permutations(ARITHMETICS, 2):
        left, right = matrix_type(one).of([[1]]), matrix_type(other).of([[1]])
        message = f"cannot combine a {type(left).__name__} with a {type(right).__name__}: use one arithmetic"
        with pytest.raises(TypeError, match=message):
            getattr(left, operation)(right)
