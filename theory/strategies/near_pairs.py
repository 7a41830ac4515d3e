"""Pairs of models together with a bound δ on how far apart their log-probabilities are.  None uses A."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from theory.arithmetic import matrix_type
from theory.log_probabilities import NearPair, furthest
from theory.models import Model, ModelPair, full_candidate_sets
from theory.sizes import Size
from theory.strategies import biases, nearby, pairs, systems, violations
from theory.strategies.layouts import forest_of, placed
from theory.strategies.matrices import invertible, orthogonal
from theory.strategies.source import Source, choice
from theory.strategies.symmetries import rearranged

#: Some δ where every δ >= 0 will do.
_ANY = (Fraction(0), Fraction(1, 100), Fraction(1))


def tolerated(source: Source, pair: ModelPair) -> NearPair:
    """The pair with a δ that holds: the furthest log-probabilities rounded up, or more."""
    least = least_multiple(pair, choice(source, (1, 100, 10)))
    return NearPair.of(pair, least * choice(source, (1, 1, 2)))


def least_multiple(pair: ModelPair, denominator: int) -> Fraction:
    """The least multiple of 1/denominator that surely is a δ of the pair."""
    return Fraction(ceil(furthest(pair).high * denominator), denominator)


def unrelated(source: Source, size: Size) -> NearPair:
    """Models drawn independently; L' is invertible, f* and L* are arbitrary."""
    return tolerated(source, nearby.unrelated_swapped(source, size))


def shaken(source: Source, size: Size) -> NearPair:
    """Equal distributions after every symmetry, f' and g' moved a little."""
    return tolerated(source, nearby.shaken(source, size))


def equal(source: Source, size: Size) -> NearPair:
    """Equal distributions, δ = 0 or more."""
    return NearPair.of(pairs.solved(source, size), choice(source, _ANY))


def with_a_bias(source: Source, size: Size) -> NearPair:
    """Equal distributions of models with a bias, which makes up for a move of f', δ = 0 or more."""
    return NearPair.of(biases.prime_moved(source, size), choice(source, _ANY))


def balanced(size: Size) -> bool:
    """Enough labels for M pairs of opposite signs in balance: K >= M + 1 for odd M, K >= M + 2 for even M."""
    return size.labels > size.dim + (size.dim % 2 == 0)


def exchanged(source: Source, size: Size) -> NearPair:
    """Logits exchanged in couples and L' = c Q: the bound is attained at context 0 and wherever the factor is ±1.

    Labels have signs, opposite on the two labels of each pair, as many + as -, and 0 on those to spare.  At context x
    logit' = sign αδ/2 and logit* = -sign αδ/2, so that log p' - log p* = sign αδ.
    """
    dim, n = size.dim, size.contexts
    signs = [1 - 2 * (y % 2) for y in range(dim + 1)]
    parents = [choice(source, range((y + 1) % 2, y, 2)) for y in range(1, dim + 1)]
    edges = tuple((y, z) if choice(source, (True, False)) else (z, y) for y, z in enumerate(parents, start=1))
    delta = choice(source, (Fraction(1), Fraction(1, 2), Fraction(2), Fraction(1, 3)))
    factors = [choice(source, (1, -1)), *(choice(source, (1, Fraction(-1, 2), 0, -1)) for _ in range(n - 1))]
    kernel = matrix_type()
    along = kernel.of([[delta * t] for t in factors]) @ kernel.of([[(signs[a] - signs[b]) // 2 for a, b in edges]])
    spare = size.labels - dim - 1
    middle = kernel.of([[Fraction(1, 2), Fraction(1, 2)]])
    models: list[Model] = []
    l_prime = orthogonal(source, dim).scaled(choice(source, (1, 2, Fraction(1, 3))))
    for l, logits in ((l_prime, along), (invertible(source, dim), along.scaled(-1))):
        g = placed(source, forest_of(edges, dim + 1), l)
        odd = g.take(rows=[1] if dim % 2 == 0 else [])
        rest = (middle @ g.take(rows=[0, 1])).take(rows=[0] * (spare - odd.shape[0]))
        models.append(Model(nearby.solved_for(l, logits), g.above(odd).above(rest)))
    pair = ModelPair(models[0], models[1], full_candidate_sets(n, size.labels), (edges,) * n)
    return NearPair.of(rearranged(source, pair), delta)


def fewest_labels(size: Size) -> bool:
    """Just enough labels for diversity: K = M + 1."""
    return size.labels == size.dim + 1


def opposed(source: Source, size: Size) -> NearPair:
    """One label against M others, K = M + 1 and L' = c Q: the bound is all but attained for even M too.

    With logit* = 0 on the one label and -a/2 - log M on the others, and logit' greater by a there, log p' - log p* is
    -a/2 on the one and a/2 on the others.  Here log M is rounded, and δ is the least multiple of 1/1000 that holds.
    """
    dim, n = size.dim, size.contexts
    steps = [choice(source, (2, 1, -3)), *(choice(source, (1, -2, 0)) for _ in range(n - 1))]
    spread = Fraction(round(1000 * log(dim)), 1000)
    ones = matrix_type().of([[1] * dim])
    edges = tuple((y, 0) for y in range(1, dim + 1))
    l_prime = orthogonal(source, dim).scaled(choice(source, (1, 2, Fraction(1, 3))))
    models: list[Model] = []
    for l, sign in ((l_prime, 1), (invertible(source, dim), -1)):
        logits = matrix_type().of([[Fraction(sign * a, 2) - spread] for a in steps]) @ ones
        models.append(Model(nearby.solved_for(l, logits), placed(source, forest_of(edges, dim + 1), l)))
    pair = ModelPair(models[0], models[1], full_candidate_sets(n, size.labels), (edges,) * n)
    return NearPair.of(rearranged(source, pair), least_multiple(pair, 1000))


def too_far(source: Source, size: Size) -> NearPair:
    """A pair of equal distributions with f' moved at one context, and a δ below what that makes of it."""
    pair = violations.unequal(source, size)
    denominator = choice(source, (1, 100))
    below = Fraction(ceil(furthest(pair).low * denominator) - 1, denominator)
    return NearPair.of(pair, choice(source, (Fraction(0), max(below, Fraction(0)), max(below, Fraction(0)) / 4)))


def unseen(source: Source, size: Size) -> NearPair:
    """Equal distributions where one label pair is in no candidate set at some contexts."""
    return NearPair.of(violations.unseen(source, size), choice(source, _ANY))


def own_pairs(source: Source, size: Size) -> NearPair:
    """Equal distributions, each context with label pairs of its own."""
    return NearPair.of(systems.own_pairs_seen(source, size), choice(source, _ANY))


def shaken_own_pairs(source: Source, size: Size) -> NearPair:
    """As :func:`own_pairs`, f' and g' moved a little."""
    return tolerated(source, nearby.shaken_own_pairs(source, size))
