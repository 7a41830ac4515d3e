"""Diversity of one model suffices when its representations span: a sharpening of ``linear_identifiability``.

Let two models have equal distributions on every candidate set of positive probability at every context.  Let M
label pairs, the same at every context and inside candidate sets, have an invertible difference matrix L' for the
*first* model, and let the f'(x) span R^M.  Then f'(x) = A f*(x) for an invertible A, and L* is invertible as well.

*Proof.*  L'ᵀ f'(x) = L*ᵀ f*(x) gives f' = A f* with A = L'⁻ᵀ L*ᵀ.  The f'(x) span R^M, so A is onto, hence
invertible; then L*ᵀ = L'ᵀ A is invertible too.

*Needed.*  Spanning must be asked of the side whose pairs are diverse: with f* spanning instead the statement is
false, M = 2, f' = e1, 0, f* = e1, e2, g' = 0, e1, e2, g* = 0, e1, 0.  The other assumptions are needed as in
``linear_identifiability``.
"""

from __future__ import annotations

from theory import decide
from theory.assumptions import (
    common_pairs,
    equal_distributions,
    left_invertible,
    left_spans,
    no_bias,
    pairs_seen,
)
from theory.evidence import Evidence, all_of
from theory.indeterminacy import CLASSES, smaller_than
from theory.models import Model, ModelPair, full_candidate_sets
from theory.references import own
from theory.sizes import Size
from theory.strategies import biases, pairs, systems, violations
from theory.strategies.scope import common_choices
from theory.strategies.spectra import conditioned
from theory.theorem import Attained, Construction, Standing, Theorem, Worked
from theory.theorems.softmax.linear_identifiability import closed_form as alignment
from theory.theorems.softmax.linear_identifiability import residual


def conclusion(pair: ModelPair) -> Evidence:
    """There is an invertible A (M, M) with f'(x) = A f*(x) at every context x."""
    return decide.invertible_linear_map(
        pair.star.f, pair.prime.f, lambda: residual(pair), lambda: residual(pair.swapped())
    )


def closed_form(pair: ModelPair) -> Evidence:
    """A = L'⁻ᵀ L*ᵀ for the common pairs, and L* is invertible."""
    return all_of(alignment(pair), decide.invertible(pair.star.differences(pair.label_pairs[0])))


def witness() -> ModelPair:
    """M = 1, K = 2, n = 1: f' = 1, g' = (0, 2); f* = 2, g* = (0, 1)."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [2]]),
        Model.of(f=[[2]], g=[[0], [1]]),
        full_candidate_sets(1, 2),
        (((1, 0),),),
    )


def star_spans_instead() -> ModelPair:
    """M = 2, K = 3, n = 2: f' = e1, 0 and f* = e1, e2; g' = 0, e1, e2 and g* = 0, e1, 0."""
    return ModelPair(
        Model.of(f=[[1, 0], [0, 0]], g=[[0, 0], [1, 0], [0, 1]]),
        Model.of(f=[[1, 0], [0, 1]], g=[[0, 0], [1, 0], [0, 0]]),
        full_candidate_sets(2, 3),
        (((1, 0), (2, 0)),) * 2,
    )


THEOREM = Theorem(
    name="one_sided_diversity",
    title="One-sided diversity",
    reference=own("one-sided form of Theorem 1"),
    statement=(
        "If p' = p* on every candidate set of every context, M common label pairs inside candidate sets have an "
        "invertible difference matrix L', and the f'(x) span R^M, then f' = A f* with A = L'^-T L*^T invertible."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible, left_spans),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy="linear: every A in GL(M)",
    standing=Standing.ESTABLISHED,
    needs=("no_bias", "equal_distributions", "pairs_seen", "common_pairs", "left_invertible", "left_spans"),
    constructions=(
        Construction("solved context by context", pairs.solved_spanning, fits=pairs.spannable),
        Construction("factored at other pivots", pairs.factored, fits=pairs.spannable),
        Construction("transformed by every symmetry", pairs.transformed_spanning, fits=pairs.spannable),
        Construction("aligned by A", pairs.aligned_spanning, uses_alignment=True, fits=pairs.spannable),
        Construction("unrelated f'", violations.unequal_spanning, "equal_distributions", fits=pairs.spannable),
        Construction(
            "a pair in no candidate set", violations.unseen_spanning, "pairs_seen", fits=violations.has_twins_and_spans
        ),
        Construction(
            "own pairs", systems.separate_systems_spanning, "common_pairs", fits=systems.two_systems_spanning
        ),
        Construction("L' singular", pairs.solved_with_singular_left, "left_invertible", fits=pairs.spannable),
        Construction("L* singular, so f' does not span", pairs.solved_with_singular_right, "left_spans",
                     fits=pairs.diverse),
        Construction("f* moved, a bias making up for it", biases.star_moved_prime_spanning, "no_bias",
                     fits=pairs.spannable),
        Construction("differing in one candidate set", violations.unequal_in_one_set_spanning, "equal_distributions",
                     fits=pairs.spannable),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 3, 2), Size(2, 3, 4), Size(2, 5, 3), Size(3, 4, 4), Size(3, 6, 5),
        Size(4, 5, 5), Size(4, 7, 6), Size(5, 8, 7), Size(6, 7, 7), Size(6, 9, 8),
    ),
    scope=common_choices,
    attained=Attained(CLASSES["linear"], pairs.attaining_spanning, pairs.representations),
    stronger=smaller_than(CLASSES["linear"], pairs.representations),
    spectra=conditioned,
    witness=witness,
    worked=(Worked("left_spans", star_spans_instead, "f* spans, f' does not: the wrong side was asked to span"),),
)  # fmt: skip
