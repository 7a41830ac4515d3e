"""Pairs of models that break exactly one part of the diversity setting on purpose; see the theorems' ``violates``."""

from __future__ import annotations

from theory.arithmetic import Matrix, matrix_type
from theory.models import LabelPair, Model, ModelPair
from theory.sizes import Size
from theory.strategies.layouts import forest_of, placed, tree_edges
from theory.strategies.matrices import invertible, of_rank, representation
from theory.strategies.pairs import solve_contexts, solved
from theory.strategies.source import Source, choice
from theory.strategies.symmetries import rearranged


def has_twins(size: Size) -> bool:
    """A label to spare beyond diversity: K >= M + 2."""
    return size.labels >= size.dim + 2


def has_twins_and_spans(size: Size) -> bool:
    """A label to spare beyond diversity, and enough contexts to span: K >= M + 2, n >= M."""
    return has_twins(size) and size.contexts >= size.dim


def unequal(source: Source, size: Size) -> ModelPair:
    """A pair of :func:`solved` with f' moved at one context, so that its distribution differs there."""
    pair = solved(source, size)
    moved = source.integer(0, size.contexts - 1)
    step = [[0] * size.dim for _ in range(size.contexts)]
    step[moved] = [
        choice(source, (1, -1, 2)),
        *(source.integer(-2, 2) for _ in range(size.dim - 1)),
    ]
    f_prime = pair.prime.f + matrix_type().of(step)
    return ModelPair(Model(f_prime, pair.prime.g), pair.star, pair.candidate_sets, pair.label_pairs)


def unequal_spanning(source: Source, size: Size) -> ModelPair:
    """A pair of :func:`solved` with f' replaced by an unrelated one that spans.  Needs n >= M."""
    pair = solved(source, size)
    f_prime = of_rank(source, size.contexts, size.dim, size.dim)
    if f_prime == pair.prime.f:
        f_prime = f_prime.scaled(2)
    return ModelPair(Model(f_prime, pair.prime.g), pair.star, pair.candidate_sets, pair.label_pairs)


def unequal_in_one_set(source: Source, size: Size) -> ModelPair:
    """Every label pair is a candidate set of its own; the distributions differ in the last of them only."""
    return _unequal_in_one_set(source, size, representation(source, size.contexts, size.dim))


def unequal_in_one_set_spanning(source: Source, size: Size) -> ModelPair:
    """As :func:`unequal_in_one_set` with the roles exchanged, so that f' spans.  Needs n >= M."""
    return _unequal_in_one_set(source, size, of_rank(source, size.contexts, size.dim, size.dim)).swapped()


def _unequal_in_one_set(source: Source, size: Size, f_star: Matrix) -> ModelPair:
    dim, n = size.dim, size.contexts
    tree, g_prime, g_star, f_prime, directions = _on_a_tree(source, size, f_star)
    last = source.integer(0, dim - 1)
    moved = [True, *(choice(source, (False, True)) for _ in range(n - 1))]
    steps = matrix_type().of([[choice(source, (1, -1, 2)) if m else 0] for m in moved], columns=1)
    order = [*(e for e in range(dim) if e != last), last]
    sets = (tuple(tuple(sorted(tree[e])) for e in order),) * n
    prime = Model(f_prime + steps @ directions.take(rows=[last]), g_prime)
    return rearranged(source, ModelPair(prime, Model(f_star, g_star), sets, (tree,) * n))


def _on_a_tree(
    source: Source, size: Size, f_star: Matrix
) -> tuple[tuple[LabelPair, ...], Matrix, Matrix, Matrix, Matrix]:
    """A tree of label pairs, g' and g* on it, f' solved from f*, and for each pair the direction only it sees.

    Labels beyond the tree are copies of its first one, which no model tells apart.
    """
    dim = size.dim
    tree = tree_edges(source, tuple(range(dim + 1)))
    layout = forest_of(tree, dim + 1)
    l_star, l_prime = invertible(source, dim), invertible(source, dim)
    g_star, g_prime = placed(source, layout, l_star), placed(source, layout, l_prime)
    twins = [0] * (size.labels - layout.labels)
    g_star, g_prime = g_star.above(g_star.take(rows=twins)), g_prime.above(g_prime.take(rows=twins))
    directions = l_prime.inverse()
    assert directions is not None  # L' is invertible by construction
    return tree, g_prime, g_star, solve_contexts(l_prime, l_star, f_star), directions


def unseen(source: Source, size: Size) -> ModelPair:
    """Equal distributions where one label pair is in no candidate set at some contexts, and f' is free there.

    Needs K >= M + 2: a context whose only pair is removed still needs a candidate set, made of two labels that no
    model tells apart.
    """
    return _unseen(source, size, representation(source, size.contexts, size.dim))


def unseen_spanning(source: Source, size: Size) -> ModelPair:
    """As :func:`unseen` with f* free in place of f', and f' spanning.  Needs K >= M + 2 and n >= M."""
    return _unseen(source, size, of_rank(source, size.contexts, size.dim, size.dim)).swapped()


def _unseen(source: Source, size: Size, f_star: Matrix) -> ModelPair:
    dim, n = size.dim, size.contexts
    tree, g_prime, g_star, f_prime, directions = _on_a_tree(source, size, f_star)
    lost = source.integer(0, dim - 1)
    blind = [True, *(choice(source, (False, True)) for _ in range(n - 1))]
    steps = matrix_type().of([[choice(source, (1, -1, 2)) if b else 0] for b in blind], columns=1)
    kept = tuple(tuple(sorted(edge)) for e, edge in enumerate(tree) if e != lost)
    sets = tuple((*kept, (0, dim + 1)) if b else (tuple(range(dim + 1)), (0, dim + 1)) for b in blind)
    prime = Model(f_prime + steps @ directions.take(rows=[lost]), g_prime)
    return rearranged(source, ModelPair(prime, Model(f_star, g_star), sets, (tree,) * n))
