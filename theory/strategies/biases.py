"""Pairs of models with biases, logits f(x)·g(y) + b(y), and equal distributions.

A bias lets f be moved: f + c with the bias b(y) - c·g(y) has the same logits.  :func:`biased` does this to pairs
built without biases; :func:`solved` and :func:`factored` draw the biases and solve for the rest, with no alignment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from theory.arithmetic import Matrix, matrix_type
from theory.models import Model, ModelPair, bias_differences, bias_of, full_candidate_sets
from theory.sizes import Size
from theory.strategies import pairs, symmetries
from theory.strategies.layouts import candidate_sets, forest, placed
from theory.strategies.matrices import any_matrix, entries, invertible, of_rank, representation
from theory.strategies.pairs import solve_contexts, solve_label, with_candidate
from theory.strategies.source import Source, choice, shuffled

if TYPE_CHECKING:
    from theory.indeterminacy import Element


def diverse_and_spans_affinely(size: Size) -> bool:
    """Enough labels for diversity and enough contexts for f to span affinely: K >= M + 1, n >= M + 1."""
    return size.labels > size.dim and size.contexts > size.dim


def moved(model: Model, by: Matrix, bias: Matrix | None = None) -> Model:
    """The same distributions with every f(x) moved ``by`` one vector (1, dim), the bias making up for it; ``bias``
    (labels, 1) is added on top."""
    made_up = bias_of(model) - model.g @ by.T
    ones = type(model.f).of([[1]] * model.contexts)
    return Model(model.f + ones @ by, model.g, made_up if bias is None else made_up + bias)


def biased(source: Source, pair: ModelPair) -> ModelPair:
    """Equal distributions stay equal, and unequal ones unequal: each f is moved by a vector of its own and its bias
    makes up for it, both models get one bias in common, and each bias is moved by a constant."""
    common = any_matrix(source, pair.labels, 1)
    models: list[Model] = []
    for model in (pair.prime, pair.star):
        constant = matrix_type().of([[source.integer(-2, 2)]] * pair.labels)
        by = matrix_type().of(entries(source, 1, model.dim, 2))
        models.append(moved(model, by, common + constant))
    return ModelPair(models[0], models[1], pair.candidate_sets, pair.label_pairs)


def after(build: Callable[[Source, Size], ModelPair]) -> Callable[[Source, Size], ModelPair]:
    """The construction that gives biases to what ``build`` builds."""

    def built(source: Source, size: Size) -> ModelPair:
        return biased(source, build(source, size))

    return built


def _bias(source: Source, labels: int) -> Matrix | None:
    """An arbitrary bias (labels, 1), none at times."""
    return any_matrix(source, labels, 1) if choice(source, (True, True, True, False)) else None


def solved(source: Source, size: Size) -> ModelPair:
    """f*, g*, g' and both biases drawn, f' solved context by context from L'ᵀ f' = L*ᵀ f* + Δb* - Δb'.

    Labels that are in no pair are candidates at some contexts only; g' and b' of such a label are solved for together,
    with all their freedom.
    """
    dim, n = size.dim, size.contexts
    layout = forest(source, dim, size.labels)
    l_star, l_prime = invertible(source, dim), invertible(source, dim)
    f_star = representation(source, n, dim)
    nothing = matrix_type().zeros(1, dim)
    star = Model(nothing, placed(source, layout, l_star), _bias(source, layout.labels))
    prime = Model(nothing, placed(source, layout, l_prime), _bias(source, layout.labels))
    offset = bias_differences(star, layout.edges) - bias_differences(prime, layout.edges)
    f_prime = solve_contexts(l_prime, offset.T.above(l_star), f_star.with_ones())
    sets = [candidate_sets(source, layout.trees, layout.edges) for _ in range(n)]
    # A bias and a vector as one row (1, 1 + dim), to be multiplied by (1, f).
    rows_star, rows_prime = (bias_of(model).beside(model.g) for model in (star, prime))
    for y in range(layout.labels, size.labels):
        root = choice(source, layout.trees)[0]
        seen = [x for x in range(n) if choice(source, (True, True, False))]
        step_star = any_matrix(source, 1, 1 + dim, 2)
        logit_steps = f_star.with_ones().take(rows=seen) @ step_star.T
        step_prime = solve_label(source, f_prime.with_ones().take(rows=seen), logit_steps)
        rows_star = rows_star.above(rows_star.take(rows=[root]) + step_star)
        rows_prime = rows_prime.above(rows_prime.take(rows=[root]) + step_prime)
        for x in seen:
            sets[x] = with_candidate(sets[x], root, y)
    columns = range(1, dim + 1)
    pair = ModelPair(
        Model(f_prime, rows_prime.take(columns=columns), _unless_zero(rows_prime.take(columns=[0]))),
        Model(f_star, rows_star.take(columns=columns), _unless_zero(rows_star.take(columns=[0]))),
        tuple(sets),
        (layout.edges,) * n,
    )
    return symmetries.rearranged(source, pair)


def _unless_zero(bias: Matrix) -> Matrix | None:
    return None if bias.is_zero() else bias


def factored(source: Source, size: Size) -> ModelPair:
    """Displaced logits U factored at other pivots: b' from one row of U, then F' from M columns of the rest.

    Full candidate sets; f* spans affinely.  Needs K >= M + 1 and n >= M + 1.
    """
    dim, n = size.dim, size.contexts
    kernel = matrix_type()
    ones = kernel.of([[1]] * n)
    f_star = of_rank(source, n - 1, dim, dim).above(kernel.zeros(1, dim)).take(rows=shuffled(source, range(n)))
    steps = of_rank(source, size.labels - 1, dim, dim)
    bias_steps = any_matrix(source, size.labels - 1, 1)
    displaced = f_star @ steps.T + ones @ bias_steps.T
    row = displaced.take(rows=[source.integer(0, n - 1)])
    rest = displaced - ones @ row
    f_prime = rest.take(columns=rest.echelon()[1])
    steps_prime = f_prime.solve(rest)
    assert steps_prime is not None  # the pivot columns span the column space
    zero = kernel.zeros(1, dim)
    star = Model(f_star, zero.above(steps), kernel.zeros(1, 1).above(bias_steps))
    prime = Model(f_prime, zero.above(steps_prime.T), kernel.zeros(1, 1).above(row.T))
    chosen = tuple((y + 1, 0) for y in steps.T.echelon()[1])
    pair = ModelPair(prime, star, full_candidate_sets(n, size.labels), (chosen,) * n)
    return symmetries.transformed(source, biased(source, pair))


def attaining(source: Source, size: Size, element: Element) -> ModelPair:
    """A pair with equal distributions whose f' is the given affine element's image of f*."""
    pair = pairs.attaining(source, size, element)
    common = any_matrix(source, size.labels, 1)
    shift = matrix_type().zeros(1, size.dim) if element.c is None else element.c.T
    star = Model(pair.star.f, pair.star.g, common)
    return ModelPair(moved(pair.prime, shift, common), star, pair.candidate_sets, pair.label_pairs)


def apart(source: Source, size: Size) -> ModelPair:
    """Equal distributions but for the biases: b' differs from b* at one label of one label pair."""
    pair = pairs.solved(source, size)
    bias = any_matrix(source, size.labels, 1)
    label = choice(source, pair.label_pairs[0])[0]
    step = choice(source, (1, -1, 2))
    other = bias + matrix_type().of([[step if y == label else 0] for y in range(size.labels)])
    prime, star = Model(pair.prime.f, pair.prime.g, other), Model(pair.star.f, pair.star.g, bias)
    return ModelPair(prime, star, pair.candidate_sets, pair.label_pairs)


def _nonzero(source: Source, dim: int) -> Matrix:
    """A nonzero vector (1, dim)."""
    return matrix_type().of([[choice(source, (1, -1, 2)), *(source.integer(-2, 2) for _ in range(dim - 1))]])


def prime_moved(source: Source, size: Size) -> ModelPair:
    """A pair without biases, f' then moved by a nonzero vector that a bias of the first model makes up for.

    Full diversity, so that the bias is not constant.
    """
    pair = pairs.solved(source, size)
    return replace(pair, prime=moved(pair.prime, _nonzero(source, size.dim)))


def star_moved_prime_spanning(source: Source, size: Size) -> ModelPair:
    """As :func:`prime_moved` with f* moved, and f' spanning."""
    pair = pairs.solved_spanning(source, size)
    return replace(pair, star=moved(pair.star, _nonzero(source, size.dim)))


def prime_moved_full(source: Source, size: Size) -> ModelPair:
    """As :func:`prime_moved` with full candidate sets."""
    pair = pairs.aligned(source, size)
    return replace(pair, prime=moved(pair.prime, _nonzero(source, size.dim)))
