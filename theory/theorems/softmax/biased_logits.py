"""With biases f is identified up to an affine map, not a linear one.

Let two models have logits f(x)·g(y) + b(y), as nn.Linear classifiers and the output layers of masked language models
do, and the assumptions of ``linear_identifiability``: equal distributions at every context, on every candidate set of
positive probability; M label pairs inside such sets, the same at every context, with invertible difference matrices L'
and L* of g.  Then

    f'(x) = A f*(x) + c,    A = L'⁻ᵀ L*ᵀ invertible,    c = L'⁻ᵀ (Δb* - Δb'),

where Δb holds the differences of the biases on the label pairs.  In particular f' and f* are linearly related when
the biases have equal differences, as they have when there are none.

*Proof.*  Differences of logits inside a candidate set are equal: L'ᵀ f'(x) + Δb' = L*ᵀ f*(x) + Δb*.  Invert L'ᵀ.

*Tight.*  Every affine map is attained: f' = A f* + c, g' = A⁻ᵀ g*, b' = b* - c·g' has the same logits.  The claim
without the offset is ``biased_logits_linear``.

*Needed.*  As in ``linear_identifiability``, each from n = 2 contexts on: at one context any two representations are
related by an affine map.  Without ``equal_distributions`` nothing relates the models.  Without ``left_invertible`` f'
is free where L' does not look; without ``right_invertible`` A exists but need not be invertible.  Without
``pairs_seen`` a pair may be in no candidate set; without ``common_pairs`` each context may have an affine map of its
own.
"""

from __future__ import annotations

from theory import decide
from theory.arithmetic import Matrix
from theory.assumptions import common_pairs, equal_distributions, left_invertible, pairs_seen, right_invertible
from theory.evidence import Evidence
from theory.indeterminacy import CLASSES, smaller_than
from theory.models import Model, ModelPair, bias_differences, full_candidate_sets
from theory.references import own
from theory.sizes import Size
from theory.strategies import biases, pairs, systems, violations
from theory.strategies.label_scopes import biased_pairs
from theory.theorem import Attained, Construction, Standing, Theorem, Worked


def residual(pair: ModelPair) -> Matrix | None:
    """f' - (A f* + c) (contexts, M) with A = L'⁻ᵀ L*ᵀ and c = L'⁻ᵀ (Δb* - Δb'), from the pairs of the first context;
    None where L' is singular.  A f* + c is solved for from L'ᵀ (A f* + c) = L*ᵀ f* + Δb* - Δb'."""
    chosen = pair.label_pairs[0]
    l_prime, l_star = pair.prime.differences(chosen), pair.star.differences(chosen)
    if decide.invertible(l_prime).holds is not True:
        return None
    offset = bias_differences(pair.star, chosen) - bias_differences(pair.prime, chosen)
    image = l_prime.T.solve(offset.beside(l_star.T) @ pair.star.f.with_ones().T)
    return None if image is None else pair.prime.f - image.T


def _affine_residual(pair: ModelPair) -> Matrix | None:
    """The same for [1 | f'], whose first column leaves nothing."""
    left_over = residual(pair)
    return None if left_over is None else left_over.zeros(pair.contexts, 1).beside(left_over)


def conclusion(pair: ModelPair) -> Evidence:
    """There are an invertible A (M, M) and a c in R^M with f'(x) = A f*(x) + c at every context x.

    Decided by rank[1 | F* | F'] = rank[1 | F*] = rank[1 | F'], for equal dimensions.
    """
    return decide.invertible_linear_map(
        pair.star.f.with_ones(),
        pair.prime.f.with_ones(),
        lambda: _affine_residual(pair),
        lambda: _affine_residual(pair.swapped()),
    )


def closed_form(pair: ModelPair) -> Evidence:
    """f'(x) = A f*(x) + c with A = L'⁻ᵀ L*ᵀ and c = L'⁻ᵀ (Δb* - Δb'), from the pairs of the first context."""
    left_over = residual(pair)
    if left_over is None:
        return decide.invertible(pair.prime.differences(pair.label_pairs[0]))
    return decide.vanishes(left_over, "largest entry of f' - (A f* + c)")


def witness() -> ModelPair:
    """M = 1, K = 2, n = 2: f' = (2, 3), b' = 0; f* = (1, 2), b* = (0, 1); g' = g* = (0, 1).  So A = 1, c = 1."""
    return ModelPair(
        Model.of(f=[[2], [3]], g=[[0], [1]]),
        Model.of(f=[[1], [2]], g=[[0], [1]], bias=[0, 1]),
        full_candidate_sets(2, 2),
        (((1, 0),),) * 2,
    )


def singular_right_in_the_plane() -> ModelPair:
    """M = 2, K = 3, n = 3: f* = 0, e1, e2, g* = 0, e1, 0, b* = (0, 0, 1); f' = 0, e1, 0, g' = 0, e1, e2,
    b' = (0, 0, 1).  f' = A f* with A singular."""
    return ModelPair(
        Model.of(f=[[0, 0], [1, 0], [0, 0]], g=[[0, 0], [1, 0], [0, 1]], bias=[0, 0, 1]),
        Model.of(f=[[0, 0], [1, 0], [0, 1]], g=[[0, 0], [1, 0], [0, 0]], bias=[0, 0, 1]),
        full_candidate_sets(3, 3),
        (((1, 0), (2, 0)),) * 3,
    )


THEOREM = Theorem(
    name="biased_logits",
    title="Linear identifiability with biases",
    reference=own("Theorem 1 for logits with a bias"),
    statement=(
        "If p' = p* on every candidate set of every context for logits f·g + b, and M common label pairs inside "
        "candidate sets have invertible difference matrices L' and L*, then f' = A f* + c with A = L'^-T L*^T "
        "invertible and c = L'^-T (Δb* - Δb')."
    ),
    instance_type=ModelPair,
    assumptions=(equal_distributions, pairs_seen, common_pairs, left_invertible, right_invertible),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy="affine: every A in GL(M) and every c in R^M",
    standing=Standing.ESTABLISHED,
    needs=("equal_distributions", "pairs_seen", "common_pairs", "left_invertible", "right_invertible"),
    attained=Attained(CLASSES["affine"], biases.attaining, pairs.representations),
    stronger=smaller_than(CLASSES["affine"], pairs.representations),
    constructions=(
        Construction("solved context by context, with biases", biases.solved, fits=pairs.diverse),
        Construction("factored at other pivots", biases.factored, fits=biases.diverse_and_spans_affinely),
        Construction("transformed by every symmetry", biases.after(pairs.transformed), fits=pairs.diverse),
        Construction("aligned by A and c", biases.after(pairs.aligned), uses_alignment=True, fits=pairs.diverse),
        Construction("moved at one context", biases.after(violations.unequal), "equal_distributions",
                     fits=pairs.diverse),
        Construction("equal but for the biases", biases.apart, "equal_distributions", fits=pairs.diverse),
        Construction("a pair in no candidate set", biases.after(violations.unseen), "pairs_seen",
                     fits=violations.has_twins),
        Construction("own pairs at each context", biases.after(systems.own_pairs_seen), "common_pairs",
                     fits=systems.two_systems),
        Construction("L' singular", biases.after(pairs.solved_with_singular_left), "left_invertible",
                     fits=pairs.diverse),
        Construction("L* singular", biases.after(pairs.solved_with_singular_right), "right_invertible",
                     fits=pairs.diverse),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 2, 2), Size(1, 3, 3), Size(2, 3, 3), Size(2, 3, 5), Size(2, 5, 3), Size(3, 4, 4),
        Size(3, 6, 5), Size(4, 5, 6), Size(4, 7, 6), Size(5, 8, 7), Size(6, 7, 8), Size(6, 9, 8),
    ),
    scope=biased_pairs,
    witness=witness,
    worked=(Worked("right_invertible", singular_right_in_the_plane, "M = 2, A exists and is singular"),),
)  # fmt: skip
