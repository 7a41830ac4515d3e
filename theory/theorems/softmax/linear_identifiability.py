"""Linear identifiability of the representation f: Roeder, Metz and Kingma, Theorem 1, the part about f.

Let two models of the canonical discriminative family have equal distributions p'(y|x,S) = p*(y|x,S) at every
context x, on every candidate set S of positive probability.  Let there be M label pairs (y_A, y_B), the same at
every context and each inside such a candidate set, whose difference matrices L' = [g'(y_A) - g'(y_B)] and
L* = [g*(y_A) - g*(y_B)], both (M, M) with the differences as columns, are invertible.  Then f'(x) = A f*(x) for
an invertible matrix A, and A = L'⁻ᵀ L*ᵀ.

*Proof.*  Within a candidate set the normaliser cancels from log p(y_A) - log p(y_B), so equal distributions give
L'ᵀ f'(x) = L*ᵀ f*(x) at every context.  Invert L'ᵀ; A is invertible because L* is.

*Tight.*  Every A in GL(M) is attained, by f' = A f* and g' = A⁻ᵀ g* + c.

*Needed.*  Each assumption is needed already at M = 1.  Without ``equal_distributions`` nothing relates the models.
Without ``left_invertible`` f' is free where L' does not look; without ``right_invertible`` an A exists but need not
be invertible.  Without ``pairs_seen`` a pair may be in no candidate set, so equal distributions do not constrain
it.  Without ``common_pairs`` each context may have an A of its own: that is the statement
``pairs_may_depend_on_the_context``.  The degenerate counterexamples at M = 1 are joined by ones at M = 2 whose
representations are nowhere zero where the size allows it.  For n <= M and generic f any two models are linearly
related, so the latter need n >= M + 1 contexts or an f* that does not span.
"""

from __future__ import annotations

from theory import decide
from theory.arithmetic import Matrix
from theory.assumptions import (
    common_pairs,
    equal_distributions,
    left_invertible,
    no_bias,
    pairs_seen,
    right_invertible,
)
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES, smaller_than
from theory.models import Model, ModelPair, full_candidate_sets
from theory.references import roeder
from theory.sizes import Size
from theory.strategies import biases, pairs, systems, violations
from theory.strategies.scope import common_choices
from theory.strategies.spectra import conditioned
from theory.theorem import Attained, Construction, Standing, Theorem, Worked


def residual(pair: ModelPair) -> Matrix | None:
    """f' - A f* (contexts, M) with A = L'⁻ᵀ L*ᵀ, from the pairs of the first context; None where L' is singular.

    A f* is solved for from L'ᵀ (A f*) = L*ᵀ f*.  In floating point the residual then carries the first-order bound
    |L'⁻ᵀ| (E' |A f*| + E* |f*|), where E' and E* bound the rounding of the differences: about cond(L') roundings.
    Computing A first would square the condition number.
    """
    chosen = pair.label_pairs[0]
    l_prime, l_star = pair.prime.differences(chosen), pair.star.differences(chosen)
    if decide.invertible(l_prime).holds is not True:
        return None
    image = l_prime.T.solve(l_star.T @ pair.star.f.T)
    return None if image is None else pair.prime.f - image.T


def conclusion(pair: ModelPair) -> Evidence:
    """There is an invertible A (M, M) with f'(x) = A f*(x) at every context x."""
    return decide.invertible_linear_map(
        pair.star.f, pair.prime.f, lambda: residual(pair), lambda: residual(pair.swapped())
    )


def closed_form(pair: ModelPair) -> Evidence:
    """f'(x) = A f*(x) with A = L'⁻ᵀ L*ᵀ, from the pairs of the first context."""
    left_over = residual(pair)
    if left_over is None:
        return decide.invertible(pair.prime.differences(pair.label_pairs[0]))
    return decide.vanishes(left_over, "largest entry of f' - A f*")


def witness() -> ModelPair:
    """M = 1, K = 2, n = 1: f' = 1, g' = (0, 2); f* = 2, g* = (0, 1)."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [2]]),
        Model.of(f=[[2]], g=[[0], [1]]),
        full_candidate_sets(1, 2),
        (((1, 0),),),
    )


def unequal_in_the_plane() -> ModelPair:
    """M = 2, K = 3, n = 3: the same g = 0, e1, e2; f' = e1, e2, (1,1) and f* = e1, e2, (1,2)."""
    g = [[0, 0], [1, 0], [0, 1]]
    return ModelPair(
        Model.of(f=[[1, 0], [0, 1], [1, 1]], g=g),
        Model.of(f=[[1, 0], [0, 1], [1, 2]], g=g),
        full_candidate_sets(3, 3),
        (((1, 0), (2, 0)),) * 3,
    )


def singular_left_in_the_plane() -> ModelPair:
    """M = 2, K = 3, n = 2: f' = (1,0), (2,1), g' = 0, e1, 0; f* = (1,0), (2,0), g* = 0, e1, e2."""
    return ModelPair(
        Model.of(f=[[1, 0], [2, 1]], g=[[0, 0], [1, 0], [0, 0]]),
        Model.of(f=[[1, 0], [2, 0]], g=[[0, 0], [1, 0], [0, 1]]),
        full_candidate_sets(2, 3),
        (((1, 0), (2, 0)),) * 2,
    )


def singular_right_in_the_plane() -> ModelPair:
    """M = 2, K = 3, n = 2: f' = (1,0), (0,0), g' = 0, e1, e2; f* = e1, e2, g* = 0, e1, 0."""
    return ModelPair(
        Model.of(f=[[1, 0], [0, 0]], g=[[0, 0], [1, 0], [0, 1]]),
        Model.of(f=[[1, 0], [0, 1]], g=[[0, 0], [1, 0], [0, 0]]),
        full_candidate_sets(2, 3),
        (((1, 0), (2, 0)),) * 2,
    )


THEOREM = Theorem(
    name="linear_identifiability",
    title="Roeder et al. Theorem 1, f",
    reference=roeder("Theorem 1, the part about f"),
    statement=(
        "If p' = p* on every candidate set of every context, and M label pairs, the same at every context and inside "
        "candidate sets, have invertible difference matrices L' and L*, then f' = A f* with A = L'^-T L*^T invertible."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible, right_invertible),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy="linear: every A in GL(M)",
    standing=Standing.ESTABLISHED,
    needs=("no_bias", "equal_distributions", "pairs_seen", "common_pairs", "left_invertible", "right_invertible"),
    constructions=(
        Construction("solved context by context", pairs.solved, fits=pairs.diverse),
        Construction("factored at other pivots", pairs.factored, fits=pairs.spannable),
        Construction("transformed by every symmetry", pairs.transformed, fits=pairs.diverse),
        Construction("aligned by A", pairs.aligned, uses_alignment=True, fits=pairs.diverse),
        Construction("moved at one context", violations.unequal, violates="equal_distributions", fits=pairs.diverse),
        Construction("a pair in no candidate set", violations.unseen, violates="pairs_seen", fits=violations.has_twins),
        Construction("own pairs", systems.own_pairs_seen, violates="common_pairs", fits=systems.two_systems),
        Construction("L' singular", pairs.solved_with_singular_left, "left_invertible", fits=pairs.diverse),
        Construction("L* singular", pairs.solved_with_singular_right, "right_invertible", fits=pairs.diverse),
        Construction("moved, a bias making up for it", biases.prime_moved, "no_bias", fits=pairs.diverse),
        Construction("differing in one candidate set", violations.unequal_in_one_set, "equal_distributions",
                     fits=pairs.diverse),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 3, 2), Size(2, 3, 4), Size(2, 5, 3), Size(3, 4, 4), Size(3, 6, 5),
        Size(4, 5, 5), Size(4, 7, 6), Size(5, 8, 7), Size(6, 7, 7), Size(6, 9, 8),
    ),
    scope=common_choices,
    attained=Attained(CLASSES["linear"], pairs.attaining, pairs.representations),
    stronger=smaller_than(CLASSES["linear"], pairs.representations),
    spectra=conditioned,
    witness=witness,
    worked=(
        Worked("equal_distributions", unequal_in_the_plane, "M = 2, no representation is zero"),
        Worked("left_invertible", singular_left_in_the_plane, "M = 2, no representation is zero"),
        Worked("right_invertible", singular_right_in_the_plane, "M = 2, A exists and is singular"),
    ),
)  # fmt: skip
