"""Pairs of models whose distributions need not be equal: for bounds by how far apart they are.  None uses A."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from theory.arithmetic import Matrix, matrix_type
from theory.models import Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.strategies import pairs, systems
from theory.strategies.layouts import Forest, forest, placed
from theory.strategies.matrices import any_matrix, entries, invertible, orthogonal, representation, singular
from theory.strategies.source import Source, choice
from theory.strategies.symmetries import rearranged

_SMALL = (Fraction(1, 10), Fraction(1, 100), Fraction(1), Fraction(0))


def unrelated(source: Source, size: Size) -> ModelPair:
    """Two models drawn independently; L* is invertible, and L' and the dimension of f' are arbitrary."""
    return _unrelated(source, size, size.dim, max(1, size.dim + choice(source, (0, 1, -1))))


def unrelated_swapped(source: Source, size: Size) -> ModelPair:
    """The mirror image of :func:`unrelated`: L' is invertible, and f' has as many dimensions as f* or one less."""
    return _unrelated(source, size, max(1, size.dim - choice(source, (0, 1))), size.dim).swapped()


def _unrelated(source: Source, size: Size, dim: int, other: int) -> ModelPair:
    layout = forest(source, dim, size.labels)
    star = with_labels(source, size, layout, representation(source, size.contexts, dim), invertible(source, dim))
    prime = Model(representation(source, size.contexts, other), any_matrix(source, size.labels, other))
    sets = full_candidate_sets(size.contexts, size.labels)
    return rearranged(source, ModelPair(prime, star, sets, (layout.edges,) * size.contexts))


def with_labels(source: Source, size: Size, layout: Forest, f: Matrix, differences: Matrix) -> Model:
    """A model with the given f and differences along the edges of the layout; labels beyond the layout are anywhere."""
    g = placed(source, layout, differences)
    return Model(f, g.above(any_matrix(source, size.labels - layout.labels, f.shape[1])))


def shaken(source: Source, size: Size) -> ModelPair:
    """A pair of equal distributions after every symmetry, with f' and g' moved a little; L' stays invertible."""
    return moved(source, pairs.transformed(source, size))


def shaken_own_pairs(source: Source, size: Size) -> ModelPair:
    """As :func:`shaken`, where contexts choose different label pairs.  Needs K >= M + 2 and n >= 2."""
    return moved(source, systems.own_pairs_seen(source, size))


def moved(source: Source, pair: ModelPair) -> ModelPair:
    """The same pair with f' moved by a small matrix, and g' by a unipotent map near 1 that keeps L' invertible."""
    f, dim = pair.prime.f, pair.prime.dim
    tilt = matrix_type().of([[source.integer(-2, 2) if j > i else 0 for j in range(dim)] for i in range(dim)])
    g = pair.prime.g + (pair.prime.g @ tilt).scaled(choice(source, _SMALL))
    step = matrix_type().of(entries(source, *f.shape)).scaled(choice(source, _SMALL))
    return replace(pair, prime=Model(f + step, g))


def extremal(source: Source, size: Size) -> ModelPair:
    """Logits that differ along the left singular vector of σ_min(L*): ‖f - A f'‖ = ‖Δu‖ / σ_min(L*) at every context.

    L* = Q D R with rational orthogonal Q, R and a positive diagonal D, and f solves L*ᵀ f(x) = L'ᵀ f'(x) + Δu(x) for
    a multiple Δu(x) of the row of R that goes with the smallest entry of D, not 0 at context 0.
    """
    dim, n = size.dim, size.contexts
    layout = forest(source, dim, size.labels)
    spread = [choice(source, (Fraction(1), Fraction(2), Fraction(3), Fraction(1, 2))) for _ in range(dim)]
    turn = orthogonal(source, dim)
    stretch = matrix_type().of([[spread[i] if i == j else 0 for j in range(dim)] for i in range(dim)])
    l_star = orthogonal(source, dim) @ stretch @ turn
    l_prime = choice(source, (invertible, singular))(source, dim)
    f_prime = representation(source, n, dim)
    steps = [choice(source, (1, -1, 3)), *(source.integer(-2, 2) for _ in range(n - 1))]
    gaps = matrix_type().of([[step] for step in steps]) @ turn.take(rows=[spread.index(min(spread))])
    prime = with_labels(source, size, layout, f_prime, l_prime)
    star = with_labels(source, size, layout, solved_for(l_star, f_prime @ l_prime + gaps), l_star)
    pair = ModelPair(prime, star, full_candidate_sets(n, size.labels), (layout.edges,) * n)
    return rearranged(source, pair)


def solved_for(l: Matrix, logits: Matrix) -> Matrix:
    """The f (contexts, dim) with Lᵀ f(x) = logits(x), the given logit differences (contexts, pairs)."""
    solution = l.T.solve(logits.T)
    assert solution is not None  # L is invertible by construction
    return solution.T
