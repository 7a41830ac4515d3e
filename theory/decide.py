"""The questions theorems ask about matrices, each answered by Evidence.

Exact answers are counts of missing dimensions (ranks) or largest entries: 0 means the statement holds, with no
tolerance anywhere.  Existence of a linear map is decided by ranks, never by testing a least-squares fit: a fitted
map is singular whenever the first representation does not span.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from theory.arithmetic.definite import gram_beyond, pivots, smallest_singular_value
from theory.arithmetic.matrix import Matrix
from theory.evidence import Evidence, all_of


def _floats() -> Any:
    """The same questions in floating point; NumPy loads on first use."""
    from theory.arithmetic import float_decisions

    return float_decisions


def constant_on(values: Matrix, groups: Sequence[Sequence[Sequence[int]]], detail: str) -> Evidence:
    """Is row x of ``values`` constant on each group of columns listed for x?  The value is the largest disagreement.

    The witness of a failure names the row and the two columns that differ most.
    """
    if not values.exact:
        return _floats().constant_on(values, groups, detail)
    worst, where = 0, None
    for x, sets in enumerate(groups):
        for chosen in sets:
            low = high = first = values[x, chosen[0]]
            for y in chosen[1:]:
                value = values[x, y]
                if value != first:
                    low, high = min(low, value), max(high, value)
            if low != high and high - low > worst:
                worst, where = high - low, (x, chosen)
    if where is None:
        return count_is_zero(0, detail)
    x, chosen = where
    row = values.take(rows=[x]).tolist()[0]
    least, most = min(chosen, key=lambda y: row[y]), max(chosen, key=lambda y: row[y])
    return Evidence("", row[most] - row[least], detail, find_witness=lambda: {"context": x, "labels": (least, most)})


def true_or_false(answer: bool, detail: str, **witness: Any) -> Evidence:
    """Evidence for a finite combinatorial fact (a graph is connected, two lists agree).

    Raises ``TypeError`` for an answer that is not True or False: NaN and other objects would count as true.
    """
    if type(answer).__name__ != "bool":  # Python's or NumPy's, which need not be loaded here
        raise TypeError(f"true_or_false takes True or False, not {answer!r} ({type(answer).__name__})")
    return Evidence("", int(not answer), detail, find_witness=lambda: witness)


def count_is_zero(count: int, detail: str, **witness: Any) -> Evidence:
    """Evidence that nothing is missing: ``count`` things are."""
    return Evidence("", count, detail, find_witness=lambda: witness)


def vanishes(residual: Matrix, detail: str = "largest entry of the residual") -> Evidence:
    """Is every entry of ``residual`` zero?  The value is the largest absolute entry, or error/bound in floats."""
    if not residual.exact:
        return _floats().vanishes(residual, detail)
    if residual.is_zero():
        return Evidence("", 0, detail)
    largest, row, column = max(
        (abs(entry), i, j) for i, entries in enumerate(residual.tolist()) for j, entry in enumerate(entries)
    )
    return Evidence("", largest, detail, find_witness=lambda: {"row": row, "column": column})


def rank_is_full(matrix: Matrix, rank: int, detail: str = "missing dimensions") -> Evidence:
    """Does ``matrix`` have at least the given rank?  The value is the number of dimensions missing.

    The witness of a failure is a vector that the matrix sends to zero.
    """
    if not matrix.exact:
        return _floats().rank_is_full(matrix, rank, detail)
    missing = max(rank - matrix.rank(), 0)

    def witness() -> Mapping[str, Any]:
        kernel = matrix.null_space()
        if missing and kernel.shape[1]:
            return {"null_vector": kernel.take(columns=[0])}
        return {"rank": matrix.rank(), "pivots": matrix.echelon()[1]}

    return Evidence("", missing, detail, find_witness=witness)


def invertible(matrix: Matrix, detail: str = "missing dimensions") -> Evidence:
    """Is ``matrix`` square and invertible?  The value is the larger size minus the rank."""
    return rank_is_full(matrix, max(matrix.shape), detail)


#: In floating point the residual that a closed form leaves carries the bound by which existence is judged.
ClosedForm = Callable[[], Matrix | None]


def linear_map(source: Matrix, target: Matrix, closed_form: ClosedForm | None = None) -> Evidence:
    """Is there a matrix A with ``target(x) = A source(x)`` for every row x?

    ``source`` (contexts, dim) and ``target`` (contexts, dim').  Decided by rank[source | target] = rank source; the
    value counts the directions of ``target`` that ``source`` does not determine.  The witness is A (dim', dim), or
    a vector w (1, contexts) with w source = 0 and w target != 0.

    ``closed_form`` gives the residual of the formula for A that theory predicts (None where it has none).  Floating
    point judges the best fit by the error bound of that residual; exact arithmetic needs no bound and never asks.
    """
    if not source.exact:
        return _floats().linear_map(source, target, closed_form() if closed_form else None)
    missing = source.beside(target).rank() - source.rank()

    def witness() -> Mapping[str, Any]:
        if missing:
            return {"relation": _separating(source, target)}
        solved = source.solve(target)
        assert solved is not None  # the ranks agree
        return {"A": solved.T}

    return Evidence("", missing, "directions not determined", find_witness=witness)


def invertible_linear_map(
    source: Matrix, target: Matrix, closed_form: ClosedForm | None = None, backwards: ClosedForm | None = None
) -> Evidence:
    """Is there an *invertible* A with ``target(x) = A source(x)`` for every row x?

    Decided by rank[source | target] = rank source = rank target, for equal dimensions.  The value counts the
    directions of either side that the other does not determine, plus the difference of the dimensions.  The witness
    is an invertible A (dim, dim), or the vector w that separates the sides.

    ``closed_form`` and ``backwards`` bound the floating-point residuals of the map and of its inverse, as in
    :func:`linear_map`.
    """
    unequal = abs(source.shape[1] - target.shape[1])
    if not source.exact:
        return all_of(
            linear_map(source, target, closed_form),
            linear_map(target, source, backwards),
            *([count_is_zero(unequal, "difference of the dimensions")] if unequal else []),
        )
    joint = source.beside(target).rank()
    beyond_source, beyond_target = joint - source.rank(), joint - target.rank()

    def witness() -> Mapping[str, Any]:
        if beyond_source:
            return {"relation": _separating(source, target)}
        if beyond_target:
            return {"relation_of_target": _separating(target, source)}
        if unequal:
            return {"dimensions": (source.shape[1], target.shape[1])}
        return {"A": _completed(source, target)}

    missing = beyond_source + beyond_target + unequal
    return Evidence("", missing, "directions not determined", find_witness=witness)


def affine_map(source: Matrix, target: Matrix) -> Evidence:
    """Is there an affine map with ``target(x) = A source(x) + c`` for every row x?  See :func:`linear_map`.

    The witness A has shape (dim', 1 + dim); its first column is c.
    """
    return linear_map(source.with_ones(), target)


def no_affine_map(source: Matrix, target: Matrix) -> Evidence:
    """Is there *no* affine map with ``target(x) = A source(x) + c`` for every row x?  The value is 1 when there is one.

    The witness is the vector w with w [1 | source] = 0 and w target != 0, or the map that was found.
    """
    found = affine_map(source, target)
    if found.holds is None:
        return replace(found, value=math.nan, detail=f"whether an affine map exists: {found.detail}")
    return Evidence("", int(found.holds), "an affine map exists", find_witness=found.find_witness)


def _separating(source: Matrix, target: Matrix) -> Matrix:
    """A row vector w with w source = 0 and w target != 0; exists when the ranks say that no map does."""
    relations = source.T.null_space().T
    images = (relations @ target).tolist()
    row = next(i for i, image in enumerate(images) if any(entry != 0 for entry in image))
    return relations.take(rows=[row])


def _completed(source: Matrix, target: Matrix) -> Matrix:
    """An invertible A with target = source Aᵀ, given that the ranks allow one.

    On the span of the source A is forced; on the coordinates that the source leaves free it is completed with unit
    vectors outside the span of the target.
    """
    solved = source.solve(target)
    assert solved is not None  # the ranks agree
    dim = source.shape[1]
    pivots = source.echelon()[1]
    free = [row for row in range(dim) if row not in pivots]
    image = solved.take(rows=pivots).echelon()[1]
    unused = [column for column in range(dim) if column not in image]
    filled = [[Fraction(int(column == unused[k])) for column in range(dim)] for k in range(len(free))]
    extension = type(source).of(filled, columns=dim)
    return (solved + source.null_space() @ extension).T


def within_sigma_min(
    factors: Sequence[Matrix], errors: Matrix, budgets: Sequence[Fraction], strict: bool = False
) -> Evidence:
    """Is σ_min(L_x)² ‖e_x‖² <= budget_x for every row e_x of ``errors``, with L_x = ``factors[x]``?

    Decided without a root: with q = budget_x / ‖e_x‖² it says that L_x L_xᵀ - q is not positive definite.  ``strict``
    asks for < wherever e_x is not 0, which says that it is not even positive semidefinite.  The value counts the rows
    where it is otherwise; the witness is such a row with q and the pivots of the L D Lᵀ factorisation of L_x L_xᵀ - q,
    all positive (nonnegative where ``strict``).  The ratio is the largest σ_min(L_x) ‖e_x‖ / sqrt(budget_x).
    """
    rows = errors.tolist()
    squares = [sum((entry * entry for entry in row), Fraction(0)) for row in rows]
    beyond: list[tuple[int, Fraction, tuple[Fraction, ...]]] = []
    for x, square in enumerate(squares):
        if square != 0:
            level = budgets[x] / square
            found = pivots(gram_beyond(factors[x], level))
            if found is not None and (strict or all(pivot > 0 for pivot in found)):
                beyond.append((x, level, found))

    def witness() -> Mapping[str, Any]:
        return {"row": beyond[0][0], "q": beyond[0][1], "pivots": beyond[0][2]} if beyond else {}

    ratio = None if strict else _largest_share(factors, squares, budgets)
    detail = "rows that attain or exceed the bound" if strict else "rows beyond the bound"
    return Evidence("", len(beyond), detail, ratio=ratio, find_witness=witness)


def _largest_share(factors: Sequence[Matrix], squares: Sequence[Fraction], budgets: Sequence[Fraction]) -> float:
    """The largest σ_min(L_x) sqrt(square_x / budget_x) as a float, 0 where the square is."""
    smallest = {id(factor): smallest_singular_value(factor) for factor in factors}
    largest = 0.0
    for factor, square, budget in zip(factors, squares, budgets, strict=True):
        if square != 0:
            sigma, scale = smallest[id(factor)]
            try:
                largest = max(largest, sigma * math.sqrt(scale * scale * square / budget))
            except (OverflowError, ZeroDivisionError):
                largest = math.inf
    return largest
