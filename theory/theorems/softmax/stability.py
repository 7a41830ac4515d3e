"""Nearly equal distributions make nearly linear representations: ``linear_identifiability`` for finite samples.

Let M label pairs (y_A, y_B), the same at every context, each inside a candidate set of positive probability there, have
an invertible difference matrix L' of the first model.  Let |log p'(y|x,S) - log p*(y|x,S)| <= δ for both labels of each
pair, on every candidate set S that holds the pair, at every context.  Then, with A = L'⁻ᵀ L*ᵀ,

    ‖f'(x) - A f*(x)‖ <= 2 δ √M / σ_min(L')    at every context x.

*Proof.*  The normaliser cancels from log p(y_A) - log p(y_B), so along each pair the logit differences of the two
models differ by at most 2δ, hence ‖Δu(x)‖ <= 2δ√M; apply ``logit_distance_bound``.  With δ = 0 this is f' = A f*.

*Decided.*  Log-probabilities are not rational: the assumption is decided by ball arithmetic, and exactly where the
difference is rational.  The conclusion is squared, and decided exactly as in ``logit_distance_bound``.

*Tight.*  Attained where L' = c Q with Q orthogonal, and p' arises from p* by exchanging probabilities between couples
of labels, log p' - log p* = ±δ with opposite signs on the two labels of each pair.  All is rational then: M = 1, K = 2,
f' = 1, f* = -1, g = (0, 1), δ = 1.  Balanced signs need K = M + 1 labels for odd M, M + 2 for even M.  With K = M + 1
and any M, δ it is attained by logits that are not rational: logit* = 0 on y0 and -δ - log M elsewhere, logit' greater
by 2δ there; δ = log 2 has p*(y0) = 2/3 and the rest equal, p'(y0) = p*(y0)/2 and p' = 2 p* elsewhere.

*Needed.*  Without ``left_invertible`` there is no bound, 1/0: the sharp instances stand in place of a counterexample
without it.  Without ``near`` nothing relates the models; a bias may make up for any move of f; ``pairs_seen`` and
``common_pairs`` are needed already for δ = 0, as in ``linear_identifiability``.  *Not needed*: L* invertible (A may be
singular) and equal dimensions; M is the dimension of f'.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from theory import decide
from theory.assumptions import common_pairs, left_invertible, no_bias, pairs_seen
from theory.evidence import Evidence
from theory.log_probabilities import NearPair, log_probabilities_within
from theory.models import Model, ModelPair, full_candidate_sets
from theory.references import nielsen_logits
from theory.sizes import Size
from theory.strategies import near_pairs, pairs, systems, violations
from theory.strategies.scope import any_distributions
from theory.theorem import Assumption, Construction, Scope, Standing, Stronger, Theorem, Worked
from theory.theorems.softmax import logit_distance_bound as bound


def decide_near(pair: NearPair) -> Evidence:
    """|log p'(y|x,S) - log p*(y|x,S)| <= δ for the labels of the pairs chosen at x inside S."""
    return log_probabilities_within(pair, pair.delta)


def _compared(pair: NearPair, strict: bool) -> Evidence:
    left_over = bound.remainder(pair.swapped())
    if left_over is None:
        return decide.count_is_zero(0, "no bound is claimed where L' is singular")
    budgets = [4 * len(chosen) * pair.delta * pair.delta for chosen in pair.label_pairs]
    return decide.within_sigma_min(bound.differences(pair.swapped()), left_over, budgets, strict)


def conclusion(pair: NearPair) -> Evidence:
    """σ_min(L')² ‖f'(x) - A f*(x)‖² <= 4 M δ² at every context x."""
    return _compared(pair, strict=False)


def never_attained(pair: NearPair) -> Evidence:
    """σ_min(L')² ‖f'(x) - A f*(x)‖² < 4 M δ² wherever f'(x) is not A f*(x)."""
    return _compared(pair, strict=True)


def closed_form(pair: NearPair) -> Evidence:
    """f' - A f* = L'⁻ᵀ Δu with the logit differences Δu, for the common pairs."""
    return bound.closed_form(pair.swapped())


def exchanged_on_the_line() -> NearPair:
    """M = 1, K = 2, n = 1: f' = 1, f* = -1, g = (0, 1): p' is p* with its labels exchanged; δ = 1 and 2 <= 2."""
    g = [[0], [1]]
    pair = ModelPair(Model.of([[1]], g), Model.of([[-1]], g), full_candidate_sets(1, 2), (((1, 0),),))
    return NearPair.of(pair, 1)


def exchanged_in_the_plane() -> NearPair:
    """M = 2, K = 4, n = 1: f' = (1,1), f* = (-1,-1), g = 0, e1, e2, 0: log p' - log p* = -1, 1, 1, -1; √8 <= 2√2."""
    g = [[0, 0], [1, 0], [0, 1], [0, 0]]
    chosen = (((1, 0), (2, 0)),)
    return NearPair.of(ModelPair(Model.of([[1, 1]], g), Model.of([[-1, -1]], g), full_candidate_sets(1, 4), chosen), 1)


def half_the_tolerance() -> NearPair:
    """As :func:`exchanged_in_the_plane` with δ = 1/2, half of what it takes: √8 > √2."""
    return NearPair.of(exchanged_in_the_plane(), Fraction(1, 2))


def _small() -> Iterator[NearPair]:
    for pair in any_distributions.instances():
        yield NearPair.of(pair.swapped(), near_pairs.least_multiple(pair, 4))


def _about(assumption: Assumption[ModelPair]) -> Assumption[Any]:
    return assumption


THEOREM = Theorem(
    name="stability",
    title="Stability",
    reference=nielsen_logits("corollary of the core inequality, for log-probabilities"),
    statement=(
        "If M label pairs, the same at every context and inside candidate sets, have an invertible difference matrix "
        "L', and |log p'(y|x,S) - log p*(y|x,S)| <= delta for the labels of each pair on every candidate set that "
        "holds it, then ||f'(x) - A f*(x)|| <= 2 delta sqrt(M) / sigma_min(L') at every context, with A = L'^-T L*^T."
    ),
    instance_type=NearPair,
    assumptions=(
        Assumption("near", "|log p'(y|x,S) - log p*(y|x,S)| <= delta for the labels of the pairs in S", decide_near),
        _about(no_bias),
        _about(pairs_seen),
        _about(common_pairs),
        _about(left_invertible),
    ),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy="linear, up to 2δ√M / σ_min(L')",
    standing=Standing.ESTABLISHED,
    needs=("near", "no_bias", "pairs_seen", "common_pairs"),
    stronger=(
        Stronger("never_attained", "the inequality is strict wherever f'(x) is not A f*(x)", never_attained),
    ),
    constructions=(
        Construction("exchanged logits", near_pairs.exchanged, fits=near_pairs.balanced),
        Construction("one label against the rest", near_pairs.opposed, fits=near_pairs.fewest_labels),
        Construction("drawn independently", near_pairs.unrelated, fits=pairs.diverse),
        Construction("equal distributions, moved", near_pairs.shaken, fits=pairs.diverse),
        Construction("equal distributions", near_pairs.equal, fits=pairs.diverse),
        Construction("moved further than delta", near_pairs.too_far, "near", fits=pairs.diverse),
        Construction("moved, a bias making up for it", near_pairs.with_a_bias, "no_bias", fits=pairs.diverse),
        Construction("a pair in no candidate set", near_pairs.unseen, "pairs_seen", fits=violations.has_twins),
        Construction("own pairs", near_pairs.own_pairs, "common_pairs", fits=systems.two_systems),
        Construction("own pairs, moved", near_pairs.shaken_own_pairs, "common_pairs", fits=systems.two_systems),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 3, 1), Size(2, 3, 4), Size(2, 5, 3), Size(3, 4, 4), Size(3, 6, 5),
        Size(4, 5, 5), Size(4, 7, 6), Size(5, 8, 7), Size(6, 7, 7), Size(6, 9, 8),
    ),
    scope=Scope(any_distributions.description + ", exchanged, with the least multiple δ of 1/4 that holds", _small),
    witness=exchanged_on_the_line,
    worked=(
        Worked(None, exchanged_on_the_line, "the smallest, M = 1", claim="never_attained"),
        Worked(None, exchanged_in_the_plane, "M = 2, K = M + 2", claim="never_attained"),
        Worked("near", half_the_tolerance, "M = 2, no representation is zero"),
    ),
)  # fmt: skip
