"""Pairs of models where contexts choose different label pairs: chains of overlapping pair systems.

System s consists of M + 1 labels on which both models have invertible differences.  Consecutive systems differ in
one label, so m systems need K = M + m labels.  Contexts *at* a system see its labels only; contexts *between*
systems s and s + 1 see both.  How far f* spans between the systems decides whether one alignment exists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from theory.arithmetic import Matrix, matrix_type
from theory.cooccurrence import components
from theory.models import LabelPair, Model, ModelPair
from theory.sizes import Size
from theory.strategies.layouts import candidate_sets, forest_of, placed, tree_edges
from theory.strategies.matrices import any_matrix, invertible, of_rank, representation
from theory.strategies.pairs import solve_contexts
from theory.strategies.source import Source, choice
from theory.strategies.symmetries import rearranged, transformed


@dataclass(frozen=True, slots=True)
class _Chain:
    """Systems so far: their labels, and g of both models on all labels so far."""

    systems: tuple[tuple[int, ...], ...]
    g_prime: Matrix
    g_star: Matrix

    def extended(self, kept: tuple[int, ...], g_prime: Matrix, g_star: Matrix) -> _Chain:
        new = self.g_star.shape[0]
        return _Chain((*self.systems, (*kept, new)), self.g_prime.above(g_prime), self.g_star.above(g_star))

    def steps(self, which: int) -> tuple[Matrix, Matrix]:
        """L' and L* of a system for the pairs from its first label to the others."""
        first, *others = self.systems[which]
        pairs = [(y, first) for y in others]
        return _differences(self.g_prime, pairs), _differences(self.g_star, pairs)


def two_systems(size: Size) -> bool:
    """Enough labels for two systems, K >= M + 2, and two contexts."""
    return size.labels >= size.dim + 2 and size.contexts >= 2


def two_systems_spanning(size: Size) -> bool:
    """Enough labels for two systems, two contexts, and enough contexts to span."""
    return two_systems(size) and size.contexts >= size.dim


def linkable(size: Size) -> bool:
    """Enough labels for two systems and enough contexts between them for f* to span there."""
    return size.labels >= size.dim + 2 and size.contexts >= size.dim


def chainable(size: Size) -> bool:
    """Two systems, a context at each and one between."""
    return size.labels >= size.dim + 2 and size.contexts >= 3


def separate_systems(source: Source, size: Size) -> ModelPair:
    """Equal distributions; each context sees its own system and none sees two.  Needs K >= M + 2 and n >= 2."""
    return _separate(source, size, representation(source, size.contexts, size.dim))


def separate_systems_spanning(source: Source, size: Size) -> ModelPair:
    """As :func:`own_pairs_seen`, with f' spanning.  Needs K >= M + 2 and n >= max(2, M)."""
    f_star = of_rank(source, size.contexts, size.dim, size.dim)
    return seen_in_one_set(_separate(source, size, f_star).swapped())


def _separate(source: Source, size: Size, f_star: Matrix) -> ModelPair:
    n = size.contexts
    chain = _first_system(source, size.dim)
    for _ in range(min(size.labels - size.dim, n) - 1):
        chain = _appended_freely(source, chain)
    at = [x % len(chain.systems) for x in range(n)]
    return _assembled(source, size, chain, f_star, at, [False] * n)


def own_pairs_seen(source: Source, size: Size) -> ModelPair:
    """As :func:`separate_systems`, each chosen pair inside one candidate set of its context."""
    return seen_in_one_set(separate_systems(source, size))


def linked_systems(source: Source, size: Size) -> ModelPair:
    """Equal distributions; between consecutive systems f* spans all dimensions.  Needs K >= M + 2 and n >= M.

    g' of the label that a system adds is solved for from the contexts between, so no alignment is used.
    """
    dim = size.dim
    links = min(size.labels - dim - 1, size.contexts // dim)
    between = [of_rank(source, dim, dim, dim) for _ in range(links)]
    return _joined(source, size, between, spanning=True)


def chained_systems(source: Source, size: Size) -> ModelPair:
    """Equal distributions; the one context between two systems sees both, but f* does not span there.

    Needs K >= M + 2 and n >= 3.
    """
    dim = size.dim
    between = representation(source, 1, dim) if dim > 1 else matrix_type().zeros(1, 1)
    return _joined(source, size, [between], spanning=False)


def linked_systems_transformed(source: Source, size: Size) -> ModelPair:
    """A pair of :func:`linked_systems` after a gauge, a rescaling and a translation of each model."""
    return transformed(source, linked_systems(source, size))


def chained_systems_seen(source: Source, size: Size) -> ModelPair:
    """As :func:`chained_systems`, each chosen pair inside one candidate set of its context."""
    return seen_in_one_set(chained_systems(source, size))


def _joined(source: Source, size: Size, between: list[Matrix], spanning: bool) -> ModelPair:
    n = size.contexts
    chain = _first_system(source, size.dim)
    f_star: Matrix | None = None
    at: list[int] = []
    for s, f_between in enumerate(between):
        l_prime, l_star = chain.steps(s)
        chain = _appended_between(source, chain, solve_contexts(l_prime, l_star, f_between), f_between, spanning)
        f_star = f_between if f_star is None else f_star.above(f_between)
        at += [s] * f_between.shape[0]
    assert f_star is not None
    sees_next = [True] * len(at) + [False] * (n - len(at))
    rest = n - len(at)
    at += [(len(chain.systems) - 1 - k) % len(chain.systems) for k in range(rest)]
    if rest:
        f_star = f_star.above(representation(source, rest, size.dim))
    return _assembled(source, size, chain, f_star, at, sees_next)


def _first_system(source: Source, dim: int) -> _Chain:
    tree = tree_edges(source, tuple(range(dim + 1)))
    layout = forest_of(tree, dim + 1)
    g_prime, g_star = (placed(source, layout, invertible(source, dim)) for _ in range(2))
    return _Chain((tuple(range(dim + 1)),), g_prime, g_star)


def _kept(source: Source, chain: _Chain) -> tuple[tuple[int, ...], int]:
    """The labels that the next system keeps, and the one it replaces (never the first: it anchors the steps)."""
    system = chain.systems[-1]
    dropped = system[1 + source.integer(0, len(system) - 2)]
    return tuple(y for y in system if y != dropped), dropped


def _weights(source: Source, chain: _Chain, dropped: int) -> Matrix:
    """Weights (M, 1) of the steps of the last system, nonzero on the dropped label: the new label replaces it."""
    others = chain.systems[-1][1:]
    return matrix_type().of(
        [[choice(source, (1, -1, 2)) if y == dropped else source.integer(-2, 2)] for y in others],
        columns=1,
    )


def _appended_freely(source: Source, chain: _Chain) -> _Chain:
    kept, dropped = _kept(source, chain)
    anchor = chain.systems[-1][0]
    new: list[Matrix] = []
    for g, steps in zip((chain.g_prime, chain.g_star), chain.steps(-1), strict=True):
        new.append(g.take(rows=[anchor]) + (steps @ _weights(source, chain, dropped)).T)
    return chain.extended(kept, new[0], new[1])


def _appended_between(source: Source, chain: _Chain, f_prime: Matrix, f_star: Matrix, spanning: bool) -> _Chain:
    """Add a label that the contexts between see: g' of it is solved for.  Where f* does not span there, g' takes the
    first free direction for which the new system stays invertible."""
    kept, dropped = _kept(source, chain)
    anchor = chain.systems[-1][0]
    step_star = chain.steps(-1)[1] @ _weights(source, chain, dropped)
    step_prime = f_prime.solve(f_star @ step_star)
    assert step_prime is not None  # f' is an invertible image of f* at these contexts
    candidates = [step_prime]
    if not spanning:
        free = f_prime.null_space()
        directions = [free.take(columns=[k]) for k in range(free.shape[1])]
        candidates = [step_prime + d.scaled(t) for d in directions for t in (1, -1, 2)] + candidates
    for candidate in candidates:
        longer = chain.extended(
            kept,
            chain.g_prime.take(rows=[anchor]) + candidate.T,
            chain.g_star.take(rows=[anchor]) + step_star.T,
        )
        if longer.steps(-1)[0].inverse() is not None:
            return longer
    raise AssertionError("some candidate keeps the new system invertible: its determinant is affine in the direction")


def _assembled(
    source: Source, size: Size, chain: _Chain, f_star: Matrix, at: list[int], sees_next: list[bool]
) -> ModelPair:
    """Solve f' at every context from its system, choose label pairs and candidate sets, add unused labels."""
    f_prime: Matrix | None = None
    trees = [tree_edges(source, system) for system in chain.systems]
    sets, pairs = [], []
    for x, s in enumerate(at):
        row = solve_contexts(*chain.steps(s), f_star.take(rows=[x]))
        f_prime = row if f_prime is None else f_prime.above(row)
        labels = tuple(sorted({*chain.systems[s], *(chain.systems[s + 1] if sees_next[x] else ())}))
        sets.append(candidate_sets(source, (labels,), tree_edges(source, labels)))
        first_there = at.index(s) == x  # chooses system s, so that no system between two chosen ones is skipped
        other = sees_next[x] and not first_there and choice(source, (False, True))
        pairs.append(trees[s + 1] if other else trees[s])
    assert f_prime is not None
    unused = size.labels - chain.g_star.shape[0]
    g_prime, g_star = (g.above(any_matrix(source, unused, size.dim)) for g in (chain.g_prime, chain.g_star))
    pair = ModelPair(Model(f_prime, g_prime), Model(f_star, g_star), tuple(sets), tuple(pairs))
    return rearranged(source, pair)


def seen_in_one_set(pair: ModelPair) -> ModelPair:
    """The same pair where every component of candidate sets is one candidate set, so that chosen pairs are inside."""
    return replace(pair, candidate_sets=tuple(components(sets) for sets in pair.candidate_sets))


def _differences(g: Matrix, pairs: list[LabelPair]) -> Matrix:
    return (g.take(rows=[a for a, _ in pairs]) - g.take(rows=[b for _, b in pairs])).T
