"""Contradictory assumptions: no more labels than dimensions, and M independent label differences.

K labels have at most K - 1 independent differences.  So no instance meets the assumptions, and anything follows.

    python -m verification refute few_and_diverse.py     exit code 3: no witness
"""

from theory import Assumption, Construction, Evidence, ModelPair, Reference, Size, Standing, Theorem, decide
from theory.assumptions import common_pairs, equal_distributions, left_invertible, no_bias, pairs_seen
from theory.indeterminacy import CLASSES
from theory.strategies import pairs
from theory.theorems.softmax.linear_identifiability import witness


def decide_few_labels(pair: ModelPair) -> Evidence:
    """K <= M.  The value counts the labels beyond M."""
    return decide.count_is_zero(max(pair.labels - pair.dim, 0), "labels beyond M")


def conclusion(pair: ModelPair) -> Evidence:
    """f' = f*."""
    return CLASSES["identity"].fit(pair.star.f, pair.prime.f)


THEOREM = Theorem(
    name="few_and_diverse",
    title="Few labels determine the representation",
    reference=Reference("an example of this documentation", "conjecture", "about nothing"),
    statement="If p' = p*, there are no more labels than dimensions, and L' is invertible, then f' = f*.",
    instance_type=ModelPair,
    assumptions=(
        no_bias,
        equal_distributions,
        pairs_seen,
        common_pairs,
        left_invertible,
        Assumption("few_labels", "there are no more labels than dimensions, K <= M", decide_few_labels),
    ),
    conclusion=conclusion,
    constructions=(Construction("solved context by context", pairs.solved, fits=pairs.diverse),),
    sizes=(Size(2, 3, 3), Size(3, 5, 4)),
    witness=witness,
    indeterminacy="none",
    standing=Standing.CONJECTURE,
)
