"""Close logits make close representations: the core inequality of Nielsen et al., *Logit Distance Bounds …*.

Let two models have any distributions, equal or not, on the same contexts and labels, and representations f and f' of
any dimensions M and M'.  Let S be M label pairs (y_A, y_B), the same at every context, with an invertible difference
matrix L = [g(y_A) - g(y_B)] of the *first* model, and let L' be that of the second.  Then, with A = L⁻ᵀ L'ᵀ (M, M'),

    ‖f(x) - A f'(x)‖ <= ‖Δu(x)‖ / σ_min(L)    at every context x,

where Δu(x) holds, for each pair, the logit difference of the first model minus that of the second.  Here the first
model is the starred one.  With equal distributions Δu = 0, and this is ``linear_identifiability``.

*Proof.*  Lᵀ f(x) and L'ᵀ f'(x) are the logit differences, so Lᵀ (f(x) - A f'(x)) = Δu(x); and ‖Lᵀ v‖ >= σ_min(L) ‖v‖.

*Decided exactly.*  With v = f(x) - A f'(x) the inequality says that L Lᵀ - q, q = ‖Δu(x)‖² / ‖v‖², is not positive
definite.  Δu is computed from the logits, not as Lᵀ v, so the identity is examined too (it is the closed form).

*Tight.*  Equality holds exactly where v is a left singular vector of L for σ_min(L): always for M = 1; and L = Q D R
with Q, R orthogonal and D diagonal has a rational spectrum.  So "never attained" is refuted.

*Needed.*  Without an invertible L there is no A and no bound, σ_min(L) = 0: the sharp instances stand in place of a
counterexample without it.  ``common_pairs`` is needed: with A from the pairs of one context and Δu from each context's
own, M = 1, K = 3 fails; even with Δu = 0 everywhere, where no A exists at all (M = 2, K = 4).  With K = M + 1 labels
the pairs may depend on the context: every choice gives the same A, since L and L' change by one common factor.
*Not needed*: L' invertible (A may be singular), equal dimensions, candidate sets that hold the pairs (the statement is
about logits), nor anything about further labels.  ``no_bias`` is needed: a bias adds its differences to Δu.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from theory import decide
from theory.arithmetic import Matrix
from theory.assumptions import common_pairs, no_bias, right_invertible
from theory.evidence import Evidence
from theory.models import Model, ModelPair, full_candidate_sets
from theory.references import nielsen_logits
from theory.sizes import Size
from theory.strategies import biases, nearby, pairs, systems
from theory.strategies.scope import any_distributions
from theory.theorem import Construction, Standing, Stronger, Theorem, Worked


def differences(pair: ModelPair) -> list[Matrix]:
    """L (M, pairs) of the starred model at each context, one object for each choice of pairs."""
    systems_chosen = {chosen: pair.star.differences(chosen) for chosen in set(pair.label_pairs)}
    return [systems_chosen[chosen] for chosen in pair.label_pairs]


def logit_gaps(pair: ModelPair) -> list[list[Fraction]]:
    """Δu(x): for each context and each pair chosen there, the logit difference of f, g minus that of f', g'."""
    excess = (pair.star.logits() - pair.prime.logits()).tolist()
    return [[row[a] - row[b] for a, b in chosen] for row, chosen in zip(excess, pair.label_pairs, strict=True)]


def remainder(pair: ModelPair) -> Matrix | None:
    """f(x) - A f'(x) (contexts, M) with A = L⁻ᵀ L'ᵀ from the pairs of the first context; None where there is no A."""
    if not pair.label_pairs:
        return None
    chosen = pair.label_pairs[0]
    l, l_prime = pair.star.differences(chosen), pair.prime.differences(chosen)
    if decide.invertible(l).holds is not True:
        return None
    image = l.T.solve(l_prime.T @ pair.prime.f.T)
    assert image is not None  # L is invertible
    return pair.star.f - image.T


def squared(gaps: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """‖Δu(x)‖² for each context."""
    return [sum((gap * gap for gap in row), Fraction(0)) for row in gaps]


def _compared(pair: ModelPair, strict: bool) -> Evidence:
    left_over = remainder(pair)
    if left_over is None:
        return decide.count_is_zero(0, "no bound is claimed where L is singular")
    return decide.within_sigma_min(differences(pair), left_over, squared(logit_gaps(pair)), strict)


def conclusion(pair: ModelPair) -> Evidence:
    """σ_min(L)² ‖f(x) - A f'(x)‖² <= ‖Δu(x)‖² at every context x."""
    return _compared(pair, strict=False)


def never_attained(pair: ModelPair) -> Evidence:
    """σ_min(L)² ‖f(x) - A f'(x)‖² < ‖Δu(x)‖² wherever f(x) is not A f'(x)."""
    return _compared(pair, strict=True)


def closed_form(pair: ModelPair) -> Evidence:
    """f - A f' = L⁻ᵀ Δu, for the common pairs."""
    left_over = remainder(pair)
    if left_over is None:
        return decide.invertible(pair.star.differences(pair.label_pairs[0]))
    l = pair.star.differences(pair.label_pairs[0])
    gaps = type(l).of(logit_gaps(pair))
    solved = l.T.solve(gaps.T)
    assert solved is not None  # L is invertible, or nothing would be left over
    return decide.vanishes(left_over - solved.T, "largest entry of f - A f' - L^-T Δu")


def witness() -> ModelPair:
    """M = 1, K = 2, n = 1: f = 1, g = (0, 2) and f' = 1, g' = (0, 1): A = 1/2, Δu = 1 and 1/2 <= 1/2."""
    return ModelPair(
        Model.of(f=[[1]], g=[[0], [1]]),
        Model.of(f=[[1]], g=[[0], [2]]),
        full_candidate_sets(1, 2),
        (((1, 0),),),
    )


def attained_in_the_plane() -> ModelPair:
    """M = 2, K = 3, n = 1: L = [[3, -8], [4, 6]]/5 has singular values 1 and 2, L' = 1; f' = (1, 0), f = (6, 8)/5.

    A f' = (3, 4)/5 and Δu = (1, 0): the error (3, 4)/5 of norm 1 is the bound 1/1.
    """
    return ModelPair(
        Model.of(f=[[1, 0]], g=[[0, 0], [1, 0], [0, 1]]),
        Model.of(f=[["6/5", "8/5"]], g=[[0, 0], ["3/5", "4/5"], ["-8/5", "6/5"]]),
        full_candidate_sets(1, 3),
        (((1, 0), (2, 0)),),
    )


def no_alignment_at_all() -> ModelPair:
    """M = 2, K = 4, n = 2: Δu = 0 for each context's own pairs, so f = A f' is claimed; f' is constant, f is not."""
    return ModelPair(
        Model.of(f=[[1, 1], [1, 1]], g=[[1, 0], [0, 0], [0, 1], [1, 1]]),
        Model.of(f=[[1, 1], [2, 1]], g=[[1, 0], [0, 0], [0, 1], ["1/2", 1]]),
        (((0, 1, 2),), ((1, 2, 3),)),
        (((0, 1), (2, 1)), ((2, 1), (3, 1))),
    )


THEOREM = Theorem(
    name="logit_distance_bound",
    title="Logit distance bounds representations",
    reference=nielsen_logits("core inequality"),
    statement=(
        "If M label pairs, the same at every context, have an invertible difference matrix L of the model f, g, then "
        "||f(x) - A f'(x)|| <= ||Du(x)|| / sigma_min(L) at every context, with A = L^-T L'^T and Du(x) the differences "
        "of the two models' logit differences along the pairs, whatever the model f', g'."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, common_pairs, right_invertible),
    conclusion=conclusion,
    closed_form=closed_form,
    indeterminacy="linear, up to ‖Δu‖ / σ_min(L)",
    standing=Standing.ESTABLISHED,
    needs=("no_bias", "common_pairs"),
    stronger=(
        Stronger("never_attained", "the inequality is strict wherever f(x) is not A f'(x)", never_attained),
    ),
    constructions=(
        Construction("drawn independently", nearby.unrelated, fits=pairs.diverse),
        Construction("equal distributions, moved", nearby.shaken, fits=pairs.diverse),
        Construction("along the least singular vector", nearby.extremal, fits=pairs.diverse),
        Construction("equal distributions", pairs.solved, fits=pairs.diverse),
        Construction("moved, a bias making up for it", biases.prime_moved, "no_bias", fits=pairs.diverse),
        Construction("own pairs", systems.own_pairs_seen, "common_pairs", fits=systems.two_systems),
        Construction("own pairs, moved", nearby.shaken_own_pairs, "common_pairs", fits=systems.two_systems),
    ),
    sizes=(
        Size(1, 2, 1), Size(1, 3, 2), Size(2, 3, 1), Size(2, 3, 4), Size(2, 5, 3), Size(3, 4, 4), Size(3, 6, 5),
        Size(4, 5, 5), Size(4, 7, 6), Size(5, 8, 7), Size(6, 7, 7), Size(6, 9, 8),
    ),
    scope=any_distributions,
    witness=witness,
    worked=(
        Worked(None, attained_in_the_plane, "singular values 1 and 2", claim="never_attained"),
        Worked("common_pairs", no_alignment_at_all, "Δu = 0, and no linear map relates f' to f"),
    ),
)  # fmt: skip
