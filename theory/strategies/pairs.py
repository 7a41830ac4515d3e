"""Pairs of models with equal distributions, in several constructions; most of them never use the alignment A.

If every pair were built as f' = A f*, g' = A⁻ᵀ g* + c, the suite would assume the conclusion and test arithmetic.
:func:`solved` draws f*, g* and g' and solves for f' one context at a time; :func:`factored` factors the matrix of
displaced logits at other pivots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from theory.arithmetic import Matrix, matrix_type
from theory.indeterminacy import Element
from theory.models import CandidateSet, Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.strategies.layouts import candidate_sets, forest, placed
from theory.strategies.matrices import (
    any_matrix,
    entries,
    invertible,
    of_rank,
    representation,
    singular,
)
from theory.strategies.source import Source, choice
from theory.strategies.symmetries import gauged, rearranged, translated
from theory.strategies.symmetries import transformed as by_symmetries


def diverse(size: Size) -> bool:
    """Enough labels for M independent differences: K >= M + 1."""
    return size.labels > size.dim


def spannable(size: Size) -> bool:
    """Enough labels for diversity and enough contexts for f to span: K >= M + 1 and n >= M."""
    return diverse(size) and size.contexts >= size.dim


def solved(source: Source, size: Size) -> ModelPair:
    """f*, g* and g' drawn, f' solved context by context on that context's own candidate sets.  Never uses A.

    Both difference matrices are invertible; f* has full rank, lacks some on purpose, or is arbitrary.  Labels that
    are in no pair are candidates at some contexts only, and g' of such a label is solved for, with all its freedom.
    """
    return _solved(source, size, invertible, representation(source, size.contexts, size.dim))


def solved_spanning(source: Source, size: Size) -> ModelPair:
    """As :func:`solved`, with f* (and so f') spanning all dimensions."""
    return _solved(source, size, invertible, of_rank(source, size.contexts, size.dim, size.dim))


def solved_with_singular_right(source: Source, size: Size) -> ModelPair:
    """As :func:`solved` with L* singular: L' is invertible, and f* differs from 0 on what L* does not see."""
    return _solved(
        source,
        size,
        singular,
        of_rank(source, size.contexts, size.dim, min(size.contexts, size.dim)),
    )


def solved_with_singular_left(source: Source, size: Size) -> ModelPair:
    """The mirror image: L' is singular, L* is invertible, and f' spans as far as the contexts allow."""
    return solved_with_singular_right(source, size).swapped()


def _solved(source: Source, size: Size, given: Callable[[Source, int], Matrix], f_star: Matrix) -> ModelPair:
    dim, n = size.dim, size.contexts
    layout = forest(source, dim, size.labels)
    l_star, l_prime = given(source, dim), invertible(source, dim)
    f_prime = solve_contexts(l_prime, l_star, f_star)
    sets = [candidate_sets(source, layout.trees, layout.edges) for _ in range(n)]
    g_star, g_prime = placed(source, layout, l_star), placed(source, layout, l_prime)
    for y in range(layout.labels, size.labels):
        root = choice(source, layout.trees)[0]
        seen = [x for x in range(n) if choice(source, (True, True, False))]
        step_star = (l_star @ any_matrix(source, dim, 1, 2)).T
        step_prime = solve_label(source, f_prime.take(rows=seen), f_star.take(rows=seen) @ step_star.T)
        g_star = g_star.above(g_star.take(rows=[root]) + step_star)
        g_prime = g_prime.above(g_prime.take(rows=[root]) + step_prime)
        for x in seen:
            sets[x] = with_candidate(sets[x], root, y)
    pair = ModelPair(Model(f_prime, g_prime), Model(f_star, g_star), tuple(sets), (layout.edges,) * n)
    return rearranged(source, pair)


def solve_contexts(l_prime: Matrix, l_star: Matrix, f_star: Matrix) -> Matrix:
    """The f' (contexts, dim) with L'ᵀ f'(x) = L*ᵀ f*(x), solved for each context on its own.  L' is invertible."""
    rows: Matrix | None = None
    for x in range(f_star.shape[0]):
        solution = l_prime.T.solve(l_star.T @ f_star.take(rows=[x]).T)
        assert solution is not None  # L' is invertible by construction
        rows = solution.T if rows is None else rows.above(solution.T)
    assert rows is not None
    return rows


def solve_label(source: Source, f_prime: Matrix, logit_steps: Matrix) -> Matrix:
    """A step d (1, dim) with f'(x)·d equal to the given logit differences (contexts, 1), plus any free direction."""
    step = f_prime.solve(logit_steps)
    assert step is not None  # the steps come from the span of the chosen differences
    free = f_prime.null_space()
    return (step + free @ matrix_type().of(entries(source, free.shape[1], 1, 2), columns=1)).T


def with_candidate(sets: Sequence[CandidateSet], beside: int, label: int) -> tuple[CandidateSet, ...]:
    """The same candidate sets with ``label`` added to the first one that holds ``beside``."""
    k = next(i for i, chosen in enumerate(sets) if beside in chosen)
    return tuple((*chosen, label) if i == k else chosen for i, chosen in enumerate(sets))


def factored(source: Source, size: Size) -> ModelPair:
    """Displaced logits U = F* G*₀ᵀ factored at other pivots: F' from M columns of U, or G' from M rows.  Never uses A.

    Full candidate sets; f* spans.  Needs K >= M + 1 and n >= M.
    """
    dim, n = size.dim, size.contexts
    f_star = of_rank(source, n, dim, dim)
    steps = of_rank(source, size.labels - 1, dim, dim)
    displaced = f_star @ steps.T
    if choice(source, (True, False)):
        f_prime = displaced.take(columns=displaced.echelon()[1])
        steps_prime = f_prime.solve(displaced)
        assert steps_prime is not None  # the pivot columns span the column space
        steps_prime = steps_prime.T
    else:
        steps_prime = displaced.take(rows=displaced.T.echelon()[1]).T
        f_prime = steps_prime.solve(displaced.T)
        assert f_prime is not None  # the pivot rows span the row space
        f_prime = f_prime.T
    zero = matrix_type().zeros(1, dim)
    pairs = tuple((y + 1, 0) for y in steps.T.echelon()[1])
    star = translated(Model(f_star, zero.above(steps)), entries(source, 1, dim)[0])
    prime = translated(Model(f_prime, zero.above(steps_prime)), entries(source, 1, dim)[0])
    return rearranged(source, ModelPair(prime, star, full_candidate_sets(n, size.labels), (pairs,) * n))


def transformed(source: Source, size: Size) -> ModelPair:
    """A pair of :func:`solved` after a gauge, a rescaling and a translation of each model.  Never uses A."""
    return by_symmetries(source, solved(source, size))


def aligned(source: Source, size: Size) -> ModelPair:
    """f' = A f*, g' = A⁻ᵀ g* + c for a drawn A: tests the arithmetic only, and the theorem's converse."""
    return _aligned(source, size, representation(source, size.contexts, size.dim))


def attaining(source: Source, size: Size, element: Element) -> ModelPair:
    """A pair with equal distributions whose f' is the given linear element's image of f*."""
    return _aligned(source, size, representation(source, size.contexts, size.dim), element.A)


def attaining_spanning(source: Source, size: Size, element: Element) -> ModelPair:
    """As :func:`attaining`, with f* spanning."""
    return _aligned(source, size, of_rank(source, size.contexts, size.dim, size.dim), element.A)


def representations(pair: ModelPair) -> tuple[Matrix, Matrix]:
    """f* and f' of a pair, (contexts, dim) each."""
    return pair.star.f, pair.prime.f


def _aligned(source: Source, size: Size, f_star: Matrix, alignment: Matrix | None = None) -> ModelPair:
    dim, n = size.dim, size.contexts
    layout = forest(source, dim, size.labels)
    g = placed(source, layout, invertible(source, dim))
    if size.labels > layout.labels:
        g = g.above(any_matrix(source, size.labels - layout.labels, dim))
    star = Model(f_star, g)
    gauge = invertible(source, dim) if alignment is None else alignment
    prime = translated(gauged(star, gauge), entries(source, 1, dim)[0])
    pair = ModelPair(prime, star, full_candidate_sets(n, size.labels), (layout.edges,) * n)
    return rearranged(source, pair)


def transformed_spanning(source: Source, size: Size) -> ModelPair:
    """A pair of :func:`solved_spanning` after a gauge, a rescaling and a translation of each model."""
    return by_symmetries(source, solved_spanning(source, size))


def aligned_spanning(source: Source, size: Size) -> ModelPair:
    """As :func:`aligned`, with f* spanning."""
    return _aligned(source, size, of_rank(source, size.contexts, size.dim, size.dim))
