"""Pairs of models of any two dimensions, from their displaced logits U(x, y) = f(x)·(g(y) - g(0)); none uses a map T.

Where all labels are joined, two models have equal distributions exactly when their displaced logits agree.  So each
model is one factorisation of U, in any dimension from rank U on: :func:`model_with` reaches every one.
"""

from __future__ import annotations

from theory.arithmetic import Matrix, matrix_type
from theory.arithmetic.projections import rank_factors
from theory.models import CandidateSet, CandidateSets, Model, ModelPair
from theory.sizes import Size
from theory.strategies.layouts import candidate_sets, tree_edges
from theory.strategies.matrices import any_matrix, entries, invertible, of_rank, representation
from theory.strategies.source import Source, choice
from theory.strategies.symmetries import gauged, rearranged, translated
from theory.strategies.symmetries import transformed as by_symmetries


def three_labels(size: Size) -> bool:
    """Enough labels to leave one apart from two others: K >= 3."""
    return size.labels >= 3


def model_with(source: Source, displaced: Matrix, dim: int) -> Model:
    """A model of the given dimension with displaced logits U (contexts, labels - 1).

    For U = C R of full ranks r it is f = [C | P | 0], g - g(0) = [Rᵀ | 0 | Q] in coordinates drawn at random: no label
    difference sees P and no f(x) sees Q, so both are free.  Raises ``ValueError`` when ``dim`` is below r.
    """
    left, right = rank_factors(displaced)
    spare = dim - left.shape[1]
    if spare < 0:
        raise ValueError(f"logits of rank {left.shape[1]} need as many dimensions, not {dim}")
    (contexts, others), zeros = displaced.shape, matrix_type().zeros
    hidden = source.integer(0, spare)
    f = left.beside(any_matrix(source, contexts, hidden)).beside(zeros(contexts, spare - hidden))
    steps = right.T.beside(zeros(others, hidden)).beside(any_matrix(source, others, spare - hidden))
    model = gauged(Model(f, zeros(1, dim).above(steps)), invertible(source, dim))
    return translated(model, entries(source, 1, dim)[0])


def another_dim(source: Source, least: int, dim: int) -> int:
    """A dimension within 2 of ``dim`` and not below ``least``; shrinks to ``dim``."""
    return choice(source, [d for d in (dim, dim + 1, dim - 1, dim + 2, dim - 2) if d >= max(least, 1)] or [least])


def factored(source: Source, size: Size) -> ModelPair:
    """U of any rank r up to M, factored in two ways, each with free components that the other knows nothing of."""
    displaced = _displaced(source, size, min(size.dim, size.labels - 1, size.contexts))
    star = model_with(source, displaced, size.dim)
    prime = model_with(source, displaced, another_dim(source, displaced.rank(), size.dim))
    return rearranged(source, ModelPair(prime, star, joined_sets(source, size)))


def solved(source: Source, size: Size) -> ModelPair:
    """f* and g* of any rank, g' with enough differences, and f' solved for with all its freedom at each context.

    The columns of G'₀ are the logits of as many contexts as U has rank, and columns drawn at random.
    """
    n, k = size.contexts, size.labels - 1
    steps = of_rank(source, k, size.dim, source.integer(0, min(k, size.dim)))
    star = Model(representation(source, n, size.dim), matrix_type().zeros(1, size.dim).above(steps))
    displaced = star.f @ steps.T
    rows = displaced.T.echelon()[1]
    dim = another_dim(source, len(rows), size.dim)
    seen = displaced.take(rows=rows).T.beside(any_matrix(source, k, dim - len(rows))) @ invertible(source, dim)
    f_prime = seen.solve(displaced.T)
    assert f_prime is not None  # the columns of G'₀ span the rows of U
    free = seen.null_space()
    f_prime = f_prime + free @ matrix_type().of(entries(source, free.shape[1], n, 2), columns=n)
    prime = Model(f_prime.T, matrix_type().zeros(1, dim).above(seen))
    prime, star = (translated(model, entries(source, 1, model.dim)[0]) for model in (prime, star))
    return rearranged(source, ModelPair(prime, star, joined_sets(source, size)))


def transformed(source: Source, size: Size) -> ModelPair:
    """A pair of :func:`factored` after a gauge, a rescaling and a translation of each model."""
    return by_symmetries(source, factored(source, size))


def aligned(source: Source, size: Size) -> ModelPair:
    """f' = A f*, g' = A⁻ᵀ g* + c for a drawn A, everything of any rank: tests the arithmetic only."""
    star = Model(representation(source, size.contexts, size.dim), any_matrix(source, size.labels, size.dim))
    prime = translated(gauged(star, invertible(source, size.dim)), entries(source, 1, size.dim)[0])
    return rearranged(source, ModelPair(prime, star, joined_sets(source, size)))


def unequal(source: Source, size: Size) -> ModelPair:
    """As :func:`factored`, with the logits of the second model moved by a matrix of rank one."""
    n, k = size.contexts, size.labels - 1
    displaced = _displaced(source, size, min(size.dim, k, n))
    moved = displaced + of_rank(source, n, k, 1)
    star = model_with(source, displaced, size.dim)
    prime = model_with(source, moved, another_dim(source, moved.rank(), size.dim))
    return rearranged(source, ModelPair(prime, star, joined_sets(source, size)))


def unjoined(source: Source, size: Size) -> ModelPair:
    """Equal distributions where some contexts see two groups of labels apart, and the models differ between the groups.

    Needs K >= 3: a group of one label is in no candidate set.
    """
    n, labels = size.contexts, size.labels
    first = 2 + source.integer(0, labels - 3)
    groups = [tuple(range(first)), tuple(range(first, labels))]
    apart = [[choice(source, (1, -1, 2))], *([choice(source, (0, 1, -1))] for _ in range(n - 1))]
    sets = [
        tuple(s for group in groups if len(group) > 1 for s in _joined(source, group)) if step != [0] else joined
        for step, joined in zip(apart, joined_sets(source, size), strict=True)
    ]
    displaced = _displaced(source, size, min(size.dim, labels - 1, n))
    between = matrix_type().of([[int(y >= first) for y in range(1, labels)]])
    moved = displaced + matrix_type().of(apart) @ between
    star = model_with(source, displaced, size.dim)
    prime = model_with(source, moved, another_dim(source, moved.rank(), size.dim))
    return rearranged(source, ModelPair(prime, star, tuple(sets)))


def joined_sets(source: Source, size: Size) -> CandidateSets:
    """Candidate sets that join all labels at every context: all of them in one set, or overlapping sets of two."""
    return tuple(_joined(source, tuple(range(size.labels))) for _ in range(size.contexts))


def _joined(source: Source, labels: tuple[int, ...]) -> tuple[CandidateSet, ...]:
    return candidate_sets(source, (labels,), tree_edges(source, labels))


def _displaced(source: Source, size: Size, most: int) -> Matrix:
    """U of a rank up to ``most``, every rank from 0 on being met; shrinks to 0."""
    return of_rank(source, size.contexts, size.labels - 1, source.integer(0, most))
