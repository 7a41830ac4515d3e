"""False, already at the smallest size: equal distributions and diversity of both models give a rotation.

Logits are inner products, and a rotation of f and g keeps inner products.  But so does scaling f up and g down.

    python -m verification refute up_to_rotation.py      exit code 1: a counterexample at M = 1, K = 2, n = 1
"""

from theory import Construction, Evidence, ModelPair, Reference, Size, Standing, Theorem
from theory.assumptions import (
    common_pairs,
    equal_distributions,
    left_invertible,
    no_bias,
    pairs_seen,
    right_invertible,
)
from theory.indeterminacy import CLASSES
from theory.strategies import pairs
from theory.theorems.softmax.linear_identifiability import witness


def conclusion(pair: ModelPair) -> Evidence:
    """There is an orthogonal A with f'(x) = A f*(x) at every context x: all inner products agree."""
    return CLASSES["orthogonal"].fit(pair.star.f, pair.prime.f)


THEOREM = Theorem(
    name="up_to_rotation",
    title="Representations are determined up to rotations and reflections",
    reference=Reference("an example of this documentation", "conjecture", "false"),
    statement="If p' = p* and both models are diverse, then f' = A f* for an orthogonal matrix A.",
    instance_type=ModelPair,
    assumptions=(no_bias, equal_distributions, pairs_seen, common_pairs, left_invertible, right_invertible),
    conclusion=conclusion,
    constructions=(
        Construction("solved context by context", pairs.solved, fits=pairs.diverse),
        Construction("factored at other pivots", pairs.factored, fits=pairs.spannable),
    ),
    sizes=(Size(1, 2, 1), Size(2, 3, 3), Size(3, 5, 4)),
    witness=witness,
    indeterminacy="orthogonal",
    standing=Standing.CONJECTURE,
)
