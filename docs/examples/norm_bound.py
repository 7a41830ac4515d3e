"""In floating point only: f' is at most σ_max(L*) / σ_min(L') times as long as f*.

Singular values are roots, so rational arithmetic does not decide this as it stands.  Each answer is an error over the
bound that rounding explains: up to 1 it holds, above 100 it fails, between them it is undecided.

    python -m verification refute norm_bound.py          exit code 0: not falsified, with a count of the undecided
"""

import numpy as np

from theory import Construction, Evidence, ModelPair, Reference, Size, Standing, Theorem
from theory.assumptions import common_pairs, equal_distributions, no_bias, pairs_seen
from theory.strategies import pairs, spectra
from theory.strategies.source import RandomSource, Source


def conclusion(pair: ModelPair) -> Evidence:
    """σ_min(L') ‖f'(x)‖ <= σ_max(L*) ‖f*(x)‖ at every context x.  The value is the largest excess over its rounding."""
    l_prime, l_star = (model.differences(pair.label_pairs[0]) for model in (pair.prime, pair.star))
    ours, theirs = (np.linalg.norm(model.f.value, axis=1) for model in (pair.prime, pair.star))
    left, right = l_prime.singular_values()[-1] * ours, l_star.singular_values()[0] * theirs
    rounding = l_prime.uncertainty() * ours + l_star.uncertainty() * theirs + 1e-15 * (left + right) + 1e-300
    return Evidence(
        "", max(float(np.max((left - right) / rounding)), 0.0), "excess over rounding", accept=1, reject=100
    )


def conditioned(source: Source, size: Size) -> ModelPair:
    """Equal distributions up to rounding; the larger of cond(L') and cond(L*) is up to 1e4."""
    return spectra.conditioned(source, size, source.integer(0, 4))


def witness() -> ModelPair:
    """One such instance, M = 2, K = 3, n = 2, of condition number 1."""
    return spectra.conditioned(RandomSource(0), Size(2, 3, 2), 0)


THEOREM = Theorem(
    name="norm_bound",
    title="How much longer f' can be than f*",
    reference=Reference("an example of this documentation", "lemma", "from L'ᵀ f' = L*ᵀ f*"),
    statement=(
        "If p' = p*, and M label pairs, the same at every context, are inside candidate sets, then "
        "σ_min(L') ‖f'(x)‖ <= σ_max(L*) ‖f*(x)‖ at every context x."
    ),
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs),
    conclusion=conclusion,
    constructions=(Construction("by condition number", conditioned, fits=pairs.diverse),),
    sizes=(Size(2, 3, 2), Size(3, 4, 4), Size(4, 6, 5)),
    witness=witness,
    indeterminacy="none: a bound",
    standing=Standing.CONJECTURE,
)
