"""The questions theorems ask about matrices, each answered by Evidence.

Exact answers are counts of missing dimensions (ranks) or largest entries: 0 means the statement holds, with no
tolerance anywhere.  Existence of a linear map is decided by ranks, never by testing a least-squares fit: a fitted
map is singular whenever the first representation does not span.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.arithmetic.matrix import Matrix
from theory.evidence import Evidence


def true_or_false(answer: bool, detail: str, **witness: Any) -> Evidence:
    """Evidence for a finite combinatorial fact (a graph is connected, two lists agree)."""
    return Evidence("", int(not answer), detail, find_witness=lambda: witness)


def count_is_zero(count: int, detail: str, **witness: Any) -> Evidence:
    """Evidence that nothing is missing: ``count`` things are."""
    return Evidence("", count, detail, find_witness=lambda: witness)


def vanishes(residual: Matrix, detail: str = "largest entry of the residual") -> Evidence:
    """Is every entry of ``residual`` zero?  The value is the largest absolute entry."""
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


def linear_map(source: Matrix, target: Matrix) -> Evidence:
    """Is there a matrix A with ``target(x) = A source(x)`` for every row x?

    ``source`` (contexts, dim) and ``target`` (contexts, dim').  Decided by rank[source | target] = rank source; the
    value counts the directions of ``target`` that ``source`` does not determine.  The witness is A (dim', dim), or
    a vector w (1, contexts) with w source = 0 and w target != 0.
    """
    missing = source.beside(target).rank() - source.rank()

    def witness() -> Mapping[str, Any]:
        if missing:
            return {"relation": _separating(source, target)}
        solved = source.solve(target)
        assert solved is not None  # the ranks agree
        return {"A": solved.T}

    return Evidence("", missing, "directions not determined", find_witness=witness)


def invertible_linear_map(source: Matrix, target: Matrix) -> Evidence:
    """Is there an *invertible* A with ``target(x) = A source(x)`` for every row x?

    Decided by rank[source | target] = rank source = rank target, for equal dimensions.  The value counts the
    directions of either side that the other does not determine, plus the difference of the dimensions.  The witness
    is an invertible A (dim, dim), or the vector w that separates the sides.
    """
    joint = source.beside(target).rank()
    beyond_source, beyond_target = joint - source.rank(), joint - target.rank()
    unequal = abs(source.shape[1] - target.shape[1])

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
    return Evidence("", int(bool(found.holds)), "an affine map exists", find_witness=found.find_witness)


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
